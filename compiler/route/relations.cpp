// Links with a relation whose two ends other links join to one autonomous system, and those to systems of switches.
#include "route/relations.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/network_queries.h"

namespace anml {

namespace {

// Links without a relation from one vertex to another, by the fewest.
std::vector<std::uint32_t> way_inside(const Network& network, const RowGraph& graph, std::uint32_t from,
                                      std::uint32_t to)
{
    constexpr std::uint32_t kNew = 0xffffffffu;
    std::vector<std::uint32_t> by(graph.vertices().size(), kNew), open{from}, way;
    for (std::size_t i = 0; i < open.size() && by[to] == kNew; ++i) {
        for (std::uint32_t e = graph.first_edge(open[i]); e < graph.end_edge(open[i]); ++e) {
            const RouteEdge& edge = graph.edges()[e];
            const bool leaves = network.links[edge.lane / 2].relation != AsRelation::none;
            if (leaves || edge.to == from || by[edge.to] != kNew || graph.is_anycast(edge.to)) continue;
            by[edge.to] = e;
            open.push_back(edge.to);
        }
    }
    for (std::uint32_t v = to; v != from; v = graph.source(by[v])) way.push_back(by[v]);
    std::reverse(way.begin(), way.end());
    return way;
}

bool is_switch(const Network& network, const RowGraph& graph, std::uint32_t vertex)
{
    return network.nodes[graph.vertices()[vertex].row.value].kind == abi::NodeKind::switch_;
}

// Switches that no link without a relation joins with anything else: the first link of each such system.
void report_switches(const Network& network, const RowGraph& graph, const std::vector<std::uint32_t>& system,
                     Diagnostics& diagnostics)
{
    std::vector<char> known(system.size(), 0);  // by the vertex that leads a system: is one of others, or reported
    for (std::uint32_t v = 0; v < system.size(); ++v)
        if (!is_switch(network, graph, v)) known[system[v]] = 1;
    for (std::uint32_t e = 0; e < graph.edges().size(); ++e) {
        const RouteEdge& edge = graph.edges()[e];
        const LinkArray& link = network.links[edge.lane / 2];
        const std::uint32_t v = graph.source(e);
        if (link.relation == AsRelation::none || known[system[v]]) continue;
        known[system[v]] = 1;
        diagnostics
            .report(Diag::relation_of_switch, link.span,
                    fmt::format("the switch `{}` would be an autonomous system of its own",
                                node_name(network, link_source(network, edge.lowest))))
            .label(fmt::format("`relation = {}`", as_relation_name(link.relation)))
            .note("packets cross a switch inside of a system: no link without a relation joins it with a router")
            .help(link.relation == AsRelation::peer
                      ? "give each two routers that are peers a link of their own: `link a -- b { relation = peer }`"
                      : "leave out the relation on the side of the system that the switch belongs to");
    }
}

}  // namespace

void check_relations(const Network& network, const RowGraph& graph, const RoutingDomains& domains,
                     Diagnostics& diagnostics)
{
    if (!domains.policy()) return;
    const std::vector<std::uint32_t> system = domains.systems();
    report_switches(network, graph, system, diagnostics);
    std::vector<Span> reported;
    for (std::uint32_t e = 0; e < graph.edges().size(); ++e) {
        const RouteEdge& edge = graph.edges()[e];
        const LinkArray& link = network.links[edge.lane / 2];
        const bool backwards = edge.lane % 2 != 0;  // one direction is enough
        if (link.relation == AsRelation::none || backwards || graph.original(e) != e ||
            system[graph.source(e)] != system[edge.to])
            continue;
        if (std::find(reported.begin(), reported.end(), link.span) != reported.end()) continue;
        reported.push_back(link.span);
        const auto way = way_inside(network, graph, graph.source(e), edge.to);
        auto report = diagnostics.report(
            Diag::relation_inside, link.span,
            fmt::format("`{}` and `{}` are in one autonomous system: neither is the other's {}",
                        node_name(network, link_source(network, edge.lowest)),
                        node_name(network, link_target(network, edge.lowest)), as_relation_name(link.relation)));
        report.label(fmt::format("`relation = {}`", as_relation_name(link.relation)));
        std::string names;
        constexpr std::size_t kMostShown = 4;
        for (std::size_t i = 0; i < std::min(way.size(), kMostShown); ++i)
            names += fmt::format("{}`{}`", names.empty() ? "" : ", ", link_name(network, graph.edges()[way[i]].lowest));
        if (way.size() > kMostShown) names += fmt::format(" and {} more", way.size() - kMostShown);
        report.note(fmt::format("links without a relation join them: {}", names))
            .help("give the link between the two systems its relation too");
    }
}

}  // namespace anml
