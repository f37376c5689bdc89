// Words, and what lies between them: white space and comments.
#include <algorithm>

#include "base/values/quantity.h"
#include "format/layout.h"
#include "syntax/lexer/file_tokens.h"

namespace anml {

namespace {

bool is_line_comment(std::string_view text) { return text.starts_with("//"); }

bool is_plain_number(std::string_view text)
{
    return !text.empty() && text[0] >= '0' && text[0] <= '9' &&
           text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
}

}  // namespace

Layout::Layout(const SourceSet& sources, const SyntaxTree& tree, FileId file) : sources(sources), tree(tree), file(file)
{
    while (first_token < tree.tokens.size() && tree.tokens[first_token].span.file != file) ++first_token;
    for (last_token = first_token; last_token < tree.tokens.size(); ++last_token) {
        const Token token = tree.tokens[last_token];
        if (token.span.file != file) break;
        if (token.cls != TokenClass::comment && token.cls != TokenClass::doc_comment) word_tokens.push_back(last_token);
    }
}

void Layout::word()
{
    std::string shown(text(at));
    if (token(at).cls == TokenClass::literal && shown[0] != '"') {
        std::size_t unit = unit_position(shown);
        bool address =
            std::count(shown.begin(), shown.end(), '.') > 1 || std::count(shown.begin(), shown.end(), ':') > 1;
        if (unit > 0 && unit < shown.size() && !address) {
            std::size_t number = shown.find_last_not_of(" \t", unit - 1) + 1;
            shown = shown.substr(0, number) + " " + shown.substr(unit);
        }
    }
    add(Kind::text, std::move(shown));
    last = at++;
}

void Layout::words(int n)
{
    for (; n > 0; --n) {
        word();
        space();
    }
}

void Layout::glued_words(int n)
{
    for (; n > 0; --n) {
        word();
        no_gap();
    }
}

std::size_t Layout::newlines(std::uint32_t from, std::uint32_t to) const
{
    std::string_view between = sources.text({file, from, to});
    return static_cast<std::size_t>(std::count(between.begin(), between.end(), '\n'));
}

bool Layout::line_ends_here() const
{
    return last != kNoWord && at < word_tokens.size() && newlines(token(last).span.end, token(at).span.begin) > 0;
}

std::vector<std::size_t> Layout::comments_ahead() const
{
    std::vector<std::size_t> comments;
    std::size_t from = last == kNoWord ? first_token : word_tokens[last] + 1;
    std::size_t to = at < word_tokens.size() ? word_tokens[at] : last_token;
    for (std::size_t i = from; i < to; ++i) {
        if (tree.tokens[i].cls == TokenClass::comment || tree.tokens[i].cls == TokenClass::doc_comment)
            comments.push_back(i);
    }
    return comments;
}

bool Layout::documentation_ahead() const
{
    return std::ranges::any_of(comments_ahead(),
                               [&](std::size_t i) { return tree.tokens[i].cls == TokenClass::doc_comment; });
}

bool Layout::breaks_ahead() const
{
    return std::ranges::any_of(comments_ahead(), [&](std::size_t i) {
        std::string_view shown = sources.text(tree.tokens[i].span);
        return is_line_comment(shown) || shown.find('\n') != std::string_view::npos;
    });
}

std::string without_ends_of_lines(std::string_view text)
{
    std::string out;
    const auto trim = [&] { out.erase(out.find_last_not_of(" \t\r") + 1); };
    for (char c : text) {
        if (c == '\n') trim();
        out += c;
    }
    trim();
    return out;
}

std::string Layout::comment_text(std::size_t i) const
{
    return without_ends_of_lines(sources.text(tree.tokens[i].span));
}

// `7 % x` is an operation only if the operand follows on the same line; otherwise, and where nothing that can be an
// operand follows, `7 %` is a quantity. See join_percents in syntax/lexer/lexical.cpp.
bool Layout::must_break() const
{
    if (last == kNoWord || at >= word_tokens.size()) return false;
    std::string_view before = text(last), next = text(at);
    if (token(last).cls != TokenClass::literal) return false;
    if (next == "%") {
        std::size_t behind = word_tokens[at] + 1;
        bool operand = behind < last_token && begins_operand(tree.tokens[behind].type);
        return is_plain_number(before) && !operand;
    }
    if (!before.ends_with('%') || !begins_operand(token(at).type)) return false;
    // Nothing is an operand behind a comma.
    for (std::size_t i = word_tokens[last]; i < word_tokens[at]; ++i)
        if (sources.text(tree.tokens[i].span) == ",") return false;
    return true;
}

void Layout::gap(LayoutEvent between)
{
    if (must_break()) between = {Kind::hard, 0, 0, 0, 0, false, {}};
    for (std::size_t i : comments_ahead()) {
        std::string shown = comment_text(i);
        if (is_line_comment(shown)) {
            add(Kind::comment, std::move(shown));
            between = {Kind::hard, 0, 0, 0, 0, false, {}};
            continue;
        }
        bool tight = between.kind == Kind::text && between.text.empty();
        events.push_back(tight ? LayoutEvent{Kind::text, 0, 0, 0, 0, false, " "} : between);
        add(Kind::text, std::move(shown));
        between = {must_break() ? Kind::hard : Kind::text, 0, 0, 0, 0, false, " "};
    }
    events.push_back(std::move(between));
}

void Layout::no_gap()
{
    bool joins = last != kNoWord && text(last) == "-" && text(at) == "-";  // `--` is a word of its own
    gap({Kind::text, 0, 0, 0, 0, false, joins ? " " : ""});
}

void Layout::space() { gap({Kind::text, 0, 0, 0, 0, false, " "}); }

void Layout::cell(Form form, std::uint8_t column, std::uint8_t continued)
{
    gap({Kind::cell, continued, static_cast<std::uint8_t>(form), column, 0, false, {}});
}

void Layout::close_gap(Kind kind)
{
    for (std::size_t i : comments_ahead()) {
        add(Kind::line);
        add(Kind::text, comment_text(i));
    }
    end_indent();
    add(kind);
}

void Layout::hard_gap(Edge edge)
{
    bool fresh = last == kNoWord;   // at the beginning of a line
    bool own_line = fresh;          // some comment stands on a line of its own
    bool blank_allowed = edge != Edge::first && !fresh;
    std::uint32_t from = fresh ? 0 : token(last).span.end;
    std::uint32_t next =
        at < word_tokens.size() ? token(at).span.begin : static_cast<std::uint32_t>(sources.file(file).text.size());
    std::vector<std::size_t> comments = comments_ahead();
    for (std::size_t c = 0; c < comments.size(); ++c) {
        Span span = tree.tokens[comments[c]].span;
        std::string shown = comment_text(comments[c]);
        std::uint32_t after = c + 1 < comments.size() ? tree.tokens[comments[c + 1]].span.begin : next;
        std::size_t breaks = newlines(from, span.begin);
        bool one_line = shown.find('\n') == std::string::npos;
        bool doc = tree.tokens[comments[c]].cls == TokenClass::doc_comment;
        bool ends_line = at == word_tokens.size() || newlines(span.end, after) > 0;
        if (!own_line && breaks == 0 && one_line && !doc && ends_line) {
            add(Kind::comment, std::move(shown));
        } else {
            if (fresh)
                fresh = false;
            else if (own_line && breaks == 0)
                add(Kind::text, " ");
            else
                add(blank_allowed && breaks > 1 ? Kind::blank : Kind::hard);
            add(Kind::text, std::move(shown));
            own_line = blank_allowed = true;
        }
        from = span.end;
    }
    if (edge == Edge::last) end_indent();
    if (at == word_tokens.size() || fresh) return;
    std::size_t breaks = newlines(from, next);
    if (own_line && breaks == 0 && !comments.empty() && edge != Edge::last)
        add(Kind::text, " ");
    else
        add(blank_allowed && edge != Edge::last && breaks > 1 ? Kind::blank : Kind::hard);
}

}  // namespace anml
