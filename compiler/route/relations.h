// What relations of links promise: they lead from one autonomous system to another.
#pragma once

#include "base/diagnostics.h"
#include "elaborate/network.h"
#include "queries/routing_domains.h"
#include "queries/row_graph.h"

namespace anml {

// Reports `relation-inside` and `relation-of-switch`.
void check_relations(const Network& network, const RowGraph& graph, const RoutingDomains& domains,
                     Diagnostics& diagnostics);

}  // namespace anml
