// All that a run has counted, of all clusters: what each layer keeps, and what is gathered where it lies.
#pragma once

#include <cstdint>
#include <vector>

#include "app/statistics.h"
#include "net/counters.h"

namespace anml::rt {

struct Statistics : NetCounters, AppStatistics {
    std::uint64_t retransmissions = 0;  // TCP segments, virtual hosts and simulated servers
    std::vector<LinkCounters> links;    // those that carried or dropped something, by link
    std::vector<ChangingLinkCounters> changing_links;
    Time timeline_origin = 0;  // its time 0
};

}  // namespace anml::rt
