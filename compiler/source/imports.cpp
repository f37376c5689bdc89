// A scan for `import a.b`, that knows comments, strings and words, and nothing else of the language.
#include "source/imports.h"

#include "common/ascii.h"

namespace anml {

namespace {

class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    std::vector<ImportLine> run()
    {
        std::vector<ImportLine> imports;
        std::size_t end = 0;  // behind the last place where one may begin
        for (std::size_t at = text_.find("import"); at != text_.npos; at = text_.find("import", end)) end = at + 1;
        while (at_ < end) {
            if (skip_comment() || skip_string()) continue;
            if (!in_word(text_[at_])) {
                ++at_;
            } else if (text_[at_] != 'i') {
                word();
            } else if (const bool python = behind_from(); word() == "import" && !python) {
                ImportLine line;
                if (dotted_name(line)) imports.push_back(std::move(line));
            }
        }
        return imports;
    }

  private:
    // `from std import ether`: a mistake, which imports nothing.
    bool behind_from() const
    {
        const std::string_view line = text_.substr(0, at_);
        const std::size_t begin = line.rfind('\n') + 1;
        return line.substr(begin).starts_with("from ");
    }

    bool skip_comment()
    {
        if (text_.substr(at_, 2) == "//") {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (text_.substr(at_, 2) == "/*") {
            std::size_t close = text_.find("*/", at_ + 2);
            at_ = close == text_.npos ? text_.size() : close + 2;
        } else {
            return false;
        }
        return true;
    }

    bool skip_string()
    {
        if (text_[at_] != '"') return false;
        for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_) {
            if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
        }
        if (at_ < text_.size()) ++at_;
        return true;
    }

    std::string_view word()
    {
        std::size_t begin = at_;
        while (at_ < text_.size() && in_word(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }

    void skip_blanks()
    {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n'))
        {
            ++at_;
        }
    }

    bool dotted_name(ImportLine& line)
    {
        do {
            skip_blanks();
            if (at_ >= text_.size() || !begins_word(text_[at_])) return false;
            if (line.module.empty())
                line.begin = static_cast<std::uint32_t>(at_);
            else
                line.module += '.';
            line.module += word();
            line.end = static_cast<std::uint32_t>(at_);
            skip_blanks();
        } while (at_ < text_.size() && text_[at_] == '.' && ++at_);
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<ImportLine> scan_imports(std::string_view text) { return Scanner(text).run(); }

}  // namespace anml
