// What helps where a comma, a new line or a declaration stands where it does not belong, or is missing.
#include <fmt/format.h>

#include <algorithm>

#include "AnmlLexer.h"
#include "syntax/errors/failure_report.h"
#include "syntax/errors/habits.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

std::uint32_t FailureReport::line_start(std::uint32_t word) const
{
    while (word > 0 && (word >= file_.words.size() || !starts_line(word))) --word;
    return word;
}

bool FailureReport::help_with_declaration(Diagnostics::Builder& builder)
{
    if (!expects_statement() || !begins_declaration(type()) || !starts_line(failure_.word)) return false;
    const std::uint32_t name = failure_.word + 1;
    if (type() == AnmlLexer::COMPONENT && name + 1 < file_.words.size() &&
        type_of(name + 1) == AnmlLexer::IDENTIFIER && !starts_line(name + 1))
    {
        builder.help(fmt::format("an instance is written without `component`: `{}`",
                                 sources_.text({file_.file, span_of(name).begin, span_of(line_end(name) - 1).end})))
            .fix({file_.file, span_of(failure_.word).begin, span_of(name).begin}, "");
        return true;
    }
    builder.help(
        fmt::format("`{}` stands at the top of a file, outside of components and models", text_of(failure_.word)));
    return true;
}

// `host a, b`, `host a,`, `let a = 1, b = 2`, `route a to b via c, d`.
bool FailureReport::help_with_names(Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    if (type() != L::COMMA || !expects_statement()) return false;
    if (next_type() == 0 || starts_line(failure_.word + 1)) {
        builder.help("statements are not separated by commas: remove it").fix(span_of(failure_.word), "");
        return true;
    }
    const std::uint32_t first = line_start(failure_.word);
    const std::uint16_t kind = type_of(first);
    const bool node = kind == L::ROUTER || kind == L::SWITCH || kind == L::HOST || kind == L::ENDPOINT;
    const std::string_view word = text_of(first), next = next_text();
    if (kind == L::LINK && next_type() == L::IDENTIFIER && failure_.word + 2 < file_.words.size() &&
        type_of(failure_.word + 2) == L::ASSIGN)
        builder.help(fmt::format("a link's attributes stand in braces, behind its profile, too: `{} {{ {} = ... }}`",
                                 sources_.text({file_.file, span_of(first).begin, span_of(failure_.word - 1).end}),
                                 next_text()));
    else if (kind == L::LINK && next_type() == L::IDENTIFIER)
        builder.help("a link has one profile; what differs from it stands in braces behind it: `link a -- b : "
                     "ether.fast { delay = 1 ms }`");
    else if (node)
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
    if (!expects(L::COMMA) || !starts_line(begin) || begin == 0) return false;
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
    if (range && inside(AnmlParser::RuleAttribute_block) && inside(AnmlParser::RuleLink_decl) &&
        next_type() == L::QUANTITY)
        builder.help(attribute_before(failure_.word) == "delay"
                         ? "what is drawn is added to the delay: `delay = 10 ms, jitter = uniform(0 ms, 10 ms)`"
                         : "an attribute has one value; in the timeline a ramp goes from one to another");
    else if (range && inside(AnmlParser::RuleTimeline_block))
        builder.help("what changes by and by is a ramp's: `ramp from 1 s to 2 s { x { rate = a .. b } }`");
    else if (range && inside(AnmlParser::RuleAttribute))
        builder.help("what is drawn between two values is `uniform(a, b)`");
    else if (range && expects(L::RBRACK) &&
             (inside(AnmlParser::RuleNode_decl) || inside(AnmlParser::RuleInstance_decl)))
        builder.help("an array is declared by its count, `host pc[4]`; its elements are numbered from 0");
    else if (range && (expects_statement() || expects(L::RBRACK) || expects(L::RPAREN)))
        builder.help("a list of numbers is written `[i for i in 0 .. 5]`");
    else if (type() == L::IN && expects_statement())
        builder.help("whether it lies there is written `a <= x && x <= b`, of a list `any([x == y for y in list])`");
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
    if (type() == L::DOT && last == first + 1 && failure_.word + 1 < file_.words.size()) {  // `set l.rate = 2 Mbps`
        builder.help(fmt::format("what changes stands in braces: `{} {{ {} = ... }}`", text_of(last), next_text()));
        return true;
    }
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

// What is written otherwise elsewhere, and here by these marks.
bool FailureReport::help_with_habits(Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    const Span here = span_of(failure_.word);
    const std::string_view text = text_of(failure_.word);
    const bool first = failure_.word == 0;
    const std::uint16_t before = first ? std::uint16_t{0} : type_of(failure_.word - 1);
    const bool touches = !first && adjacent(failure_.word - 1);
    const bool line = starts_line(failure_.word);
    const std::uint32_t start = line_start(failure_.word);
    const std::uint16_t kind = type_of(start);
    const bool node = kind == L::ROUTER || kind == L::SWITCH || kind == L::HOST || kind == L::ENDPOINT;
    const bool count = failure_.word + 2 < file_.words.size() && type() == L::LBRACK &&
                       file_.partner(failure_.word) == failure_.word + 2;
    if (type() == L::COLON && failure_.word == start + 2 && text_of(start) == "port" && !text_of(start + 1).empty())
        builder.help(fmt::format("what a port stands for comes behind `=`: `port {} = {}`", text_of(start + 1),
                                 next_text()))
            .fix({file_.file, span_of(start + 1).end, here.end}, " =");
    else if (type() == L::COLON && text_of(start) == "at" && before == L::INTEGER)
        builder.help("a time has a unit: `at 3 s { ... }`");
    else if (type() == L::COLON && expects(L::LBRACE) && before != L::RUN && !inside(AnmlParser::RuleBody_head) &&
        !inside(AnmlParser::RuleAttribute_block))
        builder.help(fmt::format("what belongs to it stands in braces: `{} {{ ... }}`",
                                 sources_.text({file_.file, span_of(start).begin, span_of(failure_.word - 1).end})));
    else if (type() == L::COLON && node && expects_statement())
        builder.help(fmt::format("attributes stand in braces: `{} {{ address = 10.0.0.1 }}`",
                                 sources_.text({file_.file, span_of(start).begin, span_of(failure_.word - 1).end})));
    else if (type() == L::COLON && expects_statement() && start > 0 && type_of(start - 1) == L::COLON &&
             type_of(line_start(start - 1)) == L::LINK)
        builder.help("a link's attributes stand in braces: `link a -- b { rate = 10 Mbps, delay = 5 ms }`");
    else if (type() == L::LBRACK && failure_.word == start + 1 && node)
        builder.help(fmt::format("how many there are comes behind the name: `{} pc[{}]`", text_of(start),
                                 count ? next_text() : "4"));
    else if (type() == L::STAR && touches && before == L::DOT && expects(L::IDENTIFIER) && text_of(start) == "import")
        builder.help(fmt::format("all names of a module stand behind its name: `import {0}`, `{0}.NAME`",
                                 sources_.text({file_.file, span_of(start + 1).begin, here.begin - 1})))
            .fix({file_.file, here.begin - 1, here.end}, "");
    else if (type() == L::STAR && touches && before == L::DOT && expects(L::IDENTIFIER))
        builder.help("all elements are `name[*]`").fix({file_.file, here.begin - 1, here.end}, "[*]");
    else if (type() == L::LESS && next_type() == L::LESS)
        builder.help(expects_value() ? "a string stands on one line, in double quotes"
                                     : "what several have is a profile: `profile fast : Link { rate = 10 Mbps }`, and "
                                       "`link a -- b : fast { delay = 1 ms }`");
    else if (type() == L::ASSIGN && expects(L::IN) && inside(AnmlParser::RuleFor_stmt))
        builder.help("a loop is written `for i in 0 .. 3 { ... }`, or `0 ..< n` without the upper end")
            .fix(here, adjacent(failure_.word) ? " in " : "in");
    else if (expects(L::LPAREN) && before == L::IDENTIFIER && !expects_statement() && failure_.word > 1 &&
             type_of(failure_.word - 2) == L::AT)
        builder.help(inside(AnmlParser::RuleSchema_decl) ? "an annotation is written `@changes(step) level: int`"
                     : text_of(failure_.word - 1) == "task"
                         ? "an annotation is written `@task(\"west\") router r`"
                         : "nodes and instances have annotations, `@task(\"west\") router r`, and nothing else has");
    else if (type() == L::COMMA && inside(AnmlParser::RuleWhole_declaration) && text_of(start) == "import")
        builder.help("each module has an `import` of its own, on its own line").fix(here, "\nimport");
    else if (type() == L::LBRACE && inside(AnmlParser::RuleFunction_decl) && expects(L::ASSIGN))
        builder.help("a function is one expression, without braces and `return`: `function f(x: int): int = x + 1`");
    else if (expects(L::LBRACE) && inside(AnmlParser::RuleIf_stmt) && begins_statement(type()))
        builder.help("what is made then stands in braces: `if c { ... } else { ... }`");
    else if (inside(AnmlParser::RuleAttribute) && expects(L::ASSIGN) &&
             (type() == L::INTEGER || type() == L::NUMBER || type() == L::QUANTITY || type() == L::STRING))
        builder.help(fmt::format("an attribute's value comes after `=`: `{} = {}`", text_of(failure_.word - 1), text))
            .fix({file_.file, here.begin, here.begin}, "= ");
    else if ((type() == L::DOT || type() == L::LPAREN) && inside(AnmlParser::RuleAttribute_block) && expects(L::ASSIGN))
        builder.help("in braces stand attributes, `name = value`: nothing is called here");
    else if (type() == L::RANGE && before == L::LBRACK && expects_value())
        builder.help("lists are put together by `+`: `list + [3]`");
    else if (type() == L::COMMA && before == L::IDENTIFIER && kind == L::LET && failure_.word == start + 2)
        builder.help("each `let` names one value: `let a = 1`, `let b = 2`");
    else if (type() == L::STAR && inside(AnmlParser::RuleParameter_list))
        builder.help("a parameter is written `name: type`; several values are a list, `names: string[]`");
    else if (type() == L::ASSIGN && inside(AnmlParser::RuleEnum_decl))
        builder.help("values of an `enum` are names, without numbers: `enum Grade { gold, silver }`");
    else if (type() == L::LESS && line && expects_statement())
        builder.help("a comment begins with `//`");
    else if (type() == L::STRING && line && expects_statement() && next_type() == L::COLON)
        builder.help("what there is is declared by its kind: `host a`, `router r`, `link a -- r { rate = 10 Mbps }`");
    else if (type() == L::MINUS && line && expects_statement())
        builder.help("statements begin their lines without a dash");
    else if (type() == L::ON && line && expects_statement())
        builder.help("what happens when is said by `at 1 s { ... }`").fix(here, "at");
    else if (type() == L::INTEGER && expects_statement() && kind == L::ROUTER && find_habit(text_of(failure_.word - 1)))
        builder.help(std::string(find_habit(text_of(failure_.word - 1))->help));
    else if (type() == L::LBRACE && expects_statement() && text_of(start) == "at" && start + 2 < failure_.word &&
             type_of(start + 2) == L::ASSIGN)
        builder.help("the time follows at once: `at 1 s { ... }`");
    else if (type() == L::FROM && expects(L::IMPORT))
        builder.help("a module is imported by `import std.ether`; what it has is `ether.fast`");
    else if (type() == L::STRING && line && expects_statement())
        builder.help("a comment begins with `//`, what describes the next statement with `///`");
    else if (type() == L::STAR && line && expects_statement())
        builder.help("what several have is said where they are declared: `host a[4] { ... }`");
    else if (type() == L::AT && inside(AnmlParser::RuleAttribute_block))
        builder.help("annotations stand before the statement; where a node is drawn says `position = plane(x, y)`");
    else if (text == "extends" || text == "inherits" || text == "implements")
        builder.help("what it is, or is derived from, comes after a colon: `component Big : Site { ... }`")
            .fix(here, ":");
    else if (type() == L::COLON && before == L::LBRACK)
        builder.help("a slice is written `[0 ..< 2]`, with its begin").fix(here, "0 ..<");
    else if (type() == L::DIRECTED && touches && next_type() == L::IDENTIFIER && adjacent(failure_.word) &&
             !inside(AnmlParser::RuleLink_decl))
        builder.help("what a thing has is named with a point");
    else if (type() == L::LESS && before == L::LESS && touches && failure_.word > 1 &&
             type_of(failure_.word - 2) == L::STRING)
        builder.help("strings are put together by `+`: `\"site \" + text(n)`");
    else if (type() == L::LESS && before == L::LESS && touches)
        builder.help("there are no shifts: `pow(2, 10)`");
    else if (type() == L::DOT && expects_value() && before != L::RANGE &&
             (next_type() == L::INTEGER || next_type() == L::QUANTITY) && adjacent(failure_.word))
        builder.help("a number has a digit before its point").fix({file_.file, here.begin, here.begin}, "0");
    else if (text.starts_with("::") && touches && text_of(failure_.word - 1) == "std")
        builder.help("functions of the language stand alone: `max(1, 2)`");
    else if (text.starts_with("::") && touches && before == L::IDENTIFIER)
        builder.help("what a module has is named with a point: `ether.fast`");
    else if (type() == L::DUPLEX && expects_statement() && type_of(line_start(failure_.word)) == L::LINK)
        builder.help("a link has two ends; several at one end stand in brackets: `link [a, b] -- r`");
    else if (type() == L::LBRACK && before == L::RPAREN && type_of(line_start(failure_.word)) == L::IDENTIFIER)
        builder.help("how many there are comes before the arguments: `Site s[3](4)`");
    else if (type() == L::COMMA && before == L::STRING && expects(L::RBRACK) && inside(AnmlParser::RuleBrackets))
        builder.help("keys are a list: `host pc[[\"ann\", \"bob\"]]`");
    else if (type() == L::COLON && expects_statement() && text_of(line_start(failure_.word)) == "table")
        builder.help("a `table` stands at the top of a file, outside of components and models");
    else if (text == "from" && inside(AnmlParser::RuleEvery_stmt) && expects(L::LBRACE))
        builder.help("the number of the moment comes last: `every 1 s from 2 s to 5 s as k { ... }`");
    else if (type() == L::RBRACE && expects(L::RANGE) && inside(AnmlParser::RuleRamp_values))
        builder.help("a ramp goes from one value to another: `rate = 10 Mbps .. 1 Mbps`");
    else
        return false;
    return true;
}

bool FailureReport::help_with_separation(Diagnostics::Builder& builder)
{
    return help_with_forms(builder) || help_with_attributes(builder) || help_with_link_ends(builder) ||
           help_with_change(builder) || help_with_labels(builder) || help_with_declaration(builder) ||
           help_with_names(builder) || help_with_comma(builder) || help_with_range(builder) ||
           help_with_habits(builder);
}

}  // namespace anml
