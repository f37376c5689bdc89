// Places for nodes that have no position of their own among those that do.
#pragma once

#include <vector>

#include "graph/adjacency.h"
#include "graph/layout/layout.h"

namespace anml {

// `placed` by node: it has its place in the layout already.
void place_rest(const Adjacency& graph, std::vector<char>& placed, PictureLayout& layout);

}  // namespace anml
