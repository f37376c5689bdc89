// The schedule that Critical Channel Traversing would make of recorded rounds with a number of processors.
#pragma once

#include <vector>

#include "profile/recorder.h"

namespace anml::rt::cct {

struct RoundCost {
    double per_event = 0, per_round = 0;  // ns
};

// How long the rounds take on `processors`, ns. A round starts when its task's previous one is done, the rounds that
// published the clocks it needs are done, and a processor is free; of several, the one that is behind in simulated time
// goes first. With as many processors as tasks it is the critical path: the longest chain of rounds that wait for each
// other.
double makespan(const std::vector<TaskRecord>& tasks, Time begin, unsigned processors, RoundCost cost);

}  // namespace anml::rt::cct
