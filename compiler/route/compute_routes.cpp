// What must hold of the routes: no tunable may change one, and workloads reach their servers.
#include <fmt/format.h>

#include "analysis/network_queries.h"
#include "analysis/timeline/epochs.h"
#include "analysis/traffic/workload_pairs.h"
#include "elaborate/workloads/balancers.h"
#include "route/epochs/solve_epochs.h"
#include "route/relations.h"
#include "route/route.h"
#include "route/search/missing_path.h"
#include "route/tables/segment_tables.h"
#include "route/tables/static_routes.h"
#include "route/tunable_dependence.h"

namespace anml {
namespace {

void check_workloads(const Network& network, const RowGraph& graph, const EdgeWeights& weights, bool policy,
                     const RouteTables& routes, Diagnostics& diagnostics)
{
    const Alike alike = [&](NodeRowId row, std::uint32_t element) {
        const RouteVertex& run = graph.vertices()[graph.vertex_at(row, element)];
        return run.first + run.count - element;
    };
    for (const WorkloadInfo& workload : network.workloads) {
        for (const WorkloadPair& pair : workload_pairs(network, workload, alike, nearest_by(network, routes))) {
            const std::uint32_t host = network.nodes[pair.host_row.value].first_node + pair.host;
            const std::uint32_t peer = network.nodes[pair.peer_row.value].first_node + pair.peer;
            std::vector<std::vector<PathLink>> steps;
            const bool both_ways = workload.traits.comes_back();
            const PacketMarks marks = marks_of(workload);
            const bool arrives = trace_paths(network, routes, host, peer, steps, nullptr, marks);
            if (arrives && (!both_ways || trace_paths(network, routes, peer, host, steps, nullptr, marks))) continue;
            const bool serves = workload.traits.asks_server();
            const std::string from = node_name(network, host), to = node_name(network, peer),
                              role = fmt::format("{} workload `{}`", serves ? "the server of" : "a peer in",
                                                 workload.name);
            // That one of the two has no link is no second mistake.
            const Span ends[] = {network.nodes[pair.host_row.value].span, network.nodes[pair.peer_row.value].span};
            Span lonely;
            diagnostics.remove_if([&](const Diagnostic& d) {
                const bool of_pair = d.diag == Diag::unconnected_node && (d.span == ends[0] || d.span == ends[1]);
                if (of_pair) lonely = d.span;
                return of_pair;
            });
            auto report = diagnostics.report(Diag::unreachable, workload.span,
                                             arrives ? fmt::format("`{}`, {}, has no way back to `{}`", to, role, from)
                                                     : fmt::format("`{}` cannot reach `{}`, {}", from, to, role));
            report.also(network.nodes[(arrives ? pair.peer_row : pair.host_row).value].span,
                        arrives  ? fmt::format("`{}` reaches this node, which does not reach it", from)
                        : serves ? "this node has no path to the server"
                                 : "this node has no path to the peer");
            if (lonely.valid()) report.also(lonely, "this node has no link");
            explain_missing_path(network, graph, weights, policy, arrives ? peer : host, arrives ? host : peer, report);
            return;
        }
    }
}

// A load balancer reaches its back ends, and they reach it.
void check_balancers(const Network& network, const RouteTables& routes, Diagnostics& diagnostics)
{
    for (std::uint32_t row = 0; row < network.nodes.size(); ++row) {
        const auto balancer = balancer_of(network, NodeRowId{row});
        if (!balancer) continue;
        for (std::uint32_t i = 0; i < network.nodes[row].count; ++i) {
            const std::uint32_t here = network.nodes[row].first_node + i;
            for (const TargetRange& back_ends : balancer->back_ends) {
                const NodeArray& group = network.nodes[back_ends.row.value];
                for (std::uint32_t element = 0; element < back_ends.count; ++element) {
                    const std::uint32_t there = group.first_node + back_ends.first + element;
                    std::vector<std::vector<PathLink>> steps;
                    const bool arrives = trace_paths(network, routes, here, there, steps);
                    if (arrives && trace_paths(network, routes, there, here, steps)) continue;
                    const std::string from = node_name(network, here), to = node_name(network, there);
                    diagnostics
                        .report(Diag::unreachable, network.nodes[row].span,
                                arrives
                                    ? fmt::format("`{}`, a back end of `{}`, has no way back to it", to, from)
                                    : fmt::format("the load balancer `{}` cannot reach its back end `{}`", from, to))
                        .also(group.span, "the back end is declared here");
                    return;
                }
            }
        }
    }
}

}  // namespace

std::optional<RouteTables> compute_routes(const Network& network, Diagnostics& diagnostics, RouteScope scope)
{
    const std::size_t errors = diagnostics.errors();
    const RowGraph graph(network, RowGraph::Anycast::as_vertices);
    const RoutingDomains domains(network, graph);
    check_relations(network, graph, domains, diagnostics);
    check_tunable_dependence(network, graph, domains, scope, diagnostics);
    const EdgeWeights weights = edge_weights(network, graph, domains, default_tunables(network));
    auto epochs = plan_epochs(network, graph, domains, weights, diagnostics);
    if (!epochs || diagnostics.errors() != errors) return std::nullopt;

    RouteTables routes;
    routes.scope = scope;
    if (!solve_epochs({network, graph, domains, scope, weights, *epochs}, routes, diagnostics)) return std::nullopt;

    if (!add_segment_tables({network, graph, domains, scope, weights, *epochs}, routes, diagnostics))
        return std::nullopt;

    check_static_routes(network, routes, diagnostics);
    if (diagnostics.errors() == errors) check_segment_routes(network, routes, diagnostics);
    if (diagnostics.errors() == errors) check_workloads(network, graph, weights, domains.policy(), routes, diagnostics);
    if (diagnostics.errors() == errors) check_balancers(network, routes, diagnostics);
    if (diagnostics.errors() != errors) return std::nullopt;
    return routes;
}

}  // namespace anml
