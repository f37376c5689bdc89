// Whether fluid can go where routes lead it.
#pragma once

#include "analysis/routes/route_tables.h"
#include "elaborate/network.h"

namespace anml {

class Diagnostics;

// Of workloads that send no packets, in every epoch of the timeline: both ends are hosts, the links on their ways have
// a drop-tail queue in bytes, a rate, and no middlebox between them. False: an error was reported.
bool check_fluid(const Network& network, const RouteTables& routes, Diagnostics& diagnostics);

}  // namespace anml
