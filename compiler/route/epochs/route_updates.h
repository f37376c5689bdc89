// What becomes of the core's routes as weights change. Only those destinations are searched anew on whose paths a link
// got worse, or for which one got better than what there was: lengths are found by following the codes, so none have to
// be kept. What hosts send on concerns nobody else, and is looked up at their neighbours. States that come back are
// known, as far as that takes little memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/timeline/epochs.h"
#include "route/core/core_routes.h"
#include "route/search/path_graph.h"

namespace anml {

class RouteUpdates {
  public:
    struct Change {
        std::uint32_t column, vertex;  // of the core
        std::uint32_t before, code;    // as CoreRoutes has them
    };

    virtual ~RouteUpdates() = default;
    // Sets these weights, as far as they are the core's. The codes that differ from those before, by column, then
    // vertex; valid until the next call.
    virtual const std::vector<Change>& update(const WeightChanges& changes) = 0;
    // As it is now.
    virtual std::uint32_t code(std::uint32_t column, std::uint32_t index) const = 0;

    static std::unique_ptr<RouteUpdates> make(PathGraph& core, CoreRoutes& routes);
};

}  // namespace anml
