// Tables of the core's vertices, from the codes of their columns and from what hangs on them: as ranges, if these are
// few or take less memory, else by columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "route/core/core_routes.h"
#include "route/core/pendant_routes.h"
#include "route/tables/table_draft.h"

namespace anml {

// Fills in the tables of the core's vertices, but those that are `left_out` (by vertex; empty: none).
void make_core_tables(const RowGraph& graph, const PathGraph& core, const Destinations& destinations,
                      const CoreRoutes& routes, const PendantRoutes& pendant, const std::vector<char>& left_out,
                      std::vector<TableDraft>& tables);

struct CoreVertex {
    const RowGraph& graph;
    const Destinations& destinations;
    std::uint32_t vertex, index;  // of the row graph, of the core
    std::span<const PendantRoutes::Below> below;
};

// `codes` by column.
TableDraft make_core_table(const CoreVertex& core, const CoreRoutes& routes, std::span<const std::uint32_t> codes);
// Of a vertex whose columns get codes of `later` in other epochs: by columns, with the next hops of all of them.
// `dense` gets what stands for each code in it.
TableDraft make_changing_table(const CoreVertex& core, const CoreRoutes& routes, std::span<const std::uint32_t> codes,
                               std::span<const std::uint32_t> later, std::vector<std::uint32_t>& dense);
// Of such a table what hangs on the vertex.
std::vector<abi::RouteRange> core_ranges(const CoreVertex& core);

}  // namespace anml
