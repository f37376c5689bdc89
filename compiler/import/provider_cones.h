// Which autonomous systems of an imported graph surely reach each other.
#pragma once

#include <vector>

#include "import/interpret.h"

namespace anml {

// By node: whether it is a customer, directly or not, of some top provider of its component, or one itself. Top
// providers have no provider and are all each other's peers, so a packet goes up to one, across, and down
// (valley-free). Everything, where there are no relations.
std::vector<char> below_top_providers(const ImportedNetwork& network);

}  // namespace anml
