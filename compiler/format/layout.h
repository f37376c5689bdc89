// Turns a file into layout events: a walk over the tree with a cursor on the words, so that nothing is lost that the
// tree does not keep, such as parentheses and comments. Each file of this folder named layout* holds the members for
// one kind of construct.
#pragma once

#include <string_view>
#include <vector>

#include "format/layout_event.h"
#include "syntax/syntax_tree.h"

namespace anml {

std::string without_ends_of_lines(std::string_view text);  // of comments: their white space

class Layout {
  public:
    Layout(const SourceSet& sources, const SyntaxTree& tree, FileId file);
    std::vector<LayoutEvent> run();

  private:
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
    static constexpr std::uint8_t kInside = 2, kContinued = 4;
    enum class Edge : std::uint8_t { first, between, last };  // of a gap in a block: no blank line at its ends

    // layout.cpp: which kind it is
    void declaration(SyntaxId id);
    void statement(SyntaxId id);
    void block(SyntaxId id);

    // layout_declarations.cpp
    void schema(SyntaxId id);
    void schema_item(SyntaxId id);
    void attribute_decl(SyntaxId id, Form form);
    void trait(SyntaxId id);
    void declared_type(SyntaxId id);
    void parameter(SyntaxId id);
    void type(SyntaxId dotted_name, SyntaxId cardinality);  // with what may stand around it: `random`, `[n]`, `?`
    void function(SyntaxId id);
    void component(SyntaxId id);  // or a model
    void optional_parameters(SyntaxId list);
    void optional_range(SyntaxId id);
    void optional_default(SyntaxId id);
    void optional_attributes(SyntaxId id, Form form, std::uint8_t column);
    void attribute(SyntaxId id);
    void profile(SyntaxId id);
    void process(SyntaxId id);
    void process_item(SyntaxId id);

    // layout_statements.cpp, layout_timeline.cpp
    void annotated(SyntaxId id);
    void annotation(SyntaxId id);  // with the blank behind it
    void node(SyntaxId id, Form form);
    void instance(SyntaxId id, Form form);
    void override(SyntaxId id);
    void link(SyntaxId id);
    void for_stmt(SyntaxId id);
    void if_stmt(SyntaxId id);
    void timeline(SyntaxId id);  // at, every, from and ramp
    void action(SyntaxId id);
    void route(SyntaxId id);

    // layout_lists.cpp: what stands between brackets
    using Item = void (Layout::*)(SyntaxId);
    void comma_list(std::span<const SyntaxId> items, Item item);  // commas between; one item per line where broken
    void line_list(std::span<const SyntaxId> items, Item item);   // commas or line ends between
    void item_lines(std::span<const SyntaxId> items, Item item);  // a line each, nothing between
    void empty_list();
    void print_comma();

    // layout_expressions.cpp
    void expression(SyntaxId id);
    void expression_node(SyntaxId id);
    void chain(SyntaxId id);
    void comprehension(SyntaxId id);
    void call_arguments(SyntaxId id);
    void argument(SyntaxId id);
    void range(SyntaxId id);
    void dotted_name(SyntaxId id);
    void brackets(SyntaxId id);  // [n], [i][j], where there are some

    // layout_gaps.cpp: words and what lies between them
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
    bool breaks_inside(const std::vector<std::size_t>& comments) const;
    bool must_break() const;  // the next word would mean something else on this line
    std::string comment_text(std::size_t token) const;
    void add(Kind kind, std::string text = {}) { events_.push_back({kind, 0, 0, 0, 0, false, std::move(text)}); }
    void begin_group() { add(Kind::begin_group); }
    void end_group() { add(Kind::end_group); }
    void begin_indent(std::uint8_t amount) { events_.push_back({Kind::begin_indent, amount, 0, 0, 0, false, {}}); }
    void end_indent() { add(Kind::end_indent); }
    void match_partners();

    // places
    Token token(std::size_t word) const { return tree_.tokens[words_[word]]; }
    std::string_view text(std::size_t word) const
    {
        return word < words_.size() ? sources_.text(token(word).span) : std::string_view();
    }
    bool next_is(std::string_view words) const { return text(at_) == words; }
    std::size_t newlines(std::uint32_t from, std::uint32_t to) const;
    bool line_ends_here() const;  // a line break in the source between the last word and the next one
    bool ends_before(std::size_t word, SyntaxId id) const;

    const SourceSet& sources_;
    const SyntaxTree& tree_;
    FileId file_;
    std::size_t first_token_ = 0, last_token_ = 0;
    std::vector<std::size_t> words_;  // tokens that are no comments
    static constexpr std::size_t kNoWord = static_cast<std::size_t>(-1);
    std::size_t last_ = kNoWord;  // the last word laid out
    std::size_t at_ = 0;          // the next one
    std::vector<LayoutEvent> events_;
};

}  // namespace anml
