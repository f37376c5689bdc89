// Paths and loads: for each destination the tables are followed from everywhere at once.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/analyze/places.h"

namespace anml {

// What one element of `from` sends to one element of `to` (indices into terminals; equal: two different elements of one
// place). Any unit.
using PairDemand = std::function<double(std::uint32_t from, std::uint32_t to)>;

// One way between two terminals; of several equally good paths the worst.
struct PathFigures {
    static constexpr std::uint32_t kNoPath = 0xffffffffu;
    std::uint32_t hops = kNoPath;
    std::uint32_t bottleneck = Places::kNone;  // slot of the lowest rate, the first such on the way
    double delay = 0;                          // ns of propagation
    bool reached() const { return hops != kNoPath; }
};

struct PathAnalysis {
    std::vector<double> load;              // by slot, of each of its links, in the demand's unit
    std::vector<double> bottleneck_pairs;  // by slot: ordered pairs of nodes whose lowest rate is there
    double unreached = 0;                  // ordered pairs of nodes without a way, or with a loop
    double undelivered = 0;                // what was asked for between those, in the demand's unit
    double demand = 0;                     // in all, delivered or not

    // [from * terminals + to], of two different nodes; empty where there are more than kMostPairs.
    static constexpr std::size_t kMostPairs = 25'000'000;
    std::vector<PathFigures> pairs;
};

// On all processors; the result does not depend on how many there are.
PathAnalysis analyze_paths(const Places& places, const PairDemand& demand);

}  // namespace anml
