// Findings as JUnit's XML: a suite for each experiment, a case for each search, or for each combination of a sweep, and
// one for its runs. What fails is what `anmlc experiment` ends with another status than 0 for.
#include <fmt/format.h>

#include "report/experiments/texts.h"
#include "report/experiments/writers.h"
#include "reporting/junit.h"

namespace anml {

namespace {

void searches(const Findings& findings, JunitSuite& suite)
{
    const std::vector<Answer> answers = answers_of(findings);
    for (std::size_t i = 0; i < findings.data["searches"].size(); ++i) {
        const Json& search = findings.data["searches"][i];
        const std::string of = settings_text(search["settings"]), outcome = search["outcome"].get<std::string>();
        JunitCase& one = suite.cases.emplace_back(JunitCase{suite.name, of.empty() ? "search" : "search, " + of});
        if (outcome == "found" || outcome == "always") continue;
        const bool failed = outcome == "nowhere" || outcome == "failed" || outcome == "not measured";
        one.outcome = failed ? JunitCase::Outcome::failed : JunitCase::Outcome::skipped;
        one.type = outcome == "nowhere" ? "threshold" : outcome;
        one.message = answers[i].text;
    }
}

void combinations(const Json& data, JunitSuite& suite)
{
    for (const Json& point : data["points"]) {
        const std::string of = settings_text(point["settings"]);
        JunitCase& one = suite.cases.emplace_back(JunitCase{suite.name, of.empty() ? "all" : of});
        if (point["met"] == point["runs"]) continue;
        one.outcome = JunitCase::Outcome::failed;
        one.type = "threshold";
        one.message = fmt::format("met by {} of {} runs", point["met"].dump(), point["runs"].dump());
        for (const auto& [name, estimate] : point["measures"].items())
            one.text += fmt::format("{}{}: {}", one.text.empty() ? "" : "\n", name,
                                    estimate_text(estimate, unit_of_measure(data, name)));
    }
}

void runs(const Json& data, JunitSuite& suite)
{
    JunitCase& one = suite.cases.emplace_back(JunitCase{suite.name, "runs"});
    std::size_t failed = 0;
    for (const Json& point : data["points"]) failed += point["failed"].get<std::size_t>();
    if (failed == 0) return;
    one.outcome = JunitCase::Outcome::failed;
    one.type = "run";
    one.message = fmt::format("{} of {} runs failed", failed, data["runs"].size());
}

}  // namespace

std::string write_findings_junit(const std::vector<Findings>& findings)
{
    std::vector<JunitSuite> suites;
    for (const Findings& one : findings) {
        JunitSuite& suite = suites.emplace_back(JunitSuite{one.name});
        runs(one.data, suite);
        searches(one, suite);
        if (one.data["searches"].empty()) combinations(one.data, suite);
    }
    return write_junit("anmlc experiment", suites);
}

}  // namespace anml
