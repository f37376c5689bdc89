// One failure of a parse, on its way to a message.
#pragma once

#include <optional>

#include "AnmlLexer.h"
#include "syntax/errors/syntax_error.h"

namespace anml {

class FailureReport {
  public:
    FailureReport(const SourceSet& sources, const TokenList& tokens, FileTokens& file, const ParseFailure& failure,
                  Diagnostics& diagnostics)
        : sources_(sources), tokens_(tokens), file_(file), failure_(failure), diagnostics_(diagnostics)
    {
    }

    void run();

  private:
    using AnmlLexer = grammar::AnmlLexer;
    using AnmlParser = grammar::AnmlParser;

    void explain();
    // A bracket around the failure that is never closed is the mistake. Where the failure is at a word that gives
    // brackets up (the next statement), they are found from the word before it.
    bool explained_by_bracket();
    // A statement begins in a block of actions or attributes, and a brace further out is never closed: the block's own
    // was forgotten, and took the next one.
    bool closed_by_another();

    bool is_opening(std::uint32_t word) const { return is_opening_bracket(type_of(word)); }
    // The bracket itself, if nothing closes it: brackets further out explain nothing inside a closed one.
    std::uint32_t unclosed_from(std::uint32_t open) const;

    bool at_end() const { return failure_.word >= file_.words.size(); }
    // Behind the last word: where the file ends, no type, no text, and a line of its own.
    bool starts_line(std::uint32_t word) const
    {
        return word >= file_.words.size() || file_.words[word].starts_line;
    }
    Span span_of(std::uint32_t word) const
    {
        if (word < file_.words.size()) return tokens_[file_.words[word].token].span;
        return file_.words.empty() ? Span{file_.file, 0, 0} : tokens_[file_.words.back().token].span.behind();
    }
    std::uint16_t type_of(std::uint32_t word) const
    {
        return word < file_.words.size() ? tokens_.type(file_.words[word].token) : std::uint16_t{0};
    }
    std::uint16_t type() const { return at_end() ? 0 : type_of(failure_.word); }
    std::string_view text_of(std::uint32_t word) const { return sources_.text(span_of(word)); }
    bool is_keyword(std::uint32_t word) const
    {
        return word < file_.words.size() && tokens_.cls(file_.words[word].token) == TokenClass::keyword;
    }

    bool expects(std::size_t type) const { return failure_.expected[type]; }
    bool expects_value() const;
    bool expects_statement() const { return expects(AnmlLexer::ROUTER) && expects(AnmlLexer::LET); }
    bool expects_operator() const { return expects(AnmlLexer::PLUS) && expects(AnmlLexer::STAR); }
    std::size_t rule(std::size_t i) const { return i < failure_.rules.size() ? failure_.rules[i].rule : kNoPart; }
    bool inside(std::size_t wanted) const;
    // The innermost rule that is no part of an expression.
    const ParseFailure::Rule* construct() const;

    Span end_span() const;
    Diagnostics::Builder report(Diag diag, std::string message);
    std::string found() const;
    std::string expectation() const;

    // Which word stands there where the grammar takes any name, see tree_builder_timeline.cpp.
    std::string_view small_word() const;
    // " after the link's name", " after `=`"; nothing where the words before are of another statement.
    std::string place() const;
    // Words from `first` up to the failure are a name with at most one index: what a link's name looks like.
    bool plain_name(std::uint32_t first) const;

    // The usual mistakes: whether it was this one, which is reported then.
    // `link x: a - b : p`, `link a - b`, `link a to b`.
    bool link_ends();
    // No blank lies between a word and the next one.
    bool adjacent(std::uint32_t word) const { return span_of(word).end == span_of(word + 1).begin; }
    std::uint16_t next_type() const;
    std::string_view next_text() const { return next_type() ? text_of(failure_.word + 1) : std::string_view{}; }
    // `delay = n ms`: the unit was taken for the next attribute.
    bool unit_of_name();
    bool misannotated();
    bool route_without_to();
    bool no_colon_in_schema();
    // `at 1 s { link uplink down }`: what is changed is named as if it were declared again.
    bool declares_in_timeline() const;
    bool colon_body();
    bool keyword_as_name();
    std::vector<std::string_view> declared_here() const;  // what this file calls `name: type`
    // forms.cpp: whether it was one of these.
    bool whole_form();
    bool range_with_minus();
    bool import_from();
    bool condition_without_else();
    bool new_instance();
    bool call_of_link();
    bool factor_from();
    bool table_of_call();
    bool letter_as_digit();
    bool resource_block();
    bool made_by_call(std::uint32_t name, std::uint32_t call);
    bool help_with_forms(Diagnostics::Builder& builder);
    std::uint32_t listed_value() const;
    void instead(Span span, std::string message, std::string_view why, const std::string& text);
    Span span_through(std::uint32_t first, std::uint32_t last) const
    {
        return {file_.file, span_of(first).begin, span_of(last).end};
    }
    // whole_line.cpp: whether it was one of these.
    bool whole_line();
    bool formatted_string();
    bool compared_statement();
    bool share_of_workload();
    bool timeline_verb();
    bool label_value();
    bool range_behind_default();
    bool double_arrows();
    std::string_view words(std::uint32_t first, std::uint32_t last) const;  // with what stands between them
    // `true and false`, `not x`, `new S(3)`: a word that is an operator elsewhere.
    bool foreign_operator();
    std::optional<Edit> python_condition(std::uint32_t word) const;
    // `[for x in list: x]`, `[x, for x in list]`; and what helps where it is written as other languages do.
    bool comprehension();
    bool help_with_comprehension(Diagnostics::Builder& builder);
    bool behind_for(std::uint32_t bracket) const;

    // `k += 1`, `return x`, `l.rate = x`: a line that is a statement elsewhere.
    bool foreign_statement();
    void section(std::uint32_t first);
    // Nothing more is said of words [from, to), nor of their characters.
    void skip(std::uint32_t from, std::uint32_t to);
    // Where the block of a line ends: behind its brackets; behind a colon, the lines that are indented more.
    std::uint32_t block_end(std::uint32_t line) const;
    // Of what stands at the top of a file: the next declaration that begins a line there.
    std::uint32_t declaration_begin(std::uint32_t word) const;
    std::uint32_t column(std::uint32_t word) const;
    // A word that fits nowhere was taken for the component of an instance: say so at that word.
    bool loose_word();
    // The word with what its dots add to it: `ether.gigabit`.
    std::string_view dotted_name(std::uint32_t word) const;
    // The words before, on this line, are a link without its profile.
    bool follows_link_end(std::uint32_t word) const;
    std::string dotted_before(std::uint32_t word) const;  // the name that ends before the word, "tcp.linux"
    // `lnik a: b -- c`: taken for an instance up to the colon.
    bool misspelt_statement(const ParseFailure::Rule& at, std::string_view word);
    // `--` or `->` stands further on in the line.
    bool joins_on_line(std::uint32_t word) const;
    // `delay = 3 ms` or `foo` where a statement stands.
    bool unknown_statement(const ParseFailure::Rule& at);
    // Something that belongs elsewhere in a file.
    bool misplaced();
    void add_help(Diagnostics::Builder& builder);
    // separation_help.cpp: whether it was one of these.
    bool help_with_separation(Diagnostics::Builder& builder);
    bool help_with_declaration(Diagnostics::Builder& builder);
    std::uint32_t value_end(std::uint32_t word) const;  // behind the attribute's value that the word stands in
    bool help_with_attributes(Diagnostics::Builder& builder);
    std::string_view attribute_before(std::uint32_t word) const;  // whose value stands there, "loss"
    bool help_with_names(Diagnostics::Builder& builder);
    bool help_with_labels(Diagnostics::Builder& builder);
    bool help_with_comma(Diagnostics::Builder& builder);
    bool help_with_range(Diagnostics::Builder& builder);
    bool help_with_link_ends(Diagnostics::Builder& builder);
    bool help_with_change(Diagnostics::Builder& builder);
    bool help_with_habits(Diagnostics::Builder& builder);
    Span through_type() const;
    std::uint32_t line_start(std::uint32_t word) const;
    std::uint32_t line_end(std::uint32_t word) const;  // where the next one begins

    const SourceSet& sources_;
    const TokenList& tokens_;
    FileTokens& file_;
    const ParseFailure& failure_;
    Diagnostics& diagnostics_;
};

}  // namespace anml
