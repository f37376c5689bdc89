#include "lsp/completion/tokens.h"

#include <algorithm>
#include <iterator>

#include "common/ascii.h"
#include "syntax/lexer/file_tokens.h"

namespace anml::lsp {

namespace {

bool opens(std::string_view word) { return word == "{" || word == "(" || word == "["; }
bool closes(std::string_view word) { return word == "}" || word == ")" || word == "]"; }

// What begins a statement or declaration; apart from these, instances do and overrides.
bool begins_item(std::string_view word)
{
    constexpr std::string_view kWords[] = {
        "schema", "enum",     "profile",  "process", "function", "component",  "model",   "experiment",
        "graph",  "table",    "router",   "switch",  "host",     "endpoint",   "link",    "let",
        "for",    "if",       "workload", "require", "run",      "addressing", "routing", "route",
        "at",     "every",    "from",     "ramp",    "label",    "report",     "vary",    "search",
        "port",   "override", "import",   "edition", "else"};
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace

CursorTokens::CursorTokens(const std::string& text, std::uint32_t offset)
    : text_(text), prefix_begin_(offset), replaced_end_(offset)
{
    SourceSet sources;
    sources.add("", text, "");
    TokenList tokens;
    Diagnostics ignored;
    lex_file(sources, sources.main, tokens, ignored);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::uint32_t begin = tokens.begin_of(i), end = tokens.end_of(i);
        if (begin >= offset) break;
        const TokenClass cls = tokens.cls(i);
        if (cls == TokenClass::comment || cls == TokenClass::doc_comment) {
            const bool block = std::string_view(text).substr(begin, 2) == "/*";
            in_comment_ = block ? offset < end : offset <= end;
            continue;
        }
        if (cls == TokenClass::newline) continue;
        if (end < offset || (end == offset && cls == TokenClass::punctuation)) {
            words_.push_back({begin, end, cls});
            continue;
        }
        const std::string_view word = std::string_view(text).substr(begin, end - begin);
        if (cls == TokenClass::literal && (word.starts_with('"') || word.starts_with('\''))) {
            in_string_ = end > offset || word.size() == 1 || word.back() != word.front();
            if (!in_string_) words_.push_back({begin, end, cls});
            if (in_string_) {
                const bool closed = word.size() > 1 && word.back() == word.front();
                prefix_begin_ = begin + 1;
                prefix_ = std::string_view(text).substr(prefix_begin_, offset - prefix_begin_);
                replaced_end_ = closed ? end - 1 : offset;
            }
            continue;
        }
        if (cls == TokenClass::punctuation) continue;
        in_number_ = cls == TokenClass::literal && word.front() >= '0' && word.front() <= '9';
        prefix_begin_ = begin;
        prefix_ = std::string_view(text).substr(begin, offset - begin);
    }
    if (!in_comment_ && !in_string_) find_backquote(tokens, offset);
}

// A name between backquotes is one token when it is whole; while it is written it is a lone backquote and words, or
// reaches to the next backquote of the line.
void CursorTokens::find_backquote(const TokenList& tokens, std::uint32_t offset)
{
    constexpr std::uint32_t kNowhere = 0xffffffffu;
    std::uint32_t open = kNowhere;
    for (std::size_t i = 0; i < tokens.size() && tokens.begin_of(i) < offset; ++i) {
        const std::uint32_t begin = tokens.begin_of(i), end = tokens.end_of(i);
        if (open != kNowhere && line_ends_between(open, begin)) open = kNowhere;
        if (text_[begin] != '`') continue;
        if (end - begin == 1)
            open = open == kNowhere ? begin : kNowhere;
        else if (end > offset)
            open = begin;
    }
    if (open == kNowhere || line_ends_between(open, offset)) return;
    while (!words_.empty() && words_.back().end > open) words_.pop_back();
    quoted_ = true, in_number_ = false;
    prefix_begin_ = open + 1;
    prefix_ = std::string_view(text_).substr(open + 1, offset - open - 1);
    const auto in_name = [](char c) {
        return in_word(c) || std::string_view(".#-[]").find(c) != std::string_view::npos;
    };
    std::uint32_t end = offset;
    while (end < text_.size() && in_name(text_[end])) ++end;
    if (end < text_.size() && text_[end] == '`') replaced_end_ = end + 1;
}

bool CursorTokens::line_ends_between(std::uint32_t begin, std::uint32_t end) const
{
    return std::string_view(text_).substr(begin, end - begin).find('\n') != std::string_view::npos;
}

bool CursorTokens::prefix_starts_line() const
{
    return words_.empty() || line_ends_between(words_.back().end, replaced_begin());
}

bool CursorTokens::behind_number() const
{
    if (words_.empty() || !prefix_.empty() || quoted_ || words_.back().cls != TokenClass::literal) return false;
    const std::string_view word = last();
    return word.front() >= '0' && word.front() <= '9' &&
           word.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
           std::count(word.begin(), word.end(), '.') < 2 && prefix_begin_ > words_.back().end &&
           !line_ends_between(words_.back().end, prefix_begin_);
}

bool CursorTokens::starts_line(std::size_t i) const
{
    if (i == 0) return true;
    return line_ends_between(words_[i - 1].end, words_[i].begin);
}

std::size_t CursorTokens::open_before(std::size_t word) const
{
    int depth = 0;
    for (std::size_t i = std::min(word, words_.size()); i-- > 0;) {
        if (words_[i].cls != TokenClass::punctuation) continue;
        if (closes(text(i)))
            ++depth;
        else if (opens(text(i)) && depth-- == 0)
            return i;
    }
    return kNone;
}

std::size_t CursorTokens::behind(std::size_t bracket) const
{
    int depth = 0;
    for (std::size_t i = bracket; i < words_.size(); ++i) {
        if (words_[i].cls != TokenClass::punctuation) continue;
        if (opens(text(i))) ++depth;
        if (closes(text(i)) && --depth == 0) return i + 1;
    }
    return words_.size();
}

std::size_t CursorTokens::statement_of(std::size_t bracket) const
{
    int depth = 0;
    for (std::size_t i = bracket; i-- > 0;) {
        const std::string_view word = text(i);
        if (words_[i].cls == TokenClass::punctuation) {
            if (closes(word)) {
                // A block ends what was before.
                if (word == "}" && depth == 0) return i + 1;
                ++depth;
            } else if (opens(word) && depth-- == 0) {
                return i + 1;
            }
        } else if (depth == 0 && words_[i].cls != TokenClass::literal && begins_item(word) &&
                   (i == 0 || (text(i - 1) != "." && text(i - 1) != "=")))
        {
            return i;
        } else if (depth == 0 && starts_line(i) && words_[i].cls == TokenClass::identifier &&
                   (i == 0 || closes(text(i - 1)) || words_[i - 1].cls != TokenClass::punctuation))
        {
            return i;
        }
    }
    return 0;
}

std::string CursorTokens::dotted_before(std::size_t word) const
{
    std::string name;
    for (std::size_t i = std::min(word, words_.size()); i-- > 0;) {
        const std::string_view part = text(i);
        const bool dot = part == ".";
        if (!dot && words_[i].cls == TokenClass::punctuation) break;
        if (!dot && words_[i].cls == TokenClass::literal) break;
        if (!name.empty() && dot == name.starts_with('.')) break;
        name = std::string(part) + name;
    }
    return name;
}

}  // namespace anml::lsp
