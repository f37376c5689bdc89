#include "app/outcome.h"

#include <algorithm>

#include "app/cluster.h"

namespace anml::rt::app {

void count_in_series(Cluster& k, Time started, std::optional<FailureCause> failure)
{
    Second& now = k.statistics.second(k.now);
    ++(failure ? now.failed : now.completed);
    if (!failure) {
        now.took += k.now - started;
        now.longest.add({k.now - started});
        k.statistics.second_times.record(k.statistics.second_of(k.now), k.now - started);
    }
}

void count(Cluster& k, std::uint32_t workload, Time started, std::optional<FailureCause> failure)
{
    WorkloadStatistics& statistics = k.statistics.workloads[workload];
    --statistics.in_progress;
    if (k.measuring()) statistics.count(k.now - started, k.now - k.counters.begin, failure);
}

void count_from_due(Cluster& k, std::uint32_t workload, Time due)
{
    Second& now = k.statistics.second(k.now);
    const Time took = k.now - due;
    ++now.were_due;
    now.took_from_due += took;
    now.longest_from_due.add({took});
    if (k.measuring())
        k.statistics.workloads[workload].offered.from_due.record(took, k.now - k.counters.begin);
}

std::uint32_t refusals(std::uint32_t before, std::optional<FailureCause> failure)
{
    const bool refused = failure == FailureCause::reset || failure == FailureCause::truncated ||
                         failure == FailureCause::tls || failure == FailureCause::no_port;
    return refused ? before + 1 : 0;
}

Time after_refusals(Time at, Time started, std::uint32_t refusals)
{
    constexpr Time kFirst = 10 * kMillisecond, kLongest = kSecond;
    if (refusals == 0) return at;
    const Time wait = refusals > 16 ? kLongest : std::min(kFirst << (refusals - 1), kLongest);
    return std::max(at, started + wait);
}

}  // namespace anml::rt::app
