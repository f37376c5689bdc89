// Which nodes a server calls, and which of them it does not call for a while, because too many calls of them have
// failed (calls.h).
#pragma once

#include <cstdint>

#include "app/cluster.h"
#include "app/web_server/calls.h"

namespace anml::rt::app::callees {

inline const calls::Row& values(const Cluster& k, const Caller& caller)
{
    return abi::row_of<calls::Row>(k.image, k.image.workloads[caller.workload].record);
}
inline CallStatistics& counted(Cluster& k, const Caller& caller)
{
    return k.statistics.workloads[caller.workload].calls;
}

inline constexpr std::uint64_t kNoCall = ~std::uint64_t{0};
// Its circuit is closed, or lets a probe through.
bool available(const Cluster& k, const Callee& callee);
// The next one, of those that call `number` has not chosen. kNone: there is none.
std::uint32_t pick(Cluster& k, Caller& caller, std::uint64_t number);
// What a try's end says of its node.
void judge(Cluster& k, Caller& caller, const Ask& ask, bool failed);

}  // namespace anml::rt::app::callees
