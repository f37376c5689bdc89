// The part of the row graph in which paths are searched, laid out for the search: links by the vertex that they enter.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/routes/routing_domains.h"
#include "analysis/routes/row_graph.h"
#include "analysis/timeline/epochs.h"

namespace anml {

class PathGraph {
  public:
    static constexpr std::uint32_t kNone = 0xffffffffu;

    // `weights` by edge of the row graph, kDown: left out; `included` by its vertex. Links between two that are
    // included are taken over. Vertices are numbered anew, in their order. `roles` by edge, empty where one metric
    // decides. `later`: what epochs change weights to, all of them; then links that are down at first are there, too.
    PathGraph(const RowGraph& graph, std::span<const std::int64_t> weights, std::span<const LinkRole> roles,
              std::span<const char> included, const WeightChanges& later = {});

    // `other` sends on its link number `port` to the vertex (entering), or the vertex sends on it to `other` (leaving).
    struct Link {
        // In units of the greatest common divisor of all; with roles, see weight() and role(); or kClosed.
        std::uint64_t weight;
        std::uint32_t other;
        std::uint32_t port;
    };
    static constexpr std::uint64_t kClosed = ~std::uint64_t{0};
    // Of a tiered graph's link.
    static LinkRole role(const Link& link) { return static_cast<LinkRole>(link.weight >> kRoleShift); }
    static std::uint64_t weight(const Link& link) { return link.weight & ((std::uint64_t{1} << kRoleShift) - 1); }

    // Whether links are kClosed while they are down, and weights may change.
    bool changes() const { return !place_.empty(); }
    // An edge of the row graph, if it is included: by its source, which port it is.
    struct Place {
        std::uint32_t from, port;
    };
    std::optional<Place> place(std::uint32_t edge) const;
    std::uint64_t weight_of(std::uint32_t edge, std::int64_t weight) const;  // as a link's
    void set(const Place& place, std::uint64_t weight);

    std::uint32_t size() const { return static_cast<std::uint32_t>(vertices_.size()); }
    std::uint32_t vertex(std::uint32_t index) const { return vertices_[index]; }  // of the row graph
    std::uint32_t index(std::uint32_t vertex) const { return indices_[vertex]; }  // kNone: not included
    bool transit(std::uint32_t index) const { return transit_[index] != 0; }
    std::span<const Link> entering(std::uint32_t index) const { return part(entering_, first_in_, index); }
    std::span<const Link> leaving(std::uint32_t index) const { return part(leaving_, first_out_, index); }
    // Of those that enter, the ones that take any route, which stand first: all but those from providers and peers, to
    // whom a system tells only its customers' routes. Of a tiered graph.
    std::span<const Link> told_all(std::uint32_t index) const { return entering(index).first(told_all_[index]); }
    // The row graph's edge behind a port. Ports are in the order of the links' ids.
    std::uint32_t edge(std::uint32_t index, std::uint32_t port) const { return edges_[first_out_[index] + port]; }

    // A path's length is one number (path_lengths.h): without roles the sum of its weights, above `hop_bits` bits for
    // the number of its links.
    bool tiered() const { return tiered_; }
    unsigned hop_bits() const { return hop_bits_; }
    unsigned length_bits() const { return length_bits_; }  // that the longest path needs
    std::uint64_t least_weight() const { return least_weight_; }
    std::uint64_t greatest_weight() const { return greatest_weight_; }
    // Of links inside of regions, between them, and between systems (any of the other roles).
    struct Weights {
        std::size_t links = 0;
        std::uint64_t greatest = 0;
        double sum = 0;
    };
    const Weights& weights(LinkRole role) const
    {
        return by_role_[std::min(static_cast<std::size_t>(role), by_role_.size() - 1)];
    }

  private:
    static constexpr unsigned kRoleShift = 60;
    // The greatest weight that each link has; all of them are among the weights that count.
    std::vector<std::uint64_t> take_later(const WeightChanges& later);
    void take_roles(std::span<const std::uint64_t> greatest);
    void take_entering();
    static std::span<const Link> part(const std::vector<Link>& links, const std::vector<std::uint32_t>& first,
                                      std::uint32_t index)
    {
        return {links.data() + first[index], links.data() + first[index + 1]};
    }

    std::vector<std::uint32_t> vertices_, indices_;
    std::vector<char> transit_;
    std::vector<Link> entering_, leaving_;
    std::vector<std::uint32_t> first_in_, first_out_, edges_;
    std::vector<std::uint32_t> told_all_;  // by vertex: how many
    unsigned hop_bits_ = 0, length_bits_ = 0;
    std::uint64_t least_weight_ = 0, greatest_weight_ = 0, unit_ = 1;
    std::span<const LinkRole> roles_;
    // Where weights may change: by edge of the row graph, 1 + index of leaving_; by index of leaving_, of entering_.
    std::vector<std::uint32_t> place_, twin_;
    bool tiered_ = false;
    std::array<Weights, 3> by_role_;
};

}  // namespace anml
