// Lines that are statements elsewhere: of Python, C, YAML, HCL, NED, scripts of load testers and of labs.
#include <fmt/format.h>

#include "AnmlLexer.h"
#include "syntax/errors/failure.h"
#include "syntax/errors/habits.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

namespace {

constexpr std::string_view kChoice = "a choice is written `if c { ... } else { ... }`, in an expression "
                                     "`if c then a else b`";
constexpr std::string_view kRouteForm = "a route is written `route r to 10.0.0.0/8 via next`";

// `links:`, as YAML and NED divide a text. Of several in a body the first is reported.
void section(Failure& in, std::uint32_t first)
{
    const auto divides = [&](std::uint32_t word) {
        return in.type_of(word) == AnmlLexer::IDENTIFIER && in.starts_line(word) &&
               in.type_of(word + 1) == AnmlLexer::COLON && in.starts_line(word + 2);
    };
    bool reported = false;
    for (std::uint32_t word = first; word-- > 0 && !reported;)
        reported = in.file.bad(word) && divides(word) && in.file.inside(word) == in.file.inside(first);
    in.file.mark_bad(first);
    in.file.mark_bad(first + 1);
    in.skip(first, block_end(in, first));
    if (reported) return;
    const Habit* habit = find_habit(in.text_of(first), AnmlLexer::COLON);
    in.diagnostics
        .report(Diag::syntax_error, {in.file.file, in.span_of(first).begin, in.span_of(first + 1).end},
                fmt::format("there are no sections, and no `{}:`", in.text_of(first)))
        .help(habit ? std::string(habit->help)
                    : "each node and each link is a statement of its own: `host a`, `link a -- b { rate = 10 Mbps }`");
}

}  // namespace

void Failure::skip(std::uint32_t from, std::uint32_t to)
{
    file.skip(from, to);
    const Span all{file.file, span_of(from).begin, span_of(to - 1).end};
    diagnostics.drop_if([&](const Diagnostic& d) {
        return d.diag == Diag::syntax_error && d.span.file == all.file && all.begin <= d.span.begin &&
               d.span.end <= all.end;
    });
}

std::uint32_t Failure::column(std::uint32_t word) const
{
    const std::uint32_t begin = span_of(word).begin;
    const std::string_view before = std::string_view(sources.file(file.file).text).substr(0, begin);
    const std::size_t line = before.rfind('\n');
    return begin - static_cast<std::uint32_t>(line + 1);
}

std::uint32_t block_end(const Failure& in, std::uint32_t line)
{
    std::uint32_t end = in.line_end(line);
    for (std::uint32_t word = line; word < end; ++word)
        if (const std::uint32_t close = in.is_opening(word) ? in.file.partner(word) : FileTokens::kNone;
            close != FileTokens::kNone && close >= end)
            end = in.line_end(word = close);
    if (in.type_of(end - 1) != AnmlLexer::COLON) return end;
    const std::uint32_t indent = in.column(line);
    const auto within = [&](std::uint32_t word) {
        return in.type_of(word) != AnmlLexer::RBRACE &&
               (in.column(word) > indent || (in.column(word) == indent && in.type_of(word) == AnmlLexer::MINUS));
    };
    while (end < in.file.words.size() && within(end)) end = in.line_end(end);
    return end;
}

std::uint32_t declaration_begin(const Failure& in, std::uint32_t word)
{
    do ++word;
    while (word < in.file.words.size() && !(in.starts_line(word) && begins_declaration(in.type_of(word)) &&
                                            in.file.inside(word) == FileTokens::kNone));
    return word;
}

std::uint32_t Failure::line_end(std::uint32_t word) const
{
    do ++word;
    while (!starts_line(word));
    return word;
}

bool foreign_statement(Failure& in)
{
    using L = AnmlLexer;
    if (in.at_end() || in.inside(AnmlParser::RuleTimeline_block) || in.inside(AnmlParser::RuleAttribute_block))
        return false;
    // What was taken for an instance, `h1 ping h2`, `channel C { rate = 1`, perhaps begins further up.
    const ParseFailure::Rule* at = in.construct();
    const bool instance =
        at && (at->rule == AnmlParser::RuleOverride_block || at->rule == AnmlParser::RuleInstance_decl);
    const std::uint32_t first = in.line_start(instance ? at->first_word : in.failure.word);
    const std::uint32_t end = in.failure.word + 2;
    const auto type = [&](std::uint32_t word) {
        return word < in.file.words.size() && (word == first || !in.starts_line(word)) ? in.type_of(word)
                                                                                       : std::uint16_t{0};
    };
    const auto say = [&](std::uint32_t from, std::uint32_t to, std::string_view help) {
        in.file.mark_bad(first);
        in.file.mark_bad(in.failure.word);
        in.skip(first, block_end(in, first));
        const Span place{in.file.file, in.span_of(from).begin, in.span_of(to).end};
        return in.diagnostics.report(Diag::syntax_error, place, fmt::format("unexpected `{}`", in.sources.text(place)))
            .help(std::string(help));
    };
    for (std::uint32_t word = first; word < end && type(word) != 0; ++word) {
        if (type(word) == L::IDENTIFIER && in.text_of(word) == "lambda" && type(word + 1) == L::IDENTIFIER)
            return say(word, word, find_habit("def")->help), true;
        if (type(word) == L::ASSIGN && type(word + 1) == L::GREATER && in.adjacent(word)) {
            const bool map = word > first + 2 && (in.text_of(word - 3) == "map" || in.text_of(word - 3) == "filter");
            return say(word, word + 1,
                       map ? "a list of what is computed is `[f(i) for i in 0 ..< n]`" : find_habit("def")->help),
                   true;
        }
        // `let k = 1 if c else 2`
        if (word > first && type(word) == L::IF && in.type_of(word - 1) != L::ELSE &&
            in.type_of(word - 1) != L::LBRACE && in.type_of(word - 1) != L::RBRACE && in.type() == L::ELSE &&
            in.expects(L::LBRACE))
            return say(word, word, "a condition in an expression is written `if c then a else b`"), true;
    }
    if (type(first) == L::LET && type(first + 1) == L::IDENTIFIER && type(first + 2) == L::IDENTIFIER &&
        type(first + 3) == L::ASSIGN && is_type_elsewhere(in.text_of(first + 1)))
    {
        say(first + 1, first + 1,
            fmt::format("a value has the type of what it is: `let {} = ...`", in.text_of(first + 2)))
            .fix({in.file.file, in.span_of(first + 1).begin, in.span_of(first + 2).begin}, "");
        return true;
    }
    const std::uint32_t behind = type(first) == L::IDENTIFIER ? in.line_end(first) : first;
    for (std::uint32_t word = first; word < behind; ++word) {
        if (in.type_of(word) != L::DUPLEX) continue;
        const bool from = word > first && in.type_of(word - 1) == L::LESS && in.adjacent(word - 1);
        const bool to = word + 1 < behind && in.type_of(word + 1) == L::GREATER && in.adjacent(word);
        if (from || to)
            return say(from ? word - 1 : word, to ? word + 1 : word,
                       "a link joins nodes, which have no gates: `link a -- b { ... }`, one way `link a -> b { ... }`"),
                   true;
    }
    if (type(first) == L::REQUIRE && (in.type() == L::COMMA || in.type() == L::COLON) &&
        in.next_type() == L::STRING)
    {
        say(in.failure.word, in.failure.word, "what it says where it does not hold comes after `else`")
            .fix(in.span_of(in.failure.word), " else");
        return true;
    }
    if (type(first) == L::SWITCH && type(first + 1) == L::LPAREN) return say(first, first, kChoice), true;
    if (type(first) != L::IDENTIFIER) return false;
    const std::string_view word = in.text_of(first);
    const std::uint16_t next = type(first + 1);
    const bool named = next == L::IDENTIFIER;
    if (const Habit* habit = find_habit(word, next); habit && in.file.inside(first) != FileTokens::kNone &&
                                                     !(next == L::COLON && type(first + 2) == 0) &&
                                                     !in.inside(AnmlParser::RuleSchema_decl))
    {
        if (word == "return" && in.text_of(in.line_start(in.file.inside(first))) == "process") {
            say(first, first, "what a process draws is said by `yield`").fix(in.span_of(first), "yield");
            return true;
        }
        if (word == "repeat" && in.text_of(in.line_start(in.file.inside(first))) == "experiment")
            return say(first, first, "how often each is run says `run { repetitions = 10 }`"), true;
        auto builder = say(first, first, habit->help);
        if (!habit->instead.empty()) builder.fix(in.span_of(first), std::string(habit->instead));
        return true;
    }
    // `h1 ping h2`
    if (const Habit* habit = named ? find_habit(in.text_of(first + 1), 0) : nullptr; habit && habit->before == kAny)
        return say(first, first + 1, habit->help), true;
    if (next == L::COLON && type(first + 2) == 0 && in.failure.word == first + 1) return section(in, first), true;
    if (is_type_elsewhere(word) && named && type(first + 2) == L::ASSIGN) {
        say(first, first, fmt::format("a value is named by `let {} = ...`, without a type", in.text_of(first + 1)))
            .fix(in.span_of(first), "let");
        return true;
    }
    if (is_type_elsewhere(word) && named && type(first + 2) == L::IDENTIFIER && type(first + 3) == L::ASSIGN &&
        in.file.inside(first) != FileTokens::kNone)
    {
        say(first, first + 1, fmt::format("a value is named by `let {} = ...`, without a type", in.text_of(first + 2)))
            .fix({in.file.file, in.span_of(first).begin, in.span_of(first + 1).end}, "let");
        return true;
    }
    if (word == "ip" && next == L::ROUTE && type(first + 2) == L::PREFIX)
        return say(first, first,
                   fmt::format("a route is of a router: `route r to {}`",
                               words(in, first + 2, in.line_end(first) - 1))),
               true;
    if (word == "ip" && next == L::ROUTE) return say(first, first, kRouteForm), true;
    if (word == "ip" && named) return say(first, first + 1, find_habit("ifconfig")->help), true;
    if (word == "foreach" && named) {
        say(first, first, "a loop is written `for i in 0 ..< n { ... }`").fix(in.span_of(first), "for");
        return true;
    }
    if ((next == L::PLUS || next == L::MINUS || next == L::STAR || next == L::SLASH) && in.adjacent(first + 1) &&
        (type(first + 2) == L::ASSIGN || type(first + 2) == next))
    {
        say(first, first + 2,
            "a value never changes: name another one, `let next = ...`; elements of a list are added up by "
            "`sum([x.size for x in list])`");
        return true;
    }
    const bool arrow = next == L::DIRECTED && in.adjacent(first) && in.adjacent(first + 1) &&
                       (type(first + 3) == L::ASSIGN || type(first + 3) == L::LPAREN);
    if ((next != L::DOT && !arrow) || type(first + 2) != L::IDENTIFIER) return false;
    std::uint32_t last = first + 2;
    while (type(last + 1) == L::DOT && type(last + 2) == L::IDENTIFIER) last += 2;
    const std::string_view object = in.sources.text({in.file.file, in.span_of(first).begin, in.span_of(last - 2).end});
    if (type(last + 1) == L::ASSIGN && type(last + 2) != L::ASSIGN && type(last + 2) != 0) {
        say(first, last + 1,
            fmt::format("attributes are said where `{0}` is declared, `{{ {1} = ... }}`, and change in the timeline: "
                        "`at 10 s {{ {0} {{ {1} = ... }} }}`",
                        object, in.text_of(last)));
        return true;
    }
    if (type(last + 1) == L::LPAREN && (arrow || in.failure.word == last + 1)) {
        say(first, last,
            "nothing is called here: a body declares what there is, `host a` or `link a -- b`, and `list + [x]` is a "
            "longer list");
        return true;
    }
    return false;
}

}  // namespace anml
