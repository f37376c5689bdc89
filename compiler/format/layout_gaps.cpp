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

Layout::Layout(const SourceSet& sources, const SyntaxTree& tree, FileId file)
    : sources_(sources), tree_(tree), file_(file)
{
    while (first_token_ < tree.tokens.size() && tree.tokens[first_token_].span.file != file) ++first_token_;
    for (last_token_ = first_token_; last_token_ < tree.tokens.size(); ++last_token_) {
        const Token token = tree.tokens[last_token_];
        if (token.span.file != file) break;
        if (token.cls != TokenClass::comment && token.cls != TokenClass::doc_comment) words_.push_back(last_token_);
    }
}

void Layout::word()
{
    std::string shown(text(at_));
    if (token(at_).cls == TokenClass::literal && shown[0] != '"') {
        std::size_t unit = unit_position(shown);
        bool address =
            std::count(shown.begin(), shown.end(), '.') > 1 || std::count(shown.begin(), shown.end(), ':') > 1;
        if (unit > 0 && unit < shown.size() && !address) {
            std::size_t number = shown.find_last_not_of(" \t", unit - 1) + 1;
            shown = shown.substr(0, number) + " " + shown.substr(unit);
        }
    }
    add(Kind::text, std::move(shown));
    last_ = at_++;
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
    std::string_view between = sources_.text({file_, from, to});
    return static_cast<std::size_t>(std::count(between.begin(), between.end(), '\n'));
}

bool Layout::line_ends_here() const
{
    return last_ != kNoWord && at_ < words_.size() && newlines(token(last_).span.end, token(at_).span.begin) > 0;
}

std::vector<std::size_t> Layout::comments_ahead() const
{
    std::vector<std::size_t> comments;
    std::size_t from = last_ == kNoWord ? first_token_ : words_[last_] + 1;
    std::size_t to = at_ < words_.size() ? words_[at_] : last_token_;
    for (std::size_t i = from; i < to; ++i) {
        if (tree_.tokens[i].cls == TokenClass::comment || tree_.tokens[i].cls == TokenClass::doc_comment)
            comments.push_back(i);
    }
    return comments;
}

bool Layout::breaks_inside(const std::vector<std::size_t>& comments) const
{
    return std::any_of(comments.begin(), comments.end(), [&](std::size_t i) {
        std::string_view shown = sources_.text(tree_.tokens[i].span);
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
    return without_ends_of_lines(sources_.text(tree_.tokens[i].span));
}

// `7 % x` is an operation only if the operand follows on the same line; otherwise, and where nothing that can be an
// operand follows, `7 %` is a quantity. See join_percents in syntax/lexer/lexical.cpp.
bool Layout::must_break() const
{
    if (last_ == kNoWord || at_ >= words_.size()) return false;
    std::string_view before = text(last_), next = text(at_);
    if (token(last_).cls != TokenClass::literal) return false;
    if (next == "%") {
        std::size_t behind = words_[at_] + 1;
        bool operand = behind < last_token_ && begins_operand(tree_.tokens[behind].type);
        return is_plain_number(before) && !operand;
    }
    if (!before.ends_with('%') || !begins_operand(token(at_).type)) return false;
    // Nothing is an operand behind a comma.
    for (std::size_t i = words_[last_]; i < words_[at_]; ++i)
        if (sources_.text(tree_.tokens[i].span) == ",") return false;
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
        events_.push_back(tight ? LayoutEvent{Kind::text, 0, 0, 0, 0, false, " "} : between);
        add(Kind::text, std::move(shown));
        between = {must_break() ? Kind::hard : Kind::text, 0, 0, 0, 0, false, " "};
    }
    events_.push_back(std::move(between));
}

void Layout::no_gap()
{
    bool joins = last_ != kNoWord && text(last_) == "-" && text(at_) == "-";  // `--` is a word of its own
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
    bool fresh = last_ == kNoWord;  // at the beginning of a line
    bool own_line = fresh;          // some comment stands on a line of its own
    bool blank_allowed = edge != Edge::first && !fresh;
    std::uint32_t from = fresh ? 0 : token(last_).span.end;
    std::uint32_t next =
        at_ < words_.size() ? token(at_).span.begin : static_cast<std::uint32_t>(sources_.file(file_).text.size());
    std::vector<std::size_t> comments = comments_ahead();
    for (std::size_t c = 0; c < comments.size(); ++c) {
        Span span = tree_.tokens[comments[c]].span;
        std::string shown = comment_text(comments[c]);
        std::uint32_t after = c + 1 < comments.size() ? tree_.tokens[comments[c + 1]].span.begin : next;
        std::size_t breaks = newlines(from, span.begin);
        bool one_line = shown.find('\n') == std::string::npos;
        bool doc = tree_.tokens[comments[c]].cls == TokenClass::doc_comment;
        bool ends_line = at_ == words_.size() || newlines(span.end, after) > 0;
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
    if (at_ == words_.size() || fresh) return;
    std::size_t breaks = newlines(from, next);
    if (own_line && breaks == 0 && !comments.empty() && edge != Edge::last)
        add(Kind::text, " ");
    else
        add(blank_allowed && edge != Edge::last && breaks > 1 ? Kind::blank : Kind::hard);
}

void Layout::match_partners()
{
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < events_.size(); ++i) {
        LayoutEvent& e = events_[i];
        bool hard = e.kind == Kind::hard || e.kind == Kind::blank ||
                    (e.kind == Kind::text && e.text.find('\n') != std::string::npos);
        if (hard)
            for (std::size_t group : open) events_[group].broken = true;
        if (e.kind == Kind::begin_group || e.kind == Kind::fill) open.push_back(i);
        if (e.kind == Kind::end_group || e.kind == Kind::end_fill) {
            events_[open.back()].partner = static_cast<std::uint32_t>(i);
            open.pop_back();
        }
    }
}

}  // namespace anml
