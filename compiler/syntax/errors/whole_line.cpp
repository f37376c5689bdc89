// Mistakes that their line shows as a whole: what the parse fails at would be right behind another beginning.
#include <fmt/format.h>

#include <algorithm>

#include "AnmlLexer.h"
#include "base/foreign_words.h"
#include "syntax/errors/failure_report.h"
#include "syntax/errors/habits.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

bool FailureReport::whole_line()
{
    if (at_end() || failure_.word == 0) return false;
    return formatted_string() || compared_statement() || share_of_workload() || timeline_verb() || label_value() ||
           range_behind_default() || double_arrows();
}

std::string_view FailureReport::words(std::uint32_t first, std::uint32_t last) const
{
    return sources_.text({file_.file, span_of(first).begin, span_of(last).end});
}

// `f"{k} is far"`
bool FailureReport::formatted_string()
{
    const std::uint32_t prefix = failure_.word - 1;
    if (type() != AnmlLexer::STRING || text_of(prefix) != "f" || !adjacent(prefix)) return false;
    const std::string_view raw = text_of(failure_.word).substr(1, text_of(failure_.word).size() - 2);
    std::string sum;
    const auto add = [&](std::string_view part) { add_to_sum(sum, part); };
    for (std::size_t at = 0; at < raw.size();) {
        const std::size_t open = std::min(raw.find('{', at), raw.size());
        if (open > at) add(fmt::format("\"{}\"", raw.substr(at, open - at)));
        const std::size_t close = std::min(raw.find('}', open), raw.size());
        const std::string_view value = raw.substr(open, close - open);
        if (value.size() > 1)
            add(said_in_text(sources_.file(file_.file).text, value.substr(1, value.find_first_of(":!") - 1)));
        at = close + 1;
    }
    const bool doubled = raw.find("{{") != raw.npos || raw.find("}}") != raw.npos;
    if (sum.empty() || doubled) sum = "\"core \" + text(i)";
    file_.mark_bad(prefix);
    auto builder = diagnostics_.report(Diag::syntax_error, span_of(prefix), "there are no f-strings, found `f`");
    builder.help(fmt::format("strings are put together: `{}`", sum));
    if (!doubled) builder.fix({file_.file, span_of(prefix).begin, span_of(failure_.word).end}, sum);
    return true;
}

// `assert p95(w) < 2 s`, `measure p95(w) < 2 s`: up to the sign it was taken for another statement.
bool FailureReport::compared_statement()
{
    using L = AnmlLexer;
    constexpr std::uint16_t kSigns[] = {L::LESS, L::GREATER, L::AT_MOST, L::AT_LEAST, L::EQUAL, L::NOT_EQUAL};
    const std::uint32_t first = line_start(failure_.word);
    if (std::ranges::find(kSigns, type()) == std::end(kSigns) || failure_.word < first + 2) return false;
    if (type_of(first) != L::IDENTIFIER || type_of(first + 1) != L::IDENTIFIER) return false;
    if (text_of(first) == "measure") {
        const std::string_view rest = words(first + 1, line_end(failure_.word) - 1);
        report(Diag::syntax_error, fmt::format("what is measured is not compared, found {}", found()))
            .help(fmt::format("what must hold is said in the model: `require {}`", rest));
        return true;
    }
    if (foreign_word(text_of(first), {"require"}).empty()) return false;
    file_.mark_bad(first);
    diagnostics_
        .report(Diag::syntax_error, span_of(first), fmt::format("`{}` does not begin a statement", text_of(first)))
        .write(span_of(first), "require");
    return true;
}

// `require 95 % of browse < 2 s`
bool FailureReport::share_of_workload()
{
    const std::uint32_t first = line_start(failure_.word);
    if (failure_.word < first + 2 || type_of(first) != AnmlLexer::REQUIRE) return false;
    std::uint32_t of = first + 2;
    while (of < failure_.word && text_of(of) != "of") ++of;
    const std::string_view share = text_of(first + 1);
    const std::string number(share.substr(0, share.find_first_not_of("0123456789")));
    if (of >= failure_.word + 1 || of + 1 >= file_.words.size() || number.empty() || text_of(of) != "of") return false;
    if (type_of(of + 1) != AnmlLexer::IDENTIFIER || words(first + 1, of).find('%') == std::string_view::npos)
        return false;
    const bool known = number == "50" || number == "90" || number == "95" || number == "99";
    const std::string call = fmt::format("p{}({})", known ? number : "95", text_of(of + 1));
    const Span whole{file_.file, span_of(first + 1).begin, span_of(of + 1).end};
    for (std::uint32_t word = first + 1; word <= of + 1; ++word) file_.mark_bad(word);
    auto builder =
        diagnostics_.report(Diag::syntax_error, whole, fmt::format("unexpected `{}`", sources_.text(whole)));
    builder.help(fmt::format("a percentile is asked of the workload: `{}`", call));
    if (known) builder.fix(whole, call);
    return true;
}

// `at 1 s { set line { rate = 1 Mbps } }`
bool FailureReport::timeline_verb()
{
    constexpr std::string_view kVerbs[] = {"set", "change", "modify", "update", "configure"};
    if (type() != AnmlLexer::LBRACE || failure_.word < 2 || !inside(AnmlParser::RuleTimeline_block)) return false;
    const std::uint32_t verb = failure_.word - 2;
    if (std::ranges::find(kVerbs, text_of(verb)) == std::end(kVerbs) || type_of(verb + 1) != AnmlLexer::IDENTIFIER)
        return false;
    file_.mark_bad(verb);
    const std::uint32_t close = file_.partner(failure_.word);
    const std::string_view rest = words(verb + 1, close == FileTokens::kNone ? failure_.word : close);
    diagnostics_.report(Diag::syntax_error, span_of(verb), fmt::format("unexpected `{}`", text_of(verb)))
        .help(fmt::format("what changes is named alone: `{}`", rest))
        .fix({file_.file, span_of(verb).begin, span_of(verb + 1).begin}, "");
    return true;
}

// `label pc[*] = "home"`, `label pc[0] name = "Library"`
bool FailureReport::label_value()
{
    const std::uint32_t first = line_start(failure_.word), end = line_end(failure_.word);
    if (failure_.word == first || text_of(first) != "label") return false;
    if (type_of(first + 1) != AnmlLexer::IDENTIFIER) return false;
    std::uint32_t sign = first + 2;
    while (sign < end && type_of(sign) != AnmlLexer::ASSIGN && type_of(sign) != AnmlLexer::LBRACE) ++sign;
    if (sign >= end || type_of(sign) != AnmlLexer::ASSIGN || sign + 2 != end) return false;
    if (type_of(sign + 1) != AnmlLexer::STRING) return false;
    for (std::uint32_t word = first; word < end; ++word) file_.mark_bad(word);
    const std::uint16_t before = type_of(sign - 2);
    const bool key = type_of(sign - 1) == AnmlLexer::IDENTIFIER && sign > first + 2 && before != AnmlLexer::COMMA &&
                     before != AnmlLexer::DOT;  // `label pc[0] name = "Library"`
    const std::uint32_t from = key ? sign - 1 : sign;
    const std::string labels = fmt::format("{{ {} = {} }}", key ? text_of(from) : "class", text_of(sign + 1));
    diagnostics_.report(Diag::syntax_error, span_of(from), fmt::format("expected `{{`, found `{}`", text_of(from)))
        .help(fmt::format("a label has a key, which results are told apart by: `{} {}`", words(first, from - 1),
                          labels))
        .fix_when_asked({{file_.file, span_of(from).begin, span_of(sign + 1).end}, labels});
    return true;
}

// `n: int = 10 in 1 .. 100`
bool FailureReport::range_behind_default()
{
    using L = AnmlLexer;
    if (type() != L::IN || !expects(L::COMMA) || !expects(L::RPAREN) || inside(AnmlParser::RuleArgument_list))
        return false;
    const std::uint32_t bracket = file_.inside(failure_.word), end = line_end(failure_.word);
    std::uint32_t equals = failure_.word - 1;
    while (equals > bracket && type_of(equals) != L::ASSIGN && type_of(equals) != L::COMMA) --equals;
    std::uint32_t last = failure_.word + 1;
    while (last < end && !(file_.inside(last) == bracket && type_of(last) == L::COMMA) &&
           last != file_.partner(bracket))
        ++last;
    if (bracket == FileTokens::kNone || type_of(equals) != L::ASSIGN || last == failure_.word + 1) return false;
    const std::string ordered = fmt::format("{} {}", words(failure_.word, last - 1), words(equals, failure_.word - 1));
    report(Diag::syntax_error, "the range stands before the default, found `in` behind it")
        .write({file_.file, span_of(equals).begin, span_of(last - 1).end}, ordered);
    return true;
}

// `link l: a <--> ether.fast <--> b`, as NED puts a profile between the ends.
bool FailureReport::double_arrows()
{
    using L = AnmlLexer;
    const std::uint32_t first = line_start(failure_.word), end = line_end(failure_.word);
    if (type_of(first) != L::LINK || type() != L::DUPLEX) return false;
    std::uint32_t signs[2], count = 0;
    for (std::uint32_t word = first + 2; word + 2 < end; ++word)
        if (type_of(word) == L::DUPLEX && type_of(word - 1) == L::LESS && type_of(word + 1) == L::GREATER) {
            if (count == 2) return false;
            signs[count++] = word;
        }
    if (count != 2 || signs[0] != failure_.word || signs[1] < signs[0] + 4) return false;
    const std::string link = fmt::format("{} -- {} : {}", words(first, signs[0] - 2), words(signs[1] + 2, end - 1),
                                         words(signs[0] + 2, signs[1] - 2));
    report(Diag::syntax_error, "unexpected `<-->`")
        .help(fmt::format("the profile stands behind both ends: `{}`", link))
        .fix({file_.file, span_of(first).begin, span_of(end - 1).end}, link);
    return true;
}

}  // namespace anml
