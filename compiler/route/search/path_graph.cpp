#include "route/search/path_graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "analysis/network_queries.h"

namespace anml {

PathGraph::PathGraph(const RowGraph& graph, std::span<const std::int64_t> weights, std::span<const LinkRole> roles,
                     std::span<const char> included, const WeightChanges& later)
    : indices_(graph.vertices().size(), kNone), roles_(roles)
{
    std::vector<char> comes_up;
    if (!later.empty()) {
        comes_up.resize(graph.edges().size());
        place_.resize(graph.edges().size());
        for (const auto& [edge, weight] : later) comes_up[edge] = comes_up[edge] || weight != kDown;
    }
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
            const bool down = weights[e] == kDown;
            if (to == kNone || edge.closed || (down && (comes_up.empty() || !comes_up[e]))) continue;
            leaving_.push_back({down ? kClosed : static_cast<std::uint64_t>(weights[e]), to, port++});
            edges_.push_back(e);
            if (!place_.empty()) place_[e] = static_cast<std::uint32_t>(leaving_.size());
            ++first_in_[to + 1];
        }
        first_out_.push_back(static_cast<std::uint32_t>(leaving_.size()));
    }
    std::partial_sum(first_in_.begin(), first_in_.end(), first_in_.begin());
    const std::vector<std::uint64_t> greatest = take_later(later);
    double sum = 0;
    for (const std::uint64_t weight : greatest) {
        greatest_weight_ = std::max(greatest_weight_, weight);
        sum += static_cast<double>(weight);
    }
    // No path visits a vertex twice, nor a link.
    hop_bits_ = static_cast<unsigned>(std::bit_width(size()));
    const double longest = std::min(sum, static_cast<double>(size()) * static_cast<double>(greatest_weight_));
    length_bits_ = hop_bits_ + static_cast<unsigned>(std::ilogb(longest + 1)) + 2;
    if (!roles.empty()) take_roles(greatest);

    take_entering();
}

// Puts weights into their unit.
std::vector<std::uint64_t> PathGraph::take_later(const WeightChanges& later)
{
    std::vector<std::uint64_t> greatest(leaving_.size(), 0);
    std::uint64_t unit = 0, least = kClosed;
    const auto take = [&](std::size_t link, std::uint64_t weight) {
        unit = std::gcd(unit, weight);
        least = std::min(least, weight);
        greatest[link] = std::max(greatest[link], weight);
    };
    for (std::size_t i = 0; i < leaving_.size(); ++i)
        if (leaving_[i].weight != kClosed) take(i, leaving_[i].weight);
    for (const auto& [edge, weight] : later)
        if (weight != kDown && place_[edge] != 0) take(place_[edge] - 1, static_cast<std::uint64_t>(weight));
    unit_ = std::max<std::uint64_t>(unit, 1);
    least_weight_ = least == kClosed ? 0 : least / unit_;
    for (std::size_t i = 0; i < leaving_.size(); ++i) {
        greatest[i] /= unit_;
        if (leaving_[i].weight != kClosed) leaving_[i].weight /= unit_;
    }
    return greatest;
}

void PathGraph::take_roles(std::span<const std::uint64_t> greatest)
{
    tiered_ = true;
    for (std::size_t i = 0; i < leaving_.size(); ++i) {
        const LinkRole role = roles_[edges_[i]];
        Weights& weights = by_role_[std::min(static_cast<std::size_t>(role), by_role_.size() - 1)];
        ++weights.links;
        weights.greatest = std::max(weights.greatest, greatest[i]);
        weights.sum += static_cast<double>(greatest[i]);
        if (leaving_[i].weight != kClosed) leaving_[i].weight |= static_cast<std::uint64_t>(role) << kRoleShift;
    }
}

void PathGraph::take_entering()
{
    entering_.resize(leaving_.size());
    if (!place_.empty()) twin_.resize(leaving_.size());
    std::vector<std::uint32_t> next(first_in_.begin(), first_in_.end() - 1);
    const auto take = [&](auto&& wanted) {
        for (std::uint32_t v = 0; v < size(); ++v) {
            for (std::uint32_t i = first_out_[v]; i < first_out_[v + 1]; ++i) {
                const Link& link = leaving_[i];
                if (!wanted(i)) continue;
                if (!place_.empty()) twin_[i] = next[link.other];
                entering_[next[link.other]++] = {link.weight, v, link.port};
            }
        }
    };
    if (!tiered_) return take([](std::uint32_t) { return true; });
    const auto asks = [&](std::uint32_t i) {
        const LinkRole role = roles_[edges_[i]];
        return role == LinkRole::to_customer || role == LinkRole::to_peer;
    };
    take([&](std::uint32_t i) { return !asks(i); });
    for (std::uint32_t v = 0; v < size(); ++v) told_all_.push_back(next[v] - first_in_[v]);
    take(asks);
}

std::optional<PathGraph::Place> PathGraph::place(std::uint32_t edge) const
{
    if (place_.empty() || place_[edge] == 0) return std::nullopt;
    const std::uint32_t at = place_[edge] - 1;
    const std::uint32_t from = entering_[twin_[at]].other;
    return Place{from, at - first_out_[from]};
}

std::uint64_t PathGraph::weight_of(std::uint32_t edge, std::int64_t weight) const
{
    if (weight == kDown) return kClosed;
    const std::uint64_t role = tiered_ ? static_cast<std::uint64_t>(roles_[edge]) << kRoleShift : 0;
    return static_cast<std::uint64_t>(weight) / unit_ | role;
}

void PathGraph::set(const Place& place, std::uint64_t weight)
{
    const std::uint32_t at = first_out_[place.from] + place.port;
    leaving_[at].weight = entering_[twin_[at]].weight = weight;
}

}  // namespace anml
