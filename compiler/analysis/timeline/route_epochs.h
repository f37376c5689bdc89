// The tables of each epoch in turn. Going on to a later one takes what changes, going back begins anew.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/routes/route_tables.h"

namespace anml {

class RouteEpochs {
  public:
    RouteEpochs(const Network& network, const RouteTables& routes);

    // While the epoch lasts that holds `time` (ns, tunables at their defaults).
    const RouteState& at(double time);
    // When so many epochs behind the first one have begun.
    const RouteState& after(std::size_t epochs);
    std::size_t epochs_before(double time, bool inclusive = false) const;

  private:
    void start();
    void begin(const RouteEpoch& epoch);

    const RouteTables& routes_;
    RouteState state_;
    std::vector<abi::RouteTable> kept_;  // as the emulator has them
    std::vector<char> cut_off_;
    std::uint32_t links_;  // directed, where some go down before routes change; else 0
    std::size_t begun_ = 0;
};

// When all routers are told of all changes, at first behind `time` (ns).
double settles_after(const RouteTables& routes, double time);

}  // namespace anml
