// Pacing: segments leave at the rate at which the window would be sent in a round trip, and a fifth more, or twice as
// much while slow start is far from its end; the first ten at once (Linux's tcp_update_pacing_rate, sch_fq).
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/time.h"
#include "transport/connection.h"

namespace anml::rt::tcp::law {

struct Pacing {
    static constexpr std::uint32_t kAtOnce = 10;
    static constexpr std::uint64_t kSlowStart = 200, kAvoidance = 120;  // percent

    Time next = 0;           // when the next segment may leave
    std::uint32_t sent = 0;  // segments so far, up to kAtOnce
    double rate = 0;         // bytes/s, where the window law says it; 0: by the window
    double fraction = 0;     // of a ns, behind `next`: what is left keeps the rate
    LazyTimer timer;

    // How many ns the next segment waits for one of `size` bytes that is sent now.
    static double gap(const Connection& c, std::uint32_t size)
    {
        const std::uint64_t percent = c.cwnd < c.ssthresh / 2 ? kSlowStart : kAvoidance;
        const std::uint64_t window = std::max<std::uint64_t>(c.cwnd, c.max - c.una);
        // srtt is in eighths of a microsecond.
        return static_cast<double>(std::uint64_t{size} * c.srtt * (kMicrosecond / 8 * 100)) /
               static_cast<double>(window * percent);
    }
    void wait(double ns, Time now)
    {
        const double all = ns + fraction;
        const Time whole = static_cast<Time>(all);
        fraction = all - static_cast<double>(whole);
        next = std::max(next, now) + whole;
    }
    void segment(const Connection& c, std::uint32_t size, Time now)
    {
        if (sent < kAtOnce) {
            ++sent;
            return;
        }
        if (rate > 0)
            wait(size * 1e9 / rate, now);
        else if (c.measured)
            wait(gap(c, size), now);
    }
};

}  // namespace anml::rt::tcp::law
