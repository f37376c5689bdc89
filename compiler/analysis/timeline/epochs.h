// Routing epochs: when links and nodes go up and down, or costs change, and what links weigh from then on.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analysis/network_queries.h"
#include "analysis/routes/row_graph.h"
#include "base/diagnostics.h"
#include "elaborate/network.h"

namespace anml {

// Edges of the row graph that weigh something else than before, ascending, and what they weigh. There are as many
// epochs as moments, and few links change at each.
using WeightChanges = std::vector<std::pair<std::uint32_t, std::int64_t>>;
void change_weights(EdgeWeights& weights, const WeightChanges& changes);

struct Epoch {
    double time = 0;                    // ns, tunables at their defaults
    std::optional<ValueExprId> moment;  // the same as an expression; nothing where the time is fixed
    WeightChanges changes;              // from the epoch before
    Span span;                          // of an action that begins it
    double later = 0;                   // ns that it comes behind `moment`
};

// Epochs behind the first one, whose weights are `first`, in the order of time, which no tunable may change. Nothing
// where an error was reported.
std::optional<std::vector<Epoch>> plan_epochs(const Network& network, const RowGraph& graph,
                                              const RoutingDomains& domains, const EdgeWeights& first,
                                              Diagnostics& diagnostics);

}  // namespace anml
