// Dijkstra over the row graph. Neighbouring destinations mostly hang on the same router, so the last tree is kept, and
// the tree of a vertex with a single neighbour is that neighbour's with the last hop added.
#include "route/shortest_paths.h"

#include <algorithm>
#include <limits>

namespace anml {

void PathSolver::solve(std::uint32_t root, PathTree& tree)
{
    constexpr Distance kFar{std::numeric_limits<std::int64_t>::max(), 0};
    const auto vertices = graph_.vertices();
    const auto edges = graph_.edges();
    distance_.assign(vertices.size(), kFar);
    tree.next.assign(vertices.size(), PathTree::kNoEdge);

    struct Entry {
        Distance distance;
        std::uint32_t vertex;
        bool operator<(const Entry& other) const { return other.distance < distance; }  // least on top
    };
    std::vector<Entry> heap{{{0, 0}, root}};
    distance_[root] = {0, 0};
    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end());
        const Entry entry = heap.back();
        heap.pop_back();
        const std::uint32_t at = entry.vertex;
        if (distance_[at] < entry.distance || (at != root && !vertices[at].transit)) continue;
        for (std::uint32_t e = graph_.first_edge(at); e < graph_.end_edge(at); ++e) {
            // The search runs against the traffic: the edge counts with its other direction's weight.
            const Distance through{entry.distance.delay + weights_[edges[e].lane ^ 1], entry.distance.hops + 1};
            const std::uint32_t from = edges[e].to;
            if (!(through < distance_[from])) continue;
            distance_[from] = through;
            heap.push_back({through, from});
            std::push_heap(heap.begin(), heap.end());
        }
    }
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
        const bool among_themselves = v == root && vertices[v].count > 1;
        if (v == root && !among_themselves) continue;
        Distance best = kFar;
        std::uint32_t lowest = 0;
        for (std::uint32_t e = graph_.first_edge(v); e < graph_.end_edge(v); ++e) {
            const RouteEdge& edge = edges[e];
            if (distance_[edge.to] == kFar || (edge.to != root && !vertices[edge.to].transit)) continue;
            const Distance through{weights_[edge.lane] + distance_[edge.to].delay, distance_[edge.to].hops + 1};
            if (through < best || (through == best && edge.lowest < lowest)) {
                best = through;
                lowest = edge.lowest;
                tree.next[v] = e;
            }
        }
    }
}

std::uint32_t PathSolver::best_edge(std::uint32_t from, std::uint32_t to) const
{
    const auto edges = graph_.edges();
    std::uint32_t best = PathTree::kNoEdge;
    for (std::uint32_t e = graph_.first_edge(from); e < graph_.end_edge(from); ++e) {
        if (edges[e].to != to) continue;
        const bool better =
            best == PathTree::kNoEdge || weights_[edges[e].lane] < weights_[edges[best].lane] ||
            (weights_[edges[e].lane] == weights_[edges[best].lane] && edges[e].lowest < edges[best].lowest);
        if (better) best = e;
    }
    return best;
}

// The only vertex that `vertex` has links to, if it is a single node to pass through; else `vertex` itself.
std::uint32_t PathSolver::sole_neighbour(std::uint32_t vertex) const
{
    const auto edges = graph_.edges();
    const std::uint32_t begin = graph_.first_edge(vertex), end = graph_.end_edge(vertex);
    if (begin == end) return vertex;
    const std::uint32_t neighbour = edges[begin].to;
    for (std::uint32_t e = begin; e < end; ++e) {
        if (edges[e].to != neighbour) return vertex;
    }
    const RouteVertex& hub = graph_.vertices()[neighbour];
    return hub.transit && hub.count == 1 ? neighbour : vertex;
}

const PathTree& PathSolver::towards(std::uint32_t destination)
{
    const std::uint32_t hub = sole_neighbour(destination);
    if (hub != hub_) {
        solve(hub, hub_tree_);
        hub_ = hub;
    }
    if (hub == destination) return hub_tree_;
    tree_.next = hub_tree_.next;
    tree_.next[hub] = best_edge(hub, destination);
    if (graph_.vertices()[destination].count == 1) tree_.next[destination] = PathTree::kNoEdge;
    return tree_;
}

}  // namespace anml
