// What the partition is made from: runs of alike elements of node rows, the links between them, and how much traffic is
// expected where. The cost is proportional to what the model's text distinguishes, not to its expansion.
//
// The unit of traffic is one packet there and one back for each target of a workload, on average: what a target does in
// a transaction and how long that takes decide its share. A node counts 1 for each packet
// that it passes on, and kEndCost for each that it sends or receives itself. Without
// workloads every host and endpoint weighs 1, every router and switch 1 for each of its links.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/routes/route_tables.h"
#include "elaborate/network.h"

namespace anml {

inline constexpr double kLeastLookahead = 1;  // ns: the clock's resolution
inline constexpr double kEndCost = 1;

// A run of elements of one node row that links and workloads treat alike; a run longer than one may be cut anywhere.
struct Piece {
    NodeRowId row;
    std::uint32_t first = 0, count = 1;
    double weight = 0;  // expected events of all its elements
};

// Consecutive elements of one link group that join the same two pieces.
struct PieceLink {
    std::uint32_t row = 0;               // of Network::links
    std::uint32_t first = 0, count = 1;  // elements
    std::uint32_t piece[2] = {0, 0};     // at ends a and b
    double traffic = 0;                  // packets, both directions
    double delay = 0;                    // ns, the lesser direction, tunables at their defaults
    double least = 0;                    // the same over the tunables' range and the timeline
    bool on_air = false;                 // it shares the air with others of its cell
};

struct PieceGraph {
    std::vector<Piece> pieces;               // by row, then element
    std::vector<std::uint32_t> first_piece;  // by node row, and one past the last
    std::vector<PieceLink> links;            // by link row, then element
    std::vector<std::uint32_t> first_link;   // by link row, and one past the last
    double round_trip = 0;                   // ns: how long a unit of traffic takes

    std::uint32_t piece_at(NodeRowId row, std::uint32_t element) const;
    std::uint32_t link_at(std::uint32_t directed_link, const Network& network) const;
};

PieceGraph make_pieces(const Network& network);
// Fills in weights, traffic and the round trip.
void expect_traffic(const Network& network, const RouteTables& routes, PieceGraph& graph);

}  // namespace anml
