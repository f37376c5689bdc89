// What helps where a comma, a new line or a declaration stands where it does not belong, or is missing.
#include <fmt/format.h>

#include <algorithm>

#include "AnmlLexer.h"
#include "syntax/errors/failure.h"
#include "syntax/errors/habits.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

namespace {

bool help_with_declaration(Failure& in, Diagnostics::Builder& builder)
{
    if (!in.expects_statement() || !begins_declaration(in.type()) || !in.starts_line(in.failure.word)) return false;
    const std::uint32_t name = in.failure.word + 1;
    if (in.type() == AnmlLexer::COMPONENT && name + 1 < in.file.words.size() &&
        in.type_of(name + 1) == AnmlLexer::IDENTIFIER && !in.starts_line(name + 1))
    {
        builder
            .help(fmt::format(
                "an instance is written without `component`: `{}`",
                in.sources.text({in.file.file, in.span_of(name).begin, in.span_of(in.line_end(name) - 1).end})))
            .fix({in.file.file, in.span_of(in.failure.word).begin, in.span_of(name).begin}, "");
        return true;
    }
    builder.help(
        fmt::format("`{}` stands at the top of a file, outside of components and models", in.text_of(in.failure.word)));
    return true;
}

// `host a, b`, `host a,`, `let a = 1, b = 2`, `route a to b via c, d`.
bool help_with_names(Failure& in, Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    if (in.type() != L::COMMA || !in.expects_statement()) return false;
    if (in.next_type() == 0 || in.starts_line(in.failure.word + 1)) {
        builder.help("statements are not separated by commas: remove it").fix(in.span_of(in.failure.word), "");
        return true;
    }
    const std::uint32_t first = in.line_start(in.failure.word);
    const std::uint16_t kind = in.type_of(first);
    const bool node = kind == L::ROUTER || kind == L::SWITCH || kind == L::HOST || kind == L::ENDPOINT;
    const std::string_view word = in.text_of(first), next = in.next_text();
    if (kind == L::LINK && in.next_type() == L::IDENTIFIER && in.failure.word + 2 < in.file.words.size() &&
        in.type_of(in.failure.word + 2) == L::ASSIGN)
        builder.help(
            fmt::format("a link's attributes stand in braces, behind its profile, too: `{} {{ {} = ... }}`",
                        in.sources.text({in.file.file, in.span_of(first).begin, in.span_of(in.failure.word - 1).end}),
                        in.next_text()));
    else if (kind == L::LINK && in.next_type() == L::IDENTIFIER)
        builder.help("a link has one profile; what differs from it stands in braces behind it: `link a -- b : "
                     "ether.fast { delay = 1 ms }`");
    else if (node)
        builder.help(fmt::format("one statement for each, `{} {}`, or an array of them: `{} {}[2]`", word, next, word,
                                 in.text_of(first + 1)));
    else if (kind == L::ROUTE)
        builder.help("several, which packets pass in this order, stand in brackets: `via [core, exit]`");
    else if (kind == L::WORKLOAD)
        builder.help("several hosts stand in brackets: `on [a, b]`");
    else
        builder.help("each statement begins a line of its own, without a comma");
    return true;
}

// A line of a list, of parameters or of arguments begins where the one before ended without a comma.
bool help_with_comma(Failure& in, Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    // `a: int` and below it `b: int`: `b` was taken for something that follows a type.
    const bool parameter =
        in.type() == L::COLON && in.failure.word > 0 && in.type_of(in.failure.word - 1) == L::IDENTIFIER;
    const std::uint32_t begin = parameter ? in.failure.word - 1 : in.failure.word;
    if (!in.expects(L::COMMA) || !in.starts_line(begin) || begin == 0) return false;
    if (!in.expects(L::RPAREN) && !in.expects(L::RBRACK)) return false;
    if (in.type() == L::RBRACE || in.type() == L::RPAREN || in.type() == L::RBRACK) return false;
    const Span before = in.span_of(begin - 1);
    builder.help("a comma stands between them, at the end of a line, too")
        .fix({before.file, before.end, before.end}, ",");
    return true;
}

// `let n = 0 .. 5`, `x in 0 .. 5`, `pc[0:2]`, `think = 1 s .. 2 s`.
bool help_with_range(Failure& in, Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    const bool range = in.type() == L::RANGE || in.type() == L::HALF_OPEN;
    if (range && in.inside(AnmlParser::RuleAttribute_block) && in.inside(AnmlParser::RuleLink_decl) &&
        in.next_type() == L::QUANTITY)
        builder.help(attribute_before(in, in.failure.word) == "delay"
                         ? "what is drawn is added to the delay: `delay = 10 ms, jitter = uniform(0 ms, 10 ms)`"
                         : "an attribute has one value; in the timeline a ramp goes from one to another");
    else if (range && in.inside(AnmlParser::RuleTimeline_block))
        builder.help("what changes by and by is a ramp's: `ramp from 1 s to 2 s { x { rate = a .. b } }`");
    else if (range && in.inside(AnmlParser::RuleAttribute))
        builder.help("what is drawn between two values is `uniform(a, b)`");
    else if (range && in.expects(L::RBRACK) &&
             (in.inside(AnmlParser::RuleNode_decl) || in.inside(AnmlParser::RuleInstance_decl)))
        builder.help("an array is declared by its count, `host pc[4]`; its elements are numbered from 0");
    else if (range && (in.expects_statement() || in.expects(L::RBRACK) || in.expects(L::RPAREN)))
        builder.help("a list of numbers is written `[i for i in 0 .. 5]`");
    else if (in.type() == L::IN && in.expects_statement())
        builder.help("whether it lies there is written `a <= x && x <= b`, of a list `any([x == y for y in list])`");
    else if (in.type() == L::COLON && in.expects(L::RBRACK))
        builder.help("a slice is written `[a .. b]`, or `[a ..< b]` without its upper end")
            .fix(in.span_of(in.failure.word), " .. ")
            .fix(in.span_of(in.failure.word), " ..< ");
    else
        return false;
    return true;
}

// `label x { key: "y" }`, `report by "key"`: taken for instances.
bool help_with_labels(Failure& in, Diagnostics::Builder& builder)
{
    const auto instance =
        std::find_if(in.failure.rules.begin(), in.failure.rules.end(),
                     [](const ParseFailure::Rule& r) { return r.rule == AnmlParser::RuleInstance_decl; });
    if (instance == in.failure.rules.end()) return false;
    const std::string_view word = in.text_of(instance->first_word);
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
bool help_with_link_ends(Failure& in, Diagnostics::Builder& builder)
{
    const ParseFailure::Rule* at = in.construct();
    if (in.type() != AnmlLexer::COMMA || !at || at->rule != AnmlParser::RuleLink_decl) return false;
    const std::uint32_t bracket = in.file.inside(in.failure.word);
    const bool call = bracket != FileTokens::kNone && in.type_of(bracket) == AnmlLexer::LPAREN;
    builder.help(call ? "a link is written `link a -- b : profile`"
                      : "several ends stand in brackets, each with a link of its own: `link [a, b] -- r : profile`");
    return true;
}

// `at 1 s { l.rate = 1 Mbps }`, `{ l.down() }`, `{ l = down }`, `{ down(l) }`.
bool help_with_change(Failure& in, Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    const ParseFailure::Rule* at = nullptr;
    for (const ParseFailure::Rule& r : in.failure.rules)
        if (!at && r.rule == AnmlParser::RuleTimeline_item) at = &r;
    if (!at || in.failure.word <= at->first_word) return false;
    const std::uint32_t last = in.failure.word - 1, first = at->first_word;
    const auto is_state = [](std::string_view word) { return word == "up" || word == "down" || word == "off"; };
    const auto state = [&](std::string_view subject, std::string_view word, std::uint32_t end) {
        const std::string instead = fmt::format("{} {}", subject, word);
        builder.write({in.file.file, in.span_of(first).begin, in.span_of(end).end}, instead);
        return true;
    };
    if (in.type() == L::DOT && last == first + 1 &&
        in.failure.word + 1 < in.file.words.size()) {  // `set l.rate = 2 Mbps`
        builder.help(
            fmt::format("what changes stands in braces: `{} {{ {} = ... }}`", in.text_of(last), in.next_text()));
        return true;
    }
    const bool called = in.type() == L::LPAREN && in.file.partner(in.failure.word) != FileTokens::kNone;
    const bool member = last >= first + 2 && in.type_of(last - 1) == L::DOT;
    const auto words = [&](std::uint32_t from, std::uint32_t to) {
        return in.sources.text({in.file.file, in.span_of(from).begin, in.span_of(to).end});
    };
    if (member && is_state(in.text_of(last))) {
        const bool truth = in.type() == L::ASSIGN && (in.next_type() == L::TRUE || in.next_type() == L::FALSE);
        std::string_view word = in.text_of(last);  // `l.up = false`
        if (truth && in.next_type() == L::FALSE) word = word == "up" ? "down" : word == "down" ? "up" : "on";
        return state(words(first, last - 2), word,
                     called  ? in.file.partner(in.failure.word)
                     : truth ? in.failure.word + 1
                             : last);
    }
    if (called && last == first && is_state(in.text_of(last)) && in.file.partner(in.failure.word) > in.failure.word + 1)
        return state(words(in.failure.word + 1, in.file.partner(in.failure.word) - 1), in.text_of(last),
                     in.file.partner(in.failure.word));
    if (in.type() != L::ASSIGN || in.next_type() == 0) return false;
    if (is_state(in.next_text())) return state(words(first, last), in.next_text(), in.failure.word + 1);
    if (member)
        builder.help(fmt::format("what changes stands in braces: `{} {{ {} = ... }}`", words(first, last - 2),
                                 in.text_of(last)));
    else
        builder.help(fmt::format("what changes stands in braces behind it: `{} {{ rate = ... }}`", words(first, last)));
    return true;
}

// What is written otherwise elsewhere, and here by these marks.
bool help_with_habits(Failure& in, Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    const Span here = in.span_of(in.failure.word);
    const std::string_view text = in.text_of(in.failure.word);
    const bool first = in.failure.word == 0;
    const std::uint16_t before = first ? std::uint16_t{0} : in.type_of(in.failure.word - 1);
    const bool touches = !first && in.adjacent(in.failure.word - 1);
    const bool line = in.starts_line(in.failure.word);
    const std::uint32_t start = in.line_start(in.failure.word);
    const std::uint16_t kind = in.type_of(start);
    const bool node = kind == L::ROUTER || kind == L::SWITCH || kind == L::HOST || kind == L::ENDPOINT;
    const bool count = in.failure.word + 2 < in.file.words.size() && in.type() == L::LBRACK &&
                       in.file.partner(in.failure.word) == in.failure.word + 2;
    if (in.type() == L::COLON && in.failure.word == start + 2 && in.text_of(start) == "port" &&
        !in.text_of(start + 1).empty())
        builder
            .help(fmt::format("what a port stands for comes behind `=`: `port {} = {}`", in.text_of(start + 1),
                              in.next_text()))
            .fix({in.file.file, in.span_of(start + 1).end, here.end}, " =");
    else if (in.type() == L::COLON && in.text_of(start) == "at" && before == L::INTEGER)
        builder.help("a time has a unit: `at 3 s { ... }`");
    else if (in.type() == L::COLON && in.expects(L::LBRACE) && before != L::RUN &&
             !in.inside(AnmlParser::RuleBody_head) && !in.inside(AnmlParser::RuleAttribute_block))
        builder.help(
            fmt::format("what belongs to it stands in braces: `{} {{ ... }}`",
                        in.sources.text({in.file.file, in.span_of(start).begin, in.span_of(in.failure.word - 1).end})));
    else if (in.type() == L::COLON && node && in.expects_statement())
        builder.help(
            fmt::format("attributes stand in braces: `{} {{ address = 10.0.0.1 }}`",
                        in.sources.text({in.file.file, in.span_of(start).begin, in.span_of(in.failure.word - 1).end})));
    else if (in.type() == L::COLON && in.expects_statement() && start > 0 && in.type_of(start - 1) == L::COLON &&
             in.type_of(in.line_start(start - 1)) == L::LINK)
        builder.help("a link's attributes stand in braces: `link a -- b { rate = 10 Mbps, delay = 5 ms }`");
    else if (in.type() == L::LBRACK && in.failure.word == start + 1 && node)
        builder.help(fmt::format("how many there are comes behind the name: `{} pc[{}]`", in.text_of(start),
                                 count ? in.next_text() : "4"));
    else if (in.type() == L::STAR && touches && before == L::DOT && in.expects(L::IDENTIFIER) &&
             in.text_of(start) == "import")
        builder
            .help(fmt::format("all names of a module stand behind its name: `import {0}`, `{0}.NAME`",
                              in.sources.text({in.file.file, in.span_of(start + 1).begin, here.begin - 1})))
            .fix({in.file.file, here.begin - 1, here.end}, "");
    else if (in.type() == L::STAR && touches && before == L::DOT && in.expects(L::IDENTIFIER))
        builder.help("all elements are `name[*]`").fix({in.file.file, here.begin - 1, here.end}, "[*]");
    else if (in.type() == L::LESS && in.next_type() == L::LESS)
        builder.help(in.expects_value()
                         ? "a string stands on one line, in double quotes"
                         : "what several have is a profile: `profile fast : Link { rate = 10 Mbps }`, and "
                           "`link a -- b : fast { delay = 1 ms }`");
    else if (in.type() == L::ASSIGN && in.expects(L::IN) && in.inside(AnmlParser::RuleFor_stmt))
        builder.help("a loop is written `for i in 0 .. 3 { ... }`, or `0 ..< n` without the upper end")
            .fix(here, in.adjacent(in.failure.word) ? " in " : "in");
    else if (in.expects(L::LPAREN) && before == L::IDENTIFIER && !in.expects_statement() && in.failure.word > 1 &&
             in.type_of(in.failure.word - 2) == L::AT)
        builder.help(in.inside(AnmlParser::RuleSchema_decl) ? "an annotation is written `@changes(step) level: int`"
                     : in.text_of(in.failure.word - 1) == "task"
                         ? "an annotation is written `@task(\"west\") router r`"
                         : "nodes and instances have annotations, `@task(\"west\") router r`, and nothing else has");
    else if (in.type() == L::COMMA && in.inside(AnmlParser::RuleWhole_declaration) && in.text_of(start) == "import")
        builder.help("each module has an `import` of its own, on its own line").fix(here, "\nimport");
    else if (in.type() == L::LBRACE && in.inside(AnmlParser::RuleFunction_decl) && in.expects(L::ASSIGN))
        builder.help("a function is one expression, without braces and `return`: `function f(x: int): int = x + 1`");
    else if (in.expects(L::LBRACE) && in.inside(AnmlParser::RuleIf_stmt) && begins_statement(in.type()))
        builder.help("what is made then stands in braces: `if c { ... } else { ... }`");
    else if (in.inside(AnmlParser::RuleAttribute) && in.expects(L::ASSIGN) &&
             (in.type() == L::INTEGER || in.type() == L::NUMBER || in.type() == L::QUANTITY || in.type() == L::STRING))
        builder
            .help(fmt::format("an attribute's value comes after `=`: `{} = {}`", in.text_of(in.failure.word - 1), text))
            .fix({in.file.file, here.begin, here.begin}, "= ");
    else if ((in.type() == L::DOT || in.type() == L::LPAREN) && in.inside(AnmlParser::RuleAttribute_block) &&
             in.expects(L::ASSIGN))
        builder.help("in braces stand attributes, `name = value`: nothing is called here");
    else if (in.type() == L::RANGE && before == L::LBRACK && in.expects_value())
        builder.help("lists are put together by `+`: `list + [3]`");
    else if (in.type() == L::COMMA && before == L::IDENTIFIER && kind == L::LET && in.failure.word == start + 2)
        builder.help("each `let` names one value: `let a = 1`, `let b = 2`");
    else if (in.type() == L::STAR && in.inside(AnmlParser::RuleParameter_list))
        builder.help("a parameter is written `name: type`; several values are a list, `names: string[]`");
    else if (in.type() == L::ASSIGN && in.inside(AnmlParser::RuleEnum_decl))
        builder.help("values of an `enum` are names, without numbers: `enum Grade { gold, silver }`");
    else if (in.type() == L::LESS && line && in.expects_statement())
        builder.help("a comment begins with `//`");
    else if (in.type() == L::STRING && line && in.expects_statement() && in.next_type() == L::COLON)
        builder.help("what there is is declared by its kind: `host a`, `router r`, `link a -- r { rate = 10 Mbps }`");
    else if (in.type() == L::MINUS && line && in.expects_statement())
        builder.help("statements begin their lines without a dash");
    else if (in.type() == L::ON && line && in.expects_statement())
        builder.help("what happens when is said by `at 1 s { ... }`").fix(here, "at");
    else if (in.type() == L::INTEGER && in.expects_statement() && kind == L::ROUTER &&
             find_habit(in.text_of(in.failure.word - 1)))
        builder.help(std::string(find_habit(in.text_of(in.failure.word - 1))->help));
    else if (in.type() == L::LBRACE && in.expects_statement() && in.text_of(start) == "at" &&
             start + 2 < in.failure.word && in.type_of(start + 2) == L::ASSIGN)
        builder.help("the time follows at once: `at 1 s { ... }`");
    else if (in.type() == L::FROM && in.expects(L::IMPORT))
        builder.help("a module is imported by `import std.ether`; what it has is `ether.fast`");
    else if (in.type() == L::STRING && line && in.expects_statement())
        builder.help("a comment begins with `//`, what describes the next statement with `///`");
    else if (in.type() == L::STAR && line && in.expects_statement())
        builder.help("what several have is said where they are declared: `host a[4] { ... }`");
    else if (in.type() == L::AT && in.inside(AnmlParser::RuleAttribute_block))
        builder.help("annotations stand before the statement; where a node is drawn says `position = plane(x, y)`");
    else if (text == "extends" || text == "inherits" || text == "implements")
        builder.help("what it is, or is derived from, comes after a colon: `component Big : Site { ... }`")
            .fix(here, ":");
    else if (in.type() == L::COLON && before == L::LBRACK)
        builder.help("a slice is written `[0 ..< 2]`, with its begin").fix(here, "0 ..<");
    else if (in.type() == L::DIRECTED && touches && in.next_type() == L::IDENTIFIER && in.adjacent(in.failure.word) &&
             !in.inside(AnmlParser::RuleLink_decl))
        builder.help("what a thing has is named with a point");
    else if (in.type() == L::LESS && before == L::LESS && touches && in.failure.word > 1 &&
             in.type_of(in.failure.word - 2) == L::STRING)
        builder.help("strings are put together by `+`: `\"site \" + text(n)`");
    else if (in.type() == L::LESS && before == L::LESS && touches)
        builder.help("there are no shifts: `pow(2, 10)`");
    else if (in.type() == L::DOT && in.expects_value() && before != L::RANGE &&
             (in.next_type() == L::INTEGER || in.next_type() == L::QUANTITY) && in.adjacent(in.failure.word))
        builder.help("a number has a digit before its point").fix({in.file.file, here.begin, here.begin}, "0");
    else if (text.starts_with("::") && touches && in.text_of(in.failure.word - 1) == "std")
        builder.help("functions of the language stand alone: `max(1, 2)`");
    else if (text.starts_with("::") && touches && before == L::IDENTIFIER)
        builder.help("what a module has is named with a point: `ether.fast`");
    else if (in.type() == L::DUPLEX && in.expects_statement() && in.type_of(in.line_start(in.failure.word)) == L::LINK)
        builder.help("a link has two ends; several at one end stand in brackets: `link [a, b] -- r`");
    else if (in.type() == L::LBRACK && before == L::RPAREN &&
             in.type_of(in.line_start(in.failure.word)) == L::IDENTIFIER)
        builder.help("how many there are comes before the arguments: `Site s[3](4)`");
    else if (in.type() == L::COMMA && before == L::STRING && in.expects(L::RBRACK) &&
             in.inside(AnmlParser::RuleBrackets))
        builder.help("keys are a list: `host pc[[\"ann\", \"bob\"]]`");
    else if (in.type() == L::COLON && in.expects_statement() && in.text_of(in.line_start(in.failure.word)) == "table")
        builder.help("a `table` stands at the top of a file, outside of components and models");
    else if (text == "from" && in.inside(AnmlParser::RuleEvery_stmt) && in.expects(L::LBRACE))
        builder.help("the number of the moment comes last: `every 1 s from 2 s to 5 s as k { ... }`");
    else if (in.type() == L::RBRACE && in.expects(L::RANGE) && in.inside(AnmlParser::RuleRamp_values))
        builder.help("a ramp goes from one value to another: `rate = 10 Mbps .. 1 Mbps`");
    else
        return false;
    return true;
}

}  // namespace

std::uint32_t Failure::line_start(std::uint32_t word) const
{
    while (word > 0 && (word >= file.words.size() || !starts_line(word))) --word;
    return word;
}

bool help_with_separation(Failure& in, Diagnostics::Builder& builder)
{
    return help_with_forms(in, builder) || help_with_attributes(in, builder) || help_with_link_ends(in, builder) ||
           help_with_change(in, builder) || help_with_labels(in, builder) || help_with_declaration(in, builder) ||
           help_with_names(in, builder) || help_with_comma(in, builder) || help_with_range(in, builder) ||
           help_with_habits(in, builder);
}

}  // namespace anml
