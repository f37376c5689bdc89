#include "app/outcome.h"

#include "kernel/cluster.h"

namespace anml::rt::app {

void count(Cluster& k, std::uint32_t workload, Time started, Outcome outcome)
{
    Second& now = k.statistics.second(k.now);
    ++(outcome == Outcome::completed ? now.completed : now.failed);
    WorkloadStatistics& statistics = k.statistics.workloads[workload];
    --statistics.in_progress;
    if (!k.measuring()) return;
    switch (outcome) {
        case Outcome::completed:
            ++statistics.completed;
            statistics.response_time.record(k.now - started);
            statistics.response_time_sum += static_cast<double>(k.now - started);
            break;
        case Outcome::connect:
            ++statistics.failed_connect;
            break;
        case Outcome::reset:
            ++statistics.failed_reset;
            break;
        case Outcome::timeout:
            ++statistics.failed_timeout;
            break;
        case Outcome::status:
            ++statistics.failed_status;
            break;
    }
}

}  // namespace anml::rt::app
