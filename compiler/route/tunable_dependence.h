// Proof that no tunable can change a route: next hops are computed once, at the tunables' defaults.
//
// The delay of each link is written as an affine form over atoms: a tunable, or a subexpression that is not affine in
// tunables, with the bounds of its value. Links that every path between two places must cross add the same to all
// alternatives, so only atoms on links that lie on a cycle matter, for each biconnected part of the graph on its own.
// Within a part the difference of two paths is affine in its atoms; if the same next hops win at every corner of the
// box of their bounds, they win everywhere in it (of sums that are compared one after the other, on each face of it).
// Atoms are taken as independent, which errs on the side of reporting.
#pragma once

#include "analysis/routes/route_tables.h"
#include "analysis/routes/routing_domains.h"
#include "analysis/routes/row_graph.h"
#include "base/diagnostics.h"
#include "elaborate/network.h"

namespace anml {

// Reports `route-depends-on-tunable`, at most once per tunable.
void check_tunable_dependence(const Network& network, const RowGraph& graph, const RoutingDomains& domains,
                              RouteScope scope, Diagnostics& diagnostics);

}  // namespace anml
