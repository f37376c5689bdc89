// What both versions of BBR share: the connection that they rule, how bunches of acknowledgments are allowed for, and
// what joined segments of Linux's devices make of a window (tcp_bbr.c).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/time.h"
#include "common/mix.h"
#include "transport/connection.h"
#include "transport/law/delivery.h"
#include "transport/law/pacing.h"

namespace anml::rt::tcp::law {

namespace bbr {

struct Path {
    Connection& c;
    Pacing& pacing;
    Delivery& delivery;
    Time now;
};

inline constexpr double kMargin = 0.99;           // of the bandwidth is paced at
inline constexpr double kFullGrowth = 1.25;       // of the bandwidth in a round, while the pipe is not full
inline constexpr std::uint8_t kFullRounds = 3;    // without it, and it is
inline constexpr std::uint32_t kLeastWindow = 4;  // segments
inline constexpr Time kProbeRtt = 200 * kMillisecond;

// Room for three of the segments that are joined for the device, and an even number.
inline std::uint32_t with_budget(const Path& path, double bytes)
{
    constexpr double kBurst = 0.001;     // s, of what leaves at once
    constexpr double kSlow = 1.2e6 / 8;  // bytes/s, below which single segments leave
    constexpr double kMost = 1u << 30;   // bytes, of any window
    bytes = std::min(bytes, kMost);
    const std::uint32_t mss = path.c.mss;
    const double most = std::max(path.pacing.rate * kBurst / mss, path.pacing.rate < kSlow ? 1.0 : 2.0);
    const auto segments =
        static_cast<std::uint32_t>(std::ceil(bytes / mss)) + 3 * static_cast<std::uint32_t>(std::min(most, 44.0));
    return ((segments + 1) & ~1u) * mss;
}

// A number that is another one for each connection and time, so that flows do not probe together.
inline std::uint64_t draw(const Path& path)
{
    const Connection& c = path.c;
    return mix(mix(std::uint64_t{number(c.local)} << 32 | number(c.remote)) ^
               (std::uint64_t{c.local_port} << 16 | c.remote_port) ^ static_cast<std::uint64_t>(path.now));
}

}  // namespace bbr

// Acknowledgments in bunches: what came beyond the bandwidth since `began`, and the most of that in the last two
// periods of five rounds.
struct Bunches {
    Time began = 0;
    std::uint64_t arrived = 0;
    std::uint32_t beyond[2] = {0, 0};
    std::uint8_t rounds = 0, period = 0;

    void restart(Time now)
    {
        began = now;
        arrived = 0;
    }
    void add(const bbr::Path& path, const RateSample& sample, double bandwidth, bool round_start)
    {
        constexpr std::uint8_t kPeriod = 5;
        if (sample.arrived == 0 || sample.interval <= 0) return;
        if (round_start && ++rounds >= kPeriod) {
            rounds = 0;
            period ^= 1;
            beyond[period] = 0;
        }
        const Time at = path.delivery.delivered_at();
        double expected = bandwidth * in_seconds(at - began);
        if (static_cast<double>(arrived) <= expected) {
            restart(at);
            expected = 0;
        }
        arrived += sample.arrived;
        const double more = std::min(static_cast<double>(arrived) - expected, static_cast<double>(path.c.cwnd));
        beyond[period] = std::max(beyond[period], static_cast<std::uint32_t>(more));
    }
    // Bytes, no more than a tenth of a second of the bandwidth.
    double allowance(double bandwidth) const
    {
        return std::min<double>(std::max(beyond[0], beyond[1]), bandwidth * 0.1);
    }
};

}  // namespace anml::rt::tcp::law
