// Mistakes that their line shows as a whole: what the parse fails at would be right behind another beginning.
#include <fmt/format.h>

#include <algorithm>

#include "AnmlLexer.h"
#include "base/foreign_words.h"
#include "syntax/errors/failure.h"
#include "syntax/errors/habits.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

namespace {

// `f"{k} is far"`
bool formatted_string(Failure& in)
{
    const std::uint32_t prefix = in.failure.word - 1;
    if (in.type() != AnmlLexer::STRING || in.text_of(prefix) != "f" || !in.adjacent(prefix)) return false;
    const std::string_view raw = in.text_of(in.failure.word).substr(1, in.text_of(in.failure.word).size() - 2);
    std::string sum;
    const auto add = [&](std::string_view part) { add_to_sum(sum, part); };
    for (std::size_t at = 0; at < raw.size();) {
        const std::size_t open = std::min(raw.find('{', at), raw.size());
        if (open > at) add(fmt::format("\"{}\"", raw.substr(at, open - at)));
        const std::size_t close = std::min(raw.find('}', open), raw.size());
        const std::string_view value = raw.substr(open, close - open);
        if (value.size() > 1)
            add(said_in_text(in.sources.file(in.file.file).text, value.substr(1, value.find_first_of(":!") - 1)));
        at = close + 1;
    }
    const bool doubled = raw.find("{{") != raw.npos || raw.find("}}") != raw.npos;
    if (sum.empty() || doubled) sum = "\"core \" + text(i)";
    in.file.mark_bad(prefix);
    auto builder = in.diagnostics.report(Diag::syntax_error, in.span_of(prefix), "there are no f-strings, found `f`");
    builder.help(fmt::format("strings are put together: `{}`", sum));
    if (!doubled) builder.fix({in.file.file, in.span_of(prefix).begin, in.span_of(in.failure.word).end}, sum);
    return true;
}

// `measure surf.p95`, `measure "p95(surf)"`
bool measure_as_member(Failure& in)
{
    const std::uint32_t first = in.line_start(in.failure.word), end = in.line_end(in.failure.word);
    if (in.type() == AnmlLexer::STRING && in.text_of(first) == "measure" && in.failure.word == first + 1) {
        const std::string_view text = in.text_of(first + 1);
        in.report(Diag::syntax_error, fmt::format("expected what is measured, found {}", found(in)))
            .write(in.span_of(first + 1), std::string(text.substr(1, text.size() - 2)));
        return true;
    }
    if (in.type() != AnmlLexer::DOT || in.text_of(first) != "measure" || in.failure.word < first + 2) return false;
    if (end != in.failure.word + 2 || in.type_of(end - 1) != AnmlLexer::IDENTIFIER) return false;
    const Span written = {in.file.file, in.span_of(first + 1).begin, in.span_of(end - 1).end};
    in.report(Diag::syntax_error, "what is measured is no part of a workload, found `.`")
        .write(written, fmt::format("{}({})", in.text_of(end - 1), words(in, first + 1, in.failure.word - 1)));
    return true;
}

// `assert p95(w) < 2 s`, `measure p95(w) < 2 s`: up to the sign it was taken for another statement.
bool compared_statement(Failure& in)
{
    using L = AnmlLexer;
    constexpr std::uint16_t kSigns[] = {L::LESS, L::GREATER, L::AT_MOST, L::AT_LEAST, L::EQUAL, L::NOT_EQUAL};
    const std::uint32_t first = in.line_start(in.failure.word);
    if (std::ranges::find(kSigns, in.type()) == std::end(kSigns) || in.failure.word < first + 2) return false;
    if (in.type_of(first) != L::IDENTIFIER || in.type_of(first + 1) != L::IDENTIFIER) return false;
    if (in.text_of(first) == "measure") {
        const std::string_view rest = words(in, first + 1, in.line_end(in.failure.word) - 1);
        in.report(Diag::syntax_error, fmt::format("what is measured is not compared, found {}", found(in)))
            .help(fmt::format("what must hold is said in the model: `require {}`", rest));
        return true;
    }
    if (foreign_word(in.text_of(first), {"require"}).empty()) return false;
    in.file.mark_bad(first);
    in.diagnostics
        .report(Diag::syntax_error, in.span_of(first),
                fmt::format("`{}` does not begin a statement", in.text_of(first)))
        .write(in.span_of(first), "require");
    return true;
}

// `require 95 % of browse < 2 s`
bool share_of_workload(Failure& in)
{
    const std::uint32_t first = in.line_start(in.failure.word);
    if (in.failure.word < first + 2 || in.type_of(first) != AnmlLexer::REQUIRE) return false;
    std::uint32_t of = first + 2;
    while (of < in.failure.word && in.text_of(of) != "of") ++of;
    const std::string_view share = in.text_of(first + 1);
    const std::string number(share.substr(0, share.find_first_not_of("0123456789")));
    if (of >= in.failure.word + 1 || of + 1 >= in.file.words.size() || number.empty() || in.text_of(of) != "of")
        return false;
    if (in.type_of(of + 1) != AnmlLexer::IDENTIFIER || words(in, first + 1, of).find('%') == std::string_view::npos)
        return false;
    const bool known = number == "50" || number == "90" || number == "95" || number == "99";
    const std::string call = fmt::format("p{}({})", known ? number : "95", in.text_of(of + 1));
    const Span whole{in.file.file, in.span_of(first + 1).begin, in.span_of(of + 1).end};
    for (std::uint32_t word = first + 1; word <= of + 1; ++word) in.file.mark_bad(word);
    auto builder =
        in.diagnostics.report(Diag::syntax_error, whole, fmt::format("unexpected `{}`", in.sources.text(whole)));
    builder.help(fmt::format("a percentile is asked of the workload: `{}`", call));
    if (known) builder.fix(whole, call);
    return true;
}

// `at 1 s { set line { rate = 1 Mbps } }`
bool timeline_verb(Failure& in)
{
    constexpr std::string_view kVerbs[] = {"set", "change", "modify", "update", "configure"};
    if (in.type() != AnmlLexer::LBRACE || in.failure.word < 2 || !in.inside(AnmlParser::RuleTimeline_block))
        return false;
    const std::uint32_t verb = in.failure.word - 2;
    if (std::ranges::find(kVerbs, in.text_of(verb)) == std::end(kVerbs) ||
        in.type_of(verb + 1) != AnmlLexer::IDENTIFIER)
        return false;
    in.file.mark_bad(verb);
    const std::uint32_t close = in.file.partner(in.failure.word);
    const std::string_view rest = words(in, verb + 1, close == FileTokens::kNone ? in.failure.word : close);
    in.diagnostics.report(Diag::syntax_error, in.span_of(verb), fmt::format("unexpected `{}`", in.text_of(verb)))
        .help(fmt::format("what changes is named alone: `{}`", rest))
        .fix({in.file.file, in.span_of(verb).begin, in.span_of(verb + 1).begin}, "");
    return true;
}

// `label pc[*] = "home"`, `label pc[0] name = "Library"`
bool label_value(Failure& in)
{
    const std::uint32_t first = in.line_start(in.failure.word), end = in.line_end(in.failure.word);
    if (in.failure.word == first || in.text_of(first) != "label") return false;
    if (in.type_of(first + 1) != AnmlLexer::IDENTIFIER) return false;
    std::uint32_t sign = first + 2;
    while (sign < end && in.type_of(sign) != AnmlLexer::ASSIGN && in.type_of(sign) != AnmlLexer::LBRACE) ++sign;
    if (sign >= end || in.type_of(sign) != AnmlLexer::ASSIGN || sign + 2 != end) return false;
    if (in.type_of(sign + 1) != AnmlLexer::STRING) return false;
    for (std::uint32_t word = first; word < end; ++word) in.file.mark_bad(word);
    const std::uint16_t before = in.type_of(sign - 2);
    const bool key = in.type_of(sign - 1) == AnmlLexer::IDENTIFIER && sign > first + 2 && before != AnmlLexer::COMMA &&
                     before != AnmlLexer::DOT;  // `label pc[0] name = "Library"`
    const std::uint32_t from = key ? sign - 1 : sign;
    const std::string labels = fmt::format("{{ {} = {} }}", key ? in.text_of(from) : "class", in.text_of(sign + 1));
    in.diagnostics
        .report(Diag::syntax_error, in.span_of(from), fmt::format("expected `{{`, found `{}`", in.text_of(from)))
        .help(fmt::format("a label has a key, which results are told apart by: `{} {}`", words(in, first, from - 1),
                          labels))
        .fix_when_asked({{in.file.file, in.span_of(from).begin, in.span_of(sign + 1).end}, labels});
    return true;
}

// `n: int = 10 in 1 .. 100`
bool range_behind_default(Failure& in)
{
    using L = AnmlLexer;
    if (in.type() != L::IN || !in.expects(L::COMMA) || !in.expects(L::RPAREN) ||
        in.inside(AnmlParser::RuleArgument_list))
        return false;
    const std::uint32_t bracket = in.file.inside(in.failure.word), end = in.line_end(in.failure.word);
    std::uint32_t equals = in.failure.word - 1;
    while (equals > bracket && in.type_of(equals) != L::ASSIGN && in.type_of(equals) != L::COMMA) --equals;
    std::uint32_t last = in.failure.word + 1;
    while (last < end && !(in.file.inside(last) == bracket && in.type_of(last) == L::COMMA) &&
           last != in.file.partner(bracket))
        ++last;
    if (bracket == FileTokens::kNone || in.type_of(equals) != L::ASSIGN || last == in.failure.word + 1) return false;
    const std::string ordered =
        fmt::format("{} {}", words(in, in.failure.word, last - 1), words(in, equals, in.failure.word - 1));
    in.report(Diag::syntax_error, "the range stands before the default, found `in` behind it")
        .write({in.file.file, in.span_of(equals).begin, in.span_of(last - 1).end}, ordered);
    return true;
}

// `link l: a <--> ether.fast <--> b`, as NED puts a profile between the ends.
bool double_arrows(Failure& in)
{
    using L = AnmlLexer;
    const std::uint32_t first = in.line_start(in.failure.word), end = in.line_end(in.failure.word);
    if (in.type_of(first) != L::LINK || in.type() != L::DUPLEX) return false;
    std::uint32_t signs[2], count = 0;
    for (std::uint32_t word = first + 2; word + 2 < end; ++word)
        if (in.type_of(word) == L::DUPLEX && in.type_of(word - 1) == L::LESS && in.type_of(word + 1) == L::GREATER) {
            if (count == 2) return false;
            signs[count++] = word;
        }
    if (count != 2 || signs[0] != in.failure.word || signs[1] < signs[0] + 4) return false;
    const std::string link = fmt::format("{} -- {} : {}", words(in, first, signs[0] - 2),
                                         words(in, signs[1] + 2, end - 1), words(in, signs[0] + 2, signs[1] - 2));
    in.report(Diag::syntax_error, "unexpected `<-->`")
        .help(fmt::format("the profile stands behind both ends: `{}`", link))
        .fix({in.file.file, in.span_of(first).begin, in.span_of(end - 1).end}, link);
    return true;
}

}  // namespace

bool whole_line(Failure& in)
{
    if (in.at_end() || in.failure.word == 0) return false;
    return formatted_string(in) || measure_as_member(in) || compared_statement(in) || share_of_workload(in) ||
           timeline_verb(in) || label_value(in) || range_behind_default(in) || double_arrows(in);
}

std::string_view words(const Failure& in, std::uint32_t first, std::uint32_t last)
{
    return in.sources.text({in.file.file, in.span_of(first).begin, in.span_of(last).end});
}

}  // namespace anml
