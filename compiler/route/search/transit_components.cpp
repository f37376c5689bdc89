#include "route/search/transit_components.h"

#include "analysis/network_queries.h"

namespace anml {

TransitComponents::TransitComponents(const RowGraph& graph, std::span<const std::int64_t> weights)
    : graph_(graph), weights_(weights), component_(graph.vertices().size(), kNone)
{
    std::vector<std::uint32_t> open;
    for (std::uint32_t v = 0; v < component_.size(); ++v) {
        if (component_[v] != kNone || !graph.vertices()[v].transit) continue;
        component_[v] = count_;
        open.assign(1, v);
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            for (std::uint32_t e = graph.first_edge(at); e < graph.end_edge(at); ++e) {
                const std::uint32_t to = graph.edges()[e].to;
                if (weights[e] == kDown || component_[to] != kNone || !graph.vertices()[to].transit) continue;
                component_[to] = count_;
                open.push_back(to);
            }
        }
        ++count_;
    }
}

bool TransitComponents::reaches(std::uint32_t component, std::uint32_t vertex) const
{
    if (graph_.vertices()[vertex].transit) return component_[vertex] == component;
    for (std::uint32_t e = graph_.first_edge(vertex); e < graph_.end_edge(vertex); ++e) {
        if (weights_[e] != kDown && component_[graph_.edges()[e].to] == component) return true;
    }
    return false;
}

}  // namespace anml
