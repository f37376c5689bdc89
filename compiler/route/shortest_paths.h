// Shortest paths towards one vertex of the row graph: least sum of weights, then fewest hops, then at each vertex the
// outgoing edge of the lowest directed link id. Only routers and switches are passed through.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "route/row_graph.h"

namespace anml {

struct PathTree {
    static constexpr std::uint32_t kNoEdge = 0xffffffffu;
    // By vertex: the edge taken towards the root, kNoEdge where there is no path. For the root itself, if it is a run:
    // the edge that one of its elements takes towards another.
    std::vector<std::uint32_t> next;
};

class PathSolver {
  public:
    // `weights` by lane (RouteEdge::lane), in ns, not negative.
    PathSolver(const RowGraph& graph, std::span<const std::int64_t> weights) : graph_(graph), weights_(weights) {}

    // The tree towards `destination`. The reference holds until the next call.
    const PathTree& towards(std::uint32_t destination);

  private:
    struct Distance {
        std::int64_t delay;
        std::uint32_t hops;
        friend auto operator<=>(const Distance&, const Distance&) = default;
    };
    void solve(std::uint32_t root, PathTree& tree);
    std::uint32_t best_edge(std::uint32_t from, std::uint32_t to) const;
    std::uint32_t sole_neighbour(std::uint32_t vertex) const;

    const RowGraph& graph_;
    std::span<const std::int64_t> weights_;
    std::vector<Distance> distance_;
    PathTree hub_tree_, tree_;
    std::uint32_t hub_ = PathTree::kNoEdge;  // root of hub_tree_
};

}  // namespace anml
