// Stage 5: forwarding tables, in the compressed form that the image carries (abi::RouteRange).
//
// Shortest path by the sum of propagation delays (tunables at their default; a next hop never depends on a tunable:
// where one could change it, that is an error), ties by hops, then by the lowest directed link id. Routes are computed per node row over the
// row graph, towards destination rows that something can send to, and neighbouring ranges with the same next hop are merged.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "elaborate/network.h"
#include "runtime/abi/image.h"

namespace anml {

struct RouteTables {
    std::vector<abi::Slice> table_of_row;      // by node row: slice of `ranges`
    std::vector<abi::RouteRange> ranges;       // per row: sorted, disjoint
};

std::optional<RouteTables> compute_routes(const Network& network, Diagnostics& diagnostics);
// The directed links from node to node along the routes; empty and false if unreachable.
bool trace_path(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to,
                std::vector<std::uint32_t>& links);
std::string dump_routes(const Network& network, const RouteTables& routes);    // --emit=routes: JSON
std::string verify_routes(const Network& network, const RouteTables& routes);

// Requirements with their path queries answered. One that is false at the tunables' defaults, or over their whole
// range, is an error (diagnostic); one that is always true is dropped; the rest is checked when the emulator starts.
struct Requirements {
    ValuePool values;                          // network.values plus what the answers needed
    std::vector<RequirementInfo> residual;     // `holds` indexes `values`
};
std::optional<Requirements> resolve_requirements(const Network& network, const RouteTables& routes, Diagnostics& diagnostics);

}  // namespace anml
