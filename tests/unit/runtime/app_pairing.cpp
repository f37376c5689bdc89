// Who sends to whom: every permutation without fixed points alike, draws that follow the seed.
#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "app/flows/pairing.h"
#include "net/model.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;

namespace {

// A workload on nodes 10, 11 ... whose peers are in two ranges.
struct Flows {
    Flows(abi::Pairing pairing, std::vector<abi::TargetRow> hosts, std::vector<abi::TargetRow> peers)
    {
        row.targets = {0, static_cast<std::uint32_t>(hosts.size())};
        row.peers = {row.targets.count, static_cast<std::uint32_t>(peers.size())};
        row.pairing = pairing;
        rows = std::move(hosts);
        rows.insert(rows.end(), peers.begin(), peers.end());
        image.targets = rows.data();
        image.target_count = static_cast<std::uint32_t>(rows.size());
        image.workloads = &row;
        image.workload_count = 1;
        image.records = &record;
        image.bind = [](const double*, double*) {};
    }
    std::vector<std::pair<NodeId, NodeId>> pairs(std::uint64_t seed) const
    {
        std::vector<std::pair<NodeId, NodeId>> result;
        app::each_pair(Model(image, {}), seed, 0, [&](NodeId host, NodeId peer) { result.emplace_back(host, peer); });
        return result;
    }
    abi::WorkloadRow row{};
    abi::RecordRow record{};
    std::vector<abi::TargetRow> rows;
    abi::Image image{};
};

}  // namespace

TEST_CASE("all permutations without fixed points are equally likely")
{
    const Flows flows(abi::Pairing::permutation, {{10, 4}}, {{10, 1}, {11, 3}});
    std::map<std::vector<std::pair<NodeId, NodeId>>, int> seen;
    for (std::uint64_t seed = 0; seed < 9000; ++seed) ++seen[flows.pairs(seed)];
    CHECK(seen.size() == 9);  // of four
    for (const auto& [pairs, count] : seen) {
        for (const auto& [host, peer] : pairs) CHECK(host != peer);
        CHECK(count > 880);
        CHECK(count < 1120);
    }
}

TEST_CASE("hosts and peers may be other nodes, in part")
{
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        std::map<NodeId, int> received;
        for (const auto& [host, peer] : Flows(abi::Pairing::permutation, {{10, 3}}, {{12, 1}, {20, 2}}).pairs(seed)) {
            CHECK(host != peer);
            ++received[peer];
        }
        CHECK(received == std::map<NodeId, int>{{12, 1}, {20, 1}, {21, 1}});
    }
}

TEST_CASE("in order, to one, and at random")
{
    using Pairs = std::vector<std::pair<NodeId, NodeId>>;
    CHECK(Flows(abi::Pairing::in_order, {{10, 3}}, {{20, 1}, {7, 2}}).pairs(1) == Pairs{{10, 20}, {11, 7}, {12, 8}});
    CHECK(Flows(abi::Pairing::permutation, {{10, 2}}, {{20, 1}}).pairs(1) == Pairs{{10, 20}, {11, 20}});
    const Flows drawn(abi::Pairing::random, {{10, 3}}, {{10, 3}});
    std::map<std::pair<NodeId, NodeId>, int> seen;
    for (std::uint64_t seed = 0; seed < 2000; ++seed)
        for (const auto& pair : drawn.pairs(seed)) ++seen[pair];
    CHECK(seen.size() == 6);
    for (const auto& [pair, count] : seen) {
        CHECK(pair.first != pair.second);
        CHECK(count > 900);
    }
}

}  // namespace ANML_UNIT_FILE
