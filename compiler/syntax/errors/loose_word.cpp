// Mistakes at a word that was taken for the component of an instance: it fits nowhere else.
#include <fmt/format.h>

#include <algorithm>

#include "AnmlLexer.h"
#include "base/foreign_words.h"
#include "base/values/quantity.h"
#include "syntax/errors/failure_report.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

namespace {

constexpr const char* kLabels =
    "labels are strings in braces behind what has them: `label pc[0], surf { name = \"...\" }`";

}  // namespace

bool FailureReport::loose_word()
{
    const ParseFailure::Rule* at = construct();
    // `node a { kind = linux }`: the braces were taken for those of an instance.
    if (at && at->rule == AnmlParser::RuleOverride_block) {
        const std::uint32_t word = line_start(at->first_word);
        const std::vector<std::string_view> nodes{"host", "router", "switch", "endpoint"};
        const auto node = foreign_word(text_of(word), nodes);
        const auto near = node.empty() ? similar_name(text_of(word), nodes) : std::string_view();
        if (node.empty() && near.empty()) return false;
        file_.mark_bad(word);
        if (!near.empty()) {
            diagnostics_
                .report(Diag::syntax_error, span_of(word),
                        fmt::format("`{}` does not begin a statement", text_of(word)))
                .help(fmt::format("a keyword with a similar name exists: `{}`", near))
                .fix(span_of(word), std::string(near));
            return true;
        }
        diagnostics_
            .report(Diag::syntax_error, span_of(word), fmt::format("`{}` does not begin a statement", text_of(word)))
            .help(fmt::format("nodes are `host`, `router`, `switch` and `endpoint`; what is meant may be `{}`", node));
        return true;
    }
    if (!at || at->rule != AnmlParser::RuleInstance_decl || at->first_word == 0) return false;
    std::uint32_t before = at->first_word - 1;
    if (starts_line(at->first_word) || follows_annotation(file_, tokens_, at->first_word))
        return unknown_statement(*at);
    if (type_of(before) == AnmlLexer::LBRACE || type_of(before) == AnmlLexer::RBRACE) return unknown_statement(*at);
    file_.mark_bad(at->first_word);
    auto builder =
        diagnostics_.report(Diag::syntax_error, span_of(at->first_word),
                            fmt::format("unexpected `{}` after `{}`", text_of(at->first_word), text_of(before)));
    std::string_view word = text_of(at->first_word);
    std::uint32_t line = at->first_word;
    while (line > 0 && !starts_line(line)) --line;
    if (text_of(line) == "label")
        builder.help(kLabels);
    else if (find_unit(word))
        builder.help(fmt::format("a product needs its sign: `{} * 1 {}`", text_of(before), word))
            .fix({file_.file, span_of(before).end, span_of(at->first_word).end}, fmt::format(" * 1 {}", word));
    else if (follows_link_end(before) && word == "with" && at->first_word + 1 < file_.words.size())
        builder.help(fmt::format("a link's profile comes after a colon: `: {}`", dotted_name(at->first_word + 1)))
            .fix(span_of(at->first_word), ":");
    else if (follows_link_end(before))
        builder.help(fmt::format("a link's profile comes after a colon: `: {}`", dotted_name(at->first_word)))
            .fix({file_.file, span_of(at->first_word).begin, span_of(at->first_word).begin}, ": ");
    else if (at->first_word + 1 < file_.words.size() && type_of(at->first_word + 1) == AnmlLexer::ASSIGN)
        builder.help(fmt::format("attributes stand in braces: `{{ {} = ... }}`", word));
    else
        builder.help("a statement begins a line of its own");
    return true;
}

std::string_view FailureReport::dotted_name(std::uint32_t word) const
{
    Span name = span_of(word);
    for (std::uint32_t i = word + 2; i < file_.words.size(); i += 2) {
        if (type_of(i - 1) != AnmlLexer::DOT || type_of(i) != AnmlLexer::IDENTIFIER) break;
        name.end = span_of(i).end;
    }
    return sources_.text(name);
}

bool FailureReport::follows_link_end(std::uint32_t word) const
{
    for (std::uint32_t i = word + 1; i-- > 0;) {
        if (type_of(i) == AnmlLexer::LINK) return true;
        if (starts_line(i)) return false;
    }
    return false;
}

bool FailureReport::misspelt_statement(const ParseFailure::Rule& at, std::string_view word)
{
    const auto near = similar_name(word, {"link", "workload", "profile", "for"});
    if (near.empty()) return false;
    file_.mark_bad(at.first_word);
    diagnostics_
        .report(Diag::syntax_error, span_of(at.first_word), fmt::format("`{}` does not begin a statement", word))
        .help(fmt::format("a keyword with a similar name exists: `{}`", near))
        .fix(span_of(at.first_word), std::string(near));
    return true;
}

bool FailureReport::joins_on_line(std::uint32_t word) const
{
    for (std::uint32_t i = word + 1; !starts_line(i); ++i)
        if (type_of(i) == AnmlLexer::DUPLEX || type_of(i) == AnmlLexer::DIRECTED) return true;
    return false;
}

bool FailureReport::unknown_statement(const ParseFailure::Rule& at)
{
    std::string_view word = text_of(at.first_word);
    static const std::vector<std::string_view> keywords{
        "router", "switch",     "host",    "endpoint", "link",  "let", "for",   "if",   "workload", "require",
        "run",    "addressing", "routing", "profile",  "route", "at",  "every", "from", "ramp",     "label"};
    // `assert n > 1`, `elif n > 1 {`: the word behind it was taken for the name of an instance.
    const bool behind_name = failure_.word == at.first_word + 2;
    const std::string_view ours = foreign_word(word, keywords);
    const bool elif = word == "elif" || word == "elsif" || word == "elseif";
    if (behind_name && (!ours.empty() || elif)) {
        file_.mark_bad(at.first_word);
        const std::string instead(elif ? "else if" : ours);
        diagnostics_
            .report(Diag::syntax_error, span_of(at.first_word), fmt::format("`{}` does not begin a statement", word))
            .write(span_of(at.first_word), instead);
        return true;
    }
    if (behind_name && (type() == AnmlLexer::COLON || type() == AnmlLexer::IN || type() == AnmlLexer::DUPLEX ||
                        type() == AnmlLexer::DIRECTED))
        return misspelt_statement(at, word);
    if (failure_.word != at.first_word + 1) return false;
    if (type() == AnmlLexer::ASSIGN && next_text() == "new") {
        report(Diag::syntax_error, "an instance is no value")
            .help(fmt::format("an instance of a component is written `Component {}(parameter = value)`", word));
        return true;
    }
    if (type() == AnmlLexer::ASSIGN) {
        static constexpr std::string_view kOfRun[] = {"duration", "warmup", "repetitions", "seed"};
        // `a = addHost("a")`, `h = self.addHost("h")`, `net = Mininet()`
        std::uint32_t call = failure_.word + 1;
        while (call + 2 < file_.words.size() && type_of(call + 1) == AnmlLexer::DOT) call += 2;
        const bool made = call + 1 < file_.words.size() && type_of(call + 1) == AnmlLexer::LPAREN &&
                          (text_of(call).starts_with("add") || (text_of(call)[0] >= 'A' && text_of(call)[0] <= 'Z'));
        bool known = false;  // `let far = a`, and now `far = b`
        for (std::uint32_t i = 0; i < at.first_word; ++i)
            known = known || (type_of(i) == AnmlLexer::LET && text_of(i + 1) == word);
        if (made && made_by_call(at.first_word, call)) return true;
        if (known)
            report(Diag::syntax_error, fmt::format("`{}` has a value already", word))
                .help("a name has one value, and is not assigned again: give this one another name, `let other = ...`");
        else if (made)
            report(Diag::syntax_error, fmt::format("nothing is made by a call, and no value: `{}`", text_of(call)))
                .help("what there is is declared by its kind: `host a`, `router r`, `link a -- r { rate = 10 Mbps }`, "
                      "`Site s(4)` of a component");
        else if (std::ranges::find(kOfRun, word) != std::end(kOfRun))
            report(Diag::syntax_error, fmt::format("expected a statement, found an attribute `{} =`", word))
                .help(fmt::format("it is one of `run`: `run {{ {} = {} }}`", word, next_text()));
        else if (const Habit* habit = find_habit(word, AnmlLexer::LBRACE))
            report(Diag::syntax_error, fmt::format("expected a statement, found an attribute `{} =`", word))
                .help(std::string(habit->help));
        else
            report(Diag::syntax_error, fmt::format("expected a statement, found an attribute `{} =`", word))
            .help(fmt::format("to name a value, write `let {} = ...`; attributes stand in the braces after a node, "
                              "link or profile",
                              word));
        return true;
    }
    file_.mark_bad(at.first_word);
    auto builder = diagnostics_.report(Diag::syntax_error, span_of(at.first_word),
                                       fmt::format("`{}` does not begin a statement", word));
    const bool array = type() == AnmlLexer::LBRACK && file_.partner(failure_.word) != FileTokens::kNone;
    const std::uint32_t colon = array ? file_.partner(failure_.word) + 1 : failure_.word;  // `pc[3]: host`
    const std::uint16_t before = at.first_word > 0 ? type_of(at.first_word - 1) : std::uint16_t{0};
    if ((before == AnmlLexer::INTEGER || before == AnmlLexer::NUMBER) && find_unit(word)) {
        builder.help("a number and its unit stand on one line");
    } else if (word == "label" && type() == AnmlLexer::STRING) {
        builder.help("what has the label is named without quotes: `label pc[0], surf { name = \"...\" }`");
    } else if (word == "label") {
        builder.help(kLabels);
    } else if (word == "at" && text_of(failure_.word) == "+") {
        builder.help("a time is counted from the run's beginning, without a sign: `at 3 s { ... }`");
    } else if (type() == AnmlLexer::LBRACE && failure_.word == at.first_word + 1) {
        builder.help(fmt::format("what a model has from another changes by `override {0} {{ ... }}`, and during the "
                                 "run by `at 3 s {{ {0} {{ ... }} }}`",
                                 word));
    } else if (word == "report") {
        builder.help("results are told apart by the keys of labels: `report by region, class`");
    } else if (word == "pass") {
        builder.help("a block with nothing in it is written `{}`");
    } else if (elif) {
        builder.write(span_of(at.first_word), "else if");
    } else if (colon + 1 < file_.words.size() && type_of(colon) == AnmlLexer::COLON &&
               begins_statement(type_of(colon + 1)))
    {
        const std::string declared = fmt::format("{} {}", text_of(colon + 1), words(at.first_word, colon - 1));
        builder.help(fmt::format("the kind comes first: `{}`", declared))
            .fix({file_.file, span_of(at.first_word).begin, span_of(colon + 1).end}, declared);
    } else if (type() == AnmlLexer::DUPLEX || type() == AnmlLexer::DIRECTED ||
               (type() == AnmlLexer::COLON && joins_on_line(failure_.word)))
    {
        builder.help("a link is written `link name: a -- b : profile`, or `link a -- b : profile` without a name")
            .fix({file_.file, span_of(at.first_word).begin, span_of(at.first_word).begin}, "link ");
    } else if (type() == AnmlLexer::COLON && next_type() == AnmlLexer::IDENTIFIER) {
        const std::string_view component = dotted_name(failure_.word + 1);
        builder.help(fmt::format("the component comes first: `{} {}`", component, word))
            .fix({file_.file, span_of(at.first_word).begin,
                  span_of(failure_.word + 1).begin + static_cast<std::uint32_t>(component.size())},
                 fmt::format("{} {}", component, word));
    } else if (!ours.empty()) {
        builder.write(span_of(at.first_word), std::string(ours));
    } else if (std::string_view near = similar_name(word, keywords); !near.empty()) {
        builder.help(fmt::format("a keyword with a similar name exists: `{}`", near))
            .fix(span_of(at.first_word), std::string(near));
    } else {
        builder.help(fmt::format(
            "an instance of a component is written `{} name` or `{} name[count](parameter = value)`", word, word));
    }
    return true;
}

}  // namespace anml
