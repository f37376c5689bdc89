#include "route/tables/next_hops.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "analysis/network_queries.h"

namespace anml {
namespace {

constexpr std::size_t kMostPlaces = std::numeric_limits<std::uint16_t>::max();

}  // namespace

std::vector<std::uint32_t> weighted_places(const std::vector<std::uint32_t>& links, std::vector<std::uint32_t> weights)
{
    std::uint32_t divisor = 0;
    for (const std::uint32_t weight : weights) divisor = std::gcd(divisor, weight);
    for (std::uint32_t& weight : weights) weight /= divisor;
    const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    if (sum > kMostPlaces)
        for (std::uint32_t& weight : weights)
            weight = std::max(1u, static_cast<std::uint32_t>(weight * (kMostPlaces - links.size()) / sum));
    std::vector<std::uint32_t> places;
    for (std::size_t i = 0; i < links.size(); ++i) places.insert(places.end(), weights[i], links[i]);
    return places;
}

abi::NextHop NextHops::over(std::span<const std::uint32_t> edges, bool through)
{
    const std::size_t most = domains_.multipath(graph_.source(edges[0])) ? kMostPlaces : 1;
    // Equals are as many links from the destination, and leave the same vertex: so the strides are the same.
    const RouteEdge& first = graph_.edges()[edges[0]];
    std::vector<std::uint32_t> links, weights;
    for (const std::uint32_t e : edges) {
        const RouteEdge& edge = graph_.edges()[e];
        const RouteVertex& to = graph_.vertices()[edge.to];
        if (through) {
            for (std::uint32_t i = 0; i < to.count && links.size() < most; ++i)
                links.push_back(edge.base + i * edge.by_destination);
        } else if (links.size() < most) {
            links.push_back(edge.base - first_address(network_, to) * edge.by_destination);
        }
        weights.resize(links.size(), network_.links[edge.lane / 2].ecmp_weight[edge.lane % 2]);
    }
    links = weighted_places(links, weights);
    abi::NextHop hop{links[0], static_cast<std::uint16_t>(links.size()),
                     static_cast<std::uint8_t>(through ? 0 : first.by_destination),
                     static_cast<std::uint8_t>(first.by_element)};
    if (links.size() == 1) return hop;
    const auto [at, fresh] = known_.try_emplace(std::move(links), static_cast<std::uint32_t>(alternatives_.size()));
    if (fresh) alternatives_.insert(alternatives_.end(), at->first.begin(), at->first.end());
    hop.link = at->second;
    return hop;
}

}  // namespace anml
