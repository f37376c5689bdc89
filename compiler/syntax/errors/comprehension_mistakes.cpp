// Usual mistakes in comprehensions: the orders of words that other languages have.
#include <fmt/format.h>

#include "AnmlLexer.h"
#include "syntax/errors/failure.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

namespace {

// A `for` of a comprehension stands before, in the same brackets.
bool behind_for(const Failure& in, std::uint32_t bracket)
{
    for (std::uint32_t word = in.failure.word; --word > bracket;)
        if (in.type_of(word) == AnmlLexer::FOR && in.file.inside(word) == bracket) return true;
    return false;
}

}  // namespace

bool comprehension(Failure& in)
{
    using L = AnmlLexer;
    if (in.at_end() || in.failure.word == 0) return false;
    const std::uint16_t before = in.type_of(in.failure.word - 1);
    if (in.type() == L::FOR && before == L::LBRACK && in.expects_value()) {
        in.report(Diag::syntax_error, "expected a value, found the keyword `for`")
            .help("what is collected comes first: `[2 * x for x in list]`");
        return true;
    }
    if (in.type() == L::COMMA && in.next_type() == L::FOR && in.file.inside(in.failure.word) != FileTokens::kNone &&
        in.type_of(in.file.inside(in.failure.word)) == L::LBRACK)
    {
        in.report(Diag::syntax_error, "no comma stands before the `for` of a comprehension")
            .help("write `[2 * x for x in list]`")
            .fix(in.span_of(in.failure.word), "");
        return true;
    }
    if (in.type() == L::IN && in.inside(AnmlParser::RuleFor_clause) && in.expects(L::IDENTIFIER)) {
        in.report(Diag::syntax_error,
                  fmt::format("expected a name after `{}`, found the keyword `in`", in.text_of(in.failure.word - 1)))
            .help("the element has a name: `[2 * x for x in list]`");
        return true;
    }
    return false;
}

bool help_with_comprehension(Failure& in, Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    const std::uint32_t bracket = in.file.inside(in.failure.word);
    if (bracket == FileTokens::kNone || bracket >= in.failure.word) return false;
    if (in.type_of(bracket) == L::LPAREN && in.type() == L::FOR && !in.expects_value()) {
        builder.help("a comprehension stands in brackets: `sum([2 * x for x in list])`");
        if (const std::uint32_t close = in.file.partner(bracket); close != FileTokens::kNone) {
            const Span last = in.span_of(close);
            builder.fix(Fix{{in.span_of(bracket).behind(), "["}, {{{last.file, last.begin, last.begin}, "]"}}});
        }
        return true;
    }
    if (in.type_of(bracket) != L::LBRACK || (in.expects_value() && in.type() != L::LPAREN)) return false;
    if (behind_for(in, bracket)) {
        if (in.type() == L::IF)
            builder.help("two conditions are joined: `if a && b`").fix(in.span_of(in.failure.word), "&&");
        else if (in.type() == L::WHILE)
            builder.help("a condition is written `if c`").fix(in.span_of(in.failure.word), "if");
        else if (in.type() == L::COMMA)
            builder.help("another list has a `for` of its own: `[a + b for a in list for b in other]`");
        else if (in.type() == L::COLON)
            builder.help("what is collected comes first: `[2 * x for x in list]`");
        else if (in.type() == L::LPAREN && in.type_of(in.failure.word - 1) == L::FOR) {
            builder.help("the names stand without parentheses: `for i, x in list`");
            if (const std::uint32_t close = in.file.partner(in.failure.word); close != FileTokens::kNone)
                builder.fix(Fix{{in.span_of(in.failure.word), ""}, {{in.span_of(close), ""}}});
        } else
            return false;
        return true;
    }
    if (in.type() == L::IN)
        builder.help("a comprehension is written `[x for x in list if x > 1]`");
    else if (in.type() == L::IF)
        builder.help(
            "a choice is written `if c then a else b`; which elements are taken comes last: "
            "`[x for x in list if x > 1]`");
    else
        return false;
    return true;
}

}  // namespace anml
