#include "route/path_graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "queries/network_queries.h"

namespace anml {

PathGraph::PathGraph(const RowGraph& graph, std::span<const std::int64_t> weights, std::span<const LinkRole> roles,
                     std::span<const char> included)
    : indices_(graph.vertices().size(), kNone)
{
    std::uint64_t unit = 0;
    for (std::uint32_t v = 0; v < indices_.size(); ++v) {
        if (!included[v]) continue;
        indices_[v] = size();
        vertices_.push_back(v);
        transit_.push_back(graph.vertices()[v].transit ? 1 : 0);
    }
    first_out_.push_back(0);
    first_in_.assign(size() + 1, 0);
    for (const std::uint32_t v : vertices_) {
        std::uint32_t port = 0;
        for (std::uint32_t e = graph.first_edge(v); e < graph.end_edge(v); ++e) {
            const RouteEdge& edge = graph.edges()[e];
            const std::uint32_t to = indices_[edge.to];
            if (to == kNone || edge.closed || weights[e] == kDown) continue;
            const auto weight = static_cast<std::uint64_t>(weights[e]);
            unit = std::gcd(unit, weight);
            leaving_.push_back({weight, to, port++});
            edges_.push_back(e);
            ++first_in_[to + 1];
        }
        first_out_.push_back(static_cast<std::uint32_t>(leaving_.size()));
    }
    std::partial_sum(first_in_.begin(), first_in_.end(), first_in_.begin());
    double sum = 0;
    for (std::size_t i = 0; i < leaving_.size(); ++i) {
        std::uint64_t& weight = leaving_[i].weight;
        if (unit > 1) weight /= unit;
        least_weight_ = i == 0 ? weight : std::min(least_weight_, weight);
        greatest_weight_ = std::max(greatest_weight_, weight);
        sum += static_cast<double>(weight);
    }
    // No path visits a vertex twice, nor a link.
    hop_bits_ = static_cast<unsigned>(std::bit_width(size()));
    const double longest = std::min(sum, static_cast<double>(size()) * static_cast<double>(greatest_weight_));
    length_bits_ = hop_bits_ + static_cast<unsigned>(std::ilogb(longest + 1)) + 2;
    if (!roles.empty()) take_roles(roles);

    entering_.resize(leaving_.size());
    std::vector<std::uint32_t> next(first_in_.begin(), first_in_.end() - 1);
    for (std::uint32_t v = 0; v < size(); ++v) {
        for (std::uint32_t i = first_out_[v]; i < first_out_[v + 1]; ++i) {
            const Link& link = leaving_[i];
            entering_[next[link.other]++] = {link.weight, v, link.port};
        }
    }
}

void PathGraph::take_roles(std::span<const LinkRole> roles)
{
    tiered_ = true;
    for (std::size_t i = 0; i < leaving_.size(); ++i) {
        const LinkRole role = roles[edges_[i]];
        Weights& weights = by_role_[std::min(static_cast<std::size_t>(role), by_role_.size() - 1)];
        ++weights.links;
        weights.greatest = std::max(weights.greatest, leaving_[i].weight);
        weights.sum += static_cast<double>(leaving_[i].weight);
        leaving_[i].weight |= static_cast<std::uint64_t>(role) << kRoleShift;
    }
}

}  // namespace anml
