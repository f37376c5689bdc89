// The wall clock of a real-time run, as nanoseconds since its origin.
#pragma once

#include <ctime>

#include "base/time.h"

namespace anml::rt::io {

inline Time read_clock(clockid_t id)
{
    timespec now;
    clock_gettime(id, &now);
    return static_cast<Time>(now.tv_sec) * kSecond + now.tv_nsec;
}

class Clock {
  public:
    Clock() : origin_(read_clock(CLOCK_MONOTONIC)), epoch_(read_clock(CLOCK_REALTIME)) {}
    Time now() const { return at(read_clock(CLOCK_MONOTONIC)); }
    Time at(Time monotonic) const { return monotonic - origin_; }  // what CLOCK_MONOTONIC says
    void set_forward(Time by) { origin_ -= by; }                   // or back
    Time epoch() const { return epoch_; }                          // the origin in ns since 1970

    // Of another machine's clock, which this one agrees with.
    void set_epoch(Time epoch) { epoch_ = epoch; }

  private:
    Time origin_, epoch_;
};

}  // namespace anml::rt::io
