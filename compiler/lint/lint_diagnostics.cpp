// The worst of each place, in the order of the places.
#include "lint/lint_diagnostics.h"

#include <fmt/format.h>

namespace anml {

void LintDiagnostics::find(double badness, LintDiagnostic diagnostic)
{
    if (diagnostic.span.valid() && of_library(diagnostic.span.file)) return;
    const std::pair place(diagnostic.diag, std::pair(diagnostic.span.file.value, diagnostic.span.begin));
    auto [it, fresh] = found_.try_emplace(place);
    Worst& worst = it->second;
    if (!fresh) ++worst.others;
    if (!fresh && badness <= worst.badness) return;
    worst.badness = badness;
    worst.diagnostic = std::move(diagnostic);
}

void LintDiagnostics::report(Diagnostics& diagnostics) const
{
    for (const auto& [place, worst] : found_) {
        const LintDiagnostic& f = worst.diagnostic;
        auto builder = diagnostics.report(f.diag, f.span, f.message);
        for (const Label& label : f.labels) builder.also(label.span, label.text);
        for (const std::string& note : f.notes) builder.note(note);
        if (worst.others > 0) builder.note(fmt::format("this is the worst of {} such findings here", worst.others + 1));
        if (!f.help.empty()) builder.help(f.help);
        for (const Fix& fix : f.fixes) builder.fix(fix);
    }
}

}  // namespace anml
