#include "route/next_hops.h"

#include <limits>

#include "queries/network_queries.h"

namespace anml {

abi::NextHop NextHops::over(std::span<const std::uint32_t> edges, bool through)
{
    const std::size_t most =
        domains_.multipath(graph_.source(edges[0])) ? std::numeric_limits<std::uint16_t>::max() : 1;
    // Equals are as many links from the destination, and leave the same vertex: so the strides are the same.
    const RouteEdge& first = graph_.edges()[edges[0]];
    std::vector<std::uint32_t> links;
    for (const std::uint32_t e : edges) {
        const RouteEdge& edge = graph_.edges()[e];
        const RouteVertex& to = graph_.vertices()[edge.to];
        if (through) {
            for (std::uint32_t i = 0; i < to.count && links.size() < most; ++i)
                links.push_back(edge.base + i * edge.by_destination);
        } else if (links.size() < most) {
            links.push_back(edge.base - first_address(network_, to) * edge.by_destination);
        }
    }
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
