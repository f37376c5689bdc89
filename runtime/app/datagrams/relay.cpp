#include "app/datagrams/relay.h"

#include <algorithm>

#include "abi/targets.h"
#include "app/cluster.h"
#include "app/content.h"
#include "app/of_workload.h"

namespace anml::rt::app::relay {

namespace {

const Row& row(const Cluster& k, std::uint32_t workload) { return workload_row<Row>(k.image, workload); }

std::uint64_t key(NodeId node, std::uint64_t port) { return std::uint64_t{node} << 16 | port; }

bool has(const Cluster& k, abi::Slice ranges, NodeId node)
{
    for (std::uint32_t i = 0; i < ranges.count; ++i) {
        const abi::TargetRow& range = k.image.targets[ranges.first + i];
        if (node >= range.first_node && node - range.first_node < range.count) return true;
    }
    return false;
}

std::uint64_t size_of(const Cluster& k, abi::Slice ranges)
{
    std::uint64_t all = 0;
    for (std::uint32_t i = 0; i < ranges.count; ++i) all += k.image.targets[ranges.first + i].count;
    return all;
}

// Where the model has relays; that is the same in each cluster.
void find_places(Cluster& k)
{
    auto& places = k.relay.places;
    if (k.relay.known) return;
    k.relay.known = true;
    const auto each_relay = [&](auto&& visit) {
        for (std::uint32_t w = 0; w < k.image.workload_count; ++w)
            if (abi::schema_of(k.image, k.image.workloads[w].record) == Row::kSchema) visit(w);
    };
    each_relay([&](std::uint32_t w) {
        abi::each_node(k.image, k.image.workloads[w].targets,
                       [&](NodeId node) { places[key(node, k.model.integer(row(k, w).listen))].push_back(w); });
    });
    each_relay([&](std::uint32_t w) {
        const std::uint32_t port = k.image.workloads[w].port;
        abi::each_node(k.image, k.image.workloads[w].peers,
                       [&](NodeId node) { k.relay.goes_on[w] |= places.contains(key(node, port)); });
    });
}

// Those that carry no answer, and whose delay counts.
bool may_go_on(const Cluster& k, std::uint32_t workload)
{
    return figure_kind_of(k.image, k.image.workloads[workload]) == FigureKind::datagrams;
}

}  // namespace

void start(Cluster& k, NodeId node, NodeId, std::uint32_t workload, Time)
{
    RelayHost& host = k.relay.hosts[key(node, k.model.integer(row(k, workload).listen))].emplace_back();
    host.workload = workload;
    const abi::ValueId fragments = row(k, workload).fragments;
    abi::each_node(k.image, k.image.workloads[workload].peers, [&](NodeId peer) {
        host.to.push_back(datagram::sender(k, node, peer, workload, kNone, fragments));
    });
}

void routes_changed(Cluster& k)
{
    for (auto& [place, hosts] : k.relay.hosts)
        for (RelayHost& host : hosts)
            for (DatagramSender& sender : host.to) datagram::choose_link(k, sender);
}

void forward(Cluster& k, const node::Self& self, const Packet& datagram)
{
    const auto there = k.relay.hosts.find(key(self.id, datagram.destination_port));
    if (there == k.relay.hosts.end() || !may_go_on(k, content::workload_of(datagram.content))) return;
    if (is_group(datagram.destination)) return;  // it listens at its own address
    for (RelayHost& host : there->second) {
        if (!k.active(host.workload, self.id)) continue;
        const bool echo = k.model.integer(row(k, host.workload).echo) != 0;
        for (DatagramSender& sender : host.to)
            if (echo || sender.destination != datagram.source) datagram::send_on(k, sender, datagram);
    }
}

void each_copy(Cluster& k, NodeId node, std::uint16_t port, NodeId source,
               const std::function<void(std::uint32_t workload, std::uint64_t copies)>& copies)
{
    find_places(k);
    const auto there = k.relay.places.find(key(node, port));
    if (there == k.relay.places.end()) return;
    for (const std::uint32_t w : there->second) {
        if (!k.active(w, node)) continue;
        const abi::WorkloadRow& workload = k.image.workloads[w];
        const bool skips = k.model.integer(row(k, w).echo) == 0 && has(k, workload.peers, source);
        copies(w, size_of(k, workload.peers) - skips);
        if (!k.relay.goes_on[w]) continue;
        abi::each_node(k.image, workload.peers, [&](NodeId peer) {
            if (!skips || peer != source)
                each_copy(k, peer, static_cast<std::uint16_t>(workload.port), node, copies);
        });
    }
}

void count_due(Cluster& k, const DatagramSender& sender)
{
    find_places(k);
    if (!k.relay.maybe()) return;
    const auto peer = k.model.node_with(sender.destination);
    if (!peer || !k.measuring() || !may_go_on(k, sender.workload)) return;
    each_copy(k, *peer, static_cast<std::uint16_t>(k.image.workloads[sender.workload].port), sender.node,
              [&](std::uint32_t w, std::uint64_t copies) { k.statistics.workloads[w].datagrams.sent += copies; });
}

void count_lost(Cluster& k, const Packet& datagram)
{
    const auto source = k.model.node_with(datagram.source), peer = k.model.node_with(datagram.destination);
    if (!peer || !k.measuring() || !may_go_on(k, content::workload_of(datagram.content))) return;
    each_copy(k, *peer, datagram.destination_port, source.value_or(kNone),
              [&](std::uint32_t w, std::uint64_t copies) { k.statistics.workloads[w].datagrams.lost += copies; });
}

}  // namespace anml::rt::app::relay
