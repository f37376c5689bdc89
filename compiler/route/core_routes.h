// Next hops from every vertex of the core to every root of destinations. A search for each root, on all processors; the
// result doesn't depend on how many there are.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "elaborate/network.h"
#include "route/core_codes.h"
#include "route/destinations.h"
#include "route/next_hops.h"
#include "route/path_graph.h"

namespace anml {

class CoreRoutes {
  public:
    CoreRoutes(const RowGraph& graph, const RoutingDomains& domains, const PathGraph& core,
               const Destinations& destinations);

    // What it will take, before it is computed.
    std::uint64_t bytes() const { return codes_.bytes(); }
    void compute(NextHops& next_hops);

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
    std::vector<std::uint8_t> code_bits() const;
    template <class Rule>
    void search(const Rule& rule);
    std::uint32_t shared_code(std::uint32_t index, Shared shared);
    // Its ports to go on; where a destination is a run, its ports as the last hop too.
    std::uint32_t port_codes(std::uint32_t index) const
    {
        return (runs_ ? 2 : 1) * static_cast<std::uint32_t>(core_.leaving(index).size());
    }
    bool is_run(std::uint32_t column) const { return graph_.vertices()[destinations_.roots[column]].count > 1; }

    const RowGraph& graph_;
    const RoutingDomains& domains_;
    const PathGraph& core_;
    const Destinations& destinations_;
    std::uint32_t columns_;
    bool runs_;  // some destination is one
    CoreCodes codes_;
    std::vector<std::map<Shared, std::uint32_t>> shared_;  // by vertex, numbered in the order of their finding
    std::vector<std::vector<abi::NextHop>> hops_;          // by vertex: of its ports, then `shared_`
};

}  // namespace anml
