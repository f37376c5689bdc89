#include "app/flows/flow_peers.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "abi/records.h"
#include "app/cluster.h"
#include "kernel/random.h"

namespace anml::rt::app::flow_peers {

namespace {

using Pairing = flows::Row::FlowPairing;

Pairing pairing_in(const Cluster& k, std::uint32_t workload)
{
    return abi::row_of<flows::Row>(k.image, k.image.workloads[workload].record).pairing;
}

bool peer_turns(Pairing pairing) { return pairing == Pairing::in_turn || pairing == Pairing::to_all; }
bool peer_stays(Pairing pairing) { return !peer_turns(pairing) && pairing != Pairing::each_time; }

void add_range(FlowPeers& peers, NodeId first, std::uint32_t count)
{
    peers.ranges.push_back({first, count, peers.count});
    peers.count += count;
}

void sort_by_node(FlowPeers& peers)
{
    peers.by_node.resize(peers.ranges.size());
    std::iota(peers.by_node.begin(), peers.by_node.end(), 0u);
    std::sort(peers.by_node.begin(), peers.by_node.end(),
              [&](std::uint32_t a, std::uint32_t b) { return peers.ranges[a].first < peers.ranges[b].first; });
}

bool overlap(const FlowPeers& peers)
{
    for (std::size_t i = 1; i < peers.by_node.size(); ++i) {
        const FlowPeers::Range& before = peers.ranges[peers.by_node[i - 1]];
        if (peers.ranges[peers.by_node[i]].first - before.first < before.count) return true;
    }
    return false;
}

// What stands there twice counts once.
FlowPeers without_repetitions(const FlowPeers& all)
{
    FlowPeers peers;
    std::unordered_set<NodeId> seen;
    for (const FlowPeers::Range& range : all.ranges)
        for (NodeId node = range.first; node < range.first + range.count; ++node)
            if (seen.insert(node).second) add_range(peers, node, 1);
    peers.load = all.load;
    sort_by_node(peers);
    return peers;
}

void list(const Cluster& k, std::uint32_t workload, FlowPeers& peers)
{
    const abi::Slice& slice = k.image.workloads[workload].peers;
    for (std::uint32_t r = 0; r < slice.count; ++r) {
        const abi::TargetRow& range = k.image.targets[slice.first + r];
        if (range.count != 0) add_range(peers, range.first_node, range.count);
    }
    sort_by_node(peers);
    if (overlap(peers)) peers = without_repetitions(peers);
}

NodeId peer_at(const FlowPeers& peers, std::uint64_t place)
{
    const auto after =
        std::upper_bound(peers.ranges.begin(), peers.ranges.end(), place,
                         [](std::uint64_t p, const FlowPeers::Range& range) { return p < range.before; });
    const FlowPeers::Range& range = *(after - 1);
    return range.first + static_cast<NodeId>(place - range.before);
}

std::uint64_t others(const FlowPeers& peers, const FlowSource& source) { return peers.count - (source.own != kNone); }

}  // namespace

FlowPeers& of(Cluster& k, std::uint32_t workload)
{
    if (k.flows.peers.empty()) k.flows.peers.resize(k.image.workload_count);
    return k.flows.peers[workload];
}

std::uint32_t place(Cluster& k, std::uint32_t workload, NodeId host)
{
    if (peer_stays(pairing_in(k, workload))) return kNone;
    FlowPeers& peers = of(k, workload);
    if (peers.ranges.empty()) list(k, workload, peers);
    const auto after = std::upper_bound(peers.by_node.begin(), peers.by_node.end(), host,
                                        [&](NodeId node, std::uint32_t at) { return node < peers.ranges[at].first; });
    if (after == peers.by_node.begin()) return kNone;
    const FlowPeers::Range& range = peers.ranges[*(after - 1)];
    return host - range.first < range.count ? range.before + (host - range.first) : kNone;
}

std::uint64_t at_once(Cluster& k, const FlowSource& source)
{
    const Pairing pairing = pairing_in(k, source.workload);
    if (peer_stays(pairing)) return 1;
    const std::uint64_t count = others(of(k, source.workload), source);
    return pairing == Pairing::to_all ? count : std::min<std::uint64_t>(count, 1);
}

NodeId choose(Cluster& k, const FlowSource& source, std::uint64_t flow)
{
    const Pairing pairing = pairing_in(k, source.workload);
    if (peer_stays(pairing)) return source.peer;
    const FlowPeers& peers = of(k, source.workload);
    const std::uint64_t count = others(peers, source);
    if (peer_turns(pairing)) {
        // From the one behind the host on; of a host that is no peer the number says where.
        const std::uint64_t from = source.own != kNone ? source.own + 1 : source.node;
        return peer_at(peers, (from + flow % count) % peers.count);
    }
    // By the high half of a product (Lemire 2019): evenly, but for 2^-64 times their number.
    const std::uint64_t bits = random_bits(k.seed, source.node, Purpose::pairing, source.workload, flow);
    const auto drawn = static_cast<std::uint32_t>(static_cast<unsigned __int128>(bits) * count >> 64);
    return peer_at(peers, drawn + std::uint64_t{source.own != kNone && drawn >= source.own});
}

}  // namespace anml::rt::app::flow_peers
