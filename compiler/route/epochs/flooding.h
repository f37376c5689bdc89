// How long it takes until a vertex computes with a change of the network: the ends of what changed detect it, then it
// goes from router to router, over links that are up, one-way links both ways, and each computes as soon as it has
// heard. Hosts hear what is next to them, and tell nobody.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/network_queries.h"
#include "analysis/routes/routing_domains.h"
#include "analysis/timeline/epochs.h"
#include "route/search/radix_heap.h"

namespace anml {

class Flooding {
  public:
    static constexpr std::int64_t kNever = INT64_MAX;
    Flooding(const RowGraph& graph, const RoutingDomains& domains);

    // By vertex, ns behind the change; kNever: news of it does not get there. `weights` are those with the change.
    // Valid until the next call.
    const std::vector<std::int64_t>& spread(const WeightChanges& changes, const EdgeWeights& weights);

  private:
    void hear(std::uint32_t vertex, std::int64_t time);

    const RowGraph& graph_;
    const RoutingDomains& domains_;
    std::vector<std::int64_t> heard_;  // by vertex
    std::vector<char> told_;           // by vertex: its neighbours know
    RadixHeap<std::uint64_t> open_;
};

}  // namespace anml
