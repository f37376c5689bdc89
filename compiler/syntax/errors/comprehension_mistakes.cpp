// Usual mistakes in comprehensions: the orders of words that other languages have.
#include <fmt/format.h>

#include "AnmlLexer.h"
#include "syntax/errors/failure_report.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

bool FailureReport::comprehension()
{
    using L = AnmlLexer;
    if (at_end() || failure_.word == 0) return false;
    const std::uint16_t before = type_of(failure_.word - 1);
    if (type() == L::FOR && before == L::LBRACK && expects_value()) {
        report(Diag::syntax_error, "expected a value, found the keyword `for`")
            .help("what is collected comes first: `[2 * x for x in list]`");
        return true;
    }
    if (type() == L::COMMA && next_type() == L::FOR && file_.inside(failure_.word) != FileTokens::kNone &&
        type_of(file_.inside(failure_.word)) == L::LBRACK)
    {
        report(Diag::syntax_error, "no comma stands before the `for` of a comprehension")
            .help("write `[2 * x for x in list]`")
            .fix(span_of(failure_.word), "");
        return true;
    }
    if (type() == L::IN && inside(AnmlParser::RuleFor_clause) && expects(L::IDENTIFIER)) {
        report(Diag::syntax_error,
               fmt::format("expected a name after `{}`, found the keyword `in`", text_of(failure_.word - 1)))
            .help("the element has a name: `[2 * x for x in list]`");
        return true;
    }
    return false;
}

// A `for` of a comprehension stands before, in the same brackets.
bool FailureReport::behind_for(std::uint32_t bracket) const
{
    for (std::uint32_t word = failure_.word; --word > bracket;)
        if (type_of(word) == AnmlLexer::FOR && file_.inside(word) == bracket) return true;
    return false;
}

bool FailureReport::help_with_comprehension(Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    const std::uint32_t bracket = file_.inside(failure_.word);
    if (bracket == FileTokens::kNone || bracket >= failure_.word) return false;
    if (type_of(bracket) == L::LPAREN && type() == L::FOR && !expects_value()) {
        builder.help("a comprehension stands in brackets: `sum([2 * x for x in list])`");
        if (const std::uint32_t close = file_.partner(bracket); close != FileTokens::kNone) {
            const Span last = span_of(close);
            builder.fix(Fix{{span_of(bracket).behind(), "["}, {{{last.file, last.begin, last.begin}, "]"}}});
        }
        return true;
    }
    if (type_of(bracket) != L::LBRACK || (expects_value() && type() != L::LPAREN)) return false;
    if (behind_for(bracket)) {
        if (type() == L::IF)
            builder.help("two conditions are joined: `if a && b`").fix(span_of(failure_.word), "&&");
        else if (type() == L::WHILE)
            builder.help("a condition is written `if c`").fix(span_of(failure_.word), "if");
        else if (type() == L::COMMA)
            builder.help("another list has a `for` of its own: `[a + b for a in list for b in other]`");
        else if (type() == L::COLON)
            builder.help("what is collected comes first: `[2 * x for x in list]`");
        else if (type() == L::LPAREN && type_of(failure_.word - 1) == L::FOR) {
            builder.help("the names stand without parentheses: `for i, x in list`");
            if (const std::uint32_t close = file_.partner(failure_.word); close != FileTokens::kNone)
                builder.fix(Fix{{span_of(failure_.word), ""}, {{span_of(close), ""}}});
        } else
            return false;
        return true;
    }
    if (type() == L::IN)
        builder.help("a comprehension is written `[x for x in list if x > 1]`");
    else if (type() == L::IF)
        builder.help(
            "a choice is written `if c then a else b`; which elements are taken comes last: "
            "`[x for x in list if x > 1]`");
    else
        return false;
    return true;
}

}  // namespace anml
