// What a parse failure is called: brackets first, then the usual mistakes, else what would have fitted.
#include "syntax/errors/syntax_error.h"

#include <fmt/format.h>

#include "AnmlLexer.h"
#include "syntax/errors/failure_report.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

void FailureReport::run()
{
    if (at_end()) return explain();
    // `f(1, 'x')`: the comma does not fit, as what stands behind it is no word. That was said.
    if (type() == AnmlLexer::COMMA && next_type() == AnmlLexer::QUOTED && file_.bad(failure_.word + 1)) return;
    // Characters of other languages further on in this line belong to the same mistake.
    const std::uint32_t begin = span_of(failure_.word).end, end = span_of(line_end(failure_.word) - 1).end;
    diagnostics_.drop_if([&](const Diagnostic& d) {
        return d.diag == Diag::syntax_error && d.span.file == file_.file && begin <= d.span.begin && d.span.end <= end;
    });
    explain();
}

void FailureReport::explain()
{
    if (failure_.too_deep) {
        report(Diag::nesting_too_deep, fmt::format("this is nested more than {} deep", kDeepestNesting));
        return;
    }
    if (!at_end() && file_.bad(failure_.word)) {
        // A character that is none of the language's, in a statement that is foreign as a whole.
        if (file_.skipped_to(failure_.word) == failure_.word && !file_.bad(line_start(failure_.word)))
            foreign_statement();
        return;
    }
    if (explained_by_bracket() || closed_by_another()) return;
    if (!at_end()) file_.mark_bad(failure_.word);
    if (whole_form() || whole_line() || colon_body() || comprehension() || misannotated() || no_colon_in_schema() ||
        unit_of_name() || link_ends() || route_without_to() || foreign_statement() || foreign_operator() ||
        keyword_as_name() || loose_word() || misplaced())
        return;
    const bool section = type() == AnmlLexer::COLON && line_end(failure_.word) == failure_.word + 1;
    if (section) {
        const std::uint32_t first = line_start(failure_.word), end = block_end(first);
        skip(first, end);
        // A `}` under the loop that has no `{` closes what is around it: what follows stands outside of that.
        if (type_of(first) == AnmlLexer::FOR && end < file_.words.size() && type_of(end) == AnmlLexer::RBRACE &&
            column(end) == column(first) && column(end) > 0)
            skip(end, declaration_begin(end));
    }
    auto builder = report(Diag::syntax_error, fmt::format("expected {}{}, found {}", expectation(), place(), found()));
    add_help(builder);
}

// Of a `{` that nothing closes, the one further in that took another's `}`, as their indentation tells; or itself.
static std::uint32_t forgotten_in(const SourceSet& sources, const TokenList& tokens, const FileTokens& file,
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
static void explain_comment(const SourceSet& sources, const Span& open, Diagnostics::Builder& builder)
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

bool FailureReport::explained_by_bracket()
{
    std::uint32_t open = FileTokens::kNone;
    if (failure_.word > 0) {
        std::uint32_t before = failure_.word - 1;
        open = unclosed_from(is_opening(before) ? before : file_.inside(before));
    }
    if (open == FileTokens::kNone && !at_end()) open = unclosed_from(file_.inside(failure_.word));
    // A loop behind a list that is never closed was taken for one in it.
    for (const ParseFailure::Rule& r : failure_.rules)
        if (open == FileTokens::kNone && r.rule == AnmlParser::RuleExpression && type() == AnmlLexer::LBRACE &&
            type_of(r.first_word) == AnmlLexer::LBRACK)
            open = unclosed_from(r.first_word);
    if (open == FileTokens::kNone) return false;
    if (!at_end()) file_.mark_bad(failure_.word);
    if (file_.bad(open)) return true;
    auto builder = diagnostics_.report(Diag::unclosed_bracket, span_of(open),
                                       fmt::format("this `{}` is never closed", text_of(open)));
    builder.also(at_end() ? end_span() : span_of(failure_.word), fmt::format("expected {} here", expectation()));
    if (diagnostics_.suggests()) explain_comment(sources_, span_of(open), builder);
    file_.mark_bad(open);
    while ((open = unclosed_from(file_.inside(open))) != FileTokens::kNone && !file_.bad(open)) {
        builder.also(span_of(open), "nor is this one");
        file_.mark_bad(open);
    }
    return true;
}

bool FailureReport::closed_by_another()
{
    if (at_end() || !begins_statement(type()) || !starts_line(failure_.word)) return false;
    const std::uint32_t inner = file_.inside(failure_.word);
    if (inner == FileTokens::kNone || type_of(inner) != AnmlLexer::LBRACE) return false;
    std::uint32_t outer = file_.inside(inner);
    while (outer != FileTokens::kNone && file_.partner(outer) != FileTokens::kNone) outer = file_.inside(outer);
    if (outer == FileTokens::kNone || file_.bad(outer)) return false;
    for (const std::uint32_t word : {failure_.word, inner, outer}) file_.mark_bad(word);
    diagnostics_.report(Diag::unclosed_bracket, span_of(inner), "this `{` is never closed")
        .also(span_of(failure_.word), fmt::format("expected {} here", expectation()));
    return true;
}

std::uint32_t FailureReport::unclosed_from(std::uint32_t open) const
{
    bool unclosed = open != FileTokens::kNone && file_.partner(open) == FileTokens::kNone;
    return unclosed ? open : FileTokens::kNone;
}

bool FailureReport::expects_value() const
{
    return expects(AnmlLexer::INTEGER) && expects(AnmlLexer::LPAREN) && expects(AnmlLexer::SELF);
}

bool FailureReport::inside(std::size_t wanted) const
{
    for (const ParseFailure::Rule& r : failure_.rules) {
        if (r.rule == wanted) return true;
    }
    return false;
}

const ParseFailure::Rule* FailureReport::construct() const
{
    for (const ParseFailure::Rule& r : failure_.rules) {
        if (r.rule != AnmlParser::RuleExpression && r.rule != AnmlParser::RuleIdentifier &&
            r.rule != AnmlParser::RuleDotted_name && r.rule != AnmlParser::RuleLiteral)
        {
            return &r;
        }
    }
    return nullptr;
}

Span FailureReport::end_span() const
{
    auto size = static_cast<std::uint32_t>(sources_.file(file_.file).text.size());
    std::uint32_t last = file_.words.empty() ? 0 : span_of(static_cast<std::uint32_t>(file_.words.size()) - 1).end;
    return {file_.file, std::min(last, size), std::min(last, size)};
}

Diagnostics::Builder FailureReport::report(Diag diag, std::string message)
{
    return diagnostics_.report(diag, at_end() ? end_span() : span_of(failure_.word), std::move(message));
}

std::uint16_t FailureReport::next_type() const
{
    return failure_.word + 1 < file_.words.size() ? type_of(failure_.word + 1) : std::uint16_t{0};
}

void report_failure(const SourceSet& sources, const TokenList& tokens, FileTokens& file, const ParseFailure& failure,
                    Diagnostics& diagnostics)
{
    FailureReport(sources, tokens, file, failure, diagnostics).run();
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
