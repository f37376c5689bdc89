// The worst of each place, in the order of the places.
#include "lint/findings.h"

#include <fmt/format.h>

namespace anml {

void LintFindings::find(double badness, Finding finding)
{
    if (finding.span.valid() && of_library(finding.span.file)) return;
    const std::pair place(finding.diag, std::pair(finding.span.file.value, finding.span.begin));
    auto [it, fresh] = found_.try_emplace(place);
    Worst& worst = it->second;
    if (!fresh) ++worst.others;
    if (!fresh && badness <= worst.badness) return;
    worst.badness = badness;
    worst.finding = std::move(finding);
}

void LintFindings::report(Diagnostics& diagnostics) const
{
    for (const auto& [place, worst] : found_) {
        const Finding& f = worst.finding;
        auto builder = diagnostics.report(f.diag, f.span, f.message);
        for (const Label& label : f.labels) builder.also(label.span, label.text);
        for (const std::string& note : f.notes) builder.note(note);
        if (worst.others > 0) builder.note(fmt::format("this is the worst of {} such findings here", worst.others + 1));
        if (!f.help.empty()) builder.help(f.help);
        for (const Fix& fix : f.fixes) builder.fix(fix);
    }
}

}  // namespace anml
