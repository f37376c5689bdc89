// What the timeline makes of a workload's load, with tunables at their defaults: how many of its hosts are on, and how
// many times its declared load or rate each has.
#pragma once

#include <optional>
#include <vector>

#include "elaborate/network.h"

namespace anml {

struct TimedLoad {
    double hosts = 1, each = 1;
};

// Of all workloads, at a time (ns). Without one: when the workload's load is greatest; as declared, if it is only
// switched on and off.
std::vector<TimedLoad> timed_loads(const Network& network, const std::vector<double>& tunables,
                                   std::optional<double> time = std::nullopt);

}  // namespace anml
