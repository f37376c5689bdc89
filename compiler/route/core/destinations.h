// What forwarding tables tell apart: the vertices that something can send to, by address.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/routes/pendant_trees.h"
#include "analysis/routes/route_tables.h"
#include "analysis/routes/row_graph.h"
#include "elaborate/network.h"

namespace anml {

struct Destination {
    std::uint32_t first = 0, last = 0;  // addresses, inclusive
    std::uint32_t vertex = 0;
    std::uint32_t column = 0;     // its root's: index of Destinations::roots
    std::uint32_t block = 0;      // equal where every address between belongs to some node
    std::uint32_t block_end = 0;  // the last destination of its block
};

// The vertices that get routes, by address: where packets of workloads and path queries are sent to, or all.
std::vector<std::uint32_t> route_destinations(const Network& network, const RowGraph& graph, RouteScope scope);

struct Destinations {
    static constexpr std::uint32_t kNone = 0xffffffffu;
    Destinations(const Network& network, const RowGraph& graph, const PendantTrees& trees, RouteScope scope);

    std::vector<Destination> list;      // by address
    std::vector<std::uint32_t> roots;   // by column: a vertex of the core, on which destinations hang
    std::vector<std::uint32_t> number;  // by vertex: index of `list`, or kNone
    std::uint32_t blocks = 0;

    // The image's.
    std::vector<abi::RouteColumn> columns() const;
};

}  // namespace anml
