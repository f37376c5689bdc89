// What links have at a time of the run: their own values, or those that the timeline gave them last.
#pragma once

#include <vector>

#include "elaborate/network.h"
#include "runtime/abi/timeline.h"

namespace anml {

class TimedLinks {
  public:
    explicit TimedLinks(const Network& network);

    // The rate, delay or queue of a directed link at `time` (ns, tunables at their defaults). `values` has all of the
    // network's, and gets what the answer needs besides.
    ValueExprId value(ValuePool& values, std::uint32_t link, abi::TimelineAttribute attribute, double time) const;

  private:
    const Network& network_;
    std::vector<abi::Moment> moments_;
};

}  // namespace anml
