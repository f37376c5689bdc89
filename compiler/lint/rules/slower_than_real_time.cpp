// Models that a live run on this machine would fall behind with.
#include <fmt/format.h>

#include "common/this_machine.h"
#include "lint/rules.h"

namespace anml {

// Live runs use one processor.
void lint_slower_than_real_time(LintContext& context)
{
    if (context.network.endpoints.empty() || context.traffic.hops == 0) return;
    const this_machine::Speed speed = this_machine::measure();
    const double hops = context.traffic.hops, packets = context.traffic.at_endpoints();
    const double load = hops / speed.packet_hops + packets / speed.device_packets;
    if (load <= this_machine::kMostLoad) return;
    const WorkloadInfo& workload = context.network.workloads.front();
    context.find(
        load, {Diag::slower_than_real_time,
               workload.span,
               fmt::format("a live run would need {} times what one processor of this machine can do", show(load)),
               "fewer clients, longer think times or less data make it lighter; `simulate` needs no real time",
               {},
               {fmt::format("expected: {} packet-hops per second, of which this machine simulates about {}", show(hops),
                            show(speed.packet_hops)),
                fmt::format("expected: {} packets per second to and from real hosts, of about {}", show(packets),
                            show(speed.device_packets))}});
}

}  // namespace anml
