// How far another machine's clock is ahead of this one's, as bounds: an exchange of two messages says what the other
// clock showed at some time between two of this one's (RFC 5905, section 8, without its assumption that both ways take
// the same). Bounds of several exchanges are intersected, each as far apart as the clocks may have drifted since.
#pragma once

#include <algorithm>

#include "base/time.h"

namespace anml::rt::processes {

class ClockAgreement {
  public:
    // By which the rates of two clocks differ at most, and by which a clock is made faster or slower here: as much as
    // NTP may (adjtimex(2)); oscillators alone are off by 100 ppm at worst.
    static constexpr double kDrift = 500e-6, kSlew = 500e-6;

    // What was asked at `sent` was answered when the other clock showed `there`, and known at `received`.
    void observe(Time sent, Time there, Time received)
    {
        const auto meanwhile = static_cast<Time>((kDrift + kSlew) * static_cast<double>(received - sent));
        const Time low = there - received - meanwhile, high = there - sent + meanwhile;
        const Time wider = drift(received);
        const bool apart = known() && (low > high_ + wider || high < low_ - wider);
        steps_ += apart;
        if (!known() || apart) {
            low_ = low;
            high_ = high;
        } else {
            low_ = std::max(low, low_ - wider);
            high_ = std::min(high, high_ + wider);
        }
        round_trip_ = std::min(round_trip_, received - sent);
        at_ = received;
    }
    // This clock has been set forward by so much.
    void shift(Time by)
    {
        low_ -= by;
        high_ -= by;
        at_ += by;
    }

    bool known() const { return round_trip_ != kNever; }
    // By how much the other clock is ahead, most likely.
    Time ahead() const { return low_ + (high_ - low_) / 2; }
    // By how much the two may be apart at `now`, at most.
    Time error(Time now) const { return std::max(-low_, high_) + drift(now); }
    Time round_trip() const { return round_trip_; }  // the shortest
    unsigned steps() const { return steps_; }        // exchanges that contradicted all before

  private:
    Time drift(Time now) const { return static_cast<Time>(kDrift * static_cast<double>(std::max<Time>(now - at_, 0))); }

    Time low_ = 0, high_ = 0, at_ = 0;
    Time round_trip_ = kNever;
    unsigned steps_ = 0;
};

}  // namespace anml::rt::processes
