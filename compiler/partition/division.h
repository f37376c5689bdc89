// The graph that is divided into tasks, and its division.
//
// A vertex is a group of pieces that stay together, or a share of the elements of one piece. Weights and traffic are in
// packets per unit of traffic (pieces.h). A boundary costs kCrossing for each packet over it, and for every channel
// what it takes to hand the clock over once in each lookahead: kHandover packets' worth, round_trip / lookahead times
// per unit of traffic.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "partition/partition.h"
#include "partition/pieces.h"

namespace anml {

inline constexpr double kCrossing = 0.25;
inline constexpr double kHandover = 16;
inline constexpr double kLeastTaskWeight = 128;  // below it a task has less to do than its channels cost

struct Share {
    std::uint32_t piece = 0, count = 0;  // so many of the piece's elements
};

struct DivisionVertex {
    double weight = 0;
    std::vector<Share> shares;
    std::uint32_t name = abi::kNone;  // of Network::task_names: a task of its own
};

struct DivisionEdge {
    std::uint32_t a = 0, b = 0;  // a < b
    double traffic = 0;
    double delay = 0;    // ns, least
    double portion = 1;  // of the handover's cost: the shares of a piece reckon as one neighbour
};

struct DivisionGraph {
    std::vector<DivisionVertex> vertices;
    std::vector<DivisionEdge> edges;  // sorted, each pair once
    double weight = 0;
    double round_trip = 0;
    std::uint32_t tasks = 1;  // how many the model's size suggests, beside those with a name
};

inline double handover_cost(double round_trip, double delay) { return kHandover * round_trip / delay; }

// Joins what may not be cut or isn't worth it, and splits arrays that are too heavy; notes say what was joined and why.
DivisionGraph group_pieces(const Network& network, const PieceGraph& pieces, const PartitionOptions& options,
                           std::vector<std::string>& notes);

// As below; vertices with a name are parts of their own, the rest is divided as if they were not there.
std::vector<std::uint32_t> divide_beside_named(const DivisionGraph& graph, bool exact);

// By vertex: its part; parts are 0 .. some number - 1, none empty. Always the same for the same graph. With `exact` the
// number of parts is as near to graph.tasks as the vertices allow, else it may be less where that is about as fast.
std::vector<std::uint32_t> divide(const DivisionGraph& graph, bool exact);

// Divides into parts of roughly equal weight along a small cut.
std::vector<std::uint32_t> bisect(const DivisionGraph& graph, std::uint32_t parts);

}  // namespace anml
