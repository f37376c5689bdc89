// What helps where a word stands that does not fit.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>

#include "AnmlLexer.h"
#include "base/address.h"
#include "syntax/errors/failure.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

namespace {

// The colon, and in `: int = 3` what stands up to its `=`, too.
Span through_type(const Failure& in)
{
    Span all = in.span_of(in.failure.word);
    for (std::uint32_t i = in.failure.word + 1; !in.starts_line(i); ++i) {
        if (in.type_of(i) == AnmlLexer::ASSIGN) return {all.file, all.begin, in.span_of(i).end};
        if (in.type_of(i) != AnmlLexer::IDENTIFIER && in.type_of(i) != AnmlLexer::DOT) break;
    }
    return all;
}

// The name that ends before the word, "tcp.linux".
std::string dotted_before(const Failure& in, std::uint32_t word)
{
    std::uint32_t from = word - 1;
    while (from >= 2 && in.type_of(from - 1) == AnmlLexer::DOT) from -= 2;
    std::string name;
    for (; from < word; ++from) name += in.text_of(from);
    return name;
}

}  // namespace

void add_help(Failure& in, Diagnostics::Builder& builder)
{
    if (in.at_end() || help_with_comprehension(in, builder) || help_with_separation(in, builder)) return;
    const Span here = in.span_of(in.failure.word);
    std::string_view text = in.text_of(in.failure.word);
    std::string_view previous = in.failure.word > 0 ? in.text_of(in.failure.word - 1) : std::string_view{};
    using L = AnmlLexer;
    const auto back = [&](std::uint32_t n) {
        return in.failure.word >= n ? in.type_of(in.failure.word - n) : std::uint16_t{0};
    };
    if (in.type() == L::ADDRESS && back(1) == L::ADDRESS && text.starts_with("255.")) {  // `10.0.0.0 255.0.0.0`
        const auto mask = parse_ipv4(text);
        const auto bits = mask ? std::popcount(*mask) : 0;
        builder.help(fmt::format("a prefix says how many bits it has: `{}/{}`", previous, bits))
            .fix({in.file.file, in.span_of(in.failure.word - 1).begin, here.end}, fmt::format("{}/{}", previous, bits));
        return;
    }
    const bool number = in.type() == L::INTEGER || in.type() == L::NUMBER || in.type() == L::QUANTITY;
    const bool node = back(2) == L::ROUTER || back(2) == L::SWITCH || back(2) == L::HOST || back(2) == L::ENDPOINT;
    const std::uint32_t start = in.line_start(in.failure.word);
    const bool thousands = text.size() > 3 && text.find_first_not_of("0123456789") == 3;
    if (number && back(1) == L::COMMA && back(2) == L::INTEGER && in.adjacent(in.failure.word - 2) &&
        in.adjacent(in.failure.word - 1) && (thousands || (text.size() == 3 && in.type() == L::INTEGER)))
        builder.help("the digits of a number are not grouped").fix(in.span_of(in.failure.word - 1), "");
    else if (in.text_of(start) == "table" && in.expects(L::COLON))
        builder.help("a table is written `table name(\"file.csv\") : Schema by attribute`");
    else if (in.type() == L::LBRACE && back(1) == L::COLON && in.inside(AnmlParser::RuleBody_head))
        builder.help("its body stands in braces, without a colon").fix(in.span_of(in.failure.word - 1), "");
    else if (in.type() == L::FOR && in.inside(AnmlParser::RuleAt_stmt))
        builder.help("what lasts has a beginning and an end: `from 20 s to 25 s { ... }`");
    else if (in.type() == L::ASSIGN && back(1) == L::RBRACK && in.expects(L::RANGE))
        builder.help("a range is written `1 .. 50`");
    else if (in.type() == L::STRING && previous == "edition")
        builder.help("the edition of the language is 1: `edition 1`").fix(here, "1");
    else if (in.type() == L::COLON && previous == "require")
        builder.help("what must hold stands behind it: `require c`").fix(here, "");
    else if (in.type() == L::LBRACK && back(1) == L::COLON && in.next_type() == L::IDENTIFIER &&
             in.file.partner(in.failure.word) == in.failure.word + 2)
        builder.help(fmt::format("several of a type are `{}[]`", in.next_text()))
            .fix({in.file.file, here.begin, in.span_of(in.failure.word + 2).end}, fmt::format("{}[]", in.next_text()));
    else if (text == "?" && back(1) == L::COLON && in.next_type() == L::IDENTIFIER)
        builder.help(fmt::format("what may be absent has its `?` behind: `{}?`", in.next_text()))
            .fix({in.file.file, here.begin, in.span_of(in.failure.word + 1).end}, fmt::format("{}?", in.next_text()));
    else if (in.type() == L::LBRACE && previous == "import") {
        std::uint32_t from = in.failure.word;
        while (from < in.line_end(in.failure.word) && in.text_of(from) != "from") ++from;
        if (from + 1 < in.line_end(in.failure.word))
            builder.help(fmt::format("a module is imported as a whole: `import {}`", dotted_name(in, from + 1)));
    } else if (in.type() == L::ASSIGN && in.expects(L::COLON) && in.inside(AnmlParser::RuleFunction_decl) &&
             back(1) == L::RPAREN)
        builder.help("the type of what it gives comes before: `function f(x: int): int = x + 1`");
    else if (number && back(1) == L::COMMA && back(2) == L::INTEGER && in.adjacent(in.failure.word - 2) &&
        in.adjacent(in.failure.word - 1))
        builder.help("the decimal mark is a point").fix(in.span_of(in.failure.word - 1), ".");
    else if (number && back(1) == L::INTEGER)
        builder.help("the digits of a number are not grouped")
            .fix({in.file.file, in.span_of(in.failure.word - 1).end, here.begin}, "");
    else if ((in.type() == L::LPAREN && node) ||
             (in.type() == L::INTEGER && back(1) == L::LBRACE && in.inside(AnmlParser::RuleNode_decl)))
    {
        builder.help("a count stands in brackets: `name[4]`");
        const std::uint32_t open = in.type() == L::LPAREN ? in.failure.word : in.failure.word - 1;
        if (open + 2 < in.file.words.size() && in.type_of(open + 1) == L::INTEGER && in.file.partner(open) == open + 2)
            builder.fix({in.file.file, in.span_of(open).begin, in.span_of(open + 2).end},
                        fmt::format("[{}]", in.text_of(open + 1)));
    } else if (in.type() == L::MINUS && (node || back(2) == L::LET))
        builder.help("a name has letters, digits and `_`").fix(here, "_");
    else if (in.type() == L::GREATER && previous == "--" && in.adjacent(in.failure.word - 1))
        builder.help("links are written `--`, or `->` where they lead one way")
            .fix({in.file.file, in.span_of(in.failure.word - 1).begin, here.end}, "->");
    else if (in.type() == L::DUPLEX && previous == "<" && in.adjacent(in.failure.word - 1))
        builder.help("links in both directions are written `--`")
            .fix({in.file.file, in.span_of(in.failure.word - 1).begin,
                  in.next_text() == ">" ? in.span_of(in.failure.word + 1).end : here.end},
                 "--");
    else if (in.type() == L::DIRECTED && previous == "<")
        builder.help("links in both directions are written `--`")
            .fix({in.file.file, in.span_of(in.failure.word - 1).begin, here.end}, "--");
    else if (declares_in_timeline(in)) {
        const std::uint32_t third = in.failure.word + 2;
        if (in.type() == L::LINK && third + 1 < in.file.words.size() && in.type_of(third) == L::IDENTIFIER &&
            (in.text_of(third + 1) == "down" || in.text_of(third + 1) == "up"))
            return void(builder.help(fmt::format("a link without a name is known by its ends: `{} -- {} {}`",
                                                 in.next_text(), in.text_of(third), in.text_of(third + 1))));
        builder.help(fmt::format("nothing is declared here; what is declared is changed by its name alone: `{} ...`",
                                 in.next_text()));
        if (in.failure.word + 2 < in.file.words.size() && in.type_of(in.failure.word + 2) != L::RBRACE)
            builder.fix({in.file.file, here.begin, in.span_of(in.failure.word + 1).begin}, "");
    } else if (in.type() == L::STAR && previous == "*" && in.adjacent(in.failure.word - 1))
        builder.help("a power is `pow(base, exponent)`");
    else if (in.type() == L::ASSIGN && node)
        builder.help(fmt::format("a node is declared by its kind and its name: `{} {}`",
                                 in.text_of(in.failure.word - 2), previous));
    else if (in.type() == L::STRING && in.inside(AnmlParser::RuleTimeline_block) && text.size() > 2)
        builder.help(fmt::format("what changes is named without quotes: `{}`", text.substr(1, text.size() - 2)))
            .fix(here, std::string(text.substr(1, text.size() - 2)));
    else if (in.type() == L::STRING && in.expects(L::IDENTIFIER) && in.failure.word > 0 && back(1) != L::IMPORT &&
             in.is_keyword(in.failure.word - 1))
        builder.help("a name is written without quotes, of letters, digits and `_`");
    else if (in.type() == L::ASSIGN && previous == "==")
        builder.help("to compare, write `==`").fix(here, "");
    else if (in.type() == L::GREATER && previous == "<")
        builder.help("what differs is written `a != b`")
            .fix({in.file.file, in.span_of(in.failure.word - 1).begin, here.end}, "!=");
    else if (in.type() == L::WHILE && in.expects_statement())
        builder.help("a loop runs over a range: `for i in 0 ..< n { ... }`");
    else if (in.type() == L::COMMA && previous == "]" && in.inside(AnmlParser::RuleTimeline_block))
        builder.help("what happens to several is said of each: `a[0] down, a[1] down`");
    else if (in.expects(L::LBRACE) && (in.inside(AnmlParser::RuleAt_stmt) || in.inside(AnmlParser::RuleEvery_stmt)))
        builder.help("what happens then stands in braces: `at 1 s { core down }`");
    else if (in.type() == L::THEN && in.expects(L::LBRACE) && in.inside(AnmlParser::RuleIf_stmt))
        builder.help("what is made then stands in braces: `if c { ... } else { ... }`");
    else if (in.type() == L::LBRACE && in.expects_value() && attribute_before(in, in.failure.word) == "stages")
        builder.help("a load over time is a list of stages: `schedule = [web.hold(10 s, 1), web.slope(5 s, 1, 5)]`");
    else if (in.type() == L::LBRACE && in.expects_value() && in.text_of(in.line_start(in.failure.word)) == "link")
        builder.help("attributes stand behind both ends, without a colon: `link a -- b { rate = 10 Mbps }`");
    else if (in.type() == L::LBRACE && in.expects_value())
        builder.help("a list stands in brackets: `[1, 2, 3]`; rows with names come from a `table`");
    else if (in.type() == L::COMMA && in.expects(L::RPAREN) && in.inside(AnmlParser::RuleExpression) &&
             !in.inside(AnmlParser::RuleArgument_list) && !in.inside(AnmlParser::RuleLink_decl))
        builder.help("a list stands in brackets: `[1, 2, 3]`");
    else if (in.type() == L::STRING && previous == "f" && in.adjacent(in.failure.word - 1))
        builder.help("strings are put together: `\"core \" + text(i)`");
    else if (text == "?")
        builder.help("a condition in an expression is written `if c then a else b`");
    else if (in.type() == L::QUANTITY && previous == "for" && in.text_of(in.line_start(in.failure.word)) == "from")
        builder.help(fmt::format("a span ends at a time: `from t to t + {} {{ ... }}`", text));
    else if (in.type() == L::QUANTITY && in.expects(L::IDENTIFIER) && !in.expects_value())
        builder.help("a name does not begin with a digit");
    else if (in.type() == L::LPAREN && previous == "for")
        builder.help("a loop runs over a range: `for i in 0 ..< n { ... }`");
    else if (in.type() == L::STRING && previous == "import" &&
             (text.ends_with(".gml\"") || text.ends_with(".graphml\"")))
        builder.help(fmt::format("a file of a graph is `graph Lab({})`, outside of models", text));
    else if (in.type() == L::STRING && previous == "import") {
        std::string module(text.substr(1, std::max<std::size_t>(text.size(), 2) - 2));
        std::replace(module.begin(), module.end(), '/', '.');
        if (module.ends_with(".anml")) module.resize(module.size() - 5);
        const auto in_path = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; };
        if (std::all_of(module.begin(), module.end(), in_path) && std::isalpha(static_cast<unsigned char>(module[0])))
            builder.help(fmt::format("a module is named without quotes: `import {}`", module)).fix(here, module);
        else
            builder.help("a module is named without quotes: `import std.ether`");
    } else if (previous == "run" && in.expects(L::LBRACE))
        builder.help("its attributes stand in braces: `run { duration = 10 s }`");
    else if (in.type() == L::COLON && in.inside(AnmlParser::RuleArgument_list))
        builder.help("an argument is named with `=`").fix(through_type(in), " =");
    else if (in.type() == L::ASSIGN && in.expects_statement() && back(1) == L::IDENTIFIER && back(2) == L::IDENTIFIER &&
             in.starts_line(in.failure.word - 2))
        builder.help(fmt::format("to name a value, write `let {} = ...`", previous))
            .fix(in.span_of(in.failure.word - 2), "let");
    else if (in.type() == L::ASSIGN && (in.expects_operator() || in.expects_statement()) &&
             follows_link_end(in, in.failure.word - 1))
        builder.help("a link's profile comes after a colon").fix(here, ":");
    else if (in.type() == L::ASSIGN && previous == "..")
        builder.help("`..` includes its upper end already; `..<` does not").fix(here, "");
    else if (in.type() == L::ASSIGN && (in.expects_operator() || in.expects_statement() || in.expects(L::THEN)))
        builder.help("to compare, write `==`").fix(here, "==");
    else if (in.type() == L::COLON && back(2) == L::LET)
        builder.help(fmt::format("a value is named with `=`: `let {} = ...`", previous));
    else if (in.type() == L::LBRACE && previous == ":" && in.inside(AnmlParser::RuleLink_decl))
        builder.help("a link without a profile has no second colon").fix(in.span_of(in.failure.word - 1), "");
    else if (in.expects(L::LBRACE) && in.inside(AnmlParser::RuleFor_stmt) && begins_statement(in.type()))
        builder.help("the body of a loop stands in braces: `for i in 0 ..< n { ... }`");
    else if (in.type() == L::COLON && in.expects(L::ASSIGN) && in.inside(AnmlParser::RuleAttribute_decl))
        builder.help("a trait has its type already: `trait name = value`").fix(through_type(in), " =");
    else if (in.type() == L::COLON && in.expects(L::ASSIGN))
        builder.help("an attribute's value comes after `=`").fix(through_type(in), " =");
    else if (in.type() == L::ASSIGN && in.expects(L::COLON)) {
        if (in.inside(AnmlParser::RuleParameter) || in.inside(AnmlParser::RuleAttribute_decl))
            builder.help("the type comes first: `name: type = default`");
        else if (in.inside(AnmlParser::RuleState_decl))
            builder.help("the type comes first: `state n: int = 0 then n + 1`");
        else
            builder.help("write a colon here").fix(here, ":");
    } else if (text == "and")
        builder.help("\"and\" is written `&&`").fix(here, "&&");
    else if (text == "or")
        builder.help("\"or\" is written `||`").fix(here, "||");
    else if (text == "is")
        builder.help("whether two are equal is written `==`").fix(here, "==");
    else if (in.type() == L::COLON && in.expects(L::IDENTIFIER) && previous == "workload")
        builder.help("a workload has a name before the colon: `workload ask : traffic.Ping on pc { to = server }`");
    else if (in.type() == L::COLON && in.expects_statement() && in.type_of(in.line_start(in.failure.word)) == L::LINK)
        builder.help("a link has one profile behind its ends, which are nodes without interfaces: `link a -- b : ether.fast`");
    else if (text == "to" && in.expects(L::RANGE))
        builder.help("a range is written `a .. b`, or `a ..< b` without its upper end").fix(here, "..");
    else if (in.type() == L::LBRACE && in.expects(L::RANGE))
        builder.help("a loop runs over a range: `for i in 0 ..< n { ... }`");
    else if (in.type() == L::DOT && previous == "..")
        builder.help("a range has two dots: `a .. b`").fix(here, "");
    else if (in.rule(0) == AnmlParser::RuleDotted_name && in.expects(L::IDENTIFIER) && previous == ".")
        builder.help("a name goes on after its `.`");
    else if (in.expects(L::COLON) && in.inside(AnmlParser::RuleParameter) && in.type() == L::RPAREN &&
             in.failure.word > 3 && back(2) == L::LPAREN && in.text_of(in.line_start(in.failure.word)) == "experiment")
        builder
            .help(fmt::format("the model that it is of comes after a colon: `experiment {} : {} {{ ... }}`",
                              in.text_of(in.failure.word - 3), previous))
            .fix({in.file.file, in.span_of(in.failure.word - 2).begin, here.end}, fmt::format(" : {}", previous));
    else if (in.expects(L::COLON) && in.inside(AnmlParser::RuleParameter))
        builder.help("a parameter is written `name: type`, and may have a range and a default: `n: int in 1..8 = 2`");
    else if (in.expects(L::COLON) && in.inside(AnmlParser::RuleProfile_decl))
        builder.help("a profile names its schema: `profile fast : Link { ... }`");
    else if (in.expects(L::COLON) && in.inside(AnmlParser::RuleTable_decl))
        builder.help(
            "a table names the schema of its rows: `table pops(\"pops.csv\") : Pop`, and `schema Pop { name: string "
            "}`");
    else if ((in.expects(L::COLON) || in.expects(L::ON)) && in.inside(AnmlParser::RuleWorkload_decl)) {
        const std::uint32_t start = in.line_start(in.failure.word);
        if (in.expects(L::ON) && in.type() == L::LBRACE)
            builder.help(fmt::format(
                "who begins stands behind `on`: `{} on pc[*] {{ ... }}`",
                in.sources.text({in.file.file, in.span_of(start).begin, in.span_of(in.failure.word - 1).end})));
        else if (in.expects(L::ON) && in.type() == L::LPAREN)
            builder.help("what it asks for stands in braces: `workload w : web.ClosedLoop on pc[*] { server = s, "
                         "documents = web.fixed(10 KB, \"/\") }`");
        else if (in.expects(L::ON) && text == "from")
            builder.help(fmt::format(
                "who begins stands behind `on`, the rest in braces: `{} on a {{ to = b }}`",
                in.sources.text({in.file.file, in.span_of(start).begin, in.span_of(in.failure.word - 1).end})));
        else
            builder.help("a workload is written `workload name : web.ClosedLoop on clients[*] { ... }`");
    } else if (in.expects(L::THEN) && in.inside(AnmlParser::RuleState_decl))
        builder.help("a state has a first value and what follows: `state n: int = 0 then n + 1`");
    else if (in.expects(L::COLON) && in.inside(AnmlParser::RuleProcess_decl))
        builder.help("a process names the type of what it draws: `process noise : time { ... }`");
    else if (in.type() == L::LBRACK && back(2) == L::OVERRIDE)
        builder.help(fmt::format("an override is of the whole array: `override {} {{ ... }}`", previous));
    else if (in.rule(0) == AnmlParser::RuleOverride_block)
        builder.help("an instance takes its arguments in parentheses; its braces hold `override name { ... }`");
    else if (in.type() == L::LBRACE && back(1) == L::IDENTIFIER &&
             (back(2) == L::ASSIGN || in.expects(L::RBRACK) || in.expects(L::ELSE) ||
              (back(2) == L::DOT && (back(4) == L::ASSIGN || (in.expects(L::RBRACE) && in.expects(L::IDENTIFIER))))))
    {
        const std::string base = dotted_before(in, in.failure.word);
        builder.help(fmt::format("a profile is taken as it is: one that differs is declared, `profile {} : {} {{ ... "
                                 "}}`, and named here",
                                 base == "mine" ? "own" : "mine", base));
    } else if (in.expects(L::THEN))
        builder.help("a condition in an expression is written `if c then a else b`");
}

}  // namespace anml
