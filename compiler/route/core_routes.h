// Next hops from every vertex of the core to every root of destinations. A search for each root, on all processors; the
// result doesn't depend on how many there are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elaborate/network.h"
#include "route/destinations.h"
#include "route/next_hops.h"
#include "route/path_graph.h"

namespace anml {

class CoreRoutes {
  public:
    CoreRoutes(const RowGraph& graph, const RoutingDomains& domains, const PathGraph& core,
               const Destinations& destinations, NextHops& next_hops);

    // Codes of the vertices [index, index + vertices) of the core, by vertex, then column: 0: no way, else n: the
    // vertex's next hop n - 1.
    void codes(std::uint32_t index, std::uint32_t vertices, std::vector<std::uint32_t>& codes) const;
    std::span<const abi::NextHop> hops(std::uint32_t index) const { return hops_[index]; }
    std::uint32_t columns() const { return columns_; }

  private:
    struct Shared {
        bool through;
        std::vector<std::uint32_t> ports;
        friend auto operator<=>(const Shared&, const Shared&) = default;
    };
    template <class Rule>
    void search(const RowGraph& graph, const RoutingDomains& domains, const PathGraph& core,
                const Destinations& destinations, const Rule& rule);
    std::uint32_t shared_code(std::uint32_t index, Shared shared, std::uint32_t degree);
    void set(std::uint32_t column, std::uint32_t index, std::uint32_t code);

    std::uint32_t columns_, vertices_;
    // By column, then vertex; the narrow one unless there can be more codes than it holds.
    std::vector<std::uint16_t> narrow_;
    std::vector<std::uint32_t> wide_;
    std::vector<std::vector<Shared>> shared_;  // by vertex, in the order of their finding
    std::vector<std::vector<abi::NextHop>>
        hops_;  // by vertex: its ports to go on, its ports as the last hop, `shared_`
};

}  // namespace anml
