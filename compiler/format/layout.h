// Turns a file into layout events: a walk over the tree with a cursor on the words, so that nothing is lost that the
// tree does not keep, such as parentheses and comments. Each file of this folder named layout* has the functions for
// one kind of construct.
#pragma once

#include <string_view>
#include <vector>

#include "format/layout_event.h"
#include "syntax/syntax_tree.h"

namespace anml {

std::string without_ends_of_lines(std::string_view text);  // of comments: their white space

using Kind = LayoutEvent::Kind;
// What consecutive lines may have in common, so that their columns are aligned.
enum class Form : std::uint8_t {
    attribute,
    declared_attribute,
    annotated_attribute,
    trait,
    parameter,
    tunable,
    link,
    node,
    annotated,
    profile
};
// Columns: what stands in braces or brackets; the rest of an expression that is too long for its line.
constexpr std::uint8_t kInside = 2, kContinued = 4;
enum class Edge : std::uint8_t { first, between, last };  // of a gap in a block: no blank line at its ends

struct Layout {
    Layout(const SourceSet& sources, const SyntaxTree& tree, FileId file);

    void word();
    void words(int n);        // each with a blank behind it
    void glued_words(int n);  // each with nothing behind it
    void gap(Kind kind) { gap({kind, 0, 0, 0, 0, false, {}}); }
    void gap(LayoutEvent between);
    void no_gap();
    void space();
    void cell(Form form, std::uint8_t column, std::uint8_t continued = 0);
    void close_gap(Kind kind);  // to a closing bracket, which ends an indentation; comments of one line only
    void hard_gap(Edge edge);   // to the next word, which begins a line
    std::vector<std::size_t> comments_ahead() const;
    bool documentation_ahead() const;
    bool breaks_ahead() const;  // a comment that ends its line, or has several
    bool must_break() const;    // the next word would mean something else on this line
    std::string comment_text(std::size_t token) const;
    void add(Kind kind, std::string text = {}) { events.push_back({kind, 0, 0, 0, 0, false, std::move(text)}); }
    void begin_group() { add(Kind::begin_group); }
    void end_group() { add(Kind::end_group); }
    void begin_indent(std::uint8_t amount) { events.push_back({Kind::begin_indent, amount, 0, 0, 0, false, {}}); }
    void end_indent() { add(Kind::end_indent); }

    Token token(std::size_t word) const { return tree.tokens[word_tokens[word]]; }
    std::string_view text(std::size_t word) const
    {
        return word < word_tokens.size() ? sources.text(token(word).span) : std::string_view();
    }
    bool next_is(std::string_view words) const { return text(at) == words; }
    std::size_t newlines(std::uint32_t from, std::uint32_t to) const;
    bool line_ends_here() const;  // a line break in the source between the last word and the next one

    const SourceSet& sources;
    const SyntaxTree& tree;
    FileId file;
    std::size_t first_token = 0, last_token = 0;
    std::vector<std::size_t> word_tokens;  // tokens that are no comments
    static constexpr std::size_t kNoWord = static_cast<std::size_t>(-1);
    std::size_t last = kNoWord;  // the last word laid out
    std::size_t at = 0;          // the next one
    std::vector<LayoutEvent> events;
};

std::vector<LayoutEvent> layout_events(const SourceSet& sources, const SyntaxTree& tree, FileId file);
void statement(Layout& in, SyntaxId id);
void block(Layout& in, SyntaxId id);

// layout_declarations.cpp
void schema(Layout& in, SyntaxId id);
void function(Layout& in, SyntaxId id);
void component(Layout& in, SyntaxId id);  // or a model
void optional_attributes(Layout& in, SyntaxId id, Form form, std::uint8_t column);
void attribute(Layout& in, SyntaxId id);
void attribute_lines(Layout& in, SyntaxId block);
void profile(Layout& in, SyntaxId id);
void process(Layout& in, SyntaxId id);

// layout_statements.cpp, layout_timeline.cpp
void annotated(Layout& in, SyntaxId id);
void annotation(Layout& in, SyntaxId id);  // with the blank behind it
void node(Layout& in, SyntaxId id, Form form);
void instance(Layout& in, SyntaxId id, Form form);
void override(Layout& in, SyntaxId id);
void link(Layout& in, SyntaxId id);
void for_stmt(Layout& in, SyntaxId id);
void if_stmt(Layout& in, SyntaxId id);
void timeline(Layout& in, SyntaxId id);  // at, every, from and ramp
void route(Layout& in, SyntaxId id);

// layout_lists.cpp: what stands between brackets
using Item = void (*)(Layout&, SyntaxId);
void comma_list(Layout& in, std::span<const SyntaxId> items, Item item);  // one item per line where broken
void line_list(Layout& in, std::span<const SyntaxId> items, Item item);   // commas or line ends between
void item_lines(Layout& in, std::span<const SyntaxId> items, Item item);  // a line each, nothing between
void empty_list(Layout& in);
void close_list(Layout& in, bool broken, Kind gap);
bool skip_comma(Layout& in);

// layout_expressions.cpp
void expression(Layout& in, SyntaxId id);
void call_arguments(Layout& in, SyntaxId id);
void dotted_name(Layout& in, SyntaxId id);
void brackets(Layout& in, SyntaxId id);  // [n], [i][j], where there are some

}  // namespace anml
