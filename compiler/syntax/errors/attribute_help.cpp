// What helps where attributes stand, or should: of links, nodes, parameters, experiments.
#include <fmt/format.h>

#include "AnmlLexer.h"
#include "base/foreign_words.h"
#include "base/values/quantity.h"
#include "syntax/errors/failure.h"
#include "syntax/errors/habits.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

namespace {

bool is_node(std::uint16_t type)
{
    using L = AnmlLexer;
    return type == L::ROUTER || type == L::SWITCH || type == L::HOST || type == L::ENDPOINT;
}

}  // namespace

std::string_view attribute_before(const Failure& in, std::uint32_t word)
{
    for (std::uint32_t i = word; i-- > 1 && in.type_of(i) != AnmlLexer::COMMA && in.type_of(i) != AnmlLexer::LBRACE;)
        if (in.type_of(i) == AnmlLexer::ASSIGN) return in.text_of(i - 1);
    return {};
}

std::uint32_t value_end(const Failure& in, std::uint32_t word)
{
    const std::uint32_t end = in.line_end(word);
    std::uint32_t last = word + 1;
    while (last < end && in.type_of(last) != AnmlLexer::COMMA && in.type_of(last) != AnmlLexer::RBRACE) {
        const std::uint32_t close = in.is_opening(last) ? in.file.partner(last) : FileTokens::kNone;
        last = close != FileTokens::kNone && close < end ? close + 1 : last + 1;
    }
    return last;
}

// `up rate = 2 Mbps`, `{ 1 Gbps, 1 ms }`, `loss = 1% 25%`, `link a -- b [rate = 5 Mbps]`, `vary n = 1, 2`.
bool help_with_attributes(Failure& in, Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    const std::uint32_t word = in.failure.word, start = in.line_start(word);
    if (word == 0) return false;
    const Span here = in.span_of(word);
    const std::string_view before = in.text_of(word - 1);
    const bool block = in.inside(AnmlParser::RuleAttribute_block), link = in.type_of(start) == L::LINK;
    const auto named = [&](std::string_view text) -> std::string_view {
        const auto q = parse_quantity(text);
        if (!q) return "name";
        return q->dim == dimension::rate ? "rate" : q->dim == dimension::time ? "delay" : "name";
    };
    if (in.text_of(start) == "vary" || in.text_of(start) == "search")
        builder.help("an experiment tries values behind `in`: `vary n in [1, 2, 4]`, `search n in 1 .. 40`");
    else if (block && in.expects(L::ASSIGN) && (before == "up" || before == "down") &&
             (in.type() == L::IDENTIFIER || in.type() == L::DOT))
    {
        const std::uint32_t first = in.type() == L::DOT ? word + 1 : word;
        const Span values{in.file.file, in.span_of(first).begin, in.span_of(value_end(in, first) - 1).end};
        const std::string braces = fmt::format("{} {{ {} }}", before, in.sources.text(values));
        builder.help(fmt::format("values of one direction stand in braces: `{}`", braces))
            .fix({in.file.file, in.span_of(word - 1).begin, in.span_of(value_end(in, first) - 1).end}, braces);
    } else if (block && in.expects(L::ASSIGN) && in.type() == L::IDENTIFIER &&
               (is_type_elsewhere(before) || is_type_elsewhere(in.text_of(word))))
        builder.help("an attribute has the type of its schema: `name = value`");
    else if (block && in.type() == L::QUANTITY &&
             (in.type_of(word - 1) == L::LBRACE || in.type_of(word - 1) == L::COMMA) &&
             !(word > 1 && in.type_of(word - 2) == L::INTEGER))
        builder.help(fmt::format("an attribute has a name: `{} = {}`", link ? named(in.text_of(word)) : "name",
                                 in.text_of(word)));
    else if (block && (before.ends_with("gap") || before.ends_with("gemodel") || before.ends_with("distribution")))
        builder.help(std::string(foreign_name_help(before.substr(before.rfind(' ') + 1))));
    else if (block && in.type() == L::QUANTITY && in.type_of(word - 1) == L::QUANTITY) {
        const std::string_view attribute = attribute_before(in, word);
        std::string_view help = "; how much delays differ says `jitter = uniform(0 ms, 20 ms)`";
        for (std::uint32_t i = word; i < in.line_end(word); ++i)
            if (in.text_of(i) == "distribution") help = "; how much delays differ says `jitter = normal(20 ms, 5 ms)`";
        if (attribute == "loss")
            help = "; losses in bursts are `loss = loss.bursts(0.3 %, length = 1.34)`";
        else if (attribute != "delay" && attribute != "jitter")
            help = "";
        builder.help(fmt::format("an attribute has one value, and a comma stands behind it{}", help));
    } else if (in.type() == L::ASSIGN && in.expects(L::RBRACK) && word > 1 && in.type_of(word - 2) == L::LBRACK &&
               in.file.partner(word - 2) != FileTokens::kNone)
    {
        const std::uint32_t open = word - 2, close = in.file.partner(open);
        const std::string braces = fmt::format(
            "{{ {} }}", in.sources.text({in.file.file, in.span_of(open + 1).begin, in.span_of(close - 1).end}));
        builder.help(fmt::format("attributes stand in braces: `{}`", braces))
            .fix({in.file.file, in.span_of(open).begin, in.span_of(close).end}, braces);
    } else if (in.type() == L::COMMA && in.expects(L::RPAREN) && attribute_before(in, word) == "position")
        builder.help("a place is `geo(52.5, 13.4)`, latitude and longitude, or `plane(1 km, 2 km)`");
    else if (in.type() == L::LBRACE && in.type_of(word - 1) == L::LINK)
        builder.help("a link is written `link a -- b { rate = 10 Mbps }`");
    else if (in.type() == L::ASSIGN && in.expects(L::LBRACE) && (in.inside(AnmlParser::RuleIf_stmt)))
        builder.help("to compare, write `==`").fix(here, "==");
    else if (block && in.type() == L::STRING && in.expects(L::IDENTIFIER) && in.next_type() == L::COLON && link)
        builder.help(fmt::format("an attribute's name has no quotes, and its value comes after `=`: `{} = ...`",
                                 in.text_of(word).substr(1, in.text_of(word).size() - 2)));
    else if (block && in.type() == L::STRING && in.expects(L::IDENTIFIER) && in.next_type() == L::ASSIGN &&
             here.end - here.begin > 2)
    {
        const std::string_view name = in.text_of(word).substr(1, in.text_of(word).size() - 2);
        builder.help(fmt::format("an attribute's name has no quotes: `{} = ...`", name)).fix(here, std::string(name));
    } else if (in.type() == L::STAR && in.expects_value() && in.next_type() == L::IDENTIFIER && in.adjacent(word))
        builder
            .help(fmt::format("there are no anchors and pointers: a value is known by its name, `{}`", in.next_text()))
            .fix(here, "");
    else if (in.type() == L::LPAREN && word > 1 && in.type_of(word - 1) == L::IDENTIFIER &&
             is_node(in.type_of(word - 2)) && in.next_type() != L::INTEGER && in.next_type() != L::IDENTIFIER)
        builder.help(fmt::format("a node's attributes stand in braces: `{} {} {{ address = 10.0.0.1 }}`",
                                 in.text_of(word - 2), before));
    else if (in.type() == L::COMMA && in.inside(AnmlParser::RuleFor_stmt) && in.type_of(start) == L::LINK)
        builder.help("a loop stands around what it makes: `for i in 0 ..< n { if i > 0 { link a[i] -- r } }`");
    else if (in.type() == L::STRING && in.type_of(start) == L::REQUIRE && in.expects_statement())
        builder.help("what it says where it does not hold comes after `else`")
            .fix({in.file.file, here.begin, here.begin}, "else ");
    else if (in.type() == L::DOT && word == start + 2 && in.type_of(start) == L::WORKLOAD)
        builder.help(fmt::format("its name comes first: `workload w : {} on a {{ ... }}`", dotted_name(in, word - 1)))
            .fix({in.file.file, in.span_of(word - 1).begin, in.span_of(word - 1).begin}, "w : ");
    else if (in.type() == L::ASSIGN && in.expects(L::COLON) && in.text_of(start) == "schema" &&
             in.file.inside(word) > start && in.type_of(start + 2) == L::COLON)
        builder.help(fmt::format("a schema says types; values are given by a profile: `profile {} : {} {{ ... }}`",
                                 in.text_of(start + 1), dotted_name(in, start + 3)));
    else if (before.ends_with("step") && in.inside(AnmlParser::RuleFor_stmt))
        builder.help("a loop takes every number, or those of a list: `for i in [0, 2, 4] { ... }`");
    else if (in.text_of(word) == "not" && in.next_type() == L::IN)
        builder.help("whether it lies in a list is `any([x == i for x in list])`, whether not `!any(...)`");
    else if (in.type() == L::ASSIGN && in.expects(L::COLON) && in.inside(AnmlParser::RuleParameter) &&
             parse_quantity(in.next_text()))
    {
        const Dimension dim = parse_quantity(in.next_text())->dim;
        const bool integer = in.next_type() == L::INTEGER;
        const std::string_view kind = dim == dimension::rate     ? "rate"
                                      : dim == dimension::time   ? "time"
                                      : dim == dimension::size   ? "size"
                                      : dim == dimension::length ? "length"
                                      : integer                  ? "int"
                                                                 : "number";
        builder.help(fmt::format("its type stands between: `{}: {} = {}`", before, kind, in.next_text()))
            .fix({in.file.file, in.span_of(word - 1).end, in.span_of(word - 1).end}, fmt::format(": {}", kind));
    } else
        return false;
    return true;
}

}  // namespace anml
