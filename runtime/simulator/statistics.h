// All that a run has counted, of all clusters: what each layer keeps, and what is gathered where it lies.
#pragma once

#include <cstdint>
#include <vector>

#include "app/statistics.h"
#include "net/counters.h"

namespace anml::rt {

// What workloads had counted at a time, ns of the run: where a part of it that is measured begins or ends.
struct Snapshot {
    Time at = 0;
    std::vector<WorkloadStatistics> workloads;
};

struct Statistics : NetCounters, AppStatistics {
    std::uint64_t retransmissions = 0;  // TCP segments, virtual hosts and simulated servers
    std::vector<LinkCounters> links;    // those that carried or dropped something, by link
    std::vector<ChangingLinkCounters> changing_links;
    std::vector<MiddleboxCounters> middleboxes;  // those that have seen packets, by node
    std::vector<BufferCounters> buffers;         // those that have seen packets, by node
    std::vector<AirCounters> airs;               // those of access points, the same
    Time timeline_origin = 0;                    // its time 0
    // Of parts of the measured window, equally long, by workload: those that are over. None unless it is cut.
    std::vector<std::vector<WorkloadStatistics>> batches;
    std::vector<std::vector<LinkCounters>> batch_links;  // the same, of links; empty where no measure asks for any
    std::uint32_t batch_count = 0;                       // into how many it is cut
    std::vector<Snapshot> snapshots;                     // by time, those that it came to
};

}  // namespace anml::rt
