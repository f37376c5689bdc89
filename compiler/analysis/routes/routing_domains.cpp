#include "analysis/routes/routing_domains.h"

#include <algorithm>
#include <numeric>

#include "analysis/network_queries.h"

namespace anml {
namespace {

LinkRole role_of(AsRelation relation, bool from_left)
{
    switch (relation) {
        case AsRelation::customer:
            return from_left ? LinkRole::to_provider : LinkRole::to_customer;
        case AsRelation::provider:
            return from_left ? LinkRole::to_customer : LinkRole::to_provider;
        case AsRelation::peer:
            return LinkRole::to_peer;
        case AsRelation::none:
            break;
    }
    return LinkRole::between;
}

}  // namespace

RoutingDomains::RoutingDomains(const Network& network, const RowGraph& graph) : network_(network), graph_(graph)
{
    policy_ = std::any_of(network.links.begin(), network.links.end(),
                          [](const LinkArray& link) { return link.relation != AsRelation::none; });
    if (!policy_ && network.regions.empty()) return;
    if (!network.regions.empty()) find_regions();
    roles_.reserve(graph.edges().size());
    for (std::uint32_t e = 0; e < graph.edges().size(); ++e) {
        const RouteEdge& edge = graph.edges()[e];
        LinkRole role = role_of(network.links[edge.lane / 2].relation, edge.lane % 2 == 0);
        if (role == LinkRole::between && !region_.empty()) {
            const std::uint32_t itself = graph.original(e), here = region_[graph.source(itself)];
            if (here != kNone && here == region_[graph.edges()[itself].to]) role = LinkRole::inside;
        }
        roles_.push_back(role);
    }
}

void RoutingDomains::find_regions()
{
    region_.assign(graph_.vertices().size(), kNone);
    for (std::uint32_t region = 0; region < network_.regions.size(); ++region) {
        for (const TargetRange& nodes : network_.regions[region].nodes) {
            std::uint32_t v = graph_.vertex_at(nodes.row, nodes.first);
            for (; v < graph_.first_vertex(nodes.row.value + 1); ++v) {
                if (graph_.vertices()[v].first >= nodes.first + nodes.count) break;
                region_[v] = region;
            }
        }
    }
}

RouteMetric RoutingDomains::metric(std::uint32_t edge) const
{
    if (roles_.empty() || roles_[edge] == LinkRole::between) return network_.metric;
    if (roles_[edge] == LinkRole::inside) return network_.regions[region_[graph_.source(graph_.original(edge))]].metric;
    return RouteMetric::hops;
}

std::int64_t RoutingDomains::follow_delays(std::uint32_t edge) const
{
    if (roles_.empty() || roles_[edge] == LinkRole::between) return network_.follow_delays;
    if (roles_[edge] == LinkRole::inside)
        return network_.regions[region_[graph_.source(graph_.original(edge))]].follow_delays;
    return 0;
}

const Convergence& RoutingDomains::convergence(std::uint32_t edge) const
{
    const bool inside = !roles_.empty() && roles_[edge] == LinkRole::inside;
    return inside ? network_.regions[region_[graph_.source(graph_.original(edge))]].convergence : network_.convergence;
}

const Convergence& RoutingDomains::convergence_at(std::uint32_t vertex) const
{
    const std::uint32_t region = region_.empty() ? kNone : region_[vertex];
    return region == kNone ? network_.convergence : network_.regions[region].convergence;
}

bool RoutingDomains::multipath(std::uint32_t vertex) const
{
    const std::uint32_t region = region_.empty() ? kNone : region_[vertex];
    return region == kNone ? network_.multipath : network_.regions[region].multipath;
}

std::vector<std::uint32_t> RoutingDomains::systems() const
{
    std::vector<std::uint32_t> leader(graph_.vertices().size());
    std::iota(leader.begin(), leader.end(), 0u);
    const auto find = [&](std::uint32_t v) {
        while (leader[v] != v) v = leader[v] = leader[leader[v]];
        return v;
    };
    for (std::uint32_t e = 0; e < graph_.edges().size(); ++e) {
        const RouteEdge& edge = graph_.edges()[e];
        if (network_.links[edge.lane / 2].relation != AsRelation::none || graph_.original(e) != e) continue;
        const std::uint32_t a = find(graph_.source(e)), b = find(edge.to);
        leader[std::max(a, b)] = std::min(a, b);
    }
    for (std::uint32_t v = 0; v < leader.size(); ++v) leader[v] = find(v);
    return leader;
}

}  // namespace anml
