// Next hops as the image has them, from edges of the row graph; links that share a destination are kept once per set.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "analysis/routes/routing_domains.h"
#include "analysis/routes/row_graph.h"
#include "elaborate/network.h"

namespace anml {

// Each as often as its weight says, over the weights' greatest common divisor; 65535 places at the most.
std::vector<std::uint32_t> weighted_places(const std::vector<std::uint32_t>& links, std::vector<std::uint32_t> weights);

class NextHops {
  public:
    NextHops(const Network& network, const RowGraph& graph, const RoutingDomains& domains)
        : network_(network), graph_(graph), domains_(domains)
    {
    }

    // Over `edges`, which leave one vertex, in the order of their links. Either they lead to the destination, which may
    // be a run, or on to another (`through`): then one that enters a run of routers stands for as many ways. Without
    // multipath only the first is used; of more than 65535 the first so many. A link stands there as often as its
    // weight says, one behind the other and over the weights' greatest common divisor: so what is even over places is
    // weighted over links, and equal weights are none. Weights of more than 65535 places are scaled down.
    abi::NextHop over(std::span<const std::uint32_t> edges, bool through);
    std::vector<std::uint32_t> take_alternatives() { return std::move(alternatives_); }

  private:
    const Network& network_;
    const RowGraph& graph_;
    const RoutingDomains& domains_;
    std::vector<std::uint32_t> alternatives_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> known_;  // to the row of alternatives_
};

}  // namespace anml
