// What a parse failure is called: brackets first, then the usual mistakes, else what would have fitted.
#include "syntax/errors/syntax_error.h"

#include <fmt/format.h>

#include "AnmlLexer.h"
#include "syntax/errors/failure.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

namespace {

// Of a `{` that nothing closes, the one further in that took another's `}`, as their indentation tells; or itself.
std::uint32_t forgotten_in(const SourceSet& sources, const TokenList& tokens, const FileTokens& file,
                           std::uint32_t open)
{
    const auto type = [&](std::uint32_t word) { return tokens.type(file.words[word].token); };
    const std::string_view text = sources.file(file.file).text;
    const auto indent = [&](std::uint32_t word) {  // of the line
        const std::size_t begin = tokens[file.words[word].token].span.begin;
        const std::size_t line = text.rfind('\n', begin) + 1;
        return text.find_first_not_of(" \t", line) - line;
    };
    if (type(open) != AnmlLexer::LBRACE) return open;
    for (std::uint32_t word = open + 1; word < file.words.size(); ++word) {
        if (type(word) != AnmlLexer::LBRACE) continue;
        const std::uint32_t close = file.partner(word);
        if (close == FileTokens::kNone || !file.words[close].starts_line) continue;
        if (indent(close) < indent(word) && indent(word) > indent(open)) return word;
    }
    return open;
}

// `h[i // 2]`: what is meant as a quotient of integers begins a comment, in which the bracket is closed.
void explain_comment(const SourceSet& sources, const Span& open, Diagnostics::Builder& builder)
{
    std::string_view line = sources.file(open.file).text;
    line = line.substr(open.end, std::min(line.find('\n', open.end), line.size()) - open.end);
    const std::string_view bracket = sources.text(open);
    const char closing = bracket == "(" ? ')' : bracket == "[" ? ']' : '}';
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    std::size_t at = 0;
    for (bool quoted = false; at + 1 < line.size() && (quoted || line.substr(at, 2) != "//"); ++at) {
        if (line[at] == '\\' && quoted)
            ++at;
        else if (line[at] == '"')
            quoted = !quoted;
    }
    if (at + 2 >= line.size() || line.find(closing, at) == line.npos) return;
    const std::size_t before = line.find_last_not_of(" \t", at == 0 ? line.npos : at - 1);
    const std::size_t behind = line.find_first_not_of(" \t", at + 2);
    if (at == 0 || before == line.npos || behind == line.npos) return;
    if (!(letter(line[before]) || line[before] == ')' || line[before] == ']')) return;
    if (!(letter(line[behind]) || line[behind] == '(')) return;
    const auto first = static_cast<std::uint32_t>(open.end + at);
    builder.also({open.file, first, first + 2}, fmt::format("this begins a comment, in which the `{}` stands", closing))
        .help("the quotient of integers, rounded down, is written `floor(a / b)`");
}

// The bracket itself, if nothing closes it: brackets further out explain nothing inside a closed one.
std::uint32_t unclosed_from(const Failure& in, std::uint32_t open)
{
    bool unclosed = open != FileTokens::kNone && in.file.partner(open) == FileTokens::kNone;
    return unclosed ? open : FileTokens::kNone;
}

// A bracket around the failure that is never closed is the mistake. Where the failure is at a word that gives
// brackets up (the next statement), they are found from the word before it.
bool explained_by_bracket(Failure& in)
{
    std::uint32_t open = FileTokens::kNone;
    if (in.failure.word > 0) {
        std::uint32_t before = in.failure.word - 1;
        open = unclosed_from(in, in.is_opening(before) ? before : in.file.inside(before));
    }
    if (open == FileTokens::kNone && !in.at_end()) open = unclosed_from(in, in.file.inside(in.failure.word));
    // A loop behind a list that is never closed was taken for one in it.
    for (const ParseFailure::Rule& r : in.failure.rules)
        if (open == FileTokens::kNone && r.rule == AnmlParser::RuleExpression && in.type() == AnmlLexer::LBRACE &&
            in.type_of(r.first_word) == AnmlLexer::LBRACK)
            open = unclosed_from(in, r.first_word);
    if (open == FileTokens::kNone) return false;
    if (!in.at_end()) in.file.mark_bad(in.failure.word);
    if (in.file.bad(open)) return true;
    auto builder = in.diagnostics.report(Diag::unclosed_bracket, in.span_of(open),
                                         fmt::format("this `{}` is never closed", in.text_of(open)));
    builder.also(in.at_end() ? in.end_span() : in.span_of(in.failure.word),
                 fmt::format("expected {} here", expectation(in)));
    if (in.diagnostics.suggests()) explain_comment(in.sources, in.span_of(open), builder);
    in.file.mark_bad(open);
    while ((open = unclosed_from(in, in.file.inside(open))) != FileTokens::kNone && !in.file.bad(open)) {
        builder.also(in.span_of(open), "nor is this one");
        in.file.mark_bad(open);
    }
    return true;
}

// A statement begins in a block of actions or attributes, and a brace further out is never closed: the block's own
// was forgotten, and took the next one.
bool closed_by_another(Failure& in)
{
    if (in.at_end() || !begins_statement(in.type()) || !in.starts_line(in.failure.word)) return false;
    const std::uint32_t inner = in.file.inside(in.failure.word);
    if (inner == FileTokens::kNone || in.type_of(inner) != AnmlLexer::LBRACE) return false;
    std::uint32_t outer = in.file.inside(inner);
    while (outer != FileTokens::kNone && in.file.partner(outer) != FileTokens::kNone) outer = in.file.inside(outer);
    if (outer == FileTokens::kNone || in.file.bad(outer)) return false;
    for (const std::uint32_t word : {in.failure.word, inner, outer}) in.file.mark_bad(word);
    in.diagnostics.report(Diag::unclosed_bracket, in.span_of(inner), "this `{` is never closed")
        .also(in.span_of(in.failure.word), fmt::format("expected {} here", expectation(in)));
    return true;
}

void explain(Failure& in)
{
    if (in.failure.too_deep) {
        in.report(Diag::nesting_too_deep, fmt::format("this is nested more than {} deep", kDeepestNesting));
        return;
    }
    if (!in.at_end() && in.file.bad(in.failure.word)) {
        // A character that is none of the language's, in a statement that is foreign as a whole.
        if (in.file.skipped_to(in.failure.word) == in.failure.word && !in.file.bad(in.line_start(in.failure.word)))
            foreign_statement(in);
        return;
    }
    if (explained_by_bracket(in) || closed_by_another(in)) return;
    if (!in.at_end()) in.file.mark_bad(in.failure.word);
    if (whole_form(in) || whole_line(in) || colon_body(in) || comprehension(in) || misannotated(in) ||
        no_colon_in_schema(in) || unit_of_name(in) || link_ends(in) || route_without_to(in) || foreign_statement(in) ||
        foreign_operator(in) || keyword_as_name(in) || loose_word(in) || misplaced(in))
        return;
    const bool section = in.type() == AnmlLexer::COLON && in.line_end(in.failure.word) == in.failure.word + 1;
    if (section) {
        const std::uint32_t first = in.line_start(in.failure.word), end = block_end(in, first);
        in.skip(first, end);
        // A `}` under the loop that has no `{` closes what is around it: what follows stands outside of that.
        if (in.type_of(first) == AnmlLexer::FOR && end < in.file.words.size() && in.type_of(end) == AnmlLexer::RBRACE &&
            in.column(end) == in.column(first) && in.column(end) > 0)
            in.skip(end, declaration_begin(in, end));
    }
    auto builder =
        in.report(Diag::syntax_error, fmt::format("expected {}{}, found {}", expectation(in), place(in), found(in)));
    add_help(in, builder);
}

}  // namespace

bool Failure::expects_value() const
{
    return expects(AnmlLexer::INTEGER) && expects(AnmlLexer::LPAREN) && expects(AnmlLexer::SELF);
}

bool Failure::inside(std::size_t wanted) const
{
    for (const ParseFailure::Rule& r : failure.rules) {
        if (r.rule == wanted) return true;
    }
    return false;
}

const ParseFailure::Rule* Failure::construct() const
{
    for (const ParseFailure::Rule& r : failure.rules) {
        if (r.rule != AnmlParser::RuleExpression && r.rule != AnmlParser::RuleIdentifier &&
            r.rule != AnmlParser::RuleDotted_name && r.rule != AnmlParser::RuleLiteral)
        {
            return &r;
        }
    }
    return nullptr;
}

Span Failure::end_span() const
{
    auto size = static_cast<std::uint32_t>(sources.file(file.file).text.size());
    std::uint32_t last = file.words.empty() ? 0 : span_of(static_cast<std::uint32_t>(file.words.size()) - 1).end;
    return {file.file, std::min(last, size), std::min(last, size)};
}

Diagnostics::Builder Failure::report(Diag diag, std::string message)
{
    return diagnostics.report(diag, at_end() ? end_span() : span_of(failure.word), std::move(message));
}

std::uint16_t Failure::next_type() const
{
    return failure.word + 1 < file.words.size() ? type_of(failure.word + 1) : std::uint16_t{0};
}

void report_failure(const SourceSet& sources, const TokenList& tokens, FileTokens& file, const ParseFailure& failure,
                    Diagnostics& diagnostics)
{
    Failure in{sources, tokens, file, failure, diagnostics};
    if (in.at_end()) return explain(in);
    // `f(1, 'x')`: the comma does not fit, as what stands behind it is no word. That was said.
    if (in.type() == AnmlLexer::COMMA && in.next_type() == AnmlLexer::QUOTED && in.file.bad(in.failure.word + 1))
        return;
    // Characters of other languages further on in this line belong to the same mistake.
    const std::uint32_t begin = in.span_of(in.failure.word).end, end = in.span_of(in.line_end(in.failure.word) - 1).end;
    in.diagnostics.drop_if([&](const Diagnostic& d) {
        return d.diag == Diag::syntax_error && d.span.file == in.file.file && begin <= d.span.begin &&
               d.span.end <= end;
    });
    explain(in);
}

void report_open_brackets(const SourceSet& sources, const TokenList& tokens, FileTokens& file, Diagnostics& diagnostics)
{
    for (std::uint32_t i = 0; i < file.words.size(); ++i) {
        const std::uint32_t at = file.words[i].token;
        if (!is_opening_bracket(tokens.type(at)) || file.partner(i) != FileTokens::kNone || file.bad(i)) continue;
        file.mark_bad(i);
        const std::uint32_t inner = forgotten_in(sources, tokens, file, i);
        const Token token = tokens[file.words[inner].token];
        auto builder = diagnostics.report(Diag::unclosed_bracket, token.span,
                                          fmt::format("this `{}` is never closed", sources.text(token.span)));
        if (inner != i)
            builder.also(tokens[file.words[file.partner(inner)].token].span,
                         "this `}` is another's, as it is indented");
        else if (diagnostics.suggests())
            explain_comment(sources, token.span, builder);
    }
}

}  // namespace anml
