// Trees that hang on the rest of the row graph: there is one way out of them, so no path has to be searched in them.
//
// A vertex hangs on another if that is the only one it has links to, once what hangs on itself is taken away; what it
// hangs on must pass packets on, and no link of it may go one way only. What hangs in another autonomous system is its
// customer: a peer, or a provider, is not told all routes. What is left is the core: of a tree a single
// vertex, of hosts on routers the routers.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/routes/routing_domains.h"
#include "analysis/routes/row_graph.h"

namespace anml {

struct PendantTrees {
    static constexpr std::uint32_t kCore = 0xffffffffu;
    PendantTrees(const RowGraph& graph, const RoutingDomains& domains);

    std::vector<std::uint32_t> parent;  // by vertex: what it hangs on, or kCore
    std::vector<std::uint32_t> order;   // those that hang, each before what it hangs on
    std::vector<std::uint32_t> root;  // by vertex: the vertex of the core that it hangs on at last; its own in the core
};

}  // namespace anml
