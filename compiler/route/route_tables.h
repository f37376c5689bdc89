// Stage 5: forwarding tables, in the compressed form that the image carries (abi::RouteRange).
//
// Shortest path by the sum of propagation delays (tunables at their default; a next hop never depends on a tunable:
// where one could change it, that is an error, see tunable_dependence.h), ties by hops, then by the lowest directed
// link id. Only routers and switches forward. Routes are computed on the row graph (row_graph.h), towards destination
// rows that something can send to, and neighbouring ranges with the same next hop are merged. An address that no node
// has lies in no range.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "elaborate/network.h"
#include "runtime/abi/image.h"

namespace anml {

// Element e of a node row forwards by `tables[table + e * stride]`; stride 0: one table for the whole row.
struct RowTable {
    std::uint32_t table = 0, stride = 0;
};

struct RouteTables {
    std::vector<RowTable> table_of_row;   // by node row
    std::vector<abi::Slice> tables;       // slices of `ranges`; equal tables share theirs
    std::vector<abi::RouteRange> ranges;  // in each table sorted and disjoint
};

std::optional<RouteTables> compute_routes(const Network& network, Diagnostics& diagnostics);

// The directed link on which `node` (id) sends to an address; abi::kNone: no route.
std::uint32_t lookup_route(const Network& network, const RouteTables& routes, std::uint32_t node,
                           std::uint32_t address);
// The directed links from node to node along the routes; empty and false if unreachable.
bool trace_path(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to,
                std::vector<std::uint32_t>& links);
std::string dump_routes(const Network& network, const RouteTables& routes);    // --emit=routes: JSON
std::string verify_routes(const Network& network, const RouteTables& routes);  // "" or what is broken

// Requirements with their path queries answered. One that is false at the tunables' defaults, or over their whole
// range, is an error (diagnostic); one that is always true is dropped; the rest is checked when the emulator starts.
struct Requirements {
    ValuePool values;                       // network.values plus what the answers needed
    std::vector<RequirementInfo> residual;  // `holds` indexes `values`
};
std::optional<Requirements> resolve_requirements(const Network& network, const RouteTables& routes,
                                                 Diagnostics& diagnostics);

}  // namespace anml
