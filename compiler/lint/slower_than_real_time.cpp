// Models that a live run on this machine would fall behind with.
#include <fmt/format.h>

#include "lint/rules.h"
#include "lint/this_machine.h"

namespace anml {

namespace {

constexpr double kMostLoad = 0.7;           // of one processor: packets come in bursts
constexpr double kDevicePackets = 250'000;  // per second to and from real hosts, through a packet ring

}  // namespace

// Live runs use one processor.
void lint_slower_than_real_time(LintContext& context)
{
    if (context.network.endpoints.empty() || context.traffic.hops == 0) return;
    const double hops = context.traffic.hops, speed = packet_hops_per_second();
    const double devices = context.traffic.at_endpoints / kDevicePackets, load = hops / speed + devices;
    if (load <= kMostLoad) return;
    const WorkloadInfo& workload = context.network.workloads.front();
    context.find(
        load, {Diag::slower_than_real_time,
               workload.span,
               fmt::format("a live run would need {} times what one processor of this machine can do", show(load)),
               "fewer clients, longer think times or less data make it lighter; `simulate` needs no real time",
               {},
               {fmt::format("expected: {} packet-hops per second, of which this machine simulates about {}", show(hops),
                            show(speed)),
                fmt::format("expected: {} packets per second to and from real hosts, of about {}",
                            show(context.traffic.at_endpoints), show(kDevicePackets))}});
}

}  // namespace anml
