// A static route is a range in front of its vertex's table. It can lead packets astray only through its own node, so
// following each from there finds all loops.
#include "route/tables/static_routes.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/timeline/route_epochs.h"
#include "route/core/destinations.h"

namespace anml {
namespace {

// Ranges with [first, last] replaced.
void replace(std::vector<abi::RouteRange>& ranges, std::uint32_t first, std::uint32_t last, const abi::NextHop& hop)
{
    const auto begin = std::partition_point(ranges.begin(), ranges.end(),
                                            [&](const abi::RouteRange& range) { return range.last < first; });
    const auto end =
        std::partition_point(begin, ranges.end(), [&](const abi::RouteRange& range) { return range.first <= last; });
    std::vector<abi::RouteRange> instead;
    if (begin != end && begin->first < first) instead.push_back({begin->first, first - 1, begin->hop});
    instead.push_back({first, last, hop});
    if (begin != end && (end - 1)->last > last) instead.push_back({last + 1, (end - 1)->last, (end - 1)->hop});
    ranges.insert(ranges.erase(begin, end), instead.begin(), instead.end());
}

}  // namespace

StaticRoutes::StaticRoutes(const Network& network, const RowGraph& graph) : graph_(graph)
{
    if (network.static_routes.empty()) return;
    assigned_ = assigned_addresses(network);
    std::vector<const StaticRoute*> routes;
    for (const StaticRoute& route : network.static_routes) routes.push_back(&route);
    // The longest prefix goes on top, of equal ones the one that stands further down.
    std::sort(routes.begin(), routes.end(), [](const StaticRoute* a, const StaticRoute* b) {
        return std::pair(a->others, b) > std::pair(b->others, a);
    });
    for (const StaticRoute* route : routes) {
        routes_.push_back({vertex_of(network, graph, route->source), vertex_of(network, graph, route->via), route});
        sources_.push_back(routes_.back().from);
    }
    std::sort(sources_.begin(), sources_.end());
    sources_.erase(std::unique(sources_.begin(), sources_.end()), sources_.end());
}

std::vector<abi::RouteRange> StaticRoutes::of(std::uint32_t vertex, const EdgeWeights& weights,
                                              NextHops& next_hops) const
{
    std::vector<abi::RouteRange> ranges;
    if (!std::binary_search(sources_.begin(), sources_.end(), vertex)) return ranges;
    for (const Route& route : routes_) {
        if (route.from != vertex) continue;
        std::vector<std::uint32_t> edges;
        for (std::uint32_t e = graph_.first_edge(vertex); e < graph_.end_edge(vertex); ++e)
            if (graph_.edges()[e].to == route.via && weights[e] != kDown && !graph_.edges()[e].closed)
                edges.push_back(e);
        if (edges.empty()) continue;
        const abi::NextHop hop = next_hops.over(edges, true);
        const std::uint32_t first = route.declared->first, last = route.declared->last;
        auto run = std::partition_point(assigned_.begin(), assigned_.end(),
                                        [&](const AddressRun& r) { return r.last < first; });
        for (; run != assigned_.end() && run->first <= last; ++run)
            ranges.push_back({std::max(run->first, first), std::min(run->last, last), hop});
    }
    return ranges;
}

void StaticRoutes::put(const std::vector<abi::RouteRange>& routes, std::vector<abi::RouteRange>& table)
{
    for (const abi::RouteRange& route : routes) replace(table, route.first, route.last, route.hop);
}

void check_static_routes(const Network& network, const RouteTables& routes, Diagnostics& diagnostics)
{
    if (network.static_routes.empty()) return;
    const RowGraph graph(network);
    const std::vector<std::uint32_t> destinations = route_destinations(network, graph, routes.scope);
    const auto leads_astray = [&](const StaticRoute& route, const RouteState& tables) {
        auto destination = std::partition_point(destinations.begin(), destinations.end(), [&](std::uint32_t v) {
            return last_address(network, graph.vertices()[v]) < route.first;
        });
        for (; destination != destinations.end(); ++destination) {
            const RouteVertex& vertex = graph.vertices()[*destination];
            const std::uint32_t first = std::max(first_address(network, vertex), route.first);
            if (first > route.last) break;
            const NodeArray& group = network.nodes[vertex.row.value];
            const std::uint32_t to = group.first_node + (first - group.address);
            if (to == route.source) continue;
            // A host that is cut off keeps what it has, and sends into the void.
            const std::vector<std::uint32_t> links = lookup_routes(network, routes, route.source, first, &tables);
            const auto lost = [&](std::uint32_t link) { return !tables.down.empty() && tables.down[link] != 0; };
            if (std::all_of(links.begin(), links.end(), lost)) continue;
            std::vector<std::vector<PathLink>> steps;
            if (trace_paths(network, routes, route.source, to, steps, &tables)) continue;
            const std::uint32_t via = route.via;
            const bool ends = lookup_routes(network, routes, via, first, &tables).empty();
            diagnostics
                .report(Diag::routing_loop, route.span,
                        fmt::format("packets from `{}` to `{}` would not arrive by way of `{}`",
                                    node_name(network, route.source), node_name(network, to), node_name(network, via)))
                .note(ends ? fmt::format("`{}` has no route to there", node_name(network, via))
                           : "further on the routes lead back, or are of different lengths")
                .help(
                    "other nodes' routes are the shortest paths, and do not know of this one: give those on the way "
                    "routes of their own");
            return true;
        }
        return false;
    };
    std::vector<Span> reported;
    RouteEpochs epochs(network, routes);
    for (std::size_t epoch = 0; epoch <= routes.epochs.size(); ++epoch) {
        const RouteState& tables = epochs.after(epoch);
        if (!tables.settled) continue;
        for (const StaticRoute& route : network.static_routes) {
            if (std::find(reported.begin(), reported.end(), route.span) != reported.end()) continue;
            if (leads_astray(route, tables)) reported.push_back(route.span);
        }
        if (!reported.empty()) return;
    }
}

}  // namespace anml
