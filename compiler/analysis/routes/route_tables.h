// Forwarding tables as data, in the compressed form that the image carries (abi::RouteTable), and what they say of an
// address or a path. How they come about: route/route.h.
#pragma once

#include <optional>
#include <vector>

#include "elaborate/network.h"
#include "runtime/abi/forwarding.h"

namespace anml {

// Element e of a node row forwards by `tables[table + e * stride]`; stride 0: one table for the whole row.
struct RowTable {
    std::uint32_t table = 0, stride = 0;
};

// Directed links first, first + 2, first + 4 ... that go down, or come up.
struct LinkRun {
    std::uint32_t first = 0, count = 0;
    bool down = false;
};

struct ToldHead {
    std::uint32_t node;   // id
    std::uint32_t state;  // as many changes of the network have been
};

struct RouteEpoch {
    double time = 0;                    // ns, tunables at their defaults
    std::optional<ValueExprId> moment;  // the same as an expression; nothing where the time is fixed
    double later = 0;                   // ns that it comes behind `moment`
    std::vector<abi::TableChange> changes;
    std::vector<abi::ColumnChange> columns;  // their codes are rows of RouteTables::code_changes
    // Tables of hosts and endpoints that are cut off from here on, or no longer: they keep what they have, and lose
    // what they send on links that are down, but there is no way from there.
    std::vector<std::uint32_t> cut_off, joined;
    // Where routes change later than links: which do here. Then nobody is cut off or joins, and a way over a link that
    // is down is none.
    std::vector<LinkRun> links;
    // There, too: which routers that give packets segments know which state of the network from here on.
    std::vector<ToldHead> told;
    bool settled = true;  // all tables are of one state of the network
};

// Where routes lead: to what workloads and path queries need, and with an endpoint, since a real host may send
// anywhere, to every address; or to every address in any case.
enum class RouteScope : std::uint8_t { needed, everywhere };

struct RouteTables {
    RouteScope scope{};
    std::vector<RowTable> table_of_row;  // by node row
    std::vector<abi::RouteTable> tables;
    std::vector<abi::RouteRange> ranges;  // equal tables share theirs
    std::vector<abi::NextHop> hops;
    std::vector<abi::RouteColumn> columns;
    std::vector<std::uint8_t> codes;  // with padding, unless empty
    std::vector<std::uint32_t> alternatives;
    // Of routes by segments; both empty where there are none. Tables of `steering` stand behind those of nodes.
    std::vector<abi::SegmentRow> segments;
    std::vector<abi::SteeringRow> steering;
    std::vector<RouteEpoch> epochs;             // behind the first one, whose tables are above
    std::vector<abi::CodeChange> code_changes;  // equal changes of a column share theirs
    // Of tables of one moment: as RouteState::down; and, where some routers are not told of all changes yet, when all
    // are (ns).
    std::vector<char> down;
    std::optional<double> settles;

    abi::Forwarding forwarding() const
    {
        return {ranges.data(), hops.data(),        columns.data(), static_cast<std::uint32_t>(columns.size()),
                codes.data(),  alternatives.data()};
    }
};

// The tables of an epoch (route_epochs.h).
struct RouteState {
    std::vector<abi::RouteTable> tables;
    std::vector<std::uint8_t> codes;  // empty: those of RouteTables
    std::vector<char> down{};         // by directed link; empty: tables lead over none that is
    bool settled = true;              // as RouteEpoch::settled
};

// The directed links on which `node` (id) sends to an address, any of which a packet's flow may choose; empty: no
// route.
// With `state`, its tables instead of the first epoch's. While routes change, links among them may be down.
std::vector<std::uint32_t> lookup_routes(const Network& network, const RouteTables& routes, std::uint32_t node,
                                         std::uint32_t address, const RouteState* state = nullptr);
// The same with the weight of each, of which its share of the flows is its part of the sum.
struct WeightedLink {
    std::uint32_t link, weight;
};
std::vector<WeightedLink> lookup_weights(const Network& network, const RouteTables& routes, std::uint32_t node,
                                         std::uint32_t address, const RouteState* state = nullptr);
// Of a next hop: a link stands among its places as often as its weight says.
std::vector<WeightedLink> weights_of(const abi::Forwarding& forwarding, const abi::NextHop& hop,
                                     std::uint32_t destination, std::uint32_t element);
// All that packets between two nodes may cross: by steps, since all paths have the same number of links, and in each by
// directed link, with the share of flows that takes it. False, and empty, if there is no path, or some flows go round
// in circles or over a link that is down. In a state that is not settled, and by segments, some may arrive in fewer
// steps than others. `trace_shortest` knows nothing of routes by segments.
struct PathLink {
    std::uint32_t link;
    double share;
};
// What routes by segments tell packets apart by, besides addresses. Those of nobody in particular have none of it.
struct PacketMarks {
    std::uint32_t dscp = 0;
    std::uint32_t protocol = 0;  // 1 ICMP, 6 TCP, 17 UDP
    std::uint32_t port = 0;      // the server's, on both ways
};
PacketMarks marks_of(const WorkloadInfo& workload);
bool trace_paths(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to,
                 std::vector<std::vector<PathLink>>& steps, const RouteState* state = nullptr,
                 const PacketMarks& marks = {});
// The nodes that packets from `from` to an anycast address reach, by id, with the share of flows that does; empty: not
// all of them reach one.
struct ReachedNode {
    std::uint32_t node;
    double share;
};
std::vector<ReachedNode> trace_anycast(const Network& network, const RouteTables& routes, std::uint32_t from,
                                       std::uint32_t address);
bool trace_shortest(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to,
                    std::vector<std::vector<PathLink>>& steps, const RouteState* state = nullptr);

}  // namespace anml
