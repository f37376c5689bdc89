// Routers that are load balancers, and who is behind them.
#pragma once

#include <optional>
#include <vector>

#include "elaborate/network.h"

namespace anml {

struct Balancer {
    std::uint32_t port = 0, to_port = 0;
    std::vector<TargetRange> back_ends;
};
// Nothing: the row's nodes are none.
std::optional<Balancer> balancer_of(const Network& network, NodeRowId row);

// Who answers what a workload asks of these nodes: the back ends, in the place of balancers.
std::vector<TargetRange> who_answers(const Network& network, const std::vector<TargetRange>& asked);

}  // namespace anml
