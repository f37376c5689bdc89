#include "import/provider_cones.h"

#include <algorithm>
#include <set>
#include <utility>

namespace anml {

std::vector<char> below_top_providers(const ImportedNetwork& network)
{
    const std::size_t count = network.nodes.size();
    const bool relations = std::any_of(network.links.begin(), network.links.end(),
                                       [](const ImportedLink& link) { return link.relation != AsRelation::none; });
    if (!relations) return std::vector<char>(count, 1);
    std::vector<std::vector<std::uint32_t>> below(count);  // customers, and siblings, which are one system
    std::vector<std::set<std::uint32_t>> peers(count);
    std::vector<char> has_provider(count, 0), reached(count, 0);
    for (const ImportedLink& link : network.links) {
        const bool customer = link.relation == AsRelation::customer;
        const std::uint32_t upper = customer ? link.to : link.from, lower = customer ? link.from : link.to;
        switch (link.relation) {
            case AsRelation::none:
                below[upper].push_back(lower);
                below[lower].push_back(upper);
                break;
            case AsRelation::peer:
                peers[upper].insert(lower);
                peers[lower].insert(upper);
                break;
            case AsRelation::customer:
            case AsRelation::provider:
                below[upper].push_back(lower);
                has_provider[lower] = 1;
                break;
        }
    }
    // A large clique of those without a provider, of each component: the best connected first.
    std::vector<std::uint32_t> order, open;
    for (std::uint32_t v = 0; v < count; ++v)
        if (!has_provider[v]) order.push_back(v);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t left = network.nodes[a].degree, right = network.nodes[b].degree;
        return left != right ? left > right : a < b;
    });
    std::vector<std::vector<std::uint32_t>> top(network.components);
    for (const std::uint32_t v : order) {
        std::vector<std::uint32_t>& clique = top[network.nodes[v].component];
        if (std::all_of(clique.begin(), clique.end(), [&](std::uint32_t other) { return peers[v].contains(other); }))
            clique.push_back(v);
    }
    for (const auto& clique : top) open.insert(open.end(), clique.begin(), clique.end());
    while (!open.empty()) {
        const std::uint32_t v = open.back();
        open.pop_back();
        if (std::exchange(reached[v], 1)) continue;
        open.insert(open.end(), below[v].begin(), below[v].end());
    }
    return reached;
}

}  // namespace anml
