#include "experiment/failures.h"

#include <fmt/format.h>

#include <map>

namespace anml {

namespace {

using Json = nlohmann::ordered_json;

struct Counted {
    double failed = 0, completed = 0;
};

}  // namespace

std::vector<std::string> notable_failures(const ExperimentRequest& request, const std::vector<PointOutcome>& points,
                                          const std::vector<EndedRun>& runs)
{
    constexpr double kNotable = 0.01;
    std::map<Settings, Counted> counted;
    for (const EndedRun& run : runs) {
        if (!run.outcome.good()) continue;
        const auto results = read_json(run_folder(request.folder, run.spec) + "/results.json");
        if (!results || !results->is_object()) continue;
        const Json transactions = results->value("transactions", Json::object());
        if (!transactions.is_object()) continue;
        Counted& all = counted[run.spec.settings];
        all.failed += transactions.value("failed", 0.0);
        all.completed += transactions.value("completed", 0.0);
    }
    std::vector<std::string> notes;
    for (const PointOutcome& point : points) {
        const Counted all = counted[point.settings];
        const double share = all.failed / (all.failed + all.completed);
        if (!(share >= kNotable)) continue;
        notes.push_back(fmt::format(
            "{}{}{:.2g} % of the transactions failed ({:.0f} of {:.0f}): response times are of those that completed",
            described(point.settings), point.settings.empty() ? "" : ": ", 100 * share, all.failed,
            all.failed + all.completed));
    }
    return notes;
}

}  // namespace anml
