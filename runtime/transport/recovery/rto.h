// The retransmission time-out: RFC 6298, or as Linux computes it (tcp_rtt_estimator), where the variation has a floor,
// follows the largest of the last round trip, and grows little while round trips get shorter. Means are kept in
// microseconds times a power of two, as in both.
#pragma once

#include <algorithm>
#include <cstdint>

#include "transport/connection.h"
#include "transport/sequence.h"
#include "transport/settings.h"

namespace anml::rt::tcp::rto {

inline constexpr Time kInitial = kSecond;
inline constexpr Time kAfterLostSyn = 3 * kSecond;           // section 5.7
inline constexpr std::uint32_t kMostMeasured = 400'000'000;  // microseconds: 8 times that fit into 32 bits

inline std::uint32_t microseconds(Time time) { return static_cast<std::uint32_t>(time / kMicrosecond); }
inline Time of(const Connection& c) { return Time{c.rto} * kMicrosecond; }
inline void set(Connection& c, Time rto) { c.rto = microseconds(rto); }
// Microseconds since the segment that is timed was sent.
inline std::uint32_t timed(const Connection& c, Time now) { return microseconds(now) - c.timed_at; }

inline Time mean(const Connection& c) { return Time{c.srtt} * kMicrosecond / 8; }

// The time-out of what was measured, microseconds.
inline std::uint32_t estimated(const Connection& c, const Settings& settings)
{
    const std::uint32_t granularity = c.timestamps ? 1000 : 1;
    const std::uint32_t spread = settings.minimum_variation > 0 ? c.variation : std::max(granularity, c.deviation);
    return std::clamp(c.srtt / 8 + spread, settings.minimum_rto, settings.maximum_rto);
}
inline void estimate(Connection& c, const Settings& settings) { c.rto = estimated(c, settings); }

// A round trip of so many microseconds.
inline void sample(Connection& c, std::uint32_t rtt, const Settings& settings)
{
    const std::int64_t measured = std::min(rtt, kMostMeasured);
    const std::uint32_t floor = settings.minimum_variation;
    if (!c.measured) {
        c.measured = true;
        c.srtt = static_cast<std::uint32_t>(8 * measured);
        c.deviation = static_cast<std::uint32_t>(2 * measured);
        c.variation = c.largest_deviation = std::max(c.deviation, floor);
        c.round_end = c.max;
    } else {
        const std::int64_t error = measured - c.srtt / 8;
        std::int64_t change = (error < 0 ? -error : error) - c.deviation / 4;
        if (floor > 0 && error < 0 && change > 0) change /= 8;
        c.srtt = static_cast<std::uint32_t>(c.srtt + error);
        c.deviation = static_cast<std::uint32_t>(c.deviation + change);
        c.largest_deviation = std::max(c.largest_deviation, c.deviation);
        c.variation = std::max(c.variation, c.largest_deviation);
        if (after(c.una, c.round_end)) {  // a round trip is over
            c.variation -= (c.variation - c.largest_deviation) / 4;
            c.largest_deviation = floor;
            c.round_end = c.max;
        }
    }
    estimate(c, settings);
}

// A round trip that was timed exactly, where timestamps tick in milliseconds.
inline void least(Connection& c, std::uint32_t rtt) { c.least_rtt = std::min(rtt, c.least_rtt); }

inline void back_off(Connection& c, const Settings& settings)
{
    c.rto = static_cast<std::uint32_t>(std::min(2 * std::uint64_t{c.rto}, std::uint64_t{settings.maximum_rto}));
}

// How long a SYN waits for its answer that was sent so many times before.
inline Time after_syn(const Settings& settings, std::uint8_t sent)
{
    const Time most = Time{settings.maximum_rto} * kMicrosecond;
    Time wait = std::min(settings.syn_timeout, most), waited = 0;
    for (std::uint8_t i = 0; i < sent; ++i) {
        waited += wait;
        wait = std::min(wait * settings.syn_backoff, most);
    }
    const bool last = sent == settings.syn_retries && settings.syn_limit > 0;
    return last ? std::max(settings.syn_limit - waited, Time{0}) : wait;
}

}  // namespace anml::rt::tcp::rto
