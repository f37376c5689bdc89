// The filter behind all stages that warn.
#include "lint/warnings.h"

#include <fmt/format.h>

#include <algorithm>

namespace anml {

namespace {

constexpr std::string_view kMark = "// lint: allow(";

}  // namespace

// A comment behind something applies to its line, one on a line of its own to the next line that is no comment.
Allowances find_allowances(const SourceSet& sources, const SyntaxTree& tree)
{
    Allowances result;
    for (std::size_t i = 0; i < tree.tokens.size(); ++i) {
        if (tree.tokens.cls(i) != TokenClass::comment) continue;
        const Token token = tree.tokens[i];
        std::string_view text = sources.text(token.span);
        if (!text.starts_with(kMark)) continue;
        std::size_t begin = kMark.size(), end = std::min(text.find(')', begin), text.size());
        Allowance allowance;
        allowance.comment = token.span;
        allowance.name = {token.span.file, token.span.begin + static_cast<std::uint32_t>(begin),
                          token.span.begin + static_cast<std::uint32_t>(end)};
        allowance.diag = find_diagnostic(text.substr(begin, end - begin));
        if (allowance.diag && diagnostic_severity(*allowance.diag) != Severity::warning) allowance.diag.reset();
        allowance.reasoned = end < text.size() && text.find_first_not_of(' ', end + 1) != std::string_view::npos;
        std::uint32_t line = sources.position(token.span.file, token.span.begin).line;
        auto line_of = [&](std::size_t t) { return sources.position(token.span.file, tree.tokens[t].span.begin).line; };
        auto in_file = [&](std::size_t t) {
            return t < tree.tokens.size() && tree.tokens[t].span.file == token.span.file;
        };
        bool alone = i == 0 || !in_file(i - 1) || line_of(i - 1) != line;
        for (std::size_t next = i + 1; alone && in_file(next); ++next) {
            bool comment =
                tree.tokens[next].cls == TokenClass::comment || tree.tokens[next].cls == TokenClass::doc_comment;
            if (comment) continue;
            line = line_of(next);
            break;
        }
        result.emplace(std::pair(token.span.file.value, line), allowance);
    }
    return result;
}

namespace {

std::vector<std::string_view> warning_names()
{
    std::vector<std::string_view> names;
    for (std::string_view known : diagnostic_names())
        if (diagnostic_severity(*find_diagnostic(known)) == Severity::warning) names.push_back(known);
    return names;
}

void report_needless(const SourceSet& sources, const Allowance& allowance, const WarningOptions& options, bool complete,
                     Diagnostics& diagnostics)
{
    if (!allowance.diag) {
        auto report = diagnostics.report(Diag::needless_allowance, allowance.name, "no warning has this name");
        const auto line = sources.position(allowance.name.file, allowance.name.begin).line;
        std::string_view here;  // the warning of this line
        for (const Diagnostic& d : diagnostics.list())
            if (d.severity == Severity::warning && d.diag != Diag::needless_allowance && d.span.valid() &&
                d.span.file == allowance.name.file && sources.position(d.span.file, d.span.begin).line == line)
                here = diagnostic_name(d.diag);
        if (!here.empty())
            report.suggest(allowance.name, here);
        else if (const auto near = similar_name(sources.text(allowance.name), warning_names()); !near.empty())
            report.suggest(allowance.name, near);
        else
            report.help("write `// lint: allow(name) reason`, with the name in brackets behind `warning`");
    } else if (!allowance.reasoned) {
        diagnostics.report(Diag::needless_allowance, allowance.name, "this comment does not say why")
            .help(fmt::format("write `// lint: allow({}) reason`", diagnostic_name(*allowance.diag)));
    } else if (complete && !allowance.used && options.enabled(*allowance.diag)) {
        diagnostics.report(Diag::needless_allowance, allowance.name, "there is no such warning here")
            .help("remove the comment")
            .fix(Edit{allowance.comment, "", EditAt::lines});
    }
}

}  // namespace

std::string WarningOptions::set(std::string_view word)
{
    if (word == "error") return errors = true, std::string();
    // A warning's own name may begin so: no-targets.
    bool on = !word.starts_with("no-") || find_diagnostic(word);
    std::string_view name = on ? word : word.substr(3);
    if (name == "error") return errors = false, std::string();
    std::optional<Diag> diag = find_diagnostic(name);
    if (!diag || diagnostic_severity(*diag) != Severity::warning) {
        const std::vector<std::string_view> names = warning_names();
        std::string_view near = similar_name(name, names);
        if (name == "all" || name == "extra") return "-W: all warnings are given already; -Werror makes them errors";
        const std::string first = fmt::format("{}-", name.substr(0, name.find('-')));
        std::vector<std::string_view> alike;  // that begin with the same word
        for (const std::string_view one : names)
            if (one.starts_with(first)) alike.push_back(one);
        return fmt::format("-W: there is no warning `{}`{}", name,
                           !near.empty()    ? fmt::format("; one with a similar name is `{}`", near)
                           : !alike.empty() ? fmt::format("; there are `{}`", fmt::join(alike, "`, `"))
                                            : "; a warning's name stands in brackets behind `warning`");
    }
    on ? void(off.erase(*diag)) : void(off.insert(*diag));
    return {};
}

void filter_warnings(const SourceSet& sources, Allowances allowances, const WarningOptions& options, bool complete,
                     Diagnostics& diagnostics)
{
    diagnostics.remove_if([&](const Diagnostic& d) {
        if (d.severity != Severity::warning) return false;
        if (!options.enabled(d.diag)) return true;
        if (!d.span.valid()) return false;
        std::uint32_t line = sources.position(d.span.file, d.span.begin).line;
        auto [first, last] = allowances.equal_range({d.span.file.value, line});
        bool allowed = false;
        for (auto it = first; it != last; ++it) {
            if (it->second.diag != d.diag || !it->second.reasoned) continue;
            allowed = it->second.used = true;
        }
        return allowed;
    });
    if (options.enabled(Diag::needless_allowance)) {
        for (const auto& [place, allowance] : allowances) {
            if (sources.files[place.first].path.starts_with("<std>/")) continue;
            report_needless(sources, allowance, options, complete, diagnostics);
        }
    }
    if (options.errors) diagnostics.promote_warnings();
}

}  // namespace anml
