// Static routes: put before what was computed, and followed to where they lead.
#pragma once

#include <vector>

#include "base/diagnostics.h"
#include "elaborate/network.h"
#include "queries/network_queries.h"
#include "queries/route_tables.h"
#include "route/next_hops.h"
#include "route/table_draft.h"

namespace anml {

// Into `tables`, by vertex. A route whose links are all down, as `weights` say, is left out.
void add_static_routes(const Network& network, const RowGraph& graph, const EdgeWeights& weights, NextHops& next_hops,
                       std::vector<TableDraft>& tables);
// Reports `routing-loop`, at most once per statement.
void check_static_routes(const Network& network, const RouteTables& routes, Diagnostics& diagnostics);

}  // namespace anml
