// How a transaction or a transfer over TCP ends, counting it, and how long a host that fails waits before the next.
#pragma once

#include <cstdint>
#include <optional>

#include "app/statistics.h"
#include "base/time.h"
#include "transport/connection.h"
#include "transport/upcalls.h"

namespace anml::rt {

struct Cluster;

namespace app {

// Of a connection whose peer was silent for too long, or that has failed.
inline FailureCause silence(const tcp::Connection& c)
{
    return c.state == tcp::State::syn_sent ? FailureCause::connect : FailureCause::timeout;
}
inline FailureCause cause_of(const tcp::Connection& c, tcp::Failure failure)
{
    return failure == tcp::Failure::reset ? FailureCause::reset : silence(c);
}
// Of one that could not begin.
inline FailureCause cause_of(tcp::Failure failure)
{
    return failure == tcp::Failure::no_port ? FailureCause::no_port : FailureCause::reset;
}

// Of one that began at `started` and ends now; what it moved is the workload's own to count. A cause: it failed.
// Among all that ended in that second.
void count_in_series(Cluster& k, Time started, std::optional<FailureCause> failure);
// With its workload.
void count(Cluster& k, std::uint32_t workload, Time started, std::optional<FailureCause> failure);
// Besides, of one that was to begin at `due`, and is complete now.
void count_from_due(Cluster& k, std::uint32_t workload, Time due);

// How many in a row have been refused, or cut short by the peer, after one more that ended so. Those take no time of
// their own.
std::uint32_t refusals(std::uint32_t before, std::optional<FailureCause> failure);

// When a host begins its next, which it would at `at`, having begun at `started`: after refusals at least 10 ms from
// that on, twice as long with each, up to a second. So a refusal without delay isn't tried again at one instant.
Time after_refusals(Time at, Time started, std::uint32_t refusals);

}  // namespace app
}  // namespace anml::rt
