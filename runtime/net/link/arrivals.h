// When packets that are on their way over a changing link arrive, so that a change finds them among the events without
// looking at all (EventQueue::extract).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/time.h"

namespace anml::rt {

class Arrivals {
  public:
    // Those before `now` have arrived.
    void add(Time at, Time now)
    {
        while (first_ < times_.size() && times_[first_] < now) ++first_;
        if (first_ > times_.size() / 2) {
            times_.erase(times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
        times_.push_back(at);
    }
    // Adds those that are still to come.
    void tell(Time now, std::vector<Time>& all) const
    {
        for (std::size_t i = first_; i < times_.size(); ++i)
            if (times_[i] >= now) all.push_back(times_[i]);
    }
    void clear()
    {
        times_.clear();
        first_ = 0;
    }

  private:
    std::vector<Time> times_;  // from `first_` on
    std::size_t first_ = 0;
};

}  // namespace anml::rt
