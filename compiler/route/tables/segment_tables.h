// Routes by segments as tables: which lists of segments a router gives packets, by their source and destination.
#pragma once

#include "analysis/routes/route_tables.h"
#include "base/diagnostics.h"
#include "route/epochs/solve_epochs.h"

namespace anml {

// Behind solve_epochs. A router gives the lists that can be followed in the state of the network that it knows of.
// False: an error was reported.
bool add_segment_tables(const EpochInputs& inputs, RouteTables& routes, Diagnostics& diagnostics);
// Reports `routing-loop` and `unreachable`, where packets arrive by shortest paths and not by segments.
void check_segment_routes(const Network& network, const RouteTables& routes, Diagnostics& diagnostics);
// The first epoch (0) has no time if something changes at 0 s: what is so in it is so at no time.
bool has_time(const RouteTables& routes, std::size_t epoch);

}  // namespace anml
