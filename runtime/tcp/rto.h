// The retransmission time-out (RFC 6298), in nanoseconds: the clock granularity G is 1 ns, with
// timestamps their tick, 1 ms.
#pragma once

#include <algorithm>

#include "tcp/connection.h"

namespace anml::rt::tcp::rto {

inline constexpr Time kInitial = kSecond, kMost = 60 * kSecond;
inline constexpr Time kAfterLostSyn = 3 * kSecond;  // section 5.7

inline void sample(Connection& c, Time rtt, Time least)
{
    if (!c.measured) {
        c.measured = true;
        c.srtt = rtt;
        c.rttvar = rtt / 2;
    } else {
        Time difference = c.srtt > rtt ? c.srtt - rtt : rtt - c.srtt;
        c.rttvar += (difference - c.rttvar) / 4;
        c.srtt += (rtt - c.srtt) / 8;
    }
    c.rto = std::clamp(c.srtt + std::max(c.timestamps ? kMillisecond : kNanosecond, 4 * c.rttvar), least, kMost);
}

inline void back_off(Connection& c) { c.rto = std::min(2 * c.rto, kMost); }

}  // namespace anml::rt::tcp::rto
