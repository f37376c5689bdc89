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
    LazyTimer timer;

    // How long the next segment waits for one of `size` bytes that is sent now.
    static Time gap(const Connection& c, std::uint32_t size)
    {
        const std::uint64_t percent = c.cwnd < c.ssthresh / 2 ? kSlowStart : kAvoidance;
        const std::uint64_t window = std::max<std::uint64_t>(c.cwnd, c.max - c.una);
        // srtt is in eighths of a microsecond.
        return static_cast<Time>(std::uint64_t{size} * c.srtt * (kMicrosecond / 8 * 100) / (window * percent));
    }
    void segment(const Connection& c, std::uint32_t size, Time now)
    {
        if (sent < kAtOnce) {
            ++sent;
            return;
        }
        if (rate > 0)
            next = std::max(next, now) + static_cast<Time>(size * 1e9 / rate);
        else if (c.measured)
            next = std::max(next, now) + gap(c, size);
    }
};

}  // namespace anml::rt::tcp::law
