// Questions about a network that routes and all behind them ask: what links weigh, whose id and whose address it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/routes/routing_domains.h"
#include "analysis/routes/row_graph.h"
#include "elaborate/network.h"

namespace anml {

// Addresses of a vertex, inclusive.
std::uint32_t first_address(const Network& network, const RouteVertex& vertex);
std::uint32_t last_address(const Network& network, const RouteVertex& vertex);

// All addresses of the network, as maximal runs, ascending.
struct AddressRun {
    std::uint32_t first, last;
};
std::vector<AddressRun> assigned_addresses(const Network& network);

// Nodes that share an anycast address, by their rows; groups by address.
struct AnycastGroup {
    std::uint32_t address = 0;
    std::vector<std::uint32_t> rows{};
};
std::vector<AnycastGroup> anycast_groups(const Network& network);

// What routes minimise, by edge of the row graph, each by its metric: lane_weights, costs, or nothing where only the
// number of links counts; inside of a region that counts links, 1. A link that is down weighs kDown.
using EdgeWeights = std::vector<std::int64_t>;
inline constexpr std::int64_t kDown = -1;
EdgeWeights edge_weights(const Network& network, const RowGraph& graph, const RoutingDomains& domains,
                         const std::vector<double>& tunables);
std::int64_t cost_weight(double cost);  // to a thousandth
// Weights by lane: propagation delay in ns, rounded as the runtime rounds it, never negative.
std::vector<std::int64_t> lane_weights(const Network& network, const std::vector<double>& tunables);
// Delays that the timeline gives links, besides their own: by link row.
std::vector<std::vector<ValueExprId>> timeline_delays(const Network& network);
std::vector<double> default_tunables(const Network& network);
// The mean of a record's attribute, 0 where its schema has none of that name.
double mean_of(const Network& network, std::uint32_t record, std::string_view attribute,
               const std::vector<double>& tunables);
// Whether a record has that attribute, a choice, with this value of its enumeration.
bool chooses(const Network& network, std::uint32_t record, std::string_view attribute, std::uint32_t ordinal);
std::vector<ValuePool::Interval> tunable_ranges(const Network& network);

// Placing dense ids: the row of a node or directed link, and the node at either end of a directed link.
std::size_t node_row_of(const Network& network, std::uint32_t node);
std::size_t link_row_of(const Network& network, std::uint32_t link);
// The record of the node's TCP; abi::kNone: it has none.
std::uint32_t tcp_of(const Network& network, std::uint32_t node);
std::uint32_t link_source(const Network& network, std::uint32_t link);
std::uint32_t link_target(const Network& network, std::uint32_t link);
struct LinkNodes {
    std::uint32_t source, target;
};
LinkNodes link_nodes(const Network& network, std::uint32_t link);
std::string node_name(const Network& network, std::uint32_t node);  // "net[3].client[17]"
std::string link_name(const Network& network, std::uint32_t link);  // "net[3].edge[17]", without direction

}  // namespace anml
