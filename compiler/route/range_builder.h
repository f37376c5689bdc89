// One vertex's forwarding table in the making: ranges come in address order and are merged as they come.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/abi/image.h"

namespace anml {

class RangeBuilder {
  public:
    // Ranges must come in ascending order; `range` begins after everything added before.
    void add(abi::RouteRange range);
    // The node's own address, at its place in the order: what lies on both sides of it may merge across it.
    void add_own(std::uint32_t address);

    const std::vector<abi::RouteRange>& ranges() const { return ranges_; }

  private:
    std::vector<abi::RouteRange> ranges_;
    std::uint32_t own_ = 0;  // 0: not met yet
};

}  // namespace anml
