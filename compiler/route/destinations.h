// What forwarding tables tell apart: the vertices that something can send to, by address.
#pragma once

#include <cstdint>
#include <vector>

#include "elaborate/network.h"
#include "route/hanging_trees.h"
#include "route/row_graph.h"

namespace anml {

struct Destination {
    std::uint32_t first = 0, last = 0;  // addresses, inclusive
    std::uint32_t vertex = 0;
    std::uint32_t column = 0;     // its root's: index of Destinations::roots
    std::uint32_t block = 0;      // equal where every address between belongs to some node
    std::uint32_t block_end = 0;  // the last destination of its block
};

struct Destinations {
    static constexpr std::uint32_t kNone = 0xffffffffu;
    Destinations(const Network& network, const RowGraph& graph, const HangingTrees& trees);

    std::vector<Destination> list;      // by address
    std::vector<std::uint32_t> roots;   // by column: a vertex of the core, on which destinations hang
    std::vector<std::uint32_t> number;  // by vertex: index of `list`, or kNone
    std::uint32_t blocks = 0;

    // The image's.
    std::vector<abi::RouteColumn> columns() const;
};

}  // namespace anml
