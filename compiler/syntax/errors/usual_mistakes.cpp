// Mistakes at a word that does not fit: ends of links, units, keywords as names, what belongs elsewhere.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "AnmlLexer.h"
#include "base/values/quantity.h"
#include "syntax/errors/failure_report.h"
#include "syntax/errors/habits.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

bool FailureReport::link_ends()
{
    const ParseFailure::Rule* at = construct();
    if (!at || at->rule != AnmlParser::RuleLink_decl || !expects(AnmlLexer::DUPLEX)) return false;
    for (std::uint32_t i = failure_.word; i-- > at->first_word;) {
        if (type_of(i) != AnmlLexer::MINUS) continue;
        diagnostics_.report(Diag::syntax_error, span_of(i), "a link's ends are joined by `--` or `->`, found `-`")
            .help("write `link name: a -- b : profile`")
            .fix(span_of(i), "--");
        return true;
    }
    if (at->children == 2 && plain_name(at->first_word + 1) && !at_end() && !starts_line(failure_.word) &&
        (type() == AnmlLexer::IDENTIFIER || type() == AnmlLexer::ASSIGN))
    {
        report(Diag::syntax_error, fmt::format("expected `:` after the link's name, found {}", found()))
            .help("a link is written `link name: a -- b : profile`, or without a name `link a -- b : profile`");
        return true;
    }
    return false;
}

bool FailureReport::unit_of_name()
{
    // `1_000 Mbps`: a number with the unit `_000`, and `Mbps` was taken for the next attribute.
    for (std::uint32_t word = failure_.word; word > 0 && word + 2 > failure_.word; --word) {
        const std::string_view number = text_of(word - 1);
        if (type_of(word - 1) != AnmlLexer::QUANTITY || number.find_first_not_of("0123456789_") != number.npos)
            continue;
        if (number.starts_with("0x")) break;
        std::string digits(number);
        std::erase(digits, '_');
        file_.mark_bad(word - 1);
        diagnostics_.report(Diag::syntax_error, span_of(word - 1), fmt::format("unexpected `_` in `{}`", number))
            .help(fmt::format("the digits of a number are not grouped: `{}`", digits))
            .fix(span_of(word - 1), digits);
        return true;
    }
    // `0x10 Mbps`
    if (failure_.word > 1 && type_of(failure_.word - 2) == AnmlLexer::QUANTITY &&
        text_of(failure_.word - 2).starts_with("0x"))
    {
        file_.mark_bad(failure_.word - 2);
        diagnostics_
            .report(Diag::syntax_error, span_of(failure_.word - 2),
                    fmt::format("unexpected `{}`", text_of(failure_.word - 2)))
            .help("numbers are decimal: `16`");
        return true;
    }
    const ParseFailure::Rule* at = construct();
    if (!at || at->rule != AnmlParser::RuleAttribute || !expects(AnmlLexer::ASSIGN) || at->first_word < 1) return false;
    const std::uint32_t unit = failure_.word - 1, name = unit - 1;
    if (at->first_word != unit || starts_line(unit) || type_of(name) != AnmlLexer::IDENTIFIER ||
        !find_unit(text_of(unit)))
        return false;
    diagnostics_
        .report(Diag::syntax_error, span_of(unit),
                fmt::format("unexpected `{}` after `{}`", text_of(unit), text_of(name)))
        .help(fmt::format("a product needs its sign: `{} * 1 {}`", text_of(name), text_of(unit)))
        .fix({file_.file, span_of(name).end, span_of(unit).end}, fmt::format(" * 1 {}", text_of(unit)));
    return true;
}

// `route pe b via uplink`: `b` was taken for the word between.
bool FailureReport::route_without_to()
{
    const ParseFailure::Rule* at = construct();
    if (!at || at->rule != AnmlParser::RuleRoute_stmt) return false;
    std::uint32_t word = at->first_word + 2;  // behind the router, of which there may be an element
    while (word < failure_.word && type_of(word) == AnmlLexer::LBRACK && file_.partner(word) < failure_.word)
        word = file_.partner(word) + 1;
    if (word >= failure_.word || type_of(word) != AnmlLexer::IDENTIFIER || text_of(word) == "to") return false;
    file_.mark_bad(word);
    const std::uint16_t router = type_of(at->first_word + 1);
    if (router == AnmlLexer::PREFIX || router == AnmlLexer::ADDRESS) {  // `route 10.2.0.0/16 via north`
        const std::string_view address = text_of(at->first_word + 1);
        diagnostics_
            .report(Diag::syntax_error, span_of(at->first_word + 1),
                    fmt::format("expected a router, found `{}`", address))
            .help(fmt::format("whose route it is stands first: `route r to {} via {}`", address, text_of(word + 1)));
        return true;
    }
    diagnostics_.report(Diag::syntax_error, span_of(word), fmt::format("expected `to`, found `{}`", text_of(word)))
        .help("a route is written `route r to 10.0.0.0/8 via next`, of segments `via [dear, exit]`")
        .fix({file_.file, span_of(word).begin, span_of(word).begin}, "to ");
    return true;
}

bool FailureReport::misannotated()
{
    if (!follows_annotation(file_, tokens_, failure_.word)) return false;
    if (inside(AnmlParser::RuleSchema_decl)) {
        report(Diag::syntax_error, fmt::format("an annotation stands before an attribute, found {}", found()))
            .help("`@changes(step) level: int`");
        return true;
    }
    report(Diag::syntax_error, fmt::format("an annotation stands before a node or an instance, found {}", found()))
        .help("`@task(\"core\") router r`");
    return true;
}

// `n int` in a schema: the first word was taken for `trait`.
bool FailureReport::no_colon_in_schema()
{
    const ParseFailure::Rule* at = construct();
    if (!at || at->rule != AnmlParser::RuleAttribute_decl || !expects(AnmlLexer::ASSIGN)) return false;
    if (failure_.word != at->first_word + 2 || text_of(at->first_word) == "trait") return false;
    const std::uint32_t name = failure_.word - 1;
    file_.mark_bad(name);
    // `optional delay: time`
    if (text_of(at->first_word) == "optional" && type() == AnmlLexer::COLON && next_type() == AnmlLexer::IDENTIFIER &&
        (failure_.word + 2 == file_.words.size() || starts_line(failure_.word + 2) ||
         type_of(failure_.word + 2) == AnmlLexer::RBRACE))
    {
        const std::string declared = fmt::format("{}: {}?", text_of(name), next_text());
        diagnostics_.report(Diag::syntax_error, span_of(at->first_word), "unexpected `optional`")
            .help(fmt::format("what may be missing has a `?` behind its type: `{}`", declared))
            .fix({file_.file, span_of(at->first_word).begin, span_of(failure_.word + 1).end}, declared);
        return true;
    }
    auto builder =
        diagnostics_.report(Diag::syntax_error, span_of(name),
                            fmt::format("expected `:` after the attribute's name, found `{}`", text_of(name)));
    if (is_type_elsewhere(text_of(at->first_word))) {
        const std::string declared = fmt::format("{}: {}", text_of(name), text_of(at->first_word));
        builder.help(fmt::format("the name comes first: `{}`", declared))
            .fix(span_through(at->first_word, name), declared);
    }
    return true;
}

// `model M:`, with a body that is indented.
bool FailureReport::colon_body()
{
    if (!inside(AnmlParser::RuleBody_head) || failure_.word == 0 || at_end()) return false;
    if (!starts_line(failure_.word)) return false;
    const std::uint32_t colon = failure_.word - 1, first = line_start(colon);
    if (type_of(colon) != AnmlLexer::COLON) return false;
    skip(first, declaration_begin(first));
    const Span head{file_.file, span_of(first).begin, span_of(colon - 1).end};
    diagnostics_.report(Diag::syntax_error, span_of(colon), "expected `{`, found `:`")
        .help(fmt::format("a body stands in braces: `{} {{ ... }}`", sources_.text(head)));
    return true;
}

bool FailureReport::foreign_operator()
{
    struct Operator {
        std::string_view word, help, instead;
    };
    static constexpr Operator kOperators[] = {
        {"and", "\"and\" is written `&&`", "&&"},
        {"or", "\"or\" is written `||`", "||"},
        {"not", "\"not\" is written `!`, and stands before a comparison in parentheses: `!(a == b)`", ""},
        {"is", "whether two are equal is written `==`, whether they differ `!=`", "=="},
        {"new", "an instance of a component is written `Component name(parameter = value)`", ""},
    };
    // It was a name, or the component or name of an instance that begins in the middle of a line.
    const ParseFailure::Rule* at = construct();
    const std::uint32_t first = at && at->rule == AnmlParser::RuleInstance_decl ? at->first_word : failure_.word;
    for (std::uint32_t word = first > 0 ? first - 1 : 0; word < std::min(failure_.word, first + 1); ++word) {
        if (type_of(word) != AnmlLexer::IDENTIFIER || starts_line(word)) continue;
        if (word + 1 < file_.words.size() && starts_line(word + 1)) continue;
        const auto found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                        [&](const Operator& o) { return o.word == text_of(word); });
        if (found == std::end(kOperators)) continue;
        file_.mark_bad(word);
        auto builder = diagnostics_.report(Diag::syntax_error, span_of(word),
                                           fmt::format("unexpected `{}` after `{}`", found->word, text_of(word - 1)));
        builder.help(std::string(found->help));
        if (!found->instead.empty()) builder.fix(span_of(word), std::string(found->instead));
        return true;
    }
    // `a > 1 and f(x) == 2`: `and f(x)` was taken for an instance.
    for (std::uint32_t word = line_start(failure_.word) + 2; word < failure_.word; ++word) {
        const bool conjunction = text_of(word) == "and" || text_of(word) == "or";
        if (!conjunction || type_of(word + 1) != AnmlLexer::IDENTIFIER || is_keyword(word - 1)) continue;
        const std::string_view instead = text_of(word) == "and" ? "&&" : "||";
        diagnostics_
            .report(Diag::syntax_error, span_of(word),
                    fmt::format("unexpected `{}` after `{}`", text_of(word), text_of(word - 1)))
            .help(fmt::format("\"{}\" is written `{}`", text_of(word), instead))
            .fix(span_of(word), std::string(instead));
        return true;
    }
    return false;
}

// `1 if c else 2` around this word.
std::optional<Edit> FailureReport::python_condition(std::uint32_t word) const
{
    using L = AnmlLexer;
    std::uint32_t from = word, otherwise = word + 1;
    while (from > 0 && !starts_line(from) && type_of(from - 1) != L::ASSIGN &&
           type_of(from - 1) != L::COMMA && file_.inside(from - 1) == file_.inside(word))
        --from;
    const std::uint32_t end = line_end(word);
    while (otherwise < end && type_of(otherwise) != L::ELSE) ++otherwise;
    if (from == word || otherwise == word + 1 || otherwise + 1 >= end) return std::nullopt;
    const std::uint32_t last = value_end(otherwise);
    const auto words = [&](std::uint32_t a, std::uint32_t b) {
        return sources_.text({file_.file, span_of(a).begin, span_of(b - 1).end});
    };
    return Edit{{file_.file, span_of(from).begin, span_of(last - 1).end},
                fmt::format("if {} then {} else {}", words(word + 1, otherwise), words(from, word),
                            words(otherwise + 1, last))};
}

bool FailureReport::declares_in_timeline() const
{
    using L = AnmlLexer;
    const bool kind = type() == L::LINK || type() == L::HOST || type() == L::ROUTER || type() == L::SWITCH ||
                      type() == L::ENDPOINT || type() == L::WORKLOAD;
    return kind && inside(AnmlParser::RuleTimeline_block) && next_type() == L::IDENTIFIER;
}

std::vector<std::string_view> FailureReport::declared_here() const
{
    std::vector<std::string_view> declared;
    for (std::uint32_t i = 0; i + 1 < file_.words.size(); ++i)
        if (type_of(i) == AnmlLexer::IDENTIFIER && type_of(i + 1) == AnmlLexer::COLON) declared.push_back(text_of(i));
    return declared;
}

bool FailureReport::keyword_as_name()
{
    if (at_end() || !is_keyword(failure_.word) || !expects(AnmlLexer::IDENTIFIER)) return false;
    if (expects_statement() || !small_word().empty() || declares_in_timeline()) return false;
    if (inside(AnmlParser::RuleTimeline_block) && (type() == AnmlLexer::IF || type() == AnmlLexer::FOR)) {
        const bool lasting = type() == AnmlLexer::FOR && next_type() != AnmlLexer::IDENTIFIER;  // `down for 2 s`
        report(Diag::syntax_error, fmt::format("expected an action, found the keyword `{}`", text_of(failure_.word)))
            .help(lasting ? "what lasts has a beginning and an end: `from 1 s to 3 s { uplink down }`"
                  : type() == AnmlLexer::IF ? "the condition stands around the statement: `if c { at 1 s { ... } }`"
                                          : "the loop stands around the statement: `for i in 0 ..< n { at 1 s { "
                                            "... } }`");
        return true;
    }
    if (inside(AnmlParser::RuleTimeline_block) && (type() == AnmlLexer::LABEL || type() == AnmlLexer::REPORT)) {
        report(Diag::syntax_error, fmt::format("expected an action, found `{}`", text_of(failure_.word)))
            .help("labels and reports are of the whole run, and stand beside the timeline");
        return true;
    }
    if (inside(AnmlParser::RuleTimeline_block) && type() == AnmlLexer::LET) {
        report(Diag::syntax_error, "expected an action, found the keyword `let`")
            .help("name the value before the statement, or write it where it is used");
        return true;
    }
    if (begins_statement(type()) && starts_line(failure_.word)) return false;
    if (begins_declaration(type()) && starts_line(failure_.word)) return false;
    if (const auto condition = type() == AnmlLexer::IF ? python_condition(failure_.word) : std::nullopt) {
        report(Diag::syntax_error, fmt::format("unexpected `if` after `{}`", text_of(failure_.word - 1)))
            .write(condition->span, condition->replacement);
        return true;
    }
    const auto named = declared_here();
    const std::string plural = fmt::format("{}s", text_of(failure_.word));  // `pc[host]`, for `hosts`
    if (expects_value() && next_type() != AnmlLexer::ASSIGN && std::ranges::find(named, plural) != named.end()) {
        report(Diag::syntax_error, fmt::format("`{}` is a keyword, and no value", text_of(failure_.word)))
            .suggest(span_of(failure_.word), plural);
        return true;
    }
    if (failure_.word > 0 && type_of(failure_.word - 1) == AnmlLexer::OVERRIDE && next_type() == AnmlLexer::IDENTIFIER)
    {
        report(Diag::syntax_error, fmt::format("unexpected `{}` after `override`", text_of(failure_.word)))
            .help(fmt::format("what is replaced is named alone: `override {}`", next_text()))
            .fix({file_.file, span_of(failure_.word).begin, span_of(failure_.word + 1).begin}, "");
        return true;
    }
    if (begins_statement(type()) && failure_.word > 0 && type_of(failure_.word - 1) == AnmlLexer::LBRACK) {
        report(Diag::syntax_error, fmt::format("a statement is no value, found {}", found()))
            .help("what a loop makes stands in its braces: `for i in 0 ..< n { link a[i] -- b : ether.fast }`");
        return true;
    }
    if (failure_.word > 0 && type_of(failure_.word - 1) == AnmlLexer::DOT) {
        const auto declared = declared_here();
        auto builder =
            report(Diag::syntax_error, fmt::format("`{}` is a keyword, and no attribute", text_of(failure_.word)));
        if (const auto near = similar_name(text_of(failure_.word), declared); !near.empty())
            builder.suggest(span_of(failure_.word), near);
        else
            builder.help(fmt::format("between backquotes it is a name: `` `{}` ``", text_of(failure_.word)))
                .fix(span_of(failure_.word), fmt::format("`{}`", text_of(failure_.word)));
        return true;
    }
    if (expects_value() &&
        (type() == AnmlLexer::THEN || type() == AnmlLexer::ELSE || type() == AnmlLexer::ON || type() == AnmlLexer::IN))
        return false;
    if (type() == AnmlLexer::RANDOM && expects_value()) {
        auto builder = report(Diag::syntax_error, "the keyword `random` belongs to types, and is no value");
        if (failure_.word >= 2 && (text_of(failure_.word - 2) == "pairing" || text_of(failure_.word - 2) == "pick"))
            builder.help("each host draws its own with `at_random`").fix(span_of(failure_.word), "at_random");
        else
            builder.help("what is drawn is a distribution: `uniform(a, b)`, `exponential(mean)`, `chance(p)` ...");
        return true;
    }
    if (failure_.word >= 1 && text_of(failure_.word - 1) == "pub" && begins_declaration(type())) {
        report(Diag::syntax_error, "`pub` begins a line at the top of a file; here it is a name")
            .help("what stands inside others is never exported: remove `pub`")
            .fix({file_.file, span_of(failure_.word - 1).begin, span_of(failure_.word).begin}, "");
        return true;
    }
    if (next_type() == AnmlLexer::ASSIGN &&
        (inside(AnmlParser::RuleArgument_list) || inside(AnmlParser::RuleAttribute_block)))
    {
        auto builder = report(Diag::syntax_error,
                              fmt::format("`{}` is a keyword, and no {} is called so", text_of(failure_.word),
                                          inside(AnmlParser::RuleArgument_list) ? "parameter" : "attribute"));
        const auto names = declared_here();
        const std::string many = fmt::format("{}s", text_of(failure_.word));  // `host = 4`, for `hosts`
        const bool several = std::ranges::find(names, many) != names.end();
        if (const auto near = several ? std::string_view(many) : similar_name(text_of(failure_.word), names);
            !near.empty())
            builder.suggest(span_of(failure_.word), near);
        return true;
    }
    auto keyword =
        report(Diag::syntax_error, fmt::format("`{}` is a keyword, and cannot be a name here", text_of(failure_.word)));
    if (type() == AnmlLexer::TUNABLE && failure_.word >= 2 && type_of(failure_.word - 1) == AnmlLexer::COLON &&
        type_of(failure_.word - 2) == AnmlLexer::IDENTIFIER)
    {
        const Span name = span_of(failure_.word - 2);
        keyword.help(fmt::format("it stands before the name: `tunable {}: ...`", text_of(failure_.word - 2)))
            .fix({file_.file, name.begin, span_of(failure_.word).end},
                 fmt::format("tunable {}:", text_of(failure_.word - 2)));
        return true;
    }
    if (inside(AnmlParser::RuleAttribute_decl))  // a table's column may have no other
        keyword.help(fmt::format("between backquotes it is a name: `` `{}` ``", text_of(failure_.word)))
            .fix(span_of(failure_.word), fmt::format("`{}`", text_of(failure_.word)));
    else {
        keyword.help(fmt::format("choose another name, such as `{}_`", text_of(failure_.word)));
        // Where it begins a line, or goes on in a comprehension, it is no name: one is missing before it.
        if (!starts_line(failure_.word) && !inside(AnmlParser::RuleFor_clause))
            keyword.fix(span_of(failure_.word), std::string(text_of(failure_.word)) + "_");
    }
    return true;
}

namespace {

constexpr std::string_view kWholeFile = "a value of the whole file is a function without parameters, `function N(): "
                                        "int = 4`; one of a model its parameter, or `let n = 4` in it";

// What begins a declaration elsewhere: the keyword here.
std::string_view foreign_declaration(std::string_view word)
{
    static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
        {"network", "model"},    {"topology", "model"}, {"lab", "model"},     {"simulation", "model"},
        {"module", "component"}, {"class", "component"}, {"simple", "component"}, {"struct", "schema"},
        {"record", "schema"},    {"interface", "schema"}, {"include", "import"},
        {"using", "import"},     {"use", "import"},      {"template", "profile"}};
    for (const auto& [theirs, ours] : kWords)
        if (theirs == word) return ours;
    return {};
}

}  // namespace

bool FailureReport::misplaced()
{
    if (at_end()) return false;
    bool top = expects(0) && inside(AnmlParser::RuleWhole_declaration) && !expects_statement();
    top = top || (expects(AnmlLexer::MODEL) && expects(AnmlLexer::IMPORT));
    if (top && type() == AnmlLexer::RBRACE) {
        report(Diag::syntax_error, "this `}` closes nothing");
        return true;
    }
    if (top && (begins_statement(type()) || type() == AnmlLexer::IF) && starts_line(failure_.word)) {
        auto builder = report(Diag::syntax_error,
                              fmt::format("a statement cannot stand outside a component or model, found {}", found()));
        std::uint32_t file = failure_.word + 1;  // `let rows = csvdecode(file("rows.csv"))`
        while (file < line_end(failure_.word) && type_of(file) != AnmlLexer::STRING) ++file;
        std::string_view schema = "Row";  // the only one of the file
        for (std::uint32_t i = 0, found = 0; i + 1 < file_.words.size(); ++i)
            if (type_of(i) == AnmlLexer::SCHEMA) schema = found++ == 0 ? text_of(i + 1) : "Row";
        if (type() == AnmlLexer::LET && file < line_end(failure_.word) &&
            (text_of(file).ends_with(".csv\"") || text_of(file).ends_with(".json\"")))
            builder.help(
                fmt::format("rows of a file are a table of a schema, by what they are known: `table {}({}) : "
                            "{} by name`",
                            next_text(), text_of(file), schema));
        else if (type() == AnmlLexer::LET)
            builder.help(std::string(kWholeFile));
        else if (failure_.word == 0 || type_of(failure_.word - 1) != AnmlLexer::RBRACE)
            builder.help("what a network has and does stands in the braces of a model: `model M { ... }`");
        if (failure_.word > 0 && type_of(failure_.word - 1) == AnmlLexer::RBRACE)
            builder.also(span_of(failure_.word - 1), "it ended here");
        return true;
    }
    if (top && type() == AnmlLexer::IDENTIFIER && starts_line(failure_.word)) {
        const std::uint32_t end = declaration_begin(failure_.word);
        skip(failure_.word, end);
        static const std::vector<std::string_view> keywords{"edition", "import",  "schema",    "enum",
                                                            "profile", "process", "function",  "component",
                                                            "model",   "graph",   "experiment"};
        const std::string_view word = text_of(failure_.word);
        auto builder = report(Diag::syntax_error, fmt::format("expected a declaration, found {}", found()));
        if (word == "const" || word == "static" || word == "let" || word == "var") {
            builder.help(std::string(kWholeFile));
        } else if (word == "def" || word == "func" || word == "fn") {
            builder.help(std::string(find_habit(word)->help));
        } else if (const auto ours = foreign_declaration(word); !ours.empty()) {
            builder.write(span_of(failure_.word), std::string(ours));
        } else if (const Habit* habit = find_habit(word)) {
            builder.help(std::string(habit->help));
        } else if (is_type_elsewhere(word) || word == "void") {
            builder.help("a function is one expression: `function f(x: int): int = x + 1`; networks are a `model Main "
                         "{ ... }`");
        } else if (std::string_view near = similar_name(word, keywords); !near.empty()) {
            builder.help(fmt::format("a keyword with a similar name exists: `{}`", near))
                .fix(span_of(failure_.word), std::string(near));
        } else {
            builder.help("at the top of a file stand declarations, such as `model M { ... }`; what a network has and "
                         "does stands in their braces");
        }
        return true;
    }
    bool closing = type() == AnmlLexer::RPAREN || type() == AnmlLexer::RBRACK || type() == AnmlLexer::RBRACE;
    if (closing && file_.partner(failure_.word) == FileTokens::kNone) {
        report(Diag::syntax_error, fmt::format("this `{}` closes nothing", text_of(failure_.word)));
        return true;
    }
    return false;
}

}  // namespace anml
