// Tables as lists of objects: JSON, and YAML. Each name of a member is a column.
#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <istream>
#include <nlohmann/json.hpp>
#include <streambuf>

#include "import/json_cursor.h"
#include "import/tables/read_table.h"

namespace anml {
namespace {

using RecordJson = nlohmann::json;

constexpr std::string_view kListWanted = "a table is a list of objects: `[{\"name\": \"a\", \"hosts\": 4}, ...]`";
constexpr std::size_t kLargestYamlTable = 4u << 20;  // bytes: the parser's time grows with more than the text

// What both formats come to: a list (depth 1) of objects (2), whose members are columns.
class Records {
  public:
    Records(FileId file, TableFile& table) : file_(file), table_(table) {}

    bool open(bool list, std::size_t at)
    {
        ++depth_;
        if (depth_ == 1 && !list) return fail("this is an object", kListWanted, at);
        if (depth_ == 2 && list) return fail("this is a list in a list", kListWanted, at);
        if (depth_ == 2) table_.rows.push_back({{file_, place(at), place(at + 1)}, {}});
        if (depth_ == 3) set({place(at), place(at + 1), "", true});
        return true;
    }
    bool close(std::size_t at)
    {
        if (depth_-- == 2) table_.rows.back().span.end = place(at);
        return true;
    }
    bool key(std::string_view name, std::size_t begin, std::size_t end)
    {
        if (depth_ != 2) return true;
        if (name.empty()) return fail("a member without a name", "", begin);
        column_ = column_named(table_, name, {file_, place(begin), place(end)});
        const auto& cells = table_.rows.back().cells;
        if (column_ < cells.size() && cells[column_].end > 0)
            return fail(fmt::format("`{}` is given twice", name), "", begin, end);
        return true;
    }
    bool scalar(std::string text, std::size_t begin, std::size_t end)
    {
        if (depth_ < 2) return fail("this is a value by itself", kListWanted, begin, end);
        if (depth_ == 2) set({place(begin), place(end), std::move(text), false});
        return true;
    }
    bool fail(std::string message, std::string_view help, std::size_t begin, std::size_t end = 0)
    {
        if (error.message.empty()) error = {std::move(message), std::string(help), begin, std::max(end, begin + 1)};
        return false;
    }
    std::size_t depth() const { return depth_; }

    TableError error;

  private:
    static std::uint32_t place(std::size_t at) { return static_cast<std::uint32_t>(at); }
    void set(TableCell cell)
    {
        auto& cells = table_.rows.back().cells;
        if (cells.size() <= column_) cells.resize(column_ + 1);
        cells[column_] = std::move(cell);
    }

    FileId file_;
    TableFile& table_;
    std::size_t depth_ = 0, column_ = 0;
};

class JsonRecords : public nlohmann::json_sax<RecordJson> {
  public:
    JsonRecords(std::string_view text, Records& records) : text_(text), records_(records) {}

    void run()
    {
        position_ = text_.data();
        const JsonCursor begin{text_.data(), &position_}, end{text_.data() + text_.size(), &position_};
        RecordJson::sax_parse(begin, end, this);
    }

    bool null() override { return word(""); }
    bool boolean(bool v) override { return word(v ? "true" : "false"); }
    bool number_integer(number_integer_t) override { return word(std::nullopt); }
    bool number_unsigned(number_unsigned_t) override { return word(std::nullopt); }
    bool number_float(number_float_t, const string_t&) override { return word(std::nullopt); }
    bool string(string_t& v) override
    {
        const auto [begin, end] = string_before();
        return records_.scalar(v, begin, end);
    }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return records_.open(false, here()); }
    bool end_object() override { return records_.close(here() + 1); }
    bool start_array(std::size_t) override { return records_.open(true, here()); }
    bool end_array() override { return records_.close(here() + 1); }
    bool key(string_t& v) override
    {
        const auto [begin, end] = string_before();
        return records_.key(v, begin, end);
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override
    {
        return records_.fail(json_problem(error.what()), "", here());
    }

  private:
    // Of the byte that was read last.
    std::size_t here() const
    {
        const auto at = static_cast<std::size_t>(position_ - text_.data());
        return at < text_.size() ? at : text_.empty() ? 0 : text_.size() - 1;
    }
    std::pair<std::size_t, std::size_t> string_before() const
    {
        const std::size_t end = here() + 1;
        std::size_t begin = end - 1;
        const auto escaped = [&](std::size_t at) {
            std::size_t slashes = 0;
            while (at > slashes && text_[at - slashes - 1] == '\\') ++slashes;
            return slashes % 2 == 1;
        };
        while (begin > 0 && (text_[begin - 1] != '"' || escaped(begin - 1))) --begin;
        return {begin > 0 ? begin - 1 : 0, end};
    }
    // A number, of which the parser has read the byte behind, or a word, of which it has not.
    bool word(std::optional<std::string> text)
    {
        const auto part = [&](std::size_t at) {
            return std::string_view(" \t\r\n,:[]{}").find(text_[at]) == std::string_view::npos;
        };
        std::size_t end = here() + 1;
        while (end > 0 && !part(end - 1)) --end;
        std::size_t begin = end;
        while (begin > 0 && part(begin - 1)) --begin;
        if (!text) text = std::string(text_.substr(begin, end - begin));
        return records_.scalar(std::move(*text), begin, end);
    }

    std::string_view text_;
    Records& records_;
    const char* position_ = nullptr;
};

struct BadYaml {};  // the error is known

class YamlRecords : public YAML::EventHandler {
  public:
    YamlRecords(std::string_view text, Records& records) : text_(text), records_(records) {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { value("", mark); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override
    {
        records_.fail("a table has no aliases", "write the value out", at(mark));
        throw BadYaml{};
    }
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& text) override
    {
        value(text, mark);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override
    {
        open(true, mark);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override
    {
        open(false, mark);
    }
    void OnMapEnd() override { close(); }

  private:
    std::size_t at(const YAML::Mark& mark) const
    {
        const auto place = static_cast<std::size_t>(std::max(mark.pos, 0));
        return text_.empty() ? 0 : std::min(place, text_.size() - 1);
    }
    void open(bool list, const YAML::Mark& mark)
    {
        if (records_.depth() > 64) records_.fail("values are nested more than 64 deep", "", at(mark));
        if (!records_.error.message.empty() || !records_.open(list, at(mark))) throw BadYaml{};
        wants_key_ = !list;
    }
    void close()
    {
        records_.close(end_);
        wants_key_ = true;
    }
    // In an object a key, then its value.
    void value(const std::string& text, const YAML::Mark& mark)
    {
        const std::size_t begin = at(mark);
        const bool quoted = begin < text_.size() && (text_[begin] == '"' || text_[begin] == '\'');
        end_ = std::min(begin + text.size() + (quoted ? 2 : 0), text_.size());
        if (end_ == begin) end_ = begin + 1;
        const bool is_key = records_.depth() == 2 && wants_key_;
        if (!(is_key ? records_.key(text, begin, end_) : records_.scalar(text, begin, end_))) throw BadYaml{};
        if (records_.depth() == 2) wants_key_ = !wants_key_;
    }

    std::string_view text_;
    Records& records_;
    bool wants_key_ = false;
    std::size_t end_ = 0;
};

}  // namespace

TableError read_json_records(std::string_view text, FileId file, TableFile& table)
{
    Records records(file, table);
    JsonRecords(text, records).run();
    return records.error;
}

TableError read_yaml_records(std::string_view text, FileId file, TableFile& table)
{
    Records records(file, table);
    if (text.size() > kLargestYamlTable) {
        records.fail(fmt::format("the file is larger than {} MiB, too much for YAML", kLargestYamlTable >> 20),
                     "CSV and JSON may be larger", 0);
        return records.error;
    }
    try {
        std::string copy(text);
        struct View : std::streambuf {
            explicit View(std::string& s) { setg(s.data(), s.data(), s.data() + s.size()); }
        } buffer(copy);
        std::istream stream(&buffer);
        YAML::Parser parser(stream);
        YamlRecords handler(text, records);
        if (!parser.HandleNextDocument(handler)) records.fail("the file is empty", kListWanted, 0);
    } catch (const BadYaml&) {
    } catch (const YAML::Exception& error) {
        const auto at = static_cast<std::size_t>(std::max(error.mark.pos, 0));
        records.fail(fmt::format("this is not well-formed YAML: {}", error.msg), "",
                     std::min(at, text.empty() ? 0 : text.size() - 1));
    }
    return records.error;
}

}  // namespace anml
