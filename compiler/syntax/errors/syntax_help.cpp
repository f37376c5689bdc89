// What helps where a word stands that does not fit.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>

#include "AnmlLexer.h"
#include "base/address.h"
#include "syntax/errors/failure_report.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

// The colon, and in `: int = 3` what stands up to its `=`, too.
Span FailureReport::through_type() const
{
    Span all = span_of(failure_.word);
    for (std::uint32_t i = failure_.word + 1; !starts_line(i); ++i) {
        if (type_of(i) == AnmlLexer::ASSIGN) return {all.file, all.begin, span_of(i).end};
        if (type_of(i) != AnmlLexer::IDENTIFIER && type_of(i) != AnmlLexer::DOT) break;
    }
    return all;
}

void FailureReport::add_help(Diagnostics::Builder& builder)
{
    if (at_end() || help_with_comprehension(builder) || help_with_separation(builder)) return;
    const Span here = span_of(failure_.word);
    std::string_view text = text_of(failure_.word);
    std::string_view previous = failure_.word > 0 ? text_of(failure_.word - 1) : std::string_view{};
    using L = AnmlLexer;
    const auto back = [&](std::uint32_t n) {
        return failure_.word >= n ? type_of(failure_.word - n) : std::uint16_t{0};
    };
    if (type() == L::ADDRESS && back(1) == L::ADDRESS && text.starts_with("255.")) {  // `10.0.0.0 255.0.0.0`
        const auto mask = parse_ipv4(text);
        const auto bits = mask ? std::popcount(*mask) : 0;
        builder.help(fmt::format("a prefix says how many bits it has: `{}/{}`", previous, bits))
            .fix({file_.file, span_of(failure_.word - 1).begin, here.end}, fmt::format("{}/{}", previous, bits));
        return;
    }
    const bool number = type() == L::INTEGER || type() == L::NUMBER || type() == L::QUANTITY;
    const bool node = back(2) == L::ROUTER || back(2) == L::SWITCH || back(2) == L::HOST || back(2) == L::ENDPOINT;
    if (number && back(1) == L::COMMA && back(2) == L::INTEGER && adjacent(failure_.word - 2) &&
        adjacent(failure_.word - 1))
        builder.help("the decimal mark is a point").fix(span_of(failure_.word - 1), ".");
    else if (number && back(1) == L::INTEGER)
        builder.help("the digits of a number are not grouped")
            .fix({file_.file, span_of(failure_.word - 1).end, here.begin}, "");
    else if ((type() == L::LPAREN && node) ||
             (type() == L::INTEGER && back(1) == L::LBRACE && inside(AnmlParser::RuleNode_decl)))
    {
        builder.help("a count stands in brackets: `name[4]`");
        const std::uint32_t open = type() == L::LPAREN ? failure_.word : failure_.word - 1;
        if (open + 2 < file_.words.size() && type_of(open + 1) == L::INTEGER && file_.partner(open) == open + 2)
            builder.fix({file_.file, span_of(open).begin, span_of(open + 2).end},
                        fmt::format("[{}]", text_of(open + 1)));
    } else if (type() == L::MINUS && (node || back(2) == L::LET))
        builder.help("a name has letters, digits and `_`").fix(here, "_");
    else if (type() == L::GREATER && previous == "--" && adjacent(failure_.word - 1))
        builder.help("links are written `--`, or `->` where they lead one way")
            .fix({file_.file, span_of(failure_.word - 1).begin, here.end}, "->");
    else if (type() == L::DUPLEX && previous == "<" && adjacent(failure_.word - 1))
        builder.help("links in both directions are written `--`")
            .fix({file_.file, span_of(failure_.word - 1).begin,
                  next_text() == ">" ? span_of(failure_.word + 1).end : here.end},
                 "--");
    else if (type() == L::DIRECTED && previous == "<")
        builder.help("links in both directions are written `--`")
            .fix({file_.file, span_of(failure_.word - 1).begin, here.end}, "--");
    else if (declares_in_timeline()) {
        const std::uint32_t third = failure_.word + 2;
        if (type() == L::LINK && third + 1 < file_.words.size() && type_of(third) == L::IDENTIFIER &&
            (text_of(third + 1) == "down" || text_of(third + 1) == "up"))
            return void(builder.help(fmt::format("a link without a name is known by its ends: `{} -- {} {}`",
                                                 next_text(), text_of(third), text_of(third + 1))));
        builder.help(fmt::format("nothing is declared here; what is declared is changed by its name alone: `{} ...`",
                                 next_text()));
        if (failure_.word + 2 < file_.words.size() && type_of(failure_.word + 2) != L::RBRACE)
            builder.fix({file_.file, here.begin, span_of(failure_.word + 1).begin}, "");
    } else if (type() == L::STAR && previous == "*" && adjacent(failure_.word - 1))
        builder.help("a power is `pow(base, exponent)`");
    else if (type() == L::ASSIGN && node)
        builder.help(fmt::format("a node is declared by its kind and its name: `{} {}`", text_of(failure_.word - 2),
                                 previous));
    else if (type() == L::STRING && inside(AnmlParser::RuleTimeline_block) && text.size() > 2)
        builder.help(fmt::format("what changes is named without quotes: `{}`", text.substr(1, text.size() - 2)))
            .fix(here, std::string(text.substr(1, text.size() - 2)));
    else if (type() == L::STRING && expects(L::IDENTIFIER) && failure_.word > 0 && back(1) != L::IMPORT &&
             is_keyword(failure_.word - 1))
        builder.help("a name is written without quotes, of letters, digits and `_`");
    else if (type() == L::ASSIGN && previous == "==")
        builder.help("to compare, write `==`").fix(here, "");
    else if (type() == L::GREATER && previous == "<")
        builder.help("what differs is written `a != b`")
            .fix({file_.file, span_of(failure_.word - 1).begin, here.end}, "!=");
    else if (type() == L::WHILE && expects_statement())
        builder.help("a loop runs over a range: `for i in 0 ..< n { ... }`");
    else if (type() == L::COMMA && previous == "]" && inside(AnmlParser::RuleTimeline_block))
        builder.help("what happens to several is said of each: `a[0] down, a[1] down`");
    else if (expects(L::LBRACE) && (inside(AnmlParser::RuleAt_stmt) || inside(AnmlParser::RuleEvery_stmt)))
        builder.help("what happens then stands in braces: `at 1 s { core down }`");
    else if (type() == L::THEN && expects(L::LBRACE) && inside(AnmlParser::RuleIf_stmt))
        builder.help("what is made then stands in braces: `if c { ... } else { ... }`");
    else if (type() == L::LBRACE && expects_value() && attribute_before(failure_.word) == "stages")
        builder.help("a load over time is a list of stages: `schedule = [web.hold(10 s, 1), web.slope(5 s, 1, 5)]`");
    else if (type() == L::LBRACE && expects_value() && text_of(line_start(failure_.word)) == "link")
        builder.help("attributes stand behind both ends, without a colon: `link a -- b { rate = 10 Mbps }`");
    else if (type() == L::LBRACE && expects_value())
        builder.help("a list stands in brackets: `[1, 2, 3]`; rows with names come from a `table`");
    else if (type() == L::COMMA && expects(L::RPAREN) && inside(AnmlParser::RuleExpression) &&
             !inside(AnmlParser::RuleArgument_list) && !inside(AnmlParser::RuleLink_decl))
        builder.help("a list stands in brackets: `[1, 2, 3]`");
    else if (type() == L::STRING && previous == "f" && adjacent(failure_.word - 1))
        builder.help("strings are put together: `\"core \" + text(i)`");
    else if (text == "?")
        builder.help("a condition in an expression is written `if c then a else b`");
    else if (type() == L::QUANTITY && previous == "for" && text_of(line_start(failure_.word)) == "from")
        builder.help(fmt::format("a span ends at a time: `from t to t + {} {{ ... }}`", text));
    else if (type() == L::QUANTITY && expects(L::IDENTIFIER) && !expects_value())
        builder.help("a name does not begin with a digit");
    else if (type() == L::LPAREN && previous == "for")
        builder.help("a loop runs over a range: `for i in 0 ..< n { ... }`");
    else if (type() == L::STRING && previous == "import" && (text.ends_with(".gml\"") || text.ends_with(".graphml\"")))
        builder.help(fmt::format("a file of a graph is `graph Lab({})`, outside of models", text));
    else if (type() == L::STRING && previous == "import") {
        builder.help("a module is named without quotes: `import std.ether`");
        std::string module(text.substr(1, std::max<std::size_t>(text.size(), 2) - 2));
        std::replace(module.begin(), module.end(), '/', '.');
        if (module.ends_with(".anml")) module.resize(module.size() - 5);
        const auto in_path = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; };
        if (std::all_of(module.begin(), module.end(), in_path) && std::isalpha(static_cast<unsigned char>(module[0])))
            builder.fix(here, module);
    } else if (previous == "run" && expects(L::LBRACE))
        builder.help("its attributes stand in braces: `run { duration = 10 s }`");
    else if (type() == L::COLON && inside(AnmlParser::RuleArgument_list))
        builder.help("an argument is named with `=`").fix(through_type(), " =");
    else if (type() == L::ASSIGN && expects_statement() && back(1) == L::IDENTIFIER && back(2) == L::IDENTIFIER &&
             starts_line(failure_.word - 2))
        builder.help(fmt::format("to name a value, write `let {} = ...`", previous))
            .fix(span_of(failure_.word - 2), "let");
    else if (type() == L::ASSIGN && (expects_operator() || expects_statement()) && follows_link_end(failure_.word - 1))
        builder.help("a link's profile comes after a colon").fix(here, ":");
    else if (type() == L::ASSIGN && previous == "..")
        builder.help("`..` includes its upper end already; `..<` does not").fix(here, "");
    else if (type() == L::ASSIGN && (expects_operator() || expects_statement() || expects(L::THEN)))
        builder.help("to compare, write `==`").fix(here, "==");
    else if (type() == L::COLON && back(2) == L::LET)
        builder.help(fmt::format("a value is named with `=`: `let {} = ...`", previous));
    else if (type() == L::LBRACE && previous == ":" && inside(AnmlParser::RuleLink_decl))
        builder.help("a link without a profile has no second colon").fix(span_of(failure_.word - 1), "");
    else if (expects(L::LBRACE) && inside(AnmlParser::RuleFor_stmt) && begins_statement(type()))
        builder.help("the body of a loop stands in braces: `for i in 0 ..< n { ... }`");
    else if (type() == L::COLON && expects(L::ASSIGN) && inside(AnmlParser::RuleAttribute_decl))
        builder.help("a trait has its type already: `trait name = value`").fix(through_type(), " =");
    else if (type() == L::COLON && expects(L::ASSIGN))
        builder.help("an attribute's value comes after `=`").fix(through_type(), " =");
    else if (type() == L::ASSIGN && expects(L::COLON)) {
        if (inside(AnmlParser::RuleParameter) || inside(AnmlParser::RuleAttribute_decl))
            builder.help("the type comes first: `name: type = default`");
        else if (inside(AnmlParser::RuleState_decl))
            builder.help("the type comes first: `state n: int = 0 then n + 1`");
        else
            builder.help("write a colon here").fix(here, ":");
    } else if (text == "and")
        builder.help("\"and\" is written `&&`").fix(here, "&&");
    else if (text == "or")
        builder.help("\"or\" is written `||`").fix(here, "||");
    else if (text == "to" && expects(L::RANGE))
        builder.help("a range is written `a .. b`, or `a ..< b` without its upper end").fix(here, "..");
    else if (type() == L::LBRACE && expects(L::RANGE))
        builder.help("a loop runs over a range: `for i in 0 ..< n { ... }`");
    else if (type() == L::DOT && previous == "..")
        builder.help("a range has two dots: `a .. b`").fix(here, "");
    else if (rule(0) == AnmlParser::RuleDotted_name && expects(L::IDENTIFIER) && previous == ".")
        builder.help("a name goes on after its `.`");
    else if (expects(L::COLON) && inside(AnmlParser::RuleParameter) && type() == L::RPAREN && failure_.word > 3 &&
             back(2) == L::LPAREN && text_of(line_start(failure_.word)) == "experiment")
        builder.help(fmt::format("the model that it is of comes after a colon: `experiment {} : {} {{ ... }}`",
                                 text_of(failure_.word - 3), previous))
            .fix({file_.file, span_of(failure_.word - 2).begin, here.end}, fmt::format(" : {}", previous));
    else if (expects(L::COLON) && inside(AnmlParser::RuleParameter))
        builder.help("a parameter is written `name: type`, and may have a range and a default: `n: int in 1..8 = 2`");
    else if (expects(L::COLON) && inside(AnmlParser::RuleProfile_decl))
        builder.help("a profile names its schema: `profile fast : Link { ... }`");
    else if ((expects(L::COLON) || expects(L::ON)) && inside(AnmlParser::RuleWorkload_decl))
    {
        const std::uint32_t start = line_start(failure_.word);
        if (expects(L::ON) && type() == L::LBRACE)
            builder.help(fmt::format(
                "who begins stands behind `on`: `{} on pc[*] {{ ... }}`",
                sources_.text({file_.file, span_of(start).begin, span_of(failure_.word - 1).end})));
        else if (expects(L::ON) && type() == L::LPAREN)
            builder.help("what it asks for stands in braces: `workload w : web.ClosedLoop on pc[*] { server = s, "
                         "documents = web.fixed(10 KB, \"/\") }`");
        else if (expects(L::ON) && text == "from")
            builder.help(fmt::format("who begins stands behind `on`, the rest in braces: `{} on a {{ to = b }}`",
                                     sources_.text({file_.file, span_of(start).begin,
                                                    span_of(failure_.word - 1).end})));
        else
            builder.help("a workload is written `workload name : web.ClosedLoop on clients[*] { ... }`");
    }
    else if (expects(L::THEN) && inside(AnmlParser::RuleState_decl))
        builder.help("a state has a first value and what follows: `state n: int = 0 then n + 1`");
    else if (expects(L::COLON) && inside(AnmlParser::RuleProcess_decl))
        builder.help("a process names the type of what it draws: `process noise : time { ... }`");
    else if (type() == L::LBRACK && back(2) == L::OVERRIDE)
        builder.help(fmt::format("an override is of the whole array: `override {} {{ ... }}`", previous));
    else if (rule(0) == AnmlParser::RuleOverride_block)
        builder.help("an instance takes its arguments in parentheses; its braces hold `override name { ... }`");
    else if (type() == L::LBRACE && back(1) == L::IDENTIFIER &&
             (back(2) == L::ASSIGN || expects(L::RBRACK) || expects(L::ELSE) ||
              (back(2) == L::DOT && (back(4) == L::ASSIGN || (expects(L::RBRACE) && expects(L::IDENTIFIER))))))
    {
        const std::string base = dotted_before(failure_.word);
        builder.help(fmt::format("a profile is taken as it is: one that differs is declared, `profile {} : {} {{ ... "
                                 "}}`, and named here",
                                 base == "mine" ? "own" : "mine", base));
    }
    else if (expects(L::THEN))
        builder.help("a condition in an expression is written `if c then a else b`");
}

std::string FailureReport::dotted_before(std::uint32_t word) const
{
    std::uint32_t from = word - 1;
    while (from >= 2 && type_of(from - 1) == AnmlLexer::DOT) from -= 2;
    std::string name;
    for (; from < word; ++from) name += text_of(from);
    return name;
}

}  // namespace anml
