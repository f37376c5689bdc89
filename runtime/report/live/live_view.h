// What a live run shows of itself while it goes on. Its loop publishes it several times a second; others read.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "app/statistics.h"
#include "base/published.h"
#include "base/time.h"
#include "report/live/live_counters.h"
#include "report/live/request_views.h"

namespace anml::rt {

struct LiveView {
    Time began = kNever;  // of the run's clock: the workloads' start; kNever: they have not
    Time elapsed = 0;     // since then; negative before it
    Second last;          // what was counted in the second before the present one; in the first one, so far
    LiveSecond edge;      // since the loop began; slip_p99 and slip_max of the second before the present one
    double busy = 0;      // share of the wall time that was spent on packets and events
    std::uint64_t malformed = 0, foreign = 0, ipv6 = 0, tagged = 0, groups = 0, unreachable = 0;  // as in LiveReport
};

// Measured, as WorkloadStatistics is.
struct WorkloadView {
    std::uint64_t completed = 0, in_progress = 0;
    std::array<std::uint64_t, kFailureCauses> failed{};
    std::uint64_t request_bytes = 0, response_bytes = 0;
    double response_seconds = 0;  // of the completed ones together
    std::uint64_t datagrams_sent = 0, datagrams_received = 0, datagrams_lost = 0;
    std::uint64_t echoes_sent = 0, echoes_received = 0, echoes_lost = 0;
};

struct LiveViews {
    LiveViews(std::size_t workload_count, const std::vector<RequestName>& names)
        : workloads(workload_count), requests(names)
    {
    }
    Published<LiveView> run;
    std::vector<Published<WorkloadView>> workloads;
    RequestViews requests;
};

WorkloadView view_of(std::span<const WorkloadStatistics* const> clusters);

}  // namespace anml::rt
