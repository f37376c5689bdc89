// Tarjan's algorithm with an explicit stack. A run of elements stands in twice, so that two links from each element of
// a run to different routers close the cycle that they close between the elements.
#include "route/search/edge_blocks.h"

#include <algorithm>
#include <map>
#include <utility>

namespace anml {
namespace {

struct UndirectedGraph {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;  // by link
    std::vector<std::vector<std::uint32_t>> incident;           // by vertex: links
    std::vector<std::uint32_t> link_of_edge;                    // by edge of the row graph
};

UndirectedGraph undirected(const RowGraph& graph)
{
    UndirectedGraph result;
    const auto vertices = static_cast<std::uint32_t>(graph.vertices().size());
    result.incident.resize(2 * vertices);
    const auto add = [&](std::uint32_t a, std::uint32_t b) {
        const auto link = static_cast<std::uint32_t>(result.ends.size());
        result.ends.emplace_back(a, b);
        result.incident[a].push_back(link);
        result.incident[b].push_back(link);
        return link;
    };
    // The two directions of a link are edges with neighbouring ids.
    std::map<std::pair<std::uint32_t, bool>, std::uint32_t> known;  // by the directed id of direction 0; copies apart
    for (std::uint32_t e = 0; e < graph.edges().size(); ++e) {
        const RouteEdge& edge = graph.edges()[e];
        const auto [at, fresh] = known.try_emplace({edge.lowest - edge.lane % 2, graph.original(e) != e}, 0);
        if (fresh) {
            const std::uint32_t from = graph.source(e), to = edge.to;
            at->second = add(from, to);
            if (graph.vertices()[from].count > 1) add(from + vertices, to);
            if (graph.vertices()[to].count > 1) add(from, to + vertices);
        }
        result.link_of_edge.push_back(at->second);
    }
    return result;
}

std::vector<std::uint32_t> blocks_of_links(const UndirectedGraph& graph)
{
    constexpr std::uint32_t kNew = 0xffffffffu;
    std::vector<std::uint32_t> order(graph.incident.size(), kNew), low(order), block(graph.ends.size(), kBridge);
    std::vector<std::uint32_t> open;  // links of parts not yet complete
    struct Frame {
        std::uint32_t vertex, by_link;
        std::size_t next;
    };
    std::vector<Frame> path;
    std::uint32_t clock = 0, blocks = 0;
    for (std::uint32_t root = 0; root < order.size(); ++root) {
        if (order[root] != kNew) continue;
        order[root] = low[root] = clock++;
        path.push_back({root, kNew, 0});
        while (!path.empty()) {
            Frame& frame = path.back();
            const std::uint32_t at = frame.vertex;
            if (frame.next < graph.incident[at].size()) {
                const std::uint32_t link = graph.incident[at][frame.next++];
                if (link == frame.by_link) continue;
                const std::uint32_t other =
                    graph.ends[link].first == at ? graph.ends[link].second : graph.ends[link].first;
                if (order[other] == kNew) {
                    open.push_back(link);
                    order[other] = low[other] = clock++;
                    path.push_back({other, link, 0});
                } else if (order[other] < order[at]) {
                    open.push_back(link);
                    low[at] = std::min(low[at], order[other]);
                }
                continue;
            }
            const std::uint32_t by_link = frame.by_link;
            path.pop_back();
            if (path.empty()) break;
            const std::uint32_t parent = path.back().vertex;
            low[parent] = std::min(low[parent], low[at]);
            if (low[at] < order[parent]) continue;
            auto first = open.end();
            while (*--first != by_link) {
            }
            if (open.end() - first > 1) {
                std::for_each(first, open.end(), [&](std::uint32_t link) { block[link] = blocks; });
                ++blocks;
            }
            open.erase(first, open.end());
        }
    }
    return block;
}

}  // namespace

std::vector<std::uint32_t> edge_blocks(const RowGraph& graph)
{
    const UndirectedGraph links = undirected(graph);
    const std::vector<std::uint32_t> of_link = blocks_of_links(links);
    std::vector<std::uint32_t> result;
    for (const std::uint32_t link : links.link_of_edge) result.push_back(of_link[link]);
    return result;
}

}  // namespace anml
