#include "route/search/missing_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>

#include "analysis/network_queries.h"
#include "analysis/timeline/route_epochs.h"

namespace anml {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

// Edges of a way between two vertices, the last one first; empty: there is none. `against`: one-way links both ways.
std::vector<std::uint32_t> way(const RowGraph& graph, std::span<const std::int64_t> weights, std::uint32_t from,
                               std::uint32_t to, bool against)
{
    std::vector<std::uint32_t> entered(graph.vertices().size(), kNone);  // by vertex: on which edge
    std::queue<std::uint32_t> open({from});
    while (!open.empty() && entered[to] == kNone) {
        const std::uint32_t at = open.front();
        open.pop();
        if (at != from && !graph.vertices()[at].transit) continue;
        for (std::uint32_t e = graph.first_edge(at); e < graph.end_edge(at); ++e) {
            const RouteEdge& edge = graph.edges()[e];
            if (weights[e] == kDown || (edge.closed && !against) || entered[edge.to] != kNone) continue;
            entered[edge.to] = e;
            open.push(edge.to);
        }
    }
    std::vector<std::uint32_t> edges;
    for (std::uint32_t at = to; entered[at] != kNone && (at != from || edges.empty()); at = graph.source(entered[at]))
        edges.push_back(entered[at]);
    return edges;
}

}  // namespace

void explain_missing_path(const Network& network, const RowGraph& graph, std::span<const std::int64_t> weights,
                          bool policy, std::uint32_t from, std::uint32_t to, Diagnostics::Builder& message,
                          std::span<const std::int64_t> declared)
{
    const std::uint32_t source = vertex_of(network, graph, from), target = vertex_of(network, graph, to);
    if (!way(graph, weights, source, target, false).empty()) {
        if (policy)
            message.note("autonomous systems pass on what comes from customers or goes to them, nothing else")
                .help("links join the two: a `relation` on the way would have to be another, or none");
        return;
    }
    for (const std::uint32_t e : way(graph, weights, source, target, true)) {
        if (!graph.edges()[e].closed) continue;
        const std::uint32_t link = graph.edges()[graph.reverse(e)].lowest;
        message
            .also(network.links[link_row_of(network, link)].span,
                  fmt::format("`{}` leads from `{}` to `{}` only", link_name(network, link),
                              node_name(network, link_source(network, link)),
                              node_name(network, link_target(network, link))))
            .help("write `--` between its ends, or add a link for the other way");
        return;
    }
    if (!declared.empty() && !way(graph, declared, source, target, false).empty()) {
        message.help("links join the two, and some of them are down at this time");
        return;
    }
    message.help("join the two with links; only routers and switches pass packets on");
}

bool explain_changing_routes(const Network& network, const RouteTables& routes, const RouteState& tables, double time,
                             std::pair<std::uint32_t, std::uint32_t> ends, Diagnostics::Builder& message)
{
    if (tables.settled) return false;
    const NodeArray& target = network.nodes[node_row_of(network, ends.second)];
    const std::uint32_t address = target.address + (ends.second - target.first_node);
    std::vector<std::uint32_t> way{ends.first};
    std::string met;
    while (met.empty() && way.back() != ends.second) {
        const std::uint32_t at = way.back();
        const auto links = lookup_routes(network, routes, at, address, &tables);
        const auto down = std::find_if(links.begin(), links.end(), [&](auto link) { return tables.down[link] != 0; });
        if (links.empty()) {
            met = fmt::format("`{}` has no route to there yet", node_name(network, at));
        } else if (down != links.end()) {
            met = fmt::format("`{}` still sends over `{}`, which is down", node_name(network, at),
                              link_name(network, *down));
        } else if (const std::uint32_t to = link_target(network, links[0]);
                   std::find(way.begin(), way.end(), to) != way.end())
        {
            met = fmt::format("`{}` sends back to `{}`: packets go round in circles", node_name(network, at),
                              node_name(network, to));
        } else {
            way.push_back(to);
        }
    }
    if (met.empty()) return false;  // what only some flows meet
    message.note(met);
    message.help(
        fmt::format("`detection`, `flooding` and `computation` of `routing` take their time: all routers have "
                    "new routes at {}",
                    format_quantity(settles_after(routes, time), dimension::time)));
    return true;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> missing_way(const Network& network, const RouteTables& routes,
                                                                   const PathQuery& query, const RouteState& tables)
{
    const PathFunction f = query.function;
    const bool both = f == PathFunction::reachable || f == PathFunction::rtt || f == PathFunction::bdp;
    const bool one = f == PathFunction::hops || f == PathFunction::bottleneck || f == PathFunction::via;
    if (!both && !one) return std::nullopt;
    std::vector<std::vector<PathLink>> steps;
    if (!trace_paths(network, routes, query.from, query.to, steps, &tables)) return std::pair(query.from, query.to);
    if (both && !trace_paths(network, routes, query.to, query.from, steps, &tables))
        return std::pair(query.to, query.from);
    return std::nullopt;
}

}  // namespace anml
