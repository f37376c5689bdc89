// A part of a graph that is too large as a whole: the surroundings of a node, the nodes with the most edges.
#pragma once

#include <optional>
#include <string>

#include "import/graphs/foreign_graph.h"

namespace anml {

struct GraphPart {
    std::string around;                    // id or label of a node; "": everywhere
    std::uint32_t within = 2;              // so many edges from it
    std::optional<std::uint32_t> largest;  // of these, so many nodes with the most edges
};

// The order of nodes and edges stays. False after an error: there is no such node.
bool choose_part(ForeignGraph& graph, const GraphPart& part, Diagnostics& diagnostics);

}  // namespace anml
