// Tables of the core's vertices, each in the smaller of its two forms.
#pragma once

#include <vector>

#include "route/core_routes.h"
#include "route/hanging_routes.h"
#include "route/table_draft.h"

namespace anml {

// Fills in `tables`, by vertex of the row graph.
void make_core_tables(const RowGraph& graph, const PathGraph& core, const Destinations& destinations,
                      const CoreRoutes& routes, const HangingRoutes& hanging, std::vector<TableDraft>& tables);

}  // namespace anml
