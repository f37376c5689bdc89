// One vertex's address ranges in the making: destinations come by address, and are merged as they come.
#pragma once

#include <cstdint>
#include <vector>

#include "route/core/destinations.h"
#include "runtime/abi/image.h"

namespace anml {

class RangeBuilder {
  public:
    // `own`: the vertex's own number among the destinations, over which ranges may run; or Destinations::kNone.
    RangeBuilder(const Destinations& destinations, std::uint32_t own) : destinations_(destinations), own_(own) {}

    // Destinations [first, last], which come after all that were added before.
    void add(std::uint32_t first, std::uint32_t last, abi::NextHop hop);

    const std::vector<abi::RouteRange>& ranges() const { return ranges_; }

  private:
    void add_block(std::uint32_t first, std::uint32_t last, abi::NextHop hop);

    const Destinations& destinations_;
    std::uint32_t own_;
    std::uint32_t last_ = Destinations::kNone;  // destination added last
    std::vector<abi::RouteRange> ranges_;
};

}  // namespace anml
