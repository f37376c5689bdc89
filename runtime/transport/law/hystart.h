// HyStart (Ha and Rhee, 2011) as Linux's CUBIC has it (tcp_cubic.c): leaves slow start before it overflows a queue.
// Either because the acknowledgments of a round trip, each close behind the one before, have come for half of one, or
// because the least round trip among its first eight is longer than the least of all by an eighth, of 4 to 16 ms.
#pragma once

#include <algorithm>
#include <cstdint>

#include "transport/connection.h"
#include "transport/sequence.h"

namespace anml::rt::tcp::law {

struct HyStart {
    static constexpr std::uint32_t kLowWindow = 16;  // segments: not below
    static constexpr std::uint32_t kClose = 2000;    // microseconds between acknowledgments
    static constexpr std::uint8_t kSamples = 8;
    static constexpr std::uint32_t kBurst = 4 * 65536;  // bytes: what offloading may hold back

    std::uint32_t round_began = 0, last_close = 0;  // microseconds modulo 2^32
    std::uint32_t round_end = 0;
    std::uint32_t round_rtt = 0xffffffff;
    std::uint8_t samples = 0;
    bool found = false;

    void begin_round(std::uint32_t end, std::uint32_t now)
    {
        round_began = last_close = now;
        round_end = end;
        round_rtt = 0xffffffff;
        samples = 0;
    }

    // An acknowledgment in slow start, with a round trip of `rtt`; `least` is that of all, microseconds. True: it is
    // time to leave it.
    bool leave(const Connection& c, std::uint32_t rtt, std::uint32_t least, std::uint32_t now)
    {
        if (found) return false;
        if (after(c.una, round_end)) begin_round(c.max, now);
        if (c.cwnd < kLowWindow * c.mss) return false;
        if (now - last_close <= kClose) {
            last_close = now;
            // The rate that Linux would pace at in slow start is two windows in a round trip.
            const std::uint64_t held_back = std::uint64_t{kBurst} * (c.srtt / 8) / (2 * std::uint64_t{c.cwnd});
            const std::uint32_t train = least + static_cast<std::uint32_t>(std::min<std::uint64_t>(held_back, 1000));
            found |= now - round_began > (c.pacing ? train : train / 2);  // pacing makes it last as long
        }
        round_rtt = std::min(round_rtt, rtt);
        if (samples < kSamples)
            ++samples;
        else
            found |= round_rtt > least + std::clamp(least / 8, 4000u, 16000u);
        return found;
    }
};

}  // namespace anml::rt::tcp::law
