// What links have at a time of the run: their own values, or those that the timeline gave them last.
#pragma once

#include <vector>

#include "base/range_index.h"
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
    std::vector<abi::TimelineTimes> times_;               // by timeline row
    std::vector<abi::Moment> moments_;                    // of all rows
    std::vector<std::vector<std::uint32_t>> moments_of_;  // by timeline row: indices of moments_
    RangeIndex<std::uint32_t> rows_of_links_;             // timeline rows by link rows and their elements
};

}  // namespace anml
