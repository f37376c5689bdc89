// Findings as Markdown, for a pull request or a note: the answer, and tables of what was measured.
#include <fmt/format.h>

#include <algorithm>

#include "report/experiments/texts.h"
#include "report/experiments/writers.h"
#include "reporting/markdown.h"

namespace anml {

namespace {

constexpr const char* kVarianceLeft =
    "Variance left: of a difference, as a share of what runs with other seeds would have; from 100 % on the same seeds "
    "did "
    "not help.";

std::string row(const std::vector<std::string>& cells)
{
    std::string text = "|";
    for (const std::string& cell : cells) text += fmt::format(" {} |", cell);
    return text + "\n";
}

std::string rule(std::size_t left, std::size_t right)
{
    std::string text = "|";
    for (std::size_t i = 0; i < left + right; ++i) text += i < left ? " --- |" : " ---: |";
    return text + "\n";
}

std::string met_cell(const Json& point)
{
    if (point["failed"] > 0) return fmt::format("{} failed", point["failed"].dump());
    return point["met"] == point["runs"] ? "yes"
           : point["met"] == 0           ? "**no**"
                                         : fmt::format("{} of {}", point["met"].dump(), point["runs"].dump());
}

void means(const Json& data, std::string& out)
{
    const bool required = !data["requires"].empty();
    std::vector<std::string> head;
    for (const Json& factor : data["factors"]) head.push_back(plain_markdown(factor["name"].get<std::string>()));
    const std::size_t left = head.size();
    for (const Json& measure : data["measures"]) head.push_back(plain_markdown(measure["name"].get<std::string>()));
    head.push_back("runs");
    if (required) head.push_back("met");
    out += row(head) + rule(left, head.size() - left);
    for (const Json& point : data["points"]) {
        std::vector<std::string> cells;
        for (const auto& [name, level] : point["settings"].items())
            cells.push_back(plain_markdown(level.get<std::string>()));
        for (const Json& measure : data["measures"]) {
            const auto& name = measure["name"].get_ref<const std::string&>();
            const Json& measures = point["measures"];
            cells.push_back(measures.contains(name) ? estimate_text(measures[name], measure["unit"].get<std::string>())
                                                    : "–");
        }
        cells.push_back(point["runs"].dump());
        if (required) cells.push_back(met_cell(point));
        out += row(cells);
    }
    out += fmt::format("\n±: {}.\n\n", data["interval"].get<std::string>());
}

void failures(const Json& data, std::string& out)
{
    std::string lines;
    for (const Json& point : data["points"]) {
        std::string causes;
        for (const auto& [cause, count] : point["failures"].items())
            causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", count.dump(), cause);
        if (!causes.empty())
            lines +=
                fmt::format("- {}: {}\n", plain_markdown(settings_text(point["settings"])), plain_markdown(causes));
    }
    if (!lines.empty()) out += "### Failures\n" + lines + "\n";
    lines.clear();
    constexpr std::size_t kMostRuns = 10;
    std::size_t bad = 0;
    for (const Json& run : data["runs"]) {
        const std::string verdict = run["verdict"].is_string() ? run["verdict"].get<std::string>() : "";
        if (verdict != "failed" && verdict != "not valid" && verdict != "degraded") continue;
        if (++bad > kMostRuns) continue;
        std::string reasons;
        for (const Json& reason : run["reasons"]) reasons += "; " + plain_markdown(reason.get<std::string>());
        lines += fmt::format("- {}: **{}**{}\n", plain_markdown(run["name"].get<std::string>()), verdict, reasons);
    }
    if (bad > kMostRuns) lines += fmt::format("- and {} more\n", bad - kMostRuns);
    if (!lines.empty()) out += "### Runs that did not keep up\n" + lines + "\n";
}

void effects(const Json& data, std::string& out)
{
    if (!data.contains("effects") || data["effects"].empty()) return;
    out += "### Differences from a factor's first level\n";
    out += row({"from", "to", "at", "measure", "difference", "", "pairs", "variance left"}) + rule(4, 4);
    for (const Json& one : data["effects"]) {
        const auto factor = one["factor"].get<std::string>(), measure = one["measure"].get<std::string>();
        out += row({plain_markdown(fmt::format("{} = {}", factor, one["base"].get<std::string>())),
                    plain_markdown(one["level"].get<std::string>()), plain_markdown(settings_text(one["settings"])),
                    plain_markdown(measure), difference_text(one, unit_of_measure(data, measure)),
                    one["differs"].get<bool>() ? "differs" : "not shown", one["pairs"].dump(), variance_text(one)});
    }
    out += fmt::format(
        "\nWith the same seeds, paired; 95 % for all of a factor's differences of a measure together (Bonferroni). "
        "{}\n\n",
        kVarianceLeft);
}

void experiment(const Findings& findings, std::string& out)
{
    const Json& data = findings.data;
    out += fmt::format("## {}\n", plain_markdown(findings.name));
    for (const Answer& answer : answers_of(findings))
        out += fmt::format("- {}{}{}\n", answer.kind == "calm" ? "" : "**", plain_markdown(answer.text),
                           answer.kind == "calm" ? "" : "**");
    for (const Json& requirement : data["requires"])
        out += fmt::format("  - requires {}: met by {} of {} runs\n",
                           plain_markdown(requirement["requires"].get<std::string>()), requirement["met"].dump(),
                           requirement["of"].dump());
    for (const Json& note : data["notes"]) out += fmt::format("- {}\n", plain_markdown(note.get<std::string>()));
    out += "\n";
    means(data, out);
    for (const Json& search : data["searches"]) {
        const std::string other = search["settings"].empty() ? "" : ", " + settings_text(search["settings"]);
        out += fmt::format("### Search{}\n", plain_markdown(other));
        out += row({"tried", "runs", "holds"}) + rule(1, 2);
        for (const Json& step : search["steps"])
            out += row({plain_markdown(step["level"].get<std::string>()), step["runs"].dump(),
                        step["holds"].is_null()     ? "not measured"
                        : step["holds"].get<bool>() ? "yes"
                                                    : "no"});
        out += "\n";
    }
    effects(data, out);
    failures(data, out);
}

void differences_table(const std::vector<Findings>& findings, const Json& differences, std::string& out)
{
    if (findings.size() < 2) return;
    out += fmt::format("## Differences from {}\n", plain_markdown(findings.front().name));
    if (differences.empty()) {
        out += "They have no combination of levels in common.\n\n";
        return;
    }
    const Json& data = findings.front().data;
    out +=
        row({"experiment", "settings", "measure", "first", "second", "difference", "", "interval", "variance left"}) +
        rule(3, 6);
    for (const Json& one : differences) {
        const auto measure = one["measure"].get<std::string>();
        const std::string unit = unit_of_measure(data, measure);
        out +=
            row({plain_markdown(one["experiment"].get<std::string>()), plain_markdown(settings_text(one["settings"])),
                 plain_markdown(measure), value_text(one["first"].get<double>(), unit),
                 value_text(one["second"].get<double>(), unit), difference_text(one, unit),
                 one["differs"].is_null()                                  ? ""
                 : one["differs"].get<bool>()                              ? "differs"
                 : one["method"] == "Welch" && one["overlaps"].get<bool>() ? "intervals overlap"
                                                                           : "not shown",
                 method_text(one), variance_text(one)});
    }
    out += "\n";
    if (std::any_of(differences.begin(), differences.end(), [](const Json& one) { return one["pairs"].is_number(); }))
        out += fmt::format("{}\n\n", kVarianceLeft);
}

}  // namespace

std::string write_findings_markdown(const std::vector<Findings>& findings, const Json& differences)
{
    std::string out = fmt::format("# {}\n\n", plain_markdown(findings.front().data["model"].get<std::string>()));
    for (const Findings& one : findings) experiment(one, out);
    differences_table(findings, differences, out);
    out += "## Experiment\n";
    for (const Findings& one : findings)
        for (const Json& fact : one.data["facts"])
            out += fmt::format("- {}{}: {}\n", findings.size() > 1 ? plain_markdown(one.name) + ", " : "",
                               plain_markdown(fact["name"].get<std::string>()),
                               plain_markdown(fact["text"].get<std::string>()));
    return out;
}

}  // namespace anml
