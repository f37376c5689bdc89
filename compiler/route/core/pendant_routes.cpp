// From the leaves inwards: what hangs on a vertex is known when its turn comes, as intervals of destinations, of which
// there are few where the text declares together what hangs together.
#include "route/core/pendant_routes.h"

#include <algorithm>

#include "analysis/network_queries.h"
#include "route/search/transit_components.h"

namespace anml {
namespace {

using Below = PendantRoutes::Below;

void sort(std::vector<Below>& below)
{
    std::sort(below.begin(), below.end(), [](const Below& a, const Below& b) { return a.first < b.first; });
}

// Adds the destinations [first, last] with the same next hop, those that the vertex reaches at all.
class UpwardRoutes {
  public:
    UpwardRoutes(const Destinations& destinations, const TransitComponents& components)
        : destinations_(destinations), components_(components)
    {
        everywhere_ = components.count() == 1;
        for (std::size_t i = 0; everywhere_ && i < destinations.list.size(); ++i)
            everywhere_ = components.reaches(0, destinations.list[i].vertex);
    }

    // Whether everything reaches every destination.
    bool everywhere() const { return everywhere_; }

    void add(RangeBuilder& builder, std::uint32_t first, std::uint32_t end, std::uint32_t component, bool all,
             abi::NextHop hop) const
    {
        if (first >= end) return;
        if (everywhere_ || all) return builder.add(first, end - 1, hop);
        for (std::uint32_t i = first; i < end; ++i) {
            if (components_.reaches(component, destinations_.list[i].vertex)) builder.add(i, i, hop);
        }
    }

  private:
    const Destinations& destinations_;
    const TransitComponents& components_;
    bool everywhere_;
};

}  // namespace

PendantRoutes::PendantRoutes(const Network& network, const RowGraph& graph, const RoutingDomains& domains,
                             std::span<const std::int64_t> weights, const PendantTrees& trees,
                             const Destinations& destinations, NextHops& next_hops)
    : graph_(graph), weights_(weights), below_(graph.vertices().size()), tables_(graph.vertices().size())
{
    const TransitComponents components(graph, weights);
    const UpwardRoutes upward(destinations, components);
    const auto count = static_cast<std::uint32_t>(destinations.list.size());
    for (const std::uint32_t v : trees.order) {
        const std::uint32_t parent = trees.parent[v], own = destinations.number[v];
        const std::optional<abi::NextHop> up = hop(v, parent, next_hops), down = hop(parent, v, next_hops);
        std::vector<Below>& below = below_[v];
        sort(below);

        // Its table. A run's elements reach each other by way of the parent.
        const bool skip_own = own != Destinations::kNone && graph.vertices()[v].count == 1;
        RangeBuilder builder(destinations, skip_own ? own : Destinations::kNone);
        const bool router = network.nodes[graph.vertices()[v].row.value].kind == abi::NodeKind::router;
        const bool all = !router || domains.policy();
        const bool by_columns = (upward.everywhere() || all) && destinations.blocks > kFewRanges;
        std::uint32_t next = 0;
        const auto up_to = [&](std::uint32_t end) {
            if (by_columns || !up) return;
            if (skip_own && next <= own && own < end) {
                upward.add(builder, next, own, components.of(parent), all, *up);
                next = own + 1;
            }
            upward.add(builder, next, end, components.of(parent), all, *up);
        };
        for (const Below& child : below) {
            up_to(child.first);
            builder.add(child.first, child.last, child.hop);
            next = child.last + 1;
        }
        up_to(count);
        tables_[v].ranges = builder.ranges();
        if (by_columns && up) tables_[v].hops.push_back(*up);

        // What it adds to its parent's.
        if (!down) {
            std::vector<Below>().swap(below);
            continue;
        }
        if (own != Destinations::kNone) below.push_back({own, own, *down});
        sort(below);
        std::vector<Below>& above = below_[parent];
        const std::size_t begin = above.size();
        for (const Below& child : below) {
            if (above.size() > begin && above.back().last + 1 == child.first) {
                above.back().last = child.last;
            } else {
                above.push_back({child.first, child.last, *down});
            }
        }
        std::vector<Below>().swap(below);
    }
    for (std::vector<Below>& below : below_) sort(below);
}

std::optional<abi::NextHop> PendantRoutes::hop(std::uint32_t from, std::uint32_t to, NextHops& next_hops) const
{
    std::vector<std::uint32_t> best;
    std::int64_t least = 0;
    const auto consider = [&](std::uint32_t e) {
        const std::int64_t weight = weights_[e];
        if (weight == kDown || (!best.empty() && weight > least)) return;
        if (best.empty() || weight < least) best.clear();
        least = weight;
        best.push_back(e);
    };
    const auto degree = [&](std::uint32_t v) { return graph_.end_edge(v) - graph_.first_edge(v); };
    if (degree(from) <= degree(to)) {
        for (std::uint32_t e = graph_.first_edge(from); e < graph_.end_edge(from); ++e)
            if (graph_.edges()[e].to == to) consider(e);
    } else {  // a hub: its edges are found by those that run the other way
        for (std::uint32_t e = graph_.first_edge(to); e < graph_.end_edge(to); ++e)
            if (graph_.edges()[e].to == from) consider(graph_.reverse(e));
        std::sort(best.begin(), best.end());
    }
    if (best.empty()) return std::nullopt;
    return next_hops.over(best, false);
}

}  // namespace anml
