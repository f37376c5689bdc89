// What helps where a comma, a new line or a declaration stands where it does not belong, or is missing.
#include <fmt/format.h>

#include <algorithm>

#include "AnmlLexer.h"
#include "syntax/errors/failure_report.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

std::uint32_t FailureReport::line_start(std::uint32_t word) const
{
    while (word > 0 && !file_.words[word].starts_line) --word;
    return word;
}

bool FailureReport::help_with_declaration(Diagnostics::Builder& builder)
{
    if (!expects_statement() || !begins_declaration(type()) || !file_.words[failure_.word].starts_line) return false;
    builder.help(
        fmt::format("`{}` stands at the top of a file, outside of components and models", text_of(failure_.word)));
    return true;
}

// `host a, b`, `host a,`, `let a = 1, b = 2`, `route a to b via c, d`.
bool FailureReport::help_with_names(Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    if (type() != L::COMMA || !expects_statement()) return false;
    if (next_type() == 0 || file_.words[failure_.word + 1].starts_line) {
        builder.help("statements are not separated by commas: remove it").fix(span_of(failure_.word), "");
        return true;
    }
    const std::uint32_t first = line_start(failure_.word);
    const std::uint16_t kind = type_of(first);
    const bool node = kind == L::ROUTER || kind == L::SWITCH || kind == L::HOST || kind == L::ENDPOINT;
    const std::string_view word = text_of(first), next = next_text();
    if (node)
        builder.help(fmt::format("one statement for each, `{} {}`, or an array of them: `{} {}[2]`", word, next, word,
                                 text_of(first + 1)));
    else if (kind == L::ROUTE)
        builder.help("several, which packets pass in this order, stand in brackets: `via [core, exit]`");
    else
        builder.help("each statement begins a line of its own, without a comma");
    return true;
}

// A line of a list, of parameters or of arguments begins where the one before ended without a comma.
bool FailureReport::help_with_comma(Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    // `a: int` and below it `b: int`: `b` was taken for something that follows a type.
    const bool parameter = type() == L::COLON && failure_.word > 0 && type_of(failure_.word - 1) == L::IDENTIFIER;
    const std::uint32_t begin = parameter ? failure_.word - 1 : failure_.word;
    if (!expects(L::COMMA) || !file_.words[begin].starts_line || begin == 0) return false;
    if (!expects(L::RPAREN) && !expects(L::RBRACK)) return false;
    if (type() == L::RBRACE || type() == L::RPAREN || type() == L::RBRACK) return false;
    const Span before = span_of(begin - 1);
    builder.help("a comma stands between them, at the end of a line, too")
        .fix({before.file, before.end, before.end}, ",");
    return true;
}

// `let n = 0 .. 5`, `x in 0 .. 5`, `pc[0:2]`, `think = 1 s .. 2 s`.
bool FailureReport::help_with_range(Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    const bool range = type() == L::RANGE || type() == L::HALF_OPEN;
    if (range && inside(AnmlParser::RuleTimeline_block))
        builder.help("what changes by and by is a ramp's: `ramp from 1 s to 2 s { x { rate = a .. b } }`");
    else if (range && inside(AnmlParser::RuleAttribute))
        builder.help("what is drawn between two values is `uniform(a, b)`");
    else if (range && (expects_statement() || expects(L::RBRACK) || expects(L::RPAREN)))
        builder.help("a list of numbers is written `[i for i in 0 .. 5]`");
    else if (type() == L::IN && expects_statement())
        builder.help("whether it lies there is written `a <= x && x <= b`");
    else if (type() == L::COLON && expects(L::RBRACK))
        builder.help("a slice is written `[a .. b]`, or `[a ..< b]` without its upper end")
            .fix(span_of(failure_.word), " .. ")
            .fix(span_of(failure_.word), " ..< ");
    else
        return false;
    return true;
}

// `label x { key: "y" }`, `report by "key"`: taken for instances.
bool FailureReport::help_with_labels(Diagnostics::Builder& builder)
{
    const auto instance = std::find_if(failure_.rules.begin(), failure_.rules.end(), [](const ParseFailure::Rule& r) {
        return r.rule == AnmlParser::RuleInstance_decl;
    });
    if (instance == failure_.rules.end()) return false;
    const std::string_view word = text_of(instance->first_word);
    if (word == "label")
        builder.help(
            "a label is written `label x { key = \"...\" }`, of nodes, instances, links and workloads by their names");
    else if (word == "report")
        builder.help("groups are asked for by keys of labels: `report by region, class`");
    else
        return false;
    return true;
}

// `link a, b -- r`.
bool FailureReport::help_with_link_ends(Diagnostics::Builder& builder)
{
    const ParseFailure::Rule* at = construct();
    if (type() != AnmlLexer::COMMA || !at || at->rule != AnmlParser::RuleLink_decl) return false;
    const std::uint32_t bracket = file_.inside(failure_.word);
    const bool call = bracket != FileTokens::kNone && type_of(bracket) == AnmlLexer::LPAREN;
    builder.help(call ? "a link is written `link a -- b : profile`"
                      : "several ends stand in brackets, each with a link of its own: `link [a, b] -- r : profile`");
    return true;
}

// `at 1 s { l.rate = 1 Mbps }`, `{ l.down() }`, `{ l = down }`, `{ down(l) }`.
bool FailureReport::help_with_change(Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    const ParseFailure::Rule* at = nullptr;
    for (const ParseFailure::Rule& r : failure_.rules)
        if (!at && r.rule == AnmlParser::RuleTimeline_item) at = &r;
    if (!at || failure_.word <= at->first_word) return false;
    const std::uint32_t last = failure_.word - 1, first = at->first_word;
    const auto is_state = [](std::string_view word) { return word == "up" || word == "down" || word == "off"; };
    const auto state = [&](std::string_view subject, std::string_view word, std::uint32_t end) {
        const std::string instead = fmt::format("{} {}", subject, word);
        builder.write({file_.file, span_of(first).begin, span_of(end).end}, instead);
        return true;
    };
    const bool called = type() == L::LPAREN && file_.partner(failure_.word) != FileTokens::kNone;
    const bool member = last >= first + 2 && type_of(last - 1) == L::DOT;
    const auto words = [&](std::uint32_t from, std::uint32_t to) {
        return sources_.text({file_.file, span_of(from).begin, span_of(to).end});
    };
    if (member && is_state(text_of(last))) {
        const bool truth = type() == L::ASSIGN && (next_type() == L::TRUE || next_type() == L::FALSE);
        std::string_view word = text_of(last);  // `l.up = false`
        if (truth && next_type() == L::FALSE) word = word == "up" ? "down" : word == "down" ? "up" : "on";
        return state(words(first, last - 2), word,
                     called  ? file_.partner(failure_.word)
                     : truth ? failure_.word + 1
                             : last);
    }
    if (called && last == first && is_state(text_of(last)) && file_.partner(failure_.word) > failure_.word + 1)
        return state(words(failure_.word + 1, file_.partner(failure_.word) - 1), text_of(last),
                     file_.partner(failure_.word));
    if (type() != L::ASSIGN || next_type() == 0) return false;
    if (is_state(next_text())) return state(words(first, last), next_text(), failure_.word + 1);
    if (member)
        builder.help(fmt::format("what changes stands in braces: `{} {{ {} = ... }}`", words(first, last - 2),
                                 text_of(last)));
    else
        builder.help(fmt::format("what changes stands in braces behind it: `{} {{ rate = ... }}`", words(first, last)));
    return true;
}

bool FailureReport::help_with_separation(Diagnostics::Builder& builder)
{
    return help_with_link_ends(builder) || help_with_change(builder) || help_with_labels(builder) ||
           help_with_declaration(builder) || help_with_names(builder) || help_with_comma(builder) ||
           help_with_range(builder);
}

}  // namespace anml
