// One failure of a parse, on its way to a message.
#pragma once

#include <optional>

#include "AnmlLexer.h"
#include "syntax/errors/syntax_error.h"

namespace anml {

struct Failure {
    using AnmlLexer = grammar::AnmlLexer;
    using AnmlParser = grammar::AnmlParser;

    const SourceSet& sources;
    const TokenList& tokens;
    FileTokens& file;
    const ParseFailure& failure;
    Diagnostics& diagnostics;

    bool is_opening(std::uint32_t word) const { return is_opening_bracket(type_of(word)); }
    bool at_end() const { return failure.word >= file.words.size(); }
    // Behind the last word: where the file ends, no type, no text, and a line of its own.
    bool starts_line(std::uint32_t word) const { return word >= file.words.size() || file.words[word].starts_line; }
    Span span_of(std::uint32_t word) const
    {
        if (word < file.words.size()) return tokens[file.words[word].token].span;
        return file.words.empty() ? Span{file.file, 0, 0} : tokens[file.words.back().token].span.behind();
    }
    std::uint16_t type_of(std::uint32_t word) const
    {
        return word < file.words.size() ? tokens.type(file.words[word].token) : std::uint16_t{0};
    }
    std::uint16_t type() const { return at_end() ? 0 : type_of(failure.word); }
    std::string_view text_of(std::uint32_t word) const { return sources.text(span_of(word)); }
    bool is_keyword(std::uint32_t word) const
    {
        return word < file.words.size() && tokens.cls(file.words[word].token) == TokenClass::keyword;
    }

    bool expects(std::size_t type) const { return failure.expected[type]; }
    bool expects_value() const;
    bool expects_statement() const { return expects(AnmlLexer::ROUTER) && expects(AnmlLexer::LET); }
    bool expects_operator() const { return expects(AnmlLexer::PLUS) && expects(AnmlLexer::STAR); }
    std::size_t rule(std::size_t i) const { return i < failure.rules.size() ? failure.rules[i].rule : kNoPart; }
    bool inside(std::size_t wanted) const;
    // The innermost rule that is no part of an expression.
    const ParseFailure::Rule* construct() const;

    Span end_span() const;
    Diagnostics::Builder report(Diag diag, std::string message);
    // No blank lies between a word and the next one.
    bool adjacent(std::uint32_t word) const { return span_of(word).end == span_of(word + 1).begin; }
    std::uint16_t next_type() const;
    std::string_view next_text() const { return next_type() ? text_of(failure.word + 1) : std::string_view{}; }
    Span span_through(std::uint32_t first, std::uint32_t last) const
    {
        return {file.file, span_of(first).begin, span_of(last).end};
    }
    std::uint32_t line_start(std::uint32_t word) const;
    std::uint32_t line_end(std::uint32_t word) const;  // where the next one begins
    std::uint32_t column(std::uint32_t word) const;
    // Nothing more is said of words [from, to), nor of their characters.
    void skip(std::uint32_t from, std::uint32_t to);
};

// expectation.cpp
std::string found(const Failure& in);
std::string expectation(const Failure& in);
// Which word stands there where the grammar takes any name, see tree_builder_timeline.cpp.
std::string_view small_word(const Failure& in);
// " after the link's name", " after `=`"; nothing where the words before are of another statement.
std::string place(const Failure& in);
// Words from `first` up to the failure are a name with at most one index: what a link's name looks like.
bool plain_name(const Failure& in, std::uint32_t first);

// usual_mistakes.cpp
// The usual mistakes: whether it was this one, which is reported then.
// `link x: a - b : p`, `link a - b`, `link a to b`.
bool link_ends(Failure& in);
// `delay = n ms`: the unit was taken for the next attribute.
bool unit_of_name(Failure& in);
bool misannotated(Failure& in);
bool route_without_to(Failure& in);
bool no_colon_in_schema(Failure& in);
// `at 1 s { link uplink down }`: what is changed is named as if it were declared again.
bool declares_in_timeline(const Failure& in);
bool colon_body(Failure& in);
bool keyword_as_name(Failure& in);
// `true and false`, `not x`, `new S(3)`: a word that is an operator elsewhere.
bool foreign_operator(Failure& in);
// Something that belongs elsewhere in a file.
bool misplaced(Failure& in);

// forms.cpp
// Whether it was one of these.
bool whole_form(Failure& in);
bool made_by_call(Failure& in, std::uint32_t name, std::uint32_t call);
bool help_with_forms(Failure& in, Diagnostics::Builder& builder);

// whole_line.cpp
// Whether it was one of these.
bool whole_line(Failure& in);
std::string_view words(const Failure& in, std::uint32_t first, std::uint32_t last);  // with what stands between them

// comprehension_mistakes.cpp
// `[for x in list: x]`, `[x, for x in list]`; and what helps where it is written as other languages do.
bool comprehension(Failure& in);
bool help_with_comprehension(Failure& in, Diagnostics::Builder& builder);

// foreign_statement.cpp
// `k += 1`, `return x`, `l.rate = x`: a line that is a statement elsewhere.
bool foreign_statement(Failure& in);
// Where the block of a line ends: behind its brackets; behind a colon, the lines that are indented more.
std::uint32_t block_end(const Failure& in, std::uint32_t line);
// Of what stands at the top of a file: the next declaration that begins a line there.
std::uint32_t declaration_begin(const Failure& in, std::uint32_t word);

// loose_word.cpp
// A word that fits nowhere was taken for the component of an instance: say so at that word.
bool loose_word(Failure& in);
// The word with what its dots add to it: `ether.gigabit`.
std::string_view dotted_name(const Failure& in, std::uint32_t word);
// The words before, on this line, are a link without its profile.
bool follows_link_end(const Failure& in, std::uint32_t word);

// syntax_help.cpp
void add_help(Failure& in, Diagnostics::Builder& builder);

// separation_help.cpp
// Whether it was one of these.
bool help_with_separation(Failure& in, Diagnostics::Builder& builder);

// attribute_help.cpp
std::uint32_t value_end(const Failure& in, std::uint32_t word);  // behind the attribute's value that the word stands in
bool help_with_attributes(Failure& in, Diagnostics::Builder& builder);
std::string_view attribute_before(const Failure& in, std::uint32_t word);  // whose value stands there, "loss"

}  // namespace anml
