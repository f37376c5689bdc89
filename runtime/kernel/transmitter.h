// What one direction of a changing link has taken and not yet transmitted, so that a change can correct what was
// counted when it was taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.h"

namespace anml::rt {

class Transmitter {
  public:
    struct Taken {
        Time departure;       // end of its transmission, as things are
        std::uint32_t bytes;  // IP
        bool measured;        // counted in the measured window
    };

    // Packets depart in the order in which they are taken.
    void take(const Taken& packet, Time now)
    {
        forget(now);
        if (first_ == taken_.size()) {
            taken_.clear();
            first_ = 0;
        } else if (first_ > taken_.size() / 2) {
            taken_.erase(taken_.begin(), taken_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
        taken_.push_back(packet);
    }

    // Departures after `now` move to f(departure).
    template <class Move>
    void move(Time now, Move&& f)
    {
        forget(now);
        for (std::size_t i = first_; i < taken_.size(); ++i) taken_[i].departure = f(taken_[i].departure);
    }

    // Whatever has not been transmitted by `now` is lost.
    template <class Lose>
    void clear(Time now, Lose&& lose)
    {
        forget(now);
        for (std::size_t i = first_; i < taken_.size(); ++i) lose(taken_[i]);
        taken_.clear();
        first_ = 0;
    }

    Time transmitting = 0;  // in the measured window, without what lies beyond its ends: LinkCounters::carried has that

  private:
    void forget(Time now)
    {
        while (first_ < taken_.size() && taken_[first_].departure <= now) ++first_;
    }

    std::vector<Taken> taken_;  // from `first_` on
    std::size_t first_ = 0;
};

}  // namespace anml::rt
