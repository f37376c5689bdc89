// Mistakes at a word that does not fit: ends of links, units, keywords as names, what belongs elsewhere.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "AnmlLexer.h"
#include "base/values/quantity.h"
#include "syntax/errors/failure.h"
#include "syntax/errors/habits.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

namespace {

constexpr std::string_view kWholeFile =
    "a value of the whole file is a function without parameters, `function N(): "
    "int = 4`; one of a model its parameter, or `let n = 4` in it";

// What begins a declaration elsewhere: the keyword here.
std::string_view foreign_declaration(std::string_view word)
{
    static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
        {"network", "model"},    {"topology", "model"},   {"lab", "model"},        {"simulation", "model"},
        {"module", "component"}, {"class", "component"},  {"simple", "component"}, {"struct", "schema"},
        {"record", "schema"},    {"interface", "schema"}, {"include", "import"},   {"using", "import"},
        {"use", "import"},       {"template", "profile"}};
    for (const auto& [theirs, ours] : kWords)
        if (theirs == word) return ours;
    return {};
}

// `1 if c else 2` around this word.
std::optional<Edit> python_condition(const Failure& in, std::uint32_t word)
{
    using L = AnmlLexer;
    std::uint32_t from = word, otherwise = word + 1;
    while (from > 0 && !in.starts_line(from) && in.type_of(from - 1) != L::ASSIGN && in.type_of(from - 1) != L::COMMA &&
           in.file.inside(from - 1) == in.file.inside(word))
        --from;
    const std::uint32_t end = in.line_end(word);
    while (otherwise < end && in.type_of(otherwise) != L::ELSE) ++otherwise;
    if (from == word || otherwise == word + 1 || otherwise + 1 >= end) return std::nullopt;
    const std::uint32_t last = value_end(in, otherwise);
    const auto words = [&](std::uint32_t a, std::uint32_t b) {
        return in.sources.text({in.file.file, in.span_of(a).begin, in.span_of(b - 1).end});
    };
    return Edit{{in.file.file, in.span_of(from).begin, in.span_of(last - 1).end},
                fmt::format("if {} then {} else {}", words(word + 1, otherwise), words(from, word),
                            words(otherwise + 1, last))};
}

// What this file calls `name: type`.
std::vector<std::string_view> declared_here(const Failure& in)
{
    std::vector<std::string_view> declared;
    for (std::uint32_t i = 0; i + 1 < in.file.words.size(); ++i)
        if (in.type_of(i) == AnmlLexer::IDENTIFIER && in.type_of(i + 1) == AnmlLexer::COLON)
            declared.push_back(in.text_of(i));
    return declared;
}

}  // namespace

bool link_ends(Failure& in)
{
    const ParseFailure::Rule* at = in.construct();
    if (!at || at->rule != AnmlParser::RuleLink_decl || !in.expects(AnmlLexer::DUPLEX)) return false;
    for (std::uint32_t i = in.failure.word; i-- > at->first_word;) {
        if (in.type_of(i) != AnmlLexer::MINUS) continue;
        in.diagnostics.report(Diag::syntax_error, in.span_of(i), "a link's ends are joined by `--` or `->`, found `-`")
            .help("write `link name: a -- b : profile`")
            .fix(in.span_of(i), "--");
        return true;
    }
    if (at->children == 2 && plain_name(in, at->first_word + 1) && !in.at_end() && !in.starts_line(in.failure.word) &&
        (in.type() == AnmlLexer::IDENTIFIER || in.type() == AnmlLexer::ASSIGN))
    {
        in.report(Diag::syntax_error, fmt::format("expected `:` after the link's name, found {}", found(in)))
            .help("a link is written `link name: a -- b : profile`, or without a name `link a -- b : profile`");
        return true;
    }
    return false;
}

bool unit_of_name(Failure& in)
{
    // `1_000 Mbps`: a number with the unit `_000`, and `Mbps` was taken for the next attribute.
    for (std::uint32_t word = in.failure.word; word > 0 && word + 2 > in.failure.word; --word) {
        const std::string_view number = in.text_of(word - 1);
        if (in.type_of(word - 1) != AnmlLexer::QUANTITY || number.find_first_not_of("0123456789_") != number.npos)
            continue;
        if (number.starts_with("0x")) break;
        std::string digits(number);
        std::erase(digits, '_');
        in.file.mark_bad(word - 1);
        in.diagnostics.report(Diag::syntax_error, in.span_of(word - 1), fmt::format("unexpected `_` in `{}`", number))
            .help(fmt::format("the digits of a number are not grouped: `{}`", digits))
            .fix(in.span_of(word - 1), digits);
        return true;
    }
    // `0x10 Mbps`
    if (in.failure.word > 1 && in.type_of(in.failure.word - 2) == AnmlLexer::QUANTITY &&
        in.text_of(in.failure.word - 2).starts_with("0x"))
    {
        in.file.mark_bad(in.failure.word - 2);
        in.diagnostics
            .report(Diag::syntax_error, in.span_of(in.failure.word - 2),
                    fmt::format("unexpected `{}`", in.text_of(in.failure.word - 2)))
            .help("numbers are decimal: `16`");
        return true;
    }
    const ParseFailure::Rule* at = in.construct();
    if (!at || at->rule != AnmlParser::RuleAttribute || !in.expects(AnmlLexer::ASSIGN) || at->first_word < 1)
        return false;
    const std::uint32_t unit = in.failure.word - 1, name = unit - 1;
    if (at->first_word != unit || in.starts_line(unit) || in.type_of(name) != AnmlLexer::IDENTIFIER ||
        !find_unit(in.text_of(unit)))
        return false;
    in.diagnostics
        .report(Diag::syntax_error, in.span_of(unit),
                fmt::format("unexpected `{}` after `{}`", in.text_of(unit), in.text_of(name)))
        .help(fmt::format("a product needs its sign: `{} * 1 {}`", in.text_of(name), in.text_of(unit)))
        .fix({in.file.file, in.span_of(name).end, in.span_of(unit).end}, fmt::format(" * 1 {}", in.text_of(unit)));
    return true;
}

// `route pe b via uplink`: `b` was taken for the word between.
bool route_without_to(Failure& in)
{
    const ParseFailure::Rule* at = in.construct();
    if (!at || at->rule != AnmlParser::RuleRoute_stmt) return false;
    std::uint32_t word = at->first_word + 2;  // behind the router, of which there may be an element
    while (word < in.failure.word && in.type_of(word) == AnmlLexer::LBRACK && in.file.partner(word) < in.failure.word)
        word = in.file.partner(word) + 1;
    if (word >= in.failure.word || in.type_of(word) != AnmlLexer::IDENTIFIER || in.text_of(word) == "to") return false;
    in.file.mark_bad(word);
    const std::uint16_t router = in.type_of(at->first_word + 1);
    if (router == AnmlLexer::PREFIX || router == AnmlLexer::ADDRESS) {  // `route 10.2.0.0/16 via north`
        const std::string_view address = in.text_of(at->first_word + 1);
        in.diagnostics
            .report(Diag::syntax_error, in.span_of(at->first_word + 1),
                    fmt::format("expected a router, found `{}`", address))
            .help(fmt::format("whose route it is stands first: `route r to {} via {}`", address, in.text_of(word + 1)));
        return true;
    }
    in.diagnostics
        .report(Diag::syntax_error, in.span_of(word), fmt::format("expected `to`, found `{}`", in.text_of(word)))
        .help("a route is written `route r to 10.0.0.0/8 via next`, of segments `via [dear, exit]`")
        .fix({in.file.file, in.span_of(word).begin, in.span_of(word).begin}, "to ");
    return true;
}

bool misannotated(Failure& in)
{
    if (!follows_annotation(in.file, in.tokens, in.failure.word)) return false;
    if (in.inside(AnmlParser::RuleSchema_decl)) {
        in.report(Diag::syntax_error, fmt::format("an annotation stands before an attribute, found {}", found(in)))
            .help("`@changes(step) level: int`");
        return true;
    }
    in.report(Diag::syntax_error, fmt::format("an annotation stands before a node or an instance, found {}", found(in)))
        .help("`@task(\"core\") router r`");
    return true;
}

// `n int` in a schema: the first word was taken for `trait`.
bool no_colon_in_schema(Failure& in)
{
    const ParseFailure::Rule* at = in.construct();
    if (!at || at->rule != AnmlParser::RuleAttribute_decl || !in.expects(AnmlLexer::ASSIGN)) return false;
    if (in.failure.word != at->first_word + 2 || in.text_of(at->first_word) == "trait") return false;
    const std::uint32_t name = in.failure.word - 1;
    in.file.mark_bad(name);
    // `optional delay: time`
    if (in.text_of(at->first_word) == "optional" && in.type() == AnmlLexer::COLON &&
        in.next_type() == AnmlLexer::IDENTIFIER &&
        (in.failure.word + 2 == in.file.words.size() || in.starts_line(in.failure.word + 2) ||
         in.type_of(in.failure.word + 2) == AnmlLexer::RBRACE))
    {
        const std::string declared = fmt::format("{}: {}?", in.text_of(name), in.next_text());
        in.diagnostics.report(Diag::syntax_error, in.span_of(at->first_word), "unexpected `optional`")
            .help(fmt::format("what may be missing has a `?` behind its type: `{}`", declared))
            .fix({in.file.file, in.span_of(at->first_word).begin, in.span_of(in.failure.word + 1).end}, declared);
        return true;
    }
    auto builder =
        in.diagnostics.report(Diag::syntax_error, in.span_of(name),
                              fmt::format("expected `:` after the attribute's name, found `{}`", in.text_of(name)));
    if (is_type_elsewhere(in.text_of(at->first_word))) {
        const std::string declared = fmt::format("{}: {}", in.text_of(name), in.text_of(at->first_word));
        builder.help(fmt::format("the name comes first: `{}`", declared))
            .fix(in.span_through(at->first_word, name), declared);
    }
    return true;
}

// `model M:`, with a body that is indented.
bool colon_body(Failure& in)
{
    if (!in.inside(AnmlParser::RuleBody_head) || in.failure.word == 0 || in.at_end()) return false;
    if (!in.starts_line(in.failure.word)) return false;
    const std::uint32_t colon = in.failure.word - 1, first = in.line_start(colon);
    if (in.type_of(colon) != AnmlLexer::COLON) return false;
    in.skip(first, declaration_begin(in, first));
    const Span head{in.file.file, in.span_of(first).begin, in.span_of(colon - 1).end};
    in.diagnostics.report(Diag::syntax_error, in.span_of(colon), "expected `{`, found `:`")
        .help(fmt::format("a body stands in braces: `{} {{ ... }}`", in.sources.text(head)));
    return true;
}

bool foreign_operator(Failure& in)
{
    struct Operator {
        std::string_view word, help, instead;
    };
    static constexpr Operator kOperators[] = {
        {"and", "\"and\" is written `&&`", "&&"},
        {"or", "\"or\" is written `||`", "||"},
        {"not", "\"not\" is written `!`, and stands before a comparison in parentheses: `!(a == b)`", ""},
        {"is", "whether two are equal is written `==`, whether they differ `!=`", "=="},
        {"mod", "the rest of a division is `a % b`", "%"},
        {"div", "a quotient, rounded down, is `floor(a / b)`", ""},
        {"new", "an instance of a component is written `Component name(parameter = value)`", ""},
    };
    // It was a name, or the component or name of an instance that begins in the middle of a line.
    const ParseFailure::Rule* at = in.construct();
    const std::uint32_t first = at && at->rule == AnmlParser::RuleInstance_decl ? at->first_word : in.failure.word;
    for (std::uint32_t word = first > 0 ? first - 1 : 0; word < std::min(in.failure.word, first + 1); ++word) {
        if (in.type_of(word) != AnmlLexer::IDENTIFIER || in.starts_line(word)) continue;
        if (word + 1 < in.file.words.size() && in.starts_line(word + 1)) continue;
        const auto found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                        [&](const Operator& o) { return o.word == in.text_of(word); });
        if (found == std::end(kOperators)) continue;
        in.file.mark_bad(word);
        auto builder =
            in.diagnostics.report(Diag::syntax_error, in.span_of(word),
                                  fmt::format("unexpected `{}` after `{}`", found->word, in.text_of(word - 1)));
        builder.help(std::string(found->help));
        if (!found->instead.empty()) builder.fix(in.span_of(word), std::string(found->instead));
        return true;
    }
    // `a > 1 and f(x) == 2`: `and f(x)` was taken for an instance.
    for (std::uint32_t word = in.line_start(in.failure.word) + 2; word < in.failure.word; ++word) {
        const bool conjunction = in.text_of(word) == "and" || in.text_of(word) == "or";
        if (!conjunction || in.type_of(word + 1) != AnmlLexer::IDENTIFIER || in.is_keyword(word - 1)) continue;
        const std::string_view instead = in.text_of(word) == "and" ? "&&" : "||";
        in.diagnostics
            .report(Diag::syntax_error, in.span_of(word),
                    fmt::format("unexpected `{}` after `{}`", in.text_of(word), in.text_of(word - 1)))
            .help(fmt::format("\"{}\" is written `{}`", in.text_of(word), instead))
            .fix(in.span_of(word), std::string(instead));
        return true;
    }
    return false;
}

bool declares_in_timeline(const Failure& in)
{
    using L = AnmlLexer;
    const bool kind = in.type() == L::LINK || in.type() == L::HOST || in.type() == L::ROUTER ||
                      in.type() == L::SWITCH || in.type() == L::ENDPOINT || in.type() == L::WORKLOAD;
    return kind && in.inside(AnmlParser::RuleTimeline_block) && in.next_type() == L::IDENTIFIER;
}

bool keyword_as_name(Failure& in)
{
    if (in.at_end() || !in.is_keyword(in.failure.word) || !in.expects(AnmlLexer::IDENTIFIER)) return false;
    if (in.expects_statement() || !small_word(in).empty() || declares_in_timeline(in)) return false;
    if (in.inside(AnmlParser::RuleTimeline_block) && (in.type() == AnmlLexer::IF || in.type() == AnmlLexer::FOR)) {
        const bool lasting = in.type() == AnmlLexer::FOR && in.next_type() != AnmlLexer::IDENTIFIER;  // `down for 2 s`
        in.report(Diag::syntax_error,
                  fmt::format("expected an action, found the keyword `{}`", in.text_of(in.failure.word)))
            .help(lasting ? "what lasts has a beginning and an end: `from 1 s to 3 s { uplink down }`"
                  : in.type() == AnmlLexer::IF ? "the condition stands around the statement: `if c { at 1 s { ... } }`"
                                               : "the loop stands around the statement: `for i in 0 ..< n { at 1 s { "
                                                 "... } }`");
        return true;
    }
    if (in.inside(AnmlParser::RuleTimeline_block) && (in.type() == AnmlLexer::LABEL || in.type() == AnmlLexer::REPORT))
    {
        in.report(Diag::syntax_error, fmt::format("expected an action, found `{}`", in.text_of(in.failure.word)))
            .help("labels and reports are of the whole run, and stand beside the timeline");
        return true;
    }
    if (in.inside(AnmlParser::RuleTimeline_block) && in.type() == AnmlLexer::LET) {
        in.report(Diag::syntax_error, "expected an action, found the keyword `let`")
            .help("name the value before the statement, or write it where it is used");
        return true;
    }
    if (begins_statement(in.type()) && in.starts_line(in.failure.word)) return false;
    if (begins_declaration(in.type()) && in.starts_line(in.failure.word)) return false;
    if (const auto condition = in.type() == AnmlLexer::IF ? python_condition(in, in.failure.word) : std::nullopt) {
        in.report(Diag::syntax_error, fmt::format("unexpected `if` after `{}`", in.text_of(in.failure.word - 1)))
            .write(condition->span, condition->replacement);
        return true;
    }
    const auto named = declared_here(in);
    const std::string plural = fmt::format("{}s", in.text_of(in.failure.word));  // `pc[host]`, for `hosts`
    if (in.expects_value() && in.next_type() != AnmlLexer::ASSIGN && std::ranges::find(named, plural) != named.end()) {
        in.report(Diag::syntax_error, fmt::format("`{}` is a keyword, and no value", in.text_of(in.failure.word)))
            .suggest(in.span_of(in.failure.word), plural);
        return true;
    }
    if (in.failure.word > 0 && in.type_of(in.failure.word - 1) == AnmlLexer::OVERRIDE &&
        in.next_type() == AnmlLexer::IDENTIFIER)
    {
        in.report(Diag::syntax_error, fmt::format("unexpected `{}` after `override`", in.text_of(in.failure.word)))
            .help(fmt::format("what is replaced is named alone: `override {}`", in.next_text()))
            .fix({in.file.file, in.span_of(in.failure.word).begin, in.span_of(in.failure.word + 1).begin}, "");
        return true;
    }
    if (begins_statement(in.type()) && in.failure.word > 0 && in.type_of(in.failure.word - 1) == AnmlLexer::LBRACK) {
        in.report(Diag::syntax_error, fmt::format("a statement is no value, found {}", found(in)))
            .help("what a loop makes stands in its braces: `for i in 0 ..< n { link a[i] -- b : ether.fast }`");
        return true;
    }
    if (in.failure.word > 0 && in.type_of(in.failure.word - 1) == AnmlLexer::DOT) {
        const auto declared = declared_here(in);
        auto builder = in.report(Diag::syntax_error,
                                 fmt::format("`{}` is a keyword, and no attribute", in.text_of(in.failure.word)));
        if (const auto near = similar_name(in.text_of(in.failure.word), declared); !near.empty())
            builder.suggest(in.span_of(in.failure.word), near);
        else
            builder.help(fmt::format("between backquotes it is a name: `` `{}` ``", in.text_of(in.failure.word)))
                .fix(in.span_of(in.failure.word), fmt::format("`{}`", in.text_of(in.failure.word)));
        return true;
    }
    if (in.expects_value() && (in.type() == AnmlLexer::THEN || in.type() == AnmlLexer::ELSE ||
                               in.type() == AnmlLexer::ON || in.type() == AnmlLexer::IN))
        return false;
    if (in.type() == AnmlLexer::RANDOM && in.expects_value()) {
        auto builder = in.report(Diag::syntax_error, "the keyword `random` belongs to types, and is no value");
        if (in.failure.word >= 2 &&
            (in.text_of(in.failure.word - 2) == "pairing" || in.text_of(in.failure.word - 2) == "pick"))
            builder.help("each host draws its own with `at_random`").fix(in.span_of(in.failure.word), "at_random");
        else
            builder.help("what is drawn is a distribution: `uniform(a, b)`, `exponential(mean)`, `chance(p)` ...");
        return true;
    }
    if (in.failure.word >= 1 && in.text_of(in.failure.word - 1) == "pub" && begins_declaration(in.type())) {
        in.report(Diag::syntax_error, "`pub` begins a line at the top of a file; here it is a name")
            .help("what stands inside others is never exported: remove `pub`")
            .fix({in.file.file, in.span_of(in.failure.word - 1).begin, in.span_of(in.failure.word).begin}, "");
        return true;
    }
    if (in.next_type() == AnmlLexer::ASSIGN &&
        (in.inside(AnmlParser::RuleArgument_list) || in.inside(AnmlParser::RuleAttribute_block)))
    {
        auto builder = in.report(Diag::syntax_error,
                                 fmt::format("`{}` is a keyword, and no {} is called so", in.text_of(in.failure.word),
                                             in.inside(AnmlParser::RuleArgument_list) ? "parameter" : "attribute"));
        const auto names = declared_here(in);
        const std::string many = fmt::format("{}s", in.text_of(in.failure.word));  // `host = 4`, for `hosts`
        const bool several = std::ranges::find(names, many) != names.end();
        if (const auto near = several ? std::string_view(many) : similar_name(in.text_of(in.failure.word), names);
            !near.empty())
            builder.suggest(in.span_of(in.failure.word), near);
        return true;
    }
    auto keyword = in.report(Diag::syntax_error,
                             fmt::format("`{}` is a keyword, and cannot be a name here", in.text_of(in.failure.word)));
    if (in.type() == AnmlLexer::LINK && in.inside(AnmlParser::RuleProfile_decl)) {
        keyword.suggest(in.span_of(in.failure.word), "Link");
        return true;
    }
    if (in.type() == AnmlLexer::HOST && in.text_of(in.failure.word - 1) == "on") {
        keyword.help("all hosts are `all`, those of an array `pc[*]`");
        return true;
    }
    if (in.type() == AnmlLexer::TUNABLE && in.failure.word >= 2 &&
        in.type_of(in.failure.word - 1) == AnmlLexer::COLON && in.type_of(in.failure.word - 2) == AnmlLexer::IDENTIFIER)
    {
        const Span name = in.span_of(in.failure.word - 2);
        keyword.help(fmt::format("it stands before the name: `tunable {}: ...`", in.text_of(in.failure.word - 2)))
            .fix({in.file.file, name.begin, in.span_of(in.failure.word).end},
                 fmt::format("tunable {}:", in.text_of(in.failure.word - 2)));
        return true;
    }
    if (in.inside(AnmlParser::RuleAttribute_decl))  // a table's column may have no other
        keyword.help(fmt::format("between backquotes it is a name: `` `{}` ``", in.text_of(in.failure.word)))
            .fix(in.span_of(in.failure.word), fmt::format("`{}`", in.text_of(in.failure.word)));
    else {
        keyword.help(fmt::format("choose another name, such as `{}_`", in.text_of(in.failure.word)));
        // Where it begins a line, or goes on in a comprehension, it is no name: one is missing before it.
        if (!in.starts_line(in.failure.word) && !in.inside(AnmlParser::RuleFor_clause))
            keyword.fix(in.span_of(in.failure.word), std::string(in.text_of(in.failure.word)) + "_");
    }
    return true;
}

bool misplaced(Failure& in)
{
    if (in.at_end()) return false;
    bool top = in.expects(0) && in.inside(AnmlParser::RuleWhole_declaration) && !in.expects_statement();
    top = top || (in.expects(AnmlLexer::MODEL) && in.expects(AnmlLexer::IMPORT));
    if (top && in.type() == AnmlLexer::RBRACE) {
        in.report(Diag::syntax_error, "this `}` closes nothing");
        return true;
    }
    const std::string_view first = in.text_of(in.failure.word);  // `from 18 s to 20 s { ... }`
    const bool timeline =
        (first == "from" || first == "at" || first == "every") && in.next_type() == AnmlLexer::QUANTITY;
    if (top && (begins_statement(in.type()) || in.type() == AnmlLexer::IF || timeline) &&
        in.starts_line(in.failure.word))
    {
        auto builder =
            in.report(Diag::syntax_error,
                      fmt::format("a statement cannot stand outside a component or model, found {}", found(in)));
        std::uint32_t file = in.failure.word + 1;  // `let rows = csvdecode(file("rows.csv"))`
        while (file < in.line_end(in.failure.word) && in.type_of(file) != AnmlLexer::STRING) ++file;
        std::string_view schema = "Row";  // the only one of the file
        for (std::uint32_t i = 0, found = 0; i + 1 < in.file.words.size(); ++i)
            if (in.type_of(i) == AnmlLexer::SCHEMA) schema = found++ == 0 ? in.text_of(i + 1) : "Row";
        if (in.type() == AnmlLexer::LET && file < in.line_end(in.failure.word) &&
            (in.text_of(file).ends_with(".csv\"") || in.text_of(file).ends_with(".json\"")))
            builder.help(
                fmt::format("rows of a file are a table of a schema, by what they are known: `table {}({}) : "
                            "{} by name`",
                            in.next_text(), in.text_of(file), schema));
        else if (in.type() == AnmlLexer::LET)
            builder.help(std::string(kWholeFile));
        else if (in.failure.word == 0 || in.type_of(in.failure.word - 1) != AnmlLexer::RBRACE)
            builder.help("what a network has and does stands in the braces of a model: `model M { ... }`");
        if (in.failure.word > 0 && in.type_of(in.failure.word - 1) == AnmlLexer::RBRACE)
            builder.also(in.span_of(in.failure.word - 1), "it ended here");
        return true;
    }
    if (top && in.type() == AnmlLexer::IDENTIFIER && in.starts_line(in.failure.word)) {
        const std::uint32_t end = declaration_begin(in, in.failure.word);
        in.skip(in.failure.word, end);
        static const std::vector<std::string_view> keywords{"edition", "import",  "schema",    "enum",
                                                            "profile", "process", "function",  "component",
                                                            "model",   "graph",   "experiment"};
        const std::string_view word = in.text_of(in.failure.word);
        auto builder = in.report(Diag::syntax_error, fmt::format("expected a declaration, found {}", found(in)));
        if (word == "const" || word == "static" || word == "let" || word == "var") {
            builder.help(std::string(kWholeFile));
        } else if ((word == "export" || word == "public") && begins_declaration(in.next_type())) {
            builder.help("what other files may use has `pub` in front").fix(in.span_of(in.failure.word), "pub");
        } else if (word == "def" || word == "func" || word == "fn") {
            builder.help(std::string(find_habit(word)->help));
        } else if (const auto ours = foreign_declaration(word); !ours.empty()) {
            builder.write(in.span_of(in.failure.word), std::string(ours));
        } else if (const Habit* habit = find_habit(word)) {
            builder.help(std::string(habit->help));
        } else if (is_type_elsewhere(word) || word == "void") {
            builder.help("a function is one expression: `function f(x: int): int = x + 1`; networks are a `model Main "
                         "{ ... }`");
        } else if (std::string_view near = similar_name(word, keywords); !near.empty()) {
            builder.help(fmt::format("a keyword with a similar name exists: `{}`", near))
                .fix(in.span_of(in.failure.word), std::string(near));
        } else {
            builder.help("at the top of a file stand declarations, such as `model M { ... }`; what a network has and "
                         "does stands in their braces");
        }
        return true;
    }
    bool closing = in.type() == AnmlLexer::RPAREN || in.type() == AnmlLexer::RBRACK || in.type() == AnmlLexer::RBRACE;
    if (closing && in.file.partner(in.failure.word) == FileTokens::kNone) {
        in.report(Diag::syntax_error, fmt::format("this `{}` closes nothing", in.text_of(in.failure.word)));
        return true;
    }
    return false;
}

}  // namespace anml
