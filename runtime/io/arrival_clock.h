// When a frame arrived, in the run's time, by the kernel's stamp of it.
//
// Stamps are of CLOCK_REALTIME, which somebody may set while the run goes on; the run's time is of CLOCK_MONOTONIC. But
// for that the kernel keeps their difference constant, since corrections of the rate (NTP) apply to both. So each look
// at the two clocks bounds the difference, the bounds become narrower, and a look that contradicts them is a step.
#pragma once

#include <algorithm>

#include "io/device/clock.h"

namespace anml::rt::io {

class ArrivalClock {
  public:
    struct Look {
        Time before;  // run's time
        Time stamp;   // CLOCK_REALTIME
        Time after;   // run's time
    };
    static Look look(const Clock& clock)
    {
        const Time before = clock.now();
        const Time stamp = read_clock(CLOCK_REALTIME);
        return {before, stamp, clock.now()};
    }

    // Behind each read of frames, before their arrivals are asked for; and now and then.
    void observe(const Look& look)
    {
        const Time least = look.before - look.stamp - kRounding, most = look.after - look.stamp + kRounding;
        if (least > most_ || most < least_) {
            // Frames from before the step may wait: none of them arrived before this, or it would have been read.
            if (observed_ != kNone) floor_ = observed_;
            least_ = least;
            most_ = most;
        } else {
            least_ = std::max(least_, least);
            most_ = std::min(most_, most);
        }
        observed_ = look.after;
    }

    // The run's clock has been set forward by so much.
    void shift(Time by)
    {
        least_ += by;
        most_ += by;
    }

    // Never earlier than it was, whatever the measuring of the difference is off; never later than the last look.
    Time arrival(Time stamp) const { return std::clamp(stamp + most_, std::min(floor_, observed_), observed_); }

    // A time of arrival is too late by no more than this, unless the system's clock was set meanwhile.
    Time error() const { return std::max<Time>(most_ - least_, 0); }

  private:
    static constexpr Time kRounding = 100;  // ns
    static constexpr Time kNone = -1;
    Time least_ = 1, most_ = 0;  // of run's time - CLOCK_REALTIME; empty at first
    Time floor_ = 0;
    Time observed_ = kNone;
};

}  // namespace anml::rt::io
