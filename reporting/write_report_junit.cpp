// Runs as JUnit's XML: a suite for each, a case for each threshold, and one for the run itself. What fails is what an
// emulator ends with another status than 0 for; that a live run did not keep up is skipped, as `--strict` alone is.
#include <fmt/format.h>

#include <set>

#include "reporting/junit.h"
#include "reporting/table.h"

namespace anml {

namespace {

std::string word(const Json& data, const char* key)
{
    const auto found = data.find(key);
    if (found == data.end() || found->is_null()) return "";
    return found->is_string() ? found->get<std::string>() : found->dump();
}

JunitCase run_case(const RunResults& run, const std::string& group)
{
    JunitCase one{group, "run"};
    one.seconds = run.data.value("wall_seconds", 0.0);
    const std::string error = word(run.data, "error"), verdict = word(run.data, "verdict");
    std::string reasons;
    for (const Json& reason : run.data["verdict_reasons"])
        reasons += (reasons.empty() ? "" : "; ") + reason.get<std::string>();
    if (!error.empty() || verdict == "failed" || run.data.value("interrupted", false)) {
        one.outcome = JunitCase::Outcome::failed;
        one.message = !error.empty() ? error : run.data.value("interrupted", false) ? "interrupted" : verdict;
        one.type = "run";
        one.text = reasons;
    } else if (verdict == "degraded" || verdict == "not valid") {
        one.outcome = JunitCase::Outcome::skipped;
        one.message = fmt::format("{}: {}", verdict, reasons);
    }
    return one;
}

JunitCase threshold_case(const Json& threshold, const std::string& group, std::set<std::string>& names)
{
    JunitCase one{group, threshold["requires"].get<std::string>()};
    // Of a `require` in a loop each round has the same text.
    if (names.contains(one.name)) {
        std::string measures;
        for (const auto& [name, value] : threshold["measures"].items())
            measures += (measures.empty() ? "" : ", ") + name;
        one.name += fmt::format(": {}", measures);
    }
    for (const std::string name = one.name; names.contains(one.name);)
        one.name = fmt::format("{} ({})", name, names.size());
    names.insert(one.name);
    const std::string where = word(threshold, "where");
    one.file = where.substr(0, where.rfind(':', where.rfind(':') - 1));
    if (threshold["met"].get<bool>()) return one;
    one.outcome = JunitCase::Outcome::failed;
    const std::string message = word(threshold, "message"), found = word(threshold, "found");
    one.message = message.empty() ? found : fmt::format("{}: {}", message, found);
    one.type = threshold.value("judged", true) ? "threshold" : "not measured";
    one.text = fmt::format("{}: requires {}: {}", where, threshold["requires"].get<std::string>(), found);
    return one;
}

}  // namespace

std::string write_report_junit(const std::vector<RunResults>& runs)
{
    std::vector<JunitSuite> suites;
    for (const RunResults& run : runs) {
        const std::string model = word(run.data, "model");
        JunitSuite& suite = suites.emplace_back(
            JunitSuite{runs.size() > 1 ? fmt::format("{}: {}", model, run.name) : model});
        for (const char* key : {"mode", "verdict", "started", "seed", "digest", "command"})
            suite.properties.emplace_back(key, word(run.data, key));
        suite.cases.push_back(run_case(run, suite.name));
        std::set<std::string> names{"run"};
        for (const Json& threshold : thresholds_of(run))
            suite.cases.push_back(threshold_case(threshold, suite.name, names));
    }
    return write_junit("anml", suites);
}

}  // namespace anml
