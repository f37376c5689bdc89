// DCTCP (RFC 8257): a reduction by as much as the share of marked bytes says, where other laws take each mark for a
// loss. Grows, and takes losses, as NewReno. Its receiver says of each segment whether that was marked
// (transport/options/ecn.cpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "transport/connection.h"
#include "transport/law/newreno.h"
#include "transport/sequence.h"

namespace anml::rt::tcp::law {

struct Dctcp {
    static constexpr double kGain = 1.0 / 16;  // g

    double alpha = 1;  // the share that is marked, as it is estimated: at first all (RFC 8257, 3.3)
    std::uint32_t window_end = 0;
    std::uint64_t acknowledged = 0, marked = 0;  // bytes, of the observation window

    void begin_window(std::uint32_t end)
    {
        window_end = end;
        acknowledged = marked = 0;
    }
    // `bytes` are acknowledged, of which so many came `marked`; una is moved. RFC 8257, 3.3, steps 1 to 8.
    void observe(const Connection& c, std::uint32_t bytes, std::uint32_t came_marked)
    {
        acknowledged += bytes;
        marked += came_marked;
        if (!after(c.una, window_end)) return;
        const double share =
            acknowledged > 0 ? std::min(1.0, static_cast<double>(marked) / static_cast<double>(acknowledged)) : 0;
        alpha = (1 - kGain) * alpha + kGain * share;
        begin_window(c.max);
    }
    // ssthresh behind a mark (step 9).
    std::uint32_t threshold(const Connection& c) const
    {
        const auto left = static_cast<std::uint32_t>(std::lround(c.cwnd * (1 - alpha / 2)));
        return std::max(left, 2u * c.mss);
    }
};

}  // namespace anml::rt::tcp::law
