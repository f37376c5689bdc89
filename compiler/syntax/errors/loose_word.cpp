// Mistakes at a word that was taken for the component of an instance: it fits nowhere else.
#include <fmt/format.h>

#include <algorithm>

#include "AnmlLexer.h"
#include "base/foreign_words.h"
#include "base/values/quantity.h"
#include "syntax/errors/failure.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

namespace {

constexpr const char* kLabels =
    "labels are strings in braces behind what has them: `label pc[0], surf { name = \"...\" }`";

// `lnik a: b -- c`: taken for an instance up to the colon.
bool misspelt_statement(Failure& in, const ParseFailure::Rule& at, std::string_view word)
{
    const auto near = similar_name(word, {"link", "workload", "profile", "for"});
    if (near.empty()) return false;
    in.file.mark_bad(at.first_word);
    in.diagnostics
        .report(Diag::syntax_error, in.span_of(at.first_word), fmt::format("`{}` does not begin a statement", word))
        .help(fmt::format("a keyword with a similar name exists: `{}`", near))
        .fix(in.span_of(at.first_word), std::string(near));
    return true;
}

// `--` or `->` stands further on in the line.
bool joins_on_line(const Failure& in, std::uint32_t word)
{
    for (std::uint32_t i = word + 1; !in.starts_line(i); ++i)
        if (in.type_of(i) == AnmlLexer::DUPLEX || in.type_of(i) == AnmlLexer::DIRECTED) return true;
    return false;
}

// `delay = 3 ms` or `foo` where a statement stands.
bool unknown_statement(Failure& in, const ParseFailure::Rule& at)
{
    std::string_view word = in.text_of(at.first_word);
    static const std::vector<std::string_view> keywords{
        "router", "switch",     "host",    "endpoint", "link",  "let", "for",   "if",   "workload", "require",
        "run",    "addressing", "routing", "profile",  "route", "at",  "every", "from", "ramp",     "label"};
    // `assert n > 1`, `elif n > 1 {`: the word behind it was taken for the name of an instance.
    const bool behind_name = in.failure.word == at.first_word + 2;
    const std::string_view ours = foreign_word(word, keywords);
    const bool elif = word == "elif" || word == "elsif" || word == "elseif";
    if (behind_name && (!ours.empty() || elif)) {
        in.file.mark_bad(at.first_word);
        const std::string instead(elif ? "else if" : ours);
        in.diagnostics
            .report(Diag::syntax_error, in.span_of(at.first_word), fmt::format("`{}` does not begin a statement", word))
            .write(in.span_of(at.first_word), instead);
        return true;
    }
    if (behind_name && (in.type() == AnmlLexer::COLON || in.type() == AnmlLexer::IN || in.type() == AnmlLexer::DUPLEX ||
                        in.type() == AnmlLexer::DIRECTED))
        return misspelt_statement(in, at, word);
    if (in.failure.word != at.first_word + 1) return false;
    if (in.type() == AnmlLexer::ASSIGN && in.next_text() == "new") {
        in.report(Diag::syntax_error, "an instance is no value")
            .help(fmt::format("an instance of a component is written `Component {}(parameter = value)`", word));
        return true;
    }
    if (in.type() == AnmlLexer::ASSIGN) {
        static constexpr std::string_view kOfRun[] = {"duration", "warmup", "repetitions", "seed"};
        // `a = addHost("a")`, `h = self.addHost("h")`, `net = Mininet()`
        std::uint32_t call = in.failure.word + 1;
        while (call + 2 < in.file.words.size() && in.type_of(call + 1) == AnmlLexer::DOT) call += 2;
        const bool made =
            call + 1 < in.file.words.size() && in.type_of(call + 1) == AnmlLexer::LPAREN &&
            (in.text_of(call).starts_with("add") || (in.text_of(call)[0] >= 'A' && in.text_of(call)[0] <= 'Z'));
        bool known = false;  // `let far = a`, and now `far = b`
        for (std::uint32_t i = 0; i < at.first_word; ++i)
            known = known || (in.type_of(i) == AnmlLexer::LET && in.text_of(i + 1) == word);
        if (made && made_by_call(in, at.first_word, call)) return true;
        if (known)
            in.report(Diag::syntax_error, fmt::format("`{}` has a value already", word))
                .help("a name has one value, and is not assigned again: give this one another name, `let other = ...`");
        else if (made)
            in.report(Diag::syntax_error,
                      fmt::format("nothing is made by a call, and no value: `{}`", in.text_of(call)))
                .help(
                    "what there is is declared by its kind: `host a`, `router r`, `link a -- r { rate = 10 Mbps }`, "
                    "`Site s(4)` of a component");
        else if (std::ranges::find(kOfRun, word) != std::end(kOfRun))
            in.report(Diag::syntax_error, fmt::format("expected a statement, found an attribute `{} =`", word))
                .help(fmt::format("it is one of `run`: `run {{ {} = {} }}`", word, in.next_text()));
        else if (const Habit* habit = find_habit(word, AnmlLexer::LBRACE))
            in.report(Diag::syntax_error, fmt::format("expected a statement, found an attribute `{} =`", word))
                .help(std::string(habit->help));
        else
            in.report(Diag::syntax_error, fmt::format("expected a statement, found an attribute `{} =`", word))
                .help(fmt::format("to name a value, write `let {} = ...`; attributes stand in the braces after a node, "
                                  "link or profile",
                                  word));
        return true;
    }
    in.file.mark_bad(at.first_word);
    auto builder = in.diagnostics.report(Diag::syntax_error, in.span_of(at.first_word),
                                         fmt::format("`{}` does not begin a statement", word));
    const bool array = in.type() == AnmlLexer::LBRACK && in.file.partner(in.failure.word) != FileTokens::kNone;
    const std::uint32_t colon = array ? in.file.partner(in.failure.word) + 1 : in.failure.word;  // `pc[3]: host`
    const std::uint16_t before = at.first_word > 0 ? in.type_of(at.first_word - 1) : std::uint16_t{0};
    if ((before == AnmlLexer::INTEGER || before == AnmlLexer::NUMBER) && find_unit(word)) {
        builder.help("a number and its unit stand on one line");
    } else if (word == "label" && in.type() == AnmlLexer::STRING) {
        builder.help("what has the label is named without quotes: `label pc[0], surf { name = \"...\" }`");
    } else if (word == "label") {
        builder.help(kLabels);
    } else if (word == "at" && in.text_of(in.failure.word) == "+") {
        builder.help("a time is counted from the run's beginning, without a sign: `at 3 s { ... }`");
    } else if ((word == "every" || word == "at") && in.type() == AnmlLexer::LBRACE) {
        builder.help(fmt::format("when stands between: `{} 2 s {{ ... }}`", word));
    } else if (in.type() == AnmlLexer::LBRACE && in.failure.word == at.first_word + 1) {
        builder.help(fmt::format("what a model has from another changes by `override {0} {{ ... }}`, and during the "
                                 "run by `at 3 s {{ {0} {{ ... }} }}`",
                                 word));
    } else if (word == "report") {
        builder.help("results are told apart by the keys of labels: `report by region, class`");
    } else if (word == "pass") {
        builder.help("a block with nothing in it is written `{}`");
    } else if (elif) {
        builder.write(in.span_of(at.first_word), "else if");
    } else if (colon + 1 < in.file.words.size() && in.type_of(colon) == AnmlLexer::COLON &&
               begins_statement(in.type_of(colon + 1)))
    {
        const std::string declared = fmt::format("{} {}", in.text_of(colon + 1), words(in, at.first_word, colon - 1));
        builder.help(fmt::format("the kind comes first: `{}`", declared))
            .fix({in.file.file, in.span_of(at.first_word).begin, in.span_of(colon + 1).end}, declared);
    } else if (in.type() == AnmlLexer::DUPLEX || in.type() == AnmlLexer::DIRECTED ||
               (in.type() == AnmlLexer::COLON && joins_on_line(in, in.failure.word)))
    {
        builder.help("a link is written `link name: a -- b : profile`, or `link a -- b : profile` without a name")
            .fix({in.file.file, in.span_of(at.first_word).begin, in.span_of(at.first_word).begin}, "link ");
    } else if (in.type() == AnmlLexer::COLON && in.next_type() == AnmlLexer::IDENTIFIER) {
        const std::string_view component = dotted_name(in, in.failure.word + 1);
        builder.help(fmt::format("the component comes first: `{} {}`", component, word))
            .fix({in.file.file, in.span_of(at.first_word).begin,
                  in.span_of(in.failure.word + 1).begin + static_cast<std::uint32_t>(component.size())},
                 fmt::format("{} {}", component, word));
    } else if (in.type() == AnmlLexer::COLON && in.next_type() == AnmlLexer::ASSIGN) {
        const std::uint32_t end = in.line_end(in.failure.word);
        const bool whole = in.failure.word + 2 < end;
        const std::string let =
            fmt::format("let {} = {}", word, whole ? words(in, in.failure.word + 2, end - 1) : "...");
        builder.help(fmt::format("a value has a name by `{}`", let));
        if (whole) builder.fix(in.span_through(at.first_word, end - 1), let);
    } else if ((word == "at" || word == "every") && in.type() == AnmlLexer::STRING) {
        builder.help(fmt::format("a time has a unit, and no quotes: `{} 5 s {{ ... }}`", word));
    } else if (word == "super") {
        builder.help("what is extended gets its arguments behind its name: `component Shop(n: int) : Town(n) { ... }`");
    } else if (!ours.empty()) {
        builder.write(in.span_of(at.first_word), std::string(ours));
    } else if (std::string_view near = similar_name(word, keywords); !near.empty()) {
        builder.help(fmt::format("a keyword with a similar name exists: `{}`", near))
            .fix(in.span_of(at.first_word), std::string(near));
    } else {
        builder.help(fmt::format(
            "an instance of a component is written `{} name` or `{} name[count](parameter = value)`", word, word));
    }
    return true;
}

}  // namespace

bool loose_word(Failure& in)
{
    const ParseFailure::Rule* at = in.construct();
    // `node a { kind = linux }`: the braces were taken for those of an instance.
    if (at && at->rule == AnmlParser::RuleOverride_block) {
        const std::uint32_t word = in.line_start(at->first_word);
        const std::vector<std::string_view> nodes{"host", "router", "switch", "endpoint"};
        const auto node = foreign_word(in.text_of(word), nodes);
        const auto near = node.empty() ? similar_name(in.text_of(word), nodes) : std::string_view();
        if (node.empty() && near.empty()) return false;
        in.file.mark_bad(word);
        if (!near.empty()) {
            in.diagnostics
                .report(Diag::syntax_error, in.span_of(word),
                        fmt::format("`{}` does not begin a statement", in.text_of(word)))
                .help(fmt::format("a keyword with a similar name exists: `{}`", near))
                .fix(in.span_of(word), std::string(near));
            return true;
        }
        in.diagnostics
            .report(Diag::syntax_error, in.span_of(word),
                    fmt::format("`{}` does not begin a statement", in.text_of(word)))
            .help(fmt::format("nodes are `host`, `router`, `switch` and `endpoint`; what is meant may be `{}`", node));
        return true;
    }
    if (!at || at->rule != AnmlParser::RuleInstance_decl || at->first_word == 0) return false;
    std::uint32_t before = at->first_word - 1;
    if (in.starts_line(at->first_word) || follows_annotation(in.file, in.tokens, at->first_word))
        return unknown_statement(in, *at);
    if (in.type_of(before) == AnmlLexer::LBRACE || in.type_of(before) == AnmlLexer::RBRACE)
        return unknown_statement(in, *at);
    in.file.mark_bad(at->first_word);
    auto builder = in.diagnostics.report(
        Diag::syntax_error, in.span_of(at->first_word),
        fmt::format("unexpected `{}` after `{}`", in.text_of(at->first_word), in.text_of(before)));
    std::string_view word = in.text_of(at->first_word);
    std::uint32_t line = at->first_word;
    while (line > 0 && !in.starts_line(line)) --line;
    if (in.text_of(line) == "label")
        builder.help(kLabels);
    else if (find_unit(word))
        builder.help(fmt::format("a product needs its sign: `{} * 1 {}`", in.text_of(before), word))
            .fix({in.file.file, in.span_of(before).end, in.span_of(at->first_word).end}, fmt::format(" * 1 {}", word));
    else if (follows_link_end(in, before) && word == "with" && at->first_word + 1 < in.file.words.size())
        builder.help(fmt::format("a link's profile comes after a colon: `: {}`", dotted_name(in, at->first_word + 1)))
            .fix(in.span_of(at->first_word), ":");
    else if (follows_link_end(in, before))
        builder.help(fmt::format("a link's profile comes after a colon: `: {}`", dotted_name(in, at->first_word)))
            .fix({in.file.file, in.span_of(at->first_word).begin, in.span_of(at->first_word).begin}, ": ");
    else if (in.text_of(before) == "match" || word == "match")
        builder.help("a choice is `if c then a else b`, and goes on with another `if` behind `else`");
    else if (at->first_word + 1 < in.file.words.size() && in.type_of(at->first_word + 1) == AnmlLexer::ASSIGN)
        builder.help(fmt::format("attributes stand in braces: `{{ {} = ... }}`", word));
    else
        builder.help("a statement begins a line of its own");
    return true;
}

std::string_view dotted_name(const Failure& in, std::uint32_t word)
{
    Span name = in.span_of(word);
    for (std::uint32_t i = word + 2; i < in.file.words.size(); i += 2) {
        if (in.type_of(i - 1) != AnmlLexer::DOT || in.type_of(i) != AnmlLexer::IDENTIFIER) break;
        name.end = in.span_of(i).end;
    }
    return in.sources.text(name);
}

bool follows_link_end(const Failure& in, std::uint32_t word)
{
    for (std::uint32_t i = word + 1; i-- > 0;) {
        if (in.type_of(i) == AnmlLexer::LINK) return true;
        if (in.starts_line(i)) return false;
    }
    return false;
}

}  // namespace anml
