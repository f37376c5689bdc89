// What helps where attributes stand, or should: of links, nodes, parameters, experiments.
#include <fmt/format.h>

#include "AnmlLexer.h"
#include "base/foreign_words.h"
#include "base/values/quantity.h"
#include "syntax/errors/failure_report.h"
#include "syntax/errors/habits.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

std::string_view FailureReport::attribute_before(std::uint32_t word) const
{
    for (std::uint32_t i = word; i-- > 1 && type_of(i) != AnmlLexer::COMMA && type_of(i) != AnmlLexer::LBRACE;)
        if (type_of(i) == AnmlLexer::ASSIGN) return text_of(i - 1);
    return {};
}

std::uint32_t FailureReport::value_end(std::uint32_t word) const
{
    const std::uint32_t end = line_end(word);
    std::uint32_t last = word + 1;
    while (last < end && type_of(last) != AnmlLexer::COMMA && type_of(last) != AnmlLexer::RBRACE) {
        const std::uint32_t close = is_opening(last) ? file_.partner(last) : FileTokens::kNone;
        last = close != FileTokens::kNone && close < end ? close + 1 : last + 1;
    }
    return last;
}

static bool is_node(std::uint16_t type)
{
    using L = AnmlLexer;
    return type == L::ROUTER || type == L::SWITCH || type == L::HOST || type == L::ENDPOINT;
}

// `up rate = 2 Mbps`, `{ 1 Gbps, 1 ms }`, `loss = 1% 25%`, `link a -- b [rate = 5 Mbps]`, `vary n = 1, 2`.
bool FailureReport::help_with_attributes(Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    const std::uint32_t word = failure_.word, start = line_start(word);
    if (word == 0) return false;
    const Span here = span_of(word);
    const std::string_view before = text_of(word - 1);
    const bool block = inside(AnmlParser::RuleAttribute_block), link = type_of(start) == L::LINK;
    const auto named = [&](std::string_view text) -> std::string_view {
        const auto q = parse_quantity(text);
        if (!q) return "name";
        return q->dim == dimension::rate ? "rate" : q->dim == dimension::time ? "delay" : "name";
    };
    if (text_of(start) == "vary" || text_of(start) == "search")
        builder.help("an experiment tries values behind `in`: `vary n in [1, 2, 4]`, `search n in 1 .. 40`");
    else if (block && expects(L::ASSIGN) && (before == "up" || before == "down") &&
             (type() == L::IDENTIFIER || type() == L::DOT))
    {
        const std::uint32_t first = type() == L::DOT ? word + 1 : word;
        const Span values{file_.file, span_of(first).begin, span_of(value_end(first) - 1).end};
        const std::string braces = fmt::format("{} {{ {} }}", before, sources_.text(values));
        builder.help(fmt::format("values of one direction stand in braces: `{}`", braces))
            .fix({file_.file, span_of(word - 1).begin, span_of(value_end(first) - 1).end}, braces);
    }
    else if (block && expects(L::ASSIGN) && type() == L::IDENTIFIER &&
             (is_type_elsewhere(before) || is_type_elsewhere(text_of(word))))
        builder.help("an attribute has the type of its schema: `name = value`");
    else if (block && type() == L::QUANTITY && (type_of(word - 1) == L::LBRACE || type_of(word - 1) == L::COMMA) &&
             !(word > 1 && type_of(word - 2) == L::INTEGER))
        builder.help(fmt::format("an attribute has a name: `{} = {}`", link ? named(text_of(word)) : "name",
                                 text_of(word)));
    else if (block && (before.ends_with("gap") || before.ends_with("gemodel") || before.ends_with("distribution")))
        builder.help(std::string(foreign_name_help(before.substr(before.rfind(' ') + 1))));
    else if (block && type() == L::QUANTITY && type_of(word - 1) == L::QUANTITY) {
        const std::string_view attribute = attribute_before(word);
        std::string_view help = "; how much delays differ says `jitter = uniform(0 ms, 20 ms)`";
        for (std::uint32_t i = word; i < line_end(word); ++i)
            if (text_of(i) == "distribution") help = "; how much delays differ says `jitter = normal(20 ms, 5 ms)`";
        if (attribute == "loss")
            help = "; losses in bursts are `loss = loss.bursts(0.3 %, length = 1.34)`";
        else if (attribute != "delay" && attribute != "jitter")
            help = "";
        builder.help(fmt::format("an attribute has one value, and a comma stands behind it{}", help));
    } else if (type() == L::ASSIGN && expects(L::RBRACK) && word > 1 && type_of(word - 2) == L::LBRACK &&
               file_.partner(word - 2) != FileTokens::kNone)
    {
        const std::uint32_t open = word - 2, close = file_.partner(open);
        const std::string braces = fmt::format(
            "{{ {} }}", sources_.text({file_.file, span_of(open + 1).begin, span_of(close - 1).end}));
        builder.help(fmt::format("attributes stand in braces: `{}`", braces))
            .fix({file_.file, span_of(open).begin, span_of(close).end}, braces);
    } else if (type() == L::COMMA && expects(L::RPAREN) && attribute_before(word) == "position")
        builder.help("a place is `geo(52.5, 13.4)`, latitude and longitude, or `plane(1 km, 2 km)`");
    else if (type() == L::LBRACE && type_of(word - 1) == L::LINK)
        builder.help("a link is written `link a -- b { rate = 10 Mbps }`");
    else if (type() == L::ASSIGN && expects(L::LBRACE) && (inside(AnmlParser::RuleIf_stmt)))
        builder.help("to compare, write `==`").fix(here, "==");
    else if (block && type() == L::STRING && expects(L::IDENTIFIER) && next_type() == L::COLON && link)
        builder.help(fmt::format("an attribute's name has no quotes, and its value comes after `=`: `{} = ...`",
                                 text_of(word).substr(1, text_of(word).size() - 2)));
    else if (block && type() == L::STRING && expects(L::IDENTIFIER) && next_type() == L::ASSIGN &&
             here.end - here.begin > 2)
    {
        const std::string_view name = text_of(word).substr(1, text_of(word).size() - 2);
        builder.help(fmt::format("an attribute's name has no quotes: `{} = ...`", name)).fix(here, std::string(name));
    } else if (type() == L::STAR && expects_value() && next_type() == L::IDENTIFIER && adjacent(word))
        builder.help(fmt::format("there are no anchors and pointers: a value is known by its name, `{}`", next_text()))
            .fix(here, "");
    else if (type() == L::LPAREN && word > 1 && type_of(word - 1) == L::IDENTIFIER && is_node(type_of(word - 2)) &&
             next_type() != L::INTEGER && next_type() != L::IDENTIFIER)
        builder.help(fmt::format("a node's attributes stand in braces: `{} {} {{ address = 10.0.0.1 }}`",
                                 text_of(word - 2), before));
    else if (type() == L::COMMA && inside(AnmlParser::RuleFor_stmt) && type_of(start) == L::LINK)
        builder.help("a loop stands around what it makes: `for i in 0 ..< n { if i > 0 { link a[i] -- r } }`");
    else if (type() == L::STRING && type_of(start) == L::REQUIRE && expects_statement())
        builder.help("what it says where it does not hold comes after `else`")
            .fix({file_.file, here.begin, here.begin}, "else ");
    else if (type() == L::DOT && word == start + 2 && type_of(start) == L::WORKLOAD)
        builder.help(fmt::format("its name comes first: `workload w : {} on a {{ ... }}`", dotted_name(word - 1)))
            .fix({file_.file, span_of(word - 1).begin, span_of(word - 1).begin}, "w : ");
    else if (type() == L::ASSIGN && expects(L::COLON) && text_of(start) == "schema" && file_.inside(word) > start &&
             type_of(start + 2) == L::COLON)
        builder.help(fmt::format("a schema says types; values are given by a profile: `profile {} : {} {{ ... }}`",
                                 text_of(start + 1), dotted_name(start + 3)));
    else if (before.ends_with("step") && inside(AnmlParser::RuleFor_stmt))
        builder.help("a loop takes every number, or those of a list: `for i in [0, 2, 4] { ... }`");
    else if (text_of(word) == "not" && next_type() == L::IN)
        builder.help("whether it lies in a list is `any([x == i for x in list])`, whether not `!any(...)`");
    else if (type() == L::ASSIGN && expects(L::COLON) && inside(AnmlParser::RuleParameter) &&
             parse_quantity(next_text()))
    {
        const Dimension dim = parse_quantity(next_text())->dim;
        const bool integer = next_type() == L::INTEGER;
        const std::string_view kind = dim == dimension::rate     ? "rate"
                                      : dim == dimension::time   ? "time"
                                      : dim == dimension::size   ? "size"
                                      : dim == dimension::length ? "length"
                                      : integer                  ? "int"
                                                                 : "number";
        builder.help(fmt::format("its type stands between: `{}: {} = {}`", before, kind, next_text()))
            .fix({file_.file, span_of(word - 1).end, span_of(word - 1).end}, fmt::format(": {}", kind));
    } else
        return false;
    return true;
}

}  // namespace anml
