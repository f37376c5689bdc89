// What becomes of packets that follow the tables, by segments where routers give them some.
#pragma once

#include "analysis/routes/route_tables.h"

namespace anml {

enum class Outcome : std::uint8_t {
    arrives,
    no_way,   // at some router, or over a link that is down
    dropped,  // where no list of segments can be followed
    circles
};

// Of the packets of trace_paths; the worst of any.
Outcome trace_outcome(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to,
                      const RouteState* state, const PacketMarks& marks);

}  // namespace anml
