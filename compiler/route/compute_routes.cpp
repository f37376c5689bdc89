// Routes of every vertex towards every destination, and what must hold of them: no tunable may change one, and
// workloads reach their servers.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "route/network_queries.h"
#include "route/range_builder.h"
#include "route/route_tables.h"
#include "route/shortest_paths.h"
#include "route/tunable_dependence.h"
#include "route/workload_pairs.h"

namespace anml {
namespace {

std::vector<RangeBuilder> build_ranges(const Network& network, const RowGraph& graph)
{
    const std::vector<std::int64_t> weights = lane_weights(network, default_tunables(network));
    PathSolver solver(graph, weights);
    std::vector<RangeBuilder> tables(graph.vertices().size());
    for (const std::uint32_t destination : route_destinations(network, graph)) {
        const RouteVertex& to = graph.vertices()[destination];
        const std::uint32_t first = first_address(network, to), last = last_address(network, to);
        const PathTree& tree = solver.towards(destination);
        for (std::uint32_t v = 0; v < tables.size(); ++v) {
            if (v == destination && to.count == 1) tables[v].add_own(first);
            if (tree.next[v] == PathTree::kNoEdge) continue;
            const RouteEdge& edge = graph.edges()[tree.next[v]];
            const std::uint32_t by_destination = edge.to == destination ? edge.by_destination : 0;
            tables[v].add({first, last, edge.base, by_destination, edge.by_element});
        }
    }
    return tables;
}

// Lays the vertices' tables out by node row; equal tables share their ranges.
RouteTables lay_out(const RowGraph& graph, const std::vector<RangeBuilder>& built)
{
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    std::map<std::vector<Key>, abi::Slice> known;
    RouteTables routes;
    const auto place = [&](const std::vector<abi::RouteRange>& ranges) {
        std::vector<Key> key;
        for (const abi::RouteRange& r : ranges)
            key.emplace_back(r.first, r.last, r.link, r.by_destination, r.by_element);
        const auto [at, fresh] = known.try_emplace(std::move(key));
        if (fresh) {
            at->second = {static_cast<std::uint32_t>(routes.ranges.size()), static_cast<std::uint32_t>(ranges.size())};
            routes.ranges.insert(routes.ranges.end(), ranges.begin(), ranges.end());
        }
        return at->second;
    };
    std::size_t row = 0;
    while (graph.first_vertex(row) < graph.vertices().size()) {
        const std::uint32_t begin = graph.first_vertex(row), end = graph.first_vertex(row + 1);
        std::vector<abi::Slice> slices;
        for (std::uint32_t v = begin; v < end; ++v) slices.push_back(place(built[v].ranges()));
        const bool uniform = std::all_of(slices.begin(), slices.end(), [&](const abi::Slice& slice) {
            return slice.first == slices[0].first && slice.count == slices[0].count;
        });
        routes.table_of_row.push_back({static_cast<std::uint32_t>(routes.tables.size()), uniform ? 0u : 1u});
        if (uniform) routes.tables.push_back(slices[0]);
        for (std::uint32_t v = begin; v < end && !uniform; ++v) {
            routes.tables.insert(routes.tables.end(), graph.vertices()[v].count, slices[v - begin]);
        }
        ++row;
    }
    return routes;
}

void check_workloads(const Network& network, const RowGraph& graph, const RouteTables& routes, Diagnostics& diagnostics)
{
    const Alike alike = [&](NodeRowId row, std::uint32_t element) {
        const RouteVertex& run = graph.vertices()[graph.vertex_at(row, element)];
        return run.first + run.count - element;
    };
    for (const WorkloadInfo& workload : network.workloads) {
        for (const WorkloadPair& pair : workload_pairs(workload, alike)) {
            const std::uint32_t host = network.nodes[pair.host_row.value].first_node + pair.host;
            const std::uint32_t peer = network.nodes[pair.peer_row.value].first_node + pair.peer;
            std::vector<std::uint32_t> links;
            if (trace_path(network, routes, host, peer, links) && trace_path(network, routes, peer, host, links))
                continue;
            const bool serves = workload.kind == abi::WorkloadKind::closed_loop;
            diagnostics
                .report(Diag::unreachable, workload.span,
                        fmt::format("`{}` cannot reach `{}`, {} workload `{}`", node_name(network, host),
                                    node_name(network, peer), serves ? "the server of" : "a peer in", workload.name))
                .also(network.nodes[pair.host_row.value].span,
                      fmt::format("this node has no path to the {}", serves ? "server" : "peer"))
                .help("join the two with links; only routers and switches pass packets on");
            return;
        }
    }
}

}  // namespace

std::optional<RouteTables> compute_routes(const Network& network, Diagnostics& diagnostics)
{
    const std::size_t errors = diagnostics.errors();
    const RowGraph graph(network);
    check_tunable_dependence(network, graph, diagnostics);
    RouteTables routes = lay_out(graph, build_ranges(network, graph));
    check_workloads(network, graph, routes, diagnostics);
    if (diagnostics.errors() != errors) return std::nullopt;
    return routes;
}

}  // namespace anml
