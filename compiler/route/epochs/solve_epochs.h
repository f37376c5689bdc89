// Routes of every vertex towards every destination in every epoch. The first one is solved as a whole, each later one
// by what its changes of weights concern. Tables of the core that change do so by columns: an epoch has the codes that
// differ, and epochs that change a column alike share them. What hangs on the core, and static routes, change whole
// tables.
#pragma once

#include <vector>

#include "analysis/routes/route_tables.h"
#include "analysis/timeline/epochs.h"
#include "base/diagnostics.h"

namespace anml {

struct EpochInputs {
    const Network& network;
    const RowGraph& graph;
    const RoutingDomains& domains;
    RouteScope scope;
    const EdgeWeights& first;  // of the first epoch
    const std::vector<Epoch>& epochs;
};

// Fills in the tables. False: an error was reported. `at_once`: as if all knew of changes when they happen.
bool solve_epochs(const EpochInputs& inputs, RouteTables& routes, Diagnostics& diagnostics, bool at_once = false);

}  // namespace anml
