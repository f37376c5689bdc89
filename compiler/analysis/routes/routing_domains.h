// Who routes how: regions with a metric of their own, and autonomous systems.
//
// An autonomous system is what links without a relation join, up or down; a region is what the network says, and a node
// in none is a region by itself. So each link is inside of a region, between two of a system, or between two systems.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/routes/row_graph.h"
#include "elaborate/network.h"

namespace anml {

// What a link is to the node that sends on it.
enum class LinkRole : std::uint8_t { inside, between, to_customer, to_peer, to_provider };

class RoutingDomains {
  public:
    static constexpr std::uint32_t kNone = 0xffffffffu;
    RoutingDomains(const Network& network, const RowGraph& graph);

    // Whether one metric decides everything.
    bool plain() const { return roles_.empty(); }
    bool policy() const { return policy_; }  // there are several autonomous systems
    // By edge of the row graph; empty where it is plain.
    std::span<const LinkRole> roles() const { return roles_; }
    // Nothing counts on links between systems.
    RouteMetric metric(std::uint32_t edge) const;
    // How often it takes up a changed delay, ns; 0: never.
    std::int64_t follow_delays(std::uint32_t edge) const;
    // How fast it tells what happens to it, and passes on what it hears: as the region's whose link it is, or the
    // model's.
    const Convergence& convergence(std::uint32_t edge) const;
    // How fast the vertex computes.
    const Convergence& convergence_at(std::uint32_t vertex) const;
    // Of links that leave the vertex.
    bool multipath(std::uint32_t vertex) const;
    // Numbers of autonomous systems by vertex.
    std::vector<std::uint32_t> systems() const;

  private:
    void find_regions();

    const Network& network_;
    const RowGraph& graph_;
    bool policy_ = false;
    std::vector<std::uint32_t> region_;  // by vertex: of the network's, or kNone; empty where there is none
    std::vector<LinkRole> roles_;
};

}  // namespace anml
