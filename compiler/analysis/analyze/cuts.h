// Single points of failure: nodes and links without which pairs of terminals lose their way, whatever routes are
// chosen.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/analyze/places.h"

namespace anml {

struct Cut {
    bool link = false;
    std::uint32_t place = 0, slot = 0;  // a node; or a link, by its slot from left to right
    double nodes = 0;  // terminals that lose their way to the largest remaining part; itself not counted
    double pairs = 0;  // unordered pairs that lose their way; of a node those with itself not counted
};

struct Cuts {
    std::vector<Cut> list;    // by pairs lost, most first
    double single_homed = 0;  // terminals with one link; these links are not listed
    double pairs = 0;         // unordered pairs that have a way while nothing fails
};

// Of links between nodes that pass packets on, and of these nodes.
Cuts find_cuts(const Places& places);

}  // namespace anml
