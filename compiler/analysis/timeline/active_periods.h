// When a workload is switched on, some of its hosts at least, as the timeline says it with tunables at their defaults.
#pragma once

#include <vector>

#include "elaborate/network.h"

namespace anml {

struct ActivePeriod {
    double from = 0, to = 0;  // ns
    bool holds(double time) const { return from <= time && time < to; }
};

// In the order of time, up to the run's end; of a workload by its index.
std::vector<ActivePeriod> active_periods(const Network& network, std::uint32_t workload,
                                         const std::vector<double>& tunables);

}  // namespace anml
