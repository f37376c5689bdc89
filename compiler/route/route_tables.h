// Stage 5: forwarding tables, in the compressed form that the image carries (abi::RouteTable).
//
// Shortest paths: by the sum of propagation delays (tunables at their default; a next hop never depends on a tunable:
// where one could change it, that is an error, see tunable_dependence.h), of equals by the number of links; or by the
// number of links alone. Of links that are equally short the lowest directed id is taken, or, with multipath, all.
// By cost, the sum of the links' costs counts instead of delays. Regions have metrics of their own, and between
// autonomous systems policy decides (path_lengths.h). Only routers and switches forward. A static route goes
// before what is computed, the longest prefix first, as long as a link to its neighbour is up; it changes no other
// node's routes. An epoch of the timeline has tables of its own where they differ. Routes are computed on the row graph
// (row_graph.h), towards destination rows that something can send to. An address that no node has has no route; one
// that nothing sends to may have any.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "elaborate/network.h"
#include "runtime/abi/forwarding.h"

namespace anml {

// Element e of a node row forwards by `tables[table + e * stride]`; stride 0: one table for the whole row.
struct RowTable {
    std::uint32_t table = 0, stride = 0;
};

struct RouteEpoch {
    double time = 0;                    // ns, tunables at their defaults
    std::optional<ValueExprId> moment;  // the same as an expression; nothing where the time is fixed
    std::vector<abi::TableChange> changes;
    // Tables of hosts and endpoints that are cut off: they keep what they have, and lose what they send on links that
    // are down, but there is no way from there.
    std::vector<std::uint32_t> cut_off;
};

struct RouteTables {
    std::vector<RowTable> table_of_row;  // by node row
    std::vector<abi::RouteTable> tables;
    std::vector<abi::RouteRange> ranges;  // equal tables share theirs
    std::vector<abi::NextHop> hops;
    std::vector<abi::RouteColumn> columns;
    std::vector<std::uint8_t> codes;  // with padding, unless empty
    std::vector<std::uint32_t> alternatives;
    std::vector<RouteEpoch> epochs;  // behind the first one, whose tables are above

    // The tables while the epoch that holds `time` (ns, tunables at their defaults) lasts.
    std::vector<abi::RouteTable> tables_at(double time) const;
    abi::Forwarding forwarding() const
    {
        return {ranges.data(), hops.data(),        columns.data(), static_cast<std::uint32_t>(columns.size()),
                codes.data(),  alternatives.data()};
    }
};

std::optional<RouteTables> compute_routes(const Network& network, Diagnostics& diagnostics);

// The directed links on which `node` (id) sends to an address, any of which a packet's flow may choose; empty: no
// route.
// With `tables`, those instead of the first epoch's.
std::vector<std::uint32_t> lookup_routes(const Network& network, const RouteTables& routes, std::uint32_t node,
                                         std::uint32_t address, const std::vector<abi::RouteTable>* tables = nullptr);
// All that packets between two nodes may cross: by steps, since all paths have the same number of links, and in each by
// directed link, with the share of flows that takes it. False, and empty, if there is no path.
struct PathLink {
    std::uint32_t link;
    double share;
};
bool trace_paths(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to,
                 std::vector<std::vector<PathLink>>& steps, const std::vector<abi::RouteTable>* tables = nullptr);
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
