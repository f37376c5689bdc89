// The fat tree of the benchmarks: every host reaches every other, on as many links and ways as it should.
#include <fstream>
#include <set>
#include <sstream>

#include "analysis/network_queries.h"
#include "elaborate_text.h"
#include "route/route.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

TEST_CASE("a fat tree: all pairs, at most six links, every core router")
{
    constexpr std::uint32_t k = 6, kHalf = k / 2;
    std::stringstream text;
    text << std::ifstream(ANML_SOURCE_DIR "/tests/bench/models/fat_tree.anml").rdbuf();
    Elaborated model = elaborate_text(text.str(), {{"k", std::to_string(k)}});
    INFO(model.first_error());
    REQUIRE(model.network);
    const Network& network = *model.network;
    const auto routes = compute_routes(network, model.diagnostics);
    REQUIRE(routes);
    REQUIRE(verify_routes(network, *routes) == "");

    std::vector<std::uint32_t> hosts;
    for (const NodeArray& row : network.nodes) {
        if (row.kind != abi::NodeKind::host) continue;
        for (std::uint32_t i = 0; i < row.count; ++i) hosts.push_back(row.first_node + i);
    }
    REQUIRE(hosts.size() == k * k * k / 4);
    std::vector<std::vector<PathLink>> steps;
    for (std::size_t from = 0; from < hosts.size(); ++from) {
        for (std::size_t to = 0; to < hosts.size(); ++to) {
            if (from == to) continue;
            REQUIRE(trace_paths(network, *routes, hosts[from], hosts[to], steps));
            const bool same_edge = from / kHalf == to / kHalf,
                       same_pod = from / (kHalf * kHalf) == to / (kHalf * kHalf);
            REQUIRE(steps.size() == (same_edge ? 2 : same_pod ? 4 : 6));
            if (same_pod) continue;
            std::set<std::uint32_t> cores;
            for (const PathLink& hop : steps[2]) {
                CHECK(hop.share == Approx(1.0 / (kHalf * kHalf)));
                cores.insert(link_target(network, hop.link));
            }
            REQUIRE(cores.size() == kHalf * kHalf);
        }
    }
    // An edge router and a core router tell a few ranges for each pod apart: hosts, routers below, and those across.
    for (std::size_t row = 0; row < network.nodes.size(); ++row) {
        if (network.nodes[row].kind != abi::NodeKind::router) continue;
        const RowTable& place = routes->table_of_row[row];
        for (std::uint32_t i = 0; i < network.nodes[row].count; ++i)
            CHECK(routes->tables[place.table + i * place.stride].ranges.count <= 6 * k);
    }
}

}  // namespace ANML_UNIT_FILE
