// Why packets find no way from one node to another.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/routes/route_tables.h"
#include "analysis/routes/row_graph.h"
#include "base/diagnostics.h"

namespace anml {

// Adds to a message that there is no way what the reason is: no links join the two, a one-way link leads against the
// way, or what autonomous systems tell each other (`policy`: there are several). By edge of the row graph, what weighs
// kDown counts for nothing. `declared`: the weights before the timeline changed any.
void explain_missing_path(const Network& network, const RowGraph& graph, std::span<const std::int64_t> weights,
                          bool policy, std::uint32_t from, std::uint32_t to, Diagnostics::Builder& message,
                          std::span<const std::int64_t> declared = {});

// The same where routers are not all told of changes yet, at `time` (ns): what packets meet on the way, and until when.
// False: they are, or this is not why.
bool explain_changing_routes(const Network& network, const RouteTables& routes, const RouteState& tables, double time,
                             std::pair<std::uint32_t, std::uint32_t> ends, Diagnostics::Builder& message);

// The ends of the way that a query did not find with those tables: there, or back where it asks for both.
std::optional<std::pair<std::uint32_t, std::uint32_t>> missing_way(const Network& network, const RouteTables& routes,
                                                                   const PathQuery& query, const RouteState& tables);

}  // namespace anml
