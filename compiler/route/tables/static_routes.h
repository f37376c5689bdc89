// Static routes: put before what was computed, and followed to where they lead.
#pragma once

#include <vector>

#include "analysis/network_queries.h"
#include "analysis/routes/route_tables.h"
#include "base/diagnostics.h"
#include "elaborate/network.h"
#include "route/tables/next_hops.h"
#include "route/tables/table_draft.h"

namespace anml {

class StaticRoutes {
  public:
    StaticRoutes(const Network& network, const RowGraph& graph);

    // The vertices that have some, ascending.
    const std::vector<std::uint32_t>& sources() const { return sources_; }
    // Of a vertex, in the order in which they are put into its table. A route whose links are all down, as `weights`
    // say, is left out.
    std::vector<abi::RouteRange> of(std::uint32_t vertex, const EdgeWeights& weights, NextHops& next_hops) const;
    static void put(const std::vector<abi::RouteRange>& routes, std::vector<abi::RouteRange>& table);

  private:
    struct Route {
        std::uint32_t from, via;
        const StaticRoute* declared;
    };
    const RowGraph& graph_;
    std::vector<AddressRun> assigned_;
    std::vector<Route> routes_;
    std::vector<std::uint32_t> sources_;
};
// Reports `routing-loop`, at most once per statement.
void check_static_routes(const Network& network, const RouteTables& routes, Diagnostics& diagnostics);

}  // namespace anml
