// Vertices' tables by node row, as the emulator has them: one for a row whose elements have the same in every epoch,
// else one for each element; and by epoch what changes.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/routes/row_graph.h"
#include "analysis/timeline/epochs.h"
#include "route/epochs/epoch_changes.h"
#include "route/tables/table_store.h"

namespace anml {

// From an epoch on, counted behind the first one, the vertex's table is another one. By epoch.
struct LaterTable {
    std::uint32_t epoch, vertex, number;
};

// `first` by vertex: numbers of tables in the store. `codes` by vertex whose table changes by columns: what stands for
// each code in it.
void lay_out_tables(const RowGraph& graph, const TableStore& store, const std::vector<std::uint32_t>& first,
                    const std::vector<LaterTable>& later, const std::vector<Epoch>& epochs, const EpochChanges& changes,
                    const std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>& codes, RouteTables& routes);

}  // namespace anml
