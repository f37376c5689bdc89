// What relations of links promise: they lead from one autonomous system to another.
#pragma once

#include "analysis/routes/routing_domains.h"
#include "analysis/routes/row_graph.h"
#include "base/diagnostics.h"
#include "elaborate/network.h"

namespace anml {

// Reports `relation-inside` and `relation-of-switch`.
void check_relations(const Network& network, const RowGraph& graph, const RoutingDomains& domains,
                     Diagnostics& diagnostics);

}  // namespace anml
