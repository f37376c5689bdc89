// Which packets of a link arrive late: after one that was sent later (RFC 4737, section 3, where the order of sending
// is the sequence number). Known at the sender, because it decides when each arrives.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.h"

namespace anml::rt {

class ArrivalOrder {
  public:
    // A packet is sent now. How many that were sent before become late by it.
    std::uint64_t send(Time now, Time arrival)
    {
        std::uint64_t late = 0;
        for (; !arrivals_.empty() && arrivals_.back() > arrival; ++late) arrivals_.pop_back();
        if (arrivals_.size() == arrivals_.capacity())
            arrivals_.erase(arrivals_.begin(), std::upper_bound(arrivals_.begin(), arrivals_.end(), now));
        arrivals_.push_back(arrival);
        return late;
    }
    // What is under way is lost.
    void clear() { arrivals_.clear(); }

  private:
    std::vector<Time> arrivals_;  // of packets that are not late so far, ascending; those behind `now` do not matter
};

}  // namespace anml::rt
