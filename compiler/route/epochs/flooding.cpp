#include "route/epochs/flooding.h"

namespace anml {

Flooding::Flooding(const RowGraph& graph, const RoutingDomains& domains) : graph_(graph), domains_(domains) {}

const std::vector<std::int64_t>& Flooding::spread(const WeightChanges& changes, const EdgeWeights& weights)
{
    heard_.assign(graph_.vertices().size(), kNever);
    told_.assign(graph_.vertices().size(), 0);
    open_.start(0);
    for (const auto& [edge, weight] : changes) {
        hear(graph_.source(edge), domains_.convergence(edge).detection);
        hear(graph_.edges()[edge].to, domains_.convergence(edge).detection);
    }
    for (std::uint32_t at = 0; open_.pop(at);) {
        if (told_[at]) continue;
        told_[at] = 1;
        for (std::uint32_t e = graph_.first_edge(at); e < graph_.end_edge(at); ++e) {
            const RouteEdge& edge = graph_.edges()[e];
            if (told_[edge.to] || weights[edge.closed ? graph_.reverse(e) : e] == kDown) continue;
            hear(edge.to, heard_[at] + domains_.convergence(e).flooding);
        }
    }
    for (std::uint32_t v = 0; v < heard_.size(); ++v)
        if (heard_[v] != kNever) heard_[v] += domains_.convergence_at(v).computation;
    return heard_;
}

void Flooding::hear(std::uint32_t vertex, std::int64_t time)
{
    if (time >= heard_[vertex]) return;
    heard_[vertex] = time;
    if (graph_.vertices()[vertex].transit) open_.push(static_cast<std::uint64_t>(time), vertex);
}

}  // namespace anml
