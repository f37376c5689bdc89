// In which order what workloads offer can be known: what servers are asked for is known before what they call for it.
#pragma once

#include <vector>

#include "elaborate/network.h"

namespace anml {

// Indices of all workloads: those of clients, then servers' calls, each behind all that call its servers.
std::vector<std::uint32_t> call_order(const Network& network);

}  // namespace anml
