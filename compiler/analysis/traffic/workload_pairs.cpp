#include "analysis/traffic/workload_pairs.h"

#include <algorithm>

#include "analysis/network_queries.h"
#include "common/mix.h"
#include "elaborate/value.h"

namespace anml {
namespace {

constexpr std::size_t kMostCalls = 4096;  // pairs of callers and called; beyond they are sampled, too
constexpr auto kToAll = static_cast<std::uint32_t>(abi::record::flows::FlowPairing::to_all);
constexpr std::size_t kMostPairs = 1024;  // of other runs, the same
constexpr std::uint32_t kSamples = 8;     // runs of peers for each run of hosts

std::vector<TargetRange> runs_of(const std::vector<TargetRange>& ranges, const Alike& alike)
{
    std::vector<TargetRange> runs;
    for (const TargetRange& range : ranges) {
        for (std::uint32_t done = 0; done < range.count;) {
            const std::uint32_t first = range.first + done;
            const std::uint32_t count = std::min(alike(range.row, first), range.count - done);
            runs.push_back({range.row, first, count});
            done += count;
        }
    }
    return runs;
}

void add(std::vector<WorkloadPair>& pairs, const TargetRange& host, const TargetRange& peer, double count)
{
    const bool own = host.row == peer.row && host.first == peer.first;
    if (own && peer.count < 2) return;  // itself
    pairs.push_back({host.row, peer.row, host.first, peer.first + own, count, host.count, peer.count, own});
}

// The i-th to the i-th.
void in_order(std::vector<WorkloadPair>& pairs, std::vector<TargetRange> hosts, std::vector<TargetRange> peers)
{
    std::size_t h = 0, p = 0;
    while (h < hosts.size() && p < peers.size()) {
        const std::uint32_t count = std::min(hosts[h].count, peers[p].count);
        add(pairs, {hosts[h].row, hosts[h].first, count}, {peers[p].row, peers[p].first, count}, count);
        for (TargetRange* range : {&hosts[h], &peers[p]}) {
            range->first += count;
            range->count -= count;
        }
        h += hosts[h].count == 0;
        p += peers[p].count == 0;
    }
}

// The i-th to the (i mod n)-th of n: of a run of hosts as many as there are of each.
void round_robin(std::vector<WorkloadPair>& pairs, const std::vector<TargetRange>& hosts,
                 const std::vector<TargetRange>& peers)
{
    std::vector<TargetRange> each;
    for (const TargetRange& range : peers)
        for (std::uint32_t i = 0; i < range.count; ++i) each.push_back({range.row, range.first + i, 1});
    std::uint64_t number = 0;
    for (const TargetRange& host : hosts) {
        for (std::uint32_t i = 0; i < std::min<std::uint64_t>(host.count, each.size()); ++i) {
            const auto turns = (host.count - i + each.size() - 1) / each.size();
            add(pairs, host, each[(number + i) % each.size()], static_cast<double>(turns));
        }
        number += host.count;
    }
}

}  // namespace

Nearest nearest_by(const Network& network, const RouteTables& routes)
{
    return [&](NodeRowId row, std::uint32_t element, std::uint32_t address) {
        return trace_anycast(network, routes, network.nodes[row.value].first_node + element, address);
    };
}

std::vector<WorkloadPair> workload_pairs(const Network& network, const WorkloadInfo& workload, const Alike& alike,
                                         const Nearest& nearest)
{
    const std::vector<TargetRange> hosts = runs_of(workload.targets, alike), peers = runs_of(workload.peers, alike);
    std::vector<WorkloadPair> pairs;
    if (hosts.empty() || peers.empty()) return pairs;
    if (workload.peers.size() == 1 && workload.peers[0].count == 1) {
        for (const TargetRange& host : hosts) add(pairs, host, peers[0], host.count);
        return pairs;
    }
    if (workload.pairing == abi::Pairing::in_order) {
        in_order(pairs, hosts, peers);
        return pairs;
    }
    // Each link carries a copy of what a host sends to a group: a link's are those of the hosts behind it.
    if (workload.pairing == abi::Pairing::multicast) {
        for (const TargetRange& host : hosts)
            for (const TargetRange& peer : peers) add(pairs, host, peer, host.count);
        return pairs;
    }
    if (workload.pairing == abi::Pairing::round_robin && size_of(workload.peers) <= kMostCalls) {
        round_robin(pairs, hosts, peers);
        return pairs;
    }
    if (workload.pairing == abi::Pairing::nearest) {
        for (const TargetRange& host : hosts) {
            const auto ends = nearest(host.row, host.first, network.nodes[peers.front().row.value].anycast);
            if (ends.empty()) add(pairs, host, {peers[0].row, peers[0].first, 1}, host.count);  // there is no way
            for (const ReachedNode& end : ends) {
                const NodeRowId row{node_row_of(network, end.node)};
                const std::uint32_t element = end.node - network.nodes[row.value].first_node;
                add(pairs, host, {row, element, 1}, host.count * end.share);
            }
        }
        return pairs;
    }
    const double nodes = static_cast<double>(size_of(workload.peers));
    const bool to_all = is_a(network.records[workload.record], abi::RecordSchema::flows) &&
                        chooses(network, workload.record, "pairing", kToAll);
    // Servers that call others call all of them, and whom hosts draw may be any but themselves.
    if (hosts.size() * peers.size() <= (workload.traits.load == Load::served ? kMostCalls : kMostPairs)) {
        for (const TargetRange& host : hosts) {
            const auto is_own = [&](const TargetRange& peer) {
                return peer.row == host.row && peer.first == host.first;
            };
            const double own = std::any_of(peers.begin(), peers.end(), is_own), others = std::max(nodes - own, 1.0);
            for (const TargetRange& peer : peers)
                add(pairs, host, peer, host.count * (peer.count - is_own(peer)) / (to_all ? 1 : others));
        }
        return pairs;
    }
    // Runs i and i, and i and i + 1: a chain through all runs of both sides. The others are anywhere.
    const std::size_t samples = std::min<std::size_t>(kSamples, peers.size());
    const std::size_t rounds = std::max(hosts.size(), peers.size());
    for (std::size_t i = 0; i < rounds; ++i) {
        const TargetRange& host = hosts[i % hosts.size()];
        const double share = static_cast<double>(hosts.size()) / static_cast<double>(rounds * samples);
        const double count = host.count * share * (to_all ? nodes : 1);
        for (std::size_t sample = 0; sample < samples; ++sample) {
            const std::size_t offset = sample < 2 ? sample : rt::mix(i * kSamples + sample);
            add(pairs, host, peers[(i + offset % peers.size()) % peers.size()], count);
        }
    }
    return pairs;
}

}  // namespace anml
