// What the length of a path is, and what a link adds to it: the rules that PathSearch minimises by.
//
// A length is one integer, so that comparing two is one comparison. Every rule makes a path longer with each link: then
// the search finds for each vertex the best of what its neighbours offer (the routes are a fixed point, as path-vector
// routing has it), and following next hops always comes nearer, whoever chose by what metric.
#pragma once

#include <cstdint>
#include <utility>

#include "route/search/path_graph.h"

namespace anml {

// For graphs whose paths don't fit in 64 bits.
__extension__ using WideLength = unsigned __int128;

// The sum of weights, then the number of links.
template <class L>
struct ShortestLength {
    using Length = L;
    static constexpr bool kRefuses = false;
    unsigned hop_bits;

    explicit ShortestLength(const PathGraph& graph) : hop_bits(graph.hop_bits()) {}
    Length through(Length before, const PathGraph::Link& link) const { return before + of(link.weight); }
    Length of(std::uint64_t weight) const { return (Length{weight} << hop_bits) + 1; }
};

// Widths, in bits, of the parts of a TieredLength.
struct TieredWidths {
    unsigned hops, inside, crossings, between, systems;
    unsigned coarser = 0;  // bits that weights lose, so that everything fits in 128

    explicit TieredWidths(const PathGraph& graph);
    unsigned sum() const { return 2 + systems + between + crossings + inside + hops; }
};

// Regions and autonomous systems. The parts, the most important one first:
//   class      of the route: 0 own or a customer's, 1 a peer's, 2 a provider's
//   systems    links to other systems on the way
//   between    weights of links between regions, to the end of this system; then their number
//   inside     weights of links to the end of this region
//   hops       all links of the path
// So a packet leaves a system by the nearest of the exits that are equally good (hot potato), and a region likewise. A
// link to a customer or a peer takes only routes of class 0, one to a provider all: valley-free (Gao and Rexford 2001).
template <class L>
class TieredLength {
  public:
    using Length = L;
    static constexpr bool kRefuses = true;
    static constexpr Length kRefused = ~Length{0};  // no path has it: there is no class 3
    // Of a route that only PathGraph::told_all take.
    bool is_not_for_all(Length length) const { return length >> class_ != 0; }

    explicit TieredLength(const PathGraph& graph) : widths_(graph) { place(); }

    Length through(Length before, const PathGraph::Link& link) const
    {
        const LinkRole role = PathGraph::role(link);
        const Length weight = PathGraph::weight(link) >> widths_.coarser;
        if (role == LinkRole::inside) return before + (weight << inside_) + 1;
        if (role == LinkRole::between)
            return (before & ~inside_mask_) + (weight << between_) + (Length{1} << crossings_) + 1;
        if (role != LinkRole::to_provider && before >> class_ != 0) return kRefused;
        const Length rank = role == LinkRole::to_customer ? 0 : role == LinkRole::to_peer ? 1 : 2;
        return (before & systems_and_hops_) + (Length{1} << systems_) + 1 + (rank << class_);
    }

  private:
    void place()
    {
        inside_ = widths_.hops;
        crossings_ = inside_ + widths_.inside;
        between_ = crossings_ + widths_.crossings;
        systems_ = between_ + widths_.between;
        class_ = systems_ + widths_.systems;
        const auto below = [](unsigned bit) { return (Length{1} << bit) - 1; };
        inside_mask_ = below(crossings_) & ~below(inside_);
        systems_and_hops_ = (below(class_) & ~below(systems_)) | below(inside_);
    }

    TieredWidths widths_;
    unsigned inside_ = 0, crossings_ = 0, between_ = 0, systems_ = 0, class_ = 0;
    Length inside_mask_ = 0, systems_and_hops_ = 0;
};

// Calls `visit` with the narrowest rule that does for the graph. `wide`: for another graph besides.
template <class Visit>
void with_lengths(const PathGraph& graph, bool wide, Visit&& visit)
{
    if (graph.tiered()) {
        if (!wide && TieredWidths(graph).sum() <= 64) {
            visit(TieredLength<std::uint64_t>(graph));
        } else {
            visit(TieredLength<WideLength>(graph));
        }
    } else if (!wide && graph.length_bits() <= 64) {
        visit(ShortestLength<std::uint64_t>(graph));
    } else {
        visit(ShortestLength<WideLength>(graph));
    }
}

}  // namespace anml
