// How a transaction or a transfer over TCP ends, counting it, and how long a host that fails waits before the next.
#pragma once

#include <cstdint>
#include <optional>

#include "app/statistics.h"
#include "base/time.h"

namespace anml::rt {

struct Cluster;

namespace app {

// Of one that began at `started` and ends now; what it moved is the workload's own to count. A cause: it failed.
// Among all that ended in that second.
void count_in_series(Cluster& k, Time started, std::optional<FailureCause> failure);
// With its workload.
void count(Cluster& k, std::uint32_t workload, Time started, std::optional<FailureCause> failure);
// Besides, of one that was to begin at `due`, and is complete now.
void count_from_due(Cluster& k, std::uint32_t workload, Time due);

// How many in a row the peer has refused or cut short, after one more that ended so. Those take no time of their own.
std::uint32_t refusals(std::uint32_t before, std::optional<FailureCause> failure);

// When a host begins its next, which it would at `at`, having begun at `started`: after refusals at least 10 ms from
// that on, twice as long with each, up to a second. So a refusal without delay isn't tried again at one instant.
Time after_refusals(Time at, Time started, std::uint32_t refusals);

}  // namespace app
}  // namespace anml::rt
