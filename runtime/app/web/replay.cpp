#include "app/web/replay.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "app/cluster.h"

namespace anml::rt::app::replay {

static std::span<const std::uint32_t> arrivals(const Cluster& k, const ReplayingHost& host)
{
    return k.model.documents().arrivals_of(host.workload, host.number);
}

// From the workloads' start; at the file's own speed to the nanosecond.
static Time due(const Cluster& k, std::uint32_t workload, std::uint64_t at)
{
    const Row& row = abi::row_of<Row>(k.image, k.image.workloads[workload].record);
    const double speed = k.model.value(row.speed);
    const Time passed = speed == 1 ? static_cast<Time>(at) : std::llround(static_cast<double>(at) / speed);
    return k.statistics.origin + passed;
}

static void wait_for_next(Cluster& k, std::uint32_t index)
{
    const ReplayingHost& host = k.replay.hosts[index];
    const std::span<const std::uint32_t> all = arrivals(k, host);
    if (host.next == all.size()) return;
    k.schedule(k.open_loop.sources[host.source].node, due(k, host.workload, k.image.arrivals[all[host.next]].at),
               timer_of(Number::replay), index);
}

void start(Cluster& k, NodeId node, NodeId, std::uint32_t workload, Time)
{
    ReplayingHost& host = k.replay.hosts.emplace_back();
    host.workload = workload;
    host.source = open_loop::add_source(k, node, workload);
    host.number = k.model.documents().place_of(workload, node).number;
    wait_for_next(k, static_cast<std::uint32_t>(k.replay.hosts.size() - 1));
}

void timer(Cluster& k, std::uint32_t, std::uint32_t index, Time)
{
    ReplayingHost& host = k.replay.hosts[index];
    if (!k.active(host.workload, k.open_loop.sources[host.source].node)) {
        host.dormant = true;
        return;
    }
    const abi::Arrival& arrival = k.image.arrivals[arrivals(k, host)[host.next++]];
    const std::uint32_t first = k.model.documents().first(k.image.workloads[host.workload].documents.first);
    open_loop::arrive(k, host.source, arrival.document == kNone ? kNone : first + arrival.document);
    wait_for_next(k, index);
}

void resume(Cluster& k, const Hosts& hosts)
{
    const std::uint32_t workload = hosts.workload;
    for (std::uint32_t i = 0; i < k.replay.hosts.size(); ++i) {
        ReplayingHost& host = k.replay.hosts[i];
        if (host.workload != workload || !hosts.have(k.model, k.open_loop.sources[host.source].node)) continue;
        open_loop::go_on(k, host.source);
        if (!std::exchange(host.dormant, false)) continue;
        const std::span<const std::uint32_t> all = arrivals(k, host);
        while (host.next < all.size() && due(k, workload, k.image.arrivals[all[host.next]].at) < k.now) ++host.next;
        wait_for_next(k, i);
    }
}

}  // namespace anml::rt::app::replay
