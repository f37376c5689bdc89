// Tables of the vertices that hang on others: down to what hangs on them, up to everything else. Routers send up only
// what reaches its destination; hosts and switches have a default route, and so has everything where there are
// autonomous systems, since only a search knows what a provider reaches.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/routes/pendant_trees.h"
#include "elaborate/network.h"
#include "route/core/destinations.h"
#include "route/tables/next_hops.h"
#include "route/tables/range_builder.h"
#include "route/tables/table_draft.h"

namespace anml {

class PendantRoutes {
  public:
    // Destinations [first, last] hang on a vertex, by one of the links that lead down from it.
    struct Below {
        std::uint32_t first, last;
        abi::NextHop hop;
    };

    PendantRoutes(const Network& network, const RowGraph& graph, const RoutingDomains& domains,
                  std::span<const std::int64_t> weights, const PendantTrees& trees, const Destinations& destinations,
                  NextHops& next_hops);

    // Of a vertex that hangs; moved out.
    TableDraft take_table(std::uint32_t vertex) { return std::move(tables_[vertex]); }
    const TableDraft& table(std::uint32_t vertex) const { return tables_[vertex]; }
    // Of a vertex of the core: what hangs on it, ascending.
    std::span<const Below> below(std::uint32_t vertex) const { return below_[vertex]; }

  private:
    // The best of the links between two neighbours, by `weights`; nothing where all are down.
    std::optional<abi::NextHop> hop(std::uint32_t from, std::uint32_t to, NextHops& next_hops) const;

    const RowGraph& graph_;
    std::span<const std::int64_t> weights_;
    std::vector<std::vector<Below>> below_;
    std::vector<TableDraft> tables_;
};

}  // namespace anml
