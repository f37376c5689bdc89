#include "app/flows/pairing.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "kernel/random.h"
#include "net/model.h"

namespace anml::rt::app {

namespace {

std::span<const abi::TargetRow> rows(const Model& model, abi::Slice slice)
{
    return {model.image().targets + slice.first, slice.count};
}

std::vector<NodeId> nodes(const Model& model, abi::Slice slice)
{
    std::vector<NodeId> list;
    for (const abi::TargetRow& row : rows(model, slice))
        for (std::uint32_t i = 0; i < row.count; ++i) list.push_back(row.first_node + i);
    return list;
}

// Uniform in [0, bound), by the high half of a product (Lemire 2019); the bias is below bound / 2^64.
std::uint64_t below(std::uint64_t bound, std::uint64_t bits)
{
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(bits) * bound >> 64);
}

// Puts the peers into an order in which none stands in its host's place: each such order is as likely as any other.
// Fisher and Yates's shuffle, from the start again whenever it settles a host on itself: about e attempts, of which
// the failed ones end early (Martinez, Panholzer, Prodinger 2008).
void derange(const std::vector<NodeId>& hosts, std::vector<NodeId>& peers, std::uint64_t seed, std::uint32_t workload)
{
    std::uint64_t draws = 0;
    for (std::size_t left = peers.size(); left > 0;) {
        const std::uint64_t bits = random_bits(seed, 0, Purpose::pairing, workload, draws++);
        std::swap(peers[left - 1], peers[below(left, bits)]);
        left = peers[left - 1] == hosts[left - 1] ? peers.size() : left - 1;
    }
}

// `peer_at`: of so many.
template <class PeerAt>
NodeId draw_other(std::uint64_t count, const PeerAt& peer_at, NodeId host, std::uint64_t seed, std::uint32_t workload)
{
    for (std::uint64_t draw = 0;; ++draw) {
        const std::uint64_t bits = random_bits(seed, host, Purpose::pairing, workload, draw);
        const NodeId peer = peer_at(below(count, bits));
        if (peer != host) return peer;
    }
}

}  // namespace

void each_pair(const Model& model, std::uint64_t seed, std::uint32_t workload,
               const std::function<void(NodeId host, NodeId peer)>& talks)
{
    const abi::WorkloadRow& row = model.image().workloads[workload];
    const std::span<const abi::TargetRow> targets = rows(model, row.targets), to = rows(model, row.peers);
    if ((to.size() == 1 && to[0].count == 1) || row.pairing == abi::Pairing::nearest) {
        for (const abi::TargetRow& target : targets)
            for (std::uint32_t i = 0; i < target.count; ++i) talks(target.first_node + i, to[0].first_node);
        return;
    }
    const std::vector<NodeId> hosts = nodes(model, row.targets);
    std::vector<NodeId> peers = nodes(model, row.peers);
    if (row.pairing == abi::Pairing::permutation) derange(hosts, peers, seed, workload);
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        const bool draws = row.pairing == abi::Pairing::random;
        const auto peer_at = [&](std::uint64_t place) { return peers[place]; };
        const bool group = row.pairing == abi::Pairing::multicast;  // any stands for all
        talks(hosts[i], draws ? draw_other(peers.size(), peer_at, hosts[i], seed, workload)
                              : peers[group ? 0 : i % peers.size()]);
    }
}

NodeId server_of(const Model& model, std::uint64_t seed, std::uint32_t workload, NodeId host)
{
    const abi::WorkloadRow& row = model.image().workloads[workload];
    const std::span<const abi::TargetRow> to = rows(model, row.peers);
    if (row.pairing == abi::Pairing::in_order || row.pairing == abi::Pairing::nearest ||
        row.pairing == abi::Pairing::by_request)
        return to[0].first_node;
    std::uint64_t count = 0;
    for (const abi::TargetRow& range : to) count += range.count;
    const auto server_at = [&](std::uint64_t place) {
        std::size_t range = 0;
        while (place >= to[range].count) place -= to[range++].count;
        return to[range].first_node + static_cast<NodeId>(place);
    };
    if (row.pairing == abi::Pairing::random) return draw_other(count, server_at, host, seed, workload);
    return server_at(model.documents().place_of(workload, host).number % count);
}

bool has_peer(const Model& model, std::uint32_t workload, NodeId node)
{
    const std::span<const abi::TargetRow> to = rows(model, model.image().workloads[workload].peers);
    return std::any_of(to.begin(), to.end(), [&](const abi::TargetRow& row) {
        return node >= row.first_node && node - row.first_node < row.count;
    });
}

}  // namespace anml::rt::app
