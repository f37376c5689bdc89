// Experiments beside each other: what they measured with the same settings.
#pragma once

#include "report/experiments/findings.h"

namespace anml {

// An entry for each other experiment than the first, each combination of levels that both have, and each measure.
Json differences_of(const std::vector<Findings>& findings);

}  // namespace anml
