// Stage 5: forwarding tables, in the compressed form that the image carries (abi::RouteTable).
//
// Shortest paths: by the sum of propagation delays (tunables at their default; a next hop never depends on a tunable:
// where one could change it, that is an error, see tunable_dependence.h), of equals by the number of links; or by the
// number of links alone. Of links that are equally short the lowest directed id is taken, or, with multipath, all.
// By cost, the sum of the links' costs counts instead of delays. Regions have metrics of their own, and between
// autonomous systems policy decides (path_lengths.h). Only routers and switches forward. A static route goes
// before what is computed, the longest prefix first, as long as a link to its neighbour is up; it changes no other
// node's routes. An epoch of the timeline has tables of its own where they differ; where routes converge, from when
// each router knows (convergence.h). Routes are computed on the row graph
// (row_graph.h), towards destination rows that something can send to. An address that no node has has no route; one
// that nothing sends to may have any.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/routes/requirements.h"
#include "analysis/routes/route_tables.h"
#include "base/diagnostics.h"

namespace anml {

std::optional<RouteTables> compute_routes(const Network& network, Diagnostics& diagnostics,
                                          RouteScope scope = RouteScope::needed);
std::string dump_routes(const Network& network, const RouteTables& routes);    // --emit=routes: JSON
std::string verify_routes(const Network& network, const RouteTables& routes);  // "" or what is broken

// `answers`: what network.queries are worth at the tunables' defaults, for those who ask.
std::optional<Requirements> resolve_requirements(const Network& network, const RouteTables& routes,
                                                 Diagnostics& diagnostics, std::vector<double>* answers = nullptr);

}  // namespace anml
