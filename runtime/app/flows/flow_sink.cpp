// Where flows end: their receivers count them.
#include <optional>

#include "app/cluster.h"
#include "app/content.h"
#include "app/flows/flows.h"
#include "app/flows/lone_flow.h"
#include "app/outcome.h"
#include "transport/options/tcp_options.h"
#include "transport/tcp.h"

namespace anml::rt::app::flow_sink {

namespace {

struct Incoming {                // what a connection keeps of its flow
    std::uint32_t workload = 0;  // 1 + row; 0: it is no flow
    std::uint32_t at_low = 0, at_high = 0;
};

// The host that has sent it. Not known of a real one, nor of one behind a NAT, whose address is that of a router.
std::optional<NodeId> sender(const Cluster& k, const tcp::Connection& c)
{
    const auto from = k.model.node_with(c.remote);
    if (!from || k.model.node_row(*from).kind == abi::NodeKind::router) return std::nullopt;
    return from;
}

// How many times as long it took as alone, 0 where that is not known.
double slowdown(const Cluster& k, const tcp::Connection& c, Time took)
{
    const auto from = sender(k, c);
    if (!from || c.received == 0) return 0;
    const std::uint32_t options = c.timestamps ? tcp_options::kTimestamps : 0;
    LoneFlow flow{*from, c.node, c.remote_port, c.local_port, c.received, c.largest_segment};
    flow.ipv6 = is_ipv6(c.remote);
    flow.header = static_cast<std::uint32_t>(tcp::headers(c.remote)) + options;
    flow.syn = flow.header + tcp_options::kMss + (c.scaling ? tcp_options::kWindowScale : 0) +
               (c.sack && !c.timestamps ? tcp_options::kSackPermitted : 0);
    const double least = alone(k, flow);
    return least > 0 ? static_cast<double>(took) / least : 0;
}

}  // namespace

bool listens(const Cluster& k, NodeId node, std::uint16_t port, std::uint32_t& owner)
{
    owner = kNone;
    return k.ports.open(protocol::tcp, node, port);
}

void accepted(Cluster& k, std::uint32_t slot) { k.tcp.connections[slot].reads = true; }

// The first piece says when it began; the others are not looked at.
void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece)
{
    tcp::Connection& c = k.tcp.connections[slot];
    c.reads = false;
    if (piece.real || content::kind(piece.content) != content::Kind::flow) return;
    Incoming& flow = c.of_application<Incoming>();
    flow.workload = content::workload_of(piece.content) + 1;
    flow.at_low = static_cast<std::uint32_t>(piece.offset);
    flow.at_high = static_cast<std::uint32_t>(piece.offset >> 32);
}

void count_flow(Cluster& k, std::uint32_t workload, Time took, std::uint64_t bytes, double slowdown)
{
    count_in_series(k, k.now - took, std::nullopt);
    if (!k.measuring()) return;
    WorkloadStatistics& statistics = k.statistics.workloads[workload];
    ++statistics.completed;
    statistics.response_time.record(took, k.now - k.counters.begin);
    if (bytes != 0) statistics.flows.count(took, bytes, slowdown);
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    const Incoming flow = c.of_application<Incoming>();
    if (flow.workload != 0) {
        const std::uint64_t at = std::uint64_t{flow.at_high} << 32 | flow.at_low;
        const auto took = static_cast<Time>((static_cast<std::uint64_t>(k.now) - at) & content::kFlowTimes);
        count_flow(k, flow.workload - 1, took, c.received, k.measuring() ? slowdown(k, c, took) : 0);
    }
    tcp::close(k, slot);
}

// Those whose sender may not know yet that they are complete.
void collect(const Cluster& k, AppStatistics& all, Time)
{
    for (std::uint32_t slot = 0; slot < k.tcp.connections.size(); ++slot) {
        const tcp::Connection& c = k.tcp.connections[slot];
        if (c.state != tcp::State::last_ack || c.app != owner_number(Number::flow_sink)) continue;
        const std::uint32_t workload = c.of_application<Incoming>().workload;
        if (const auto from = sender(k, c); from && workload != 0)
            all.workloads[workload - 1].flows.arrived.push_back({*from, c.node, c.remote_port, 0});
    }
}

}  // namespace anml::rt::app::flow_sink
