// The pairs that stand for a workload's hosts and peers: all are covered, and hang together.
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <set>

#include "analysis/traffic/workload_pairs.h"

namespace ANML_UNIT_FILE {

using namespace anml;

namespace {

// Rows of runs of four elements that are alike.
const Alike kFours = [](NodeRowId, std::uint32_t element) { return 4 - element % 4; };

WorkloadInfo workload(abi::Pairing pairing, std::vector<TargetRange> hosts, std::vector<TargetRange> peers)
{
    WorkloadInfo info;
    info.pairing = pairing;
    info.record = 0;
    info.targets = std::move(hosts);
    info.peers = std::move(peers);
    return info;
}

// Of rows that have no address in common.
std::vector<WorkloadPair> pairs_of(const WorkloadInfo& info, const Nearest& nearest = {})
{
    Network network;
    network.nodes.resize(3);
    network.records.resize(1);
    for (std::uint32_t row = 0; row < 3; ++row) network.nodes[row].first_node = 100 * row;
    return workload_pairs(network, info, kFours, nearest);
}

double hosts_of(const std::vector<WorkloadPair>& pairs)
{
    return std::accumulate(pairs.begin(), pairs.end(), 0.0,
                           [](double sum, const WorkloadPair& pair) { return sum + pair.count; });
}

}  // namespace

TEST_CASE("many to one: each run of hosts with it")
{
    const auto pairs = pairs_of(workload({}, {{NodeRowId(0), 2, 8}}, {{NodeRowId(1), 5, 1}}));
    REQUIRE(pairs.size() == 3);
    CHECK(pairs[0].count == 2);
    CHECK(pairs[1].count == 4);
    CHECK(pairs[2].count == 2);
    CHECK(pairs[2].host == 8);
    CHECK(pairs[2].peer == 5);
}

TEST_CASE("in order: cut where either side's run ends")
{
    const auto pairs = pairs_of(
        workload(abi::Pairing::in_order, {{NodeRowId(0), 0, 8}}, {{NodeRowId(1), 2, 6}, {NodeRowId(2), 0, 2}}));
    std::vector<std::pair<std::uint32_t, std::uint32_t>> starts;
    for (const WorkloadPair& pair : pairs) starts.emplace_back(pair.host, pair.peer);
    CHECK(starts == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 2}, {2, 4}, {4, 6}, {6, 0}});
    CHECK(hosts_of(pairs) == 8);
}

TEST_CASE("drawn: every run on both sides has a pair, and all hang together")
{
    for (const auto& [hosts, peers] : {std::pair(40u, 40u), std::pair(8u, 80u), std::pair(80u, 8u), std::pair(400u, 480u)}) {
        const auto pairs = pairs_of(
            workload(abi::Pairing::random, {{NodeRowId(0), 0, hosts}}, {{NodeRowId(1), 0, peers}}));
        CHECK(hosts_of(pairs) == Approx(hosts));
        CHECK(pairs.size() <= (hosts < 400 ? hosts * peers / 16 : 8 * peers / 4));
        std::map<std::pair<int, std::uint32_t>, std::set<std::pair<int, std::uint32_t>>> beside;
        for (const WorkloadPair& pair : pairs) {
            beside[{0, pair.host}].insert({1, pair.peer});
            beside[{1, pair.peer}].insert({0, pair.host});
        }
        CHECK(beside.size() == (hosts + peers) / 4);
        std::set<std::pair<int, std::uint32_t>> reached;
        std::vector<std::pair<int, std::uint32_t>> next{{0, 0}};
        while (!next.empty()) {
            const auto at = next.back();
            next.pop_back();
            if (!reached.insert(at).second) continue;
            next.insert(next.end(), beside[at].begin(), beside[at].end());
        }
        CHECK(reached.size() == beside.size());
    }
}

TEST_CASE("in turn: of each run of hosts as many with each peer as meet it")
{
    // Ten hosts in runs of 2, 4 and 4, and three peers: 0 1 | 2 0 1 2 | 0 1 2 0.
    const auto pairs = pairs_of(
        workload(abi::Pairing::round_robin, {{NodeRowId(0), 2, 10}}, {{NodeRowId(1), 4, 2}, {NodeRowId(2), 0, 1}}));
    std::map<std::uint32_t, double> by_peer;
    for (const WorkloadPair& pair : pairs) by_peer[100 * pair.peer_row.value + pair.peer] += pair.count;
    CHECK(by_peer == std::map<std::uint32_t, double>{{104, 4}, {105, 3}, {200, 3}});
    CHECK(pairs[2].host == 4);
    CHECK(pairs[2].peer_row == NodeRowId(2));
    CHECK(pairs[2].count == 2);
}

TEST_CASE("nearest: each run of hosts with those that its packets reach")
{
    const Nearest nearest = [](NodeRowId, std::uint32_t element, std::uint32_t) {
        return element < 4 ? std::vector<ReachedNode>{{100, 1}} : std::vector<ReachedNode>{{100, 0.25}, {200, 0.75}};
    };
    const auto pairs = pairs_of(
        workload(abi::Pairing::nearest, {{NodeRowId(0), 0, 8}}, {{NodeRowId(1), 0, 1}, {NodeRowId(2), 0, 1}}), nearest);
    REQUIRE(pairs.size() == 3);
    CHECK(pairs[0].count == 4);
    CHECK(pairs[1].count == 1);
    CHECK(pairs[2].count == 3);
    CHECK(pairs[2].peer_row == NodeRowId(2));
}

TEST_CASE("drawn of hosts and peers alike: each has its share of the others")
{
    const std::vector<TargetRange> all{{NodeRowId(0), 0, 4}, {NodeRowId(1), 0, 1}, {NodeRowId(0), 4, 2}};
    std::map<std::uint32_t, double> by_peer;
    for (const WorkloadPair& pair : pairs_of(workload(abi::Pairing::random, all, all)))
        by_peer[100 * pair.peer_row.value + pair.peer - pair.own] += pair.count;
    CHECK(by_peer[0] == Approx(4));
    CHECK(by_peer[100] == Approx(1));
    CHECK(by_peer[4] == Approx(2));
}

TEST_CASE("nobody is paired with itself")
{
    const std::vector<TargetRange> same{{NodeRowId(0), 0, 4}, {NodeRowId(1), 0, 1}, {NodeRowId(2), 0, 1}};
    const auto pairs = pairs_of(workload(abi::Pairing::permutation, same, same));
    CHECK_FALSE(pairs.empty());
    for (const WorkloadPair& pair : pairs) CHECK((pair.host_row != pair.peer_row || pair.host != pair.peer));
}

}  // namespace ANML_UNIT_FILE
