// What figures of response times say nothing of: transactions that failed.
#pragma once

#include <string>
#include <vector>

#include "experiment/outcome.h"
#include "experiment/runner.h"

namespace anml {

// A note for each combination of whose web transactions a hundredth or more failed, in all its runs together.
std::vector<std::string> notable_failures(const ExperimentRequest& request, const std::vector<PointOutcome>& points,
                                          const std::vector<EndedRun>& runs);

}  // namespace anml
