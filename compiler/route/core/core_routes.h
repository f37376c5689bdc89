// Next hops from every vertex of the core to every root of destinations. A search for each root, on all processors; the
// result doesn't depend on how many there are. Where epochs change weights, route_updates.h says what becomes of it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "elaborate/network.h"
#include "route/core/core_codes.h"
#include "route/core/destinations.h"
#include "route/search/path_graph.h"
#include "route/search/path_search.h"
#include "route/tables/next_hops.h"

namespace anml {

class CoreRoutes {
  public:
    CoreRoutes(const RowGraph& graph, const RoutingDomains& domains, const PathGraph& core,
               const Destinations& destinations);

    // What it will take, before it is computed.
    std::uint64_t bytes() const { return codes_.bytes(); }
    void compute();
    // Once no more codes are needed.
    void make_hops(NextHops& next_hops);

    // Codes of the vertices [index, index + vertices) of the core, by vertex, then column: 0: no way, else n: the
    // vertex's next hop n - 1.
    void codes(std::uint32_t index, std::uint32_t vertices, std::vector<std::uint32_t>& codes) const;
    std::uint32_t code(std::uint32_t column, std::uint32_t index) const { return codes_.get(column, index); }
    std::span<const abi::NextHop> hops(std::uint32_t index) const { return hops_[index]; }
    std::uint32_t columns() const { return columns_; }

    std::uint32_t root(std::uint32_t column) const { return core_.index(destinations_.roots[column]); }
    bool is_run(std::uint32_t column) const { return graph_.vertices()[destinations_.roots[column]].count > 1; }
    // Links of the vertex have gone up or down: a host's default route may be another one.
    void renew_default(std::uint32_t index);
    // The ports that a code stands for, and the code for a port, or for several that are equally good.
    std::span<const std::uint32_t> ports(std::uint32_t index, std::uint32_t code, std::uint32_t& single) const;
    std::uint32_t code_for(std::uint32_t column, std::uint32_t index, std::uint32_t port,
                           std::vector<std::uint32_t>&& ports);
    bool shares(std::uint32_t index) const { return shares_[index] != 0; }
    std::uint32_t default_port(std::uint32_t index) const { return default_[index]; }

    // `set(vertex, code)` for each that has a way, by what the search finds.
    template <class Rule, class Set>
    void column_codes(std::uint32_t column, PathSearch<Rule>& search, Set&& set)
    {
        const std::uint32_t root = this->root(column);
        if (core_.entering(root).empty()) {  // nobody reaches it
            for (const std::uint32_t v : defaulting_)
                if (v != root) set(v, default_[v] + 1);
            return;
        }
        search.run(root);
        for (std::uint32_t v = 0; v < core_.size(); ++v) {
            std::uint32_t port = search.port(v);
            std::vector<std::uint32_t> ports;
            if (v == root) {
                // Elements of a run reach each other by way of a neighbour.
                if (is_run(column)) ports = search.equal_ports(v);
                if (!ports.empty()) port = ports[0];
            } else if (shares_[v] && search.tied(v)) {
                ports = search.equal_ports(v);
            } else if (port == kNoPort) {
                port = default_[v];
            }
            if (port != kNoPort) set(v, code_for(column, v, port, std::move(ports)));
        }
    }

  private:
    static constexpr std::size_t kLocks = 256;  // of what vertices share, by the number modulo it

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

    const RowGraph& graph_;
    const RoutingDomains& domains_;
    const PathGraph& core_;
    const Destinations& destinations_;
    std::uint32_t columns_;
    bool runs_;  // some destination is one
    CoreCodes codes_;
    std::vector<char> shares_;               // by vertex: flows are shared between equally good ports
    std::vector<std::uint32_t> default_;     // by vertex: a host's port without a route; kNoPort
    std::vector<std::uint32_t> defaulting_;  // those that have one
    std::array<std::mutex, kLocks> locks_;
    std::vector<std::map<Shared, std::uint32_t>> shared_;  // by vertex, numbered in the order of their finding
    std::vector<std::vector<const Shared*>> by_number_;    // the same
    std::vector<std::vector<abi::NextHop>> hops_;          // by vertex: of its ports, then `shared_`
};

}  // namespace anml
