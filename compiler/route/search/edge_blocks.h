// Biconnected parts of the row graph: a path that enters and leaves a part does so at fixed vertices, so the choice of
// the way through one part doesn't depend on any other. A part of a single link leaves no choice.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/routes/row_graph.h"

namespace anml {

// By edge of the graph: the number of its part, the same for both directions; kBridge where the part is one link.
inline constexpr std::uint32_t kBridge = 0xffffffffu;
std::vector<std::uint32_t> edge_blocks(const RowGraph& graph);

}  // namespace anml
