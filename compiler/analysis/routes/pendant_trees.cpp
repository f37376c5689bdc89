// Takes leaves away as long as there are any. A vertex knows how many neighbours it has left, and their exclusive or:
// of the last one that is its number.
#include "analysis/routes/pendant_trees.h"

#include <algorithm>
#include <numeric>

namespace anml {

namespace {

// Whether all routes are told on the links from one vertex to another.
bool tells_all(const RowGraph& graph, const RoutingDomains& domains, std::uint32_t from, std::uint32_t to)
{
    for (std::uint32_t e = graph.first_edge(from); e < graph.end_edge(from) && domains.policy(); ++e) {
        const LinkRole role = domains.roles()[e];
        if (graph.edges()[e].to == to && (role == LinkRole::to_customer || role == LinkRole::to_peer)) return false;
    }
    return true;
}

}  // namespace

PendantTrees::PendantTrees(const RowGraph& graph, const RoutingDomains& domains)
    : parent(graph.vertices().size(), kCore), root(parent.size())
{
    const auto count = static_cast<std::uint32_t>(parent.size());
    std::vector<std::uint32_t> neighbours(count, 0), mixed(count, 0), list;
    std::vector<std::uint32_t> open;
    std::vector<char> one_way(count, 0);  // has a link that goes one way
    for (std::uint32_t v = 0; v < count; ++v) {
        list.clear();
        for (std::uint32_t e = graph.first_edge(v); e < graph.end_edge(v); ++e) {
            list.push_back(graph.edges()[e].to);
            if (graph.edges()[e].closed) one_way[v] = one_way[graph.edges()[e].to] = 1;
        }
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        neighbours[v] = static_cast<std::uint32_t>(list.size());
        for (const std::uint32_t other : list) mixed[v] ^= other;
        if (neighbours[v] == 1) open.push_back(v);
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
        const std::uint32_t v = open[i];
        if (neighbours[v] != 1) continue;  // its neighbour was taken away
        const std::uint32_t to = mixed[v];
        const RouteVertex& hub = graph.vertices()[to];
        if (!hub.transit || hub.count != 1 || one_way[v] || !tells_all(graph, domains, v, to)) continue;
        parent[v] = to;
        order.push_back(v);
        mixed[to] ^= v;
        if (--neighbours[to] == 1) open.push_back(to);
    }
    std::iota(root.begin(), root.end(), 0u);
    for (std::size_t i = order.size(); i-- > 0;) root[order[i]] = root[parent[order[i]]];
}

}  // namespace anml
