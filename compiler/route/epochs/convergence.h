// Routes that change later than what they are about. States of the network are solved as if everybody knew them at
// once; then each vertex's changes move to when it knows of them. So a table is always that of some state, the last one
// such that its vertex has been told of all before it: news that overtakes other news waits for it. What is cut off
// hears nothing, and has nothing to change until a link joins it again, which it does hear.
#pragma once

#include <optional>
#include <vector>

#include "analysis/timeline/epochs.h"
#include "base/diagnostics.h"
#include "route/epochs/epoch_changes.h"

namespace anml {

// Moves the changes, and returns the moments at which something happens: links or nodes go down or come up, or some
// tables change. The network begins with what changes at 0 s known to all. Nothing where an error was reported.
std::optional<std::vector<Epoch>> spread_changes(const Network& network, const RowGraph& graph,
                                                 const RoutingDomains& domains, const EdgeWeights& first,
                                                 const std::vector<Epoch>& states, EpochChanges& changes,
                                                 Diagnostics& diagnostics);

}  // namespace anml
