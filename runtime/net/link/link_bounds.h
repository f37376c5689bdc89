// What keeps the times of a link numbers, at the ends of what a model may say.
#pragma once

#include <algorithm>
#include <cstdint>

#include "net/link/link_state.h"

namespace anml::rt {

// Bytes of a queue. What waits on a slow link leaves within thirty years, as long as a run may be: otherwise a few
// packets of a large queue would have departures beyond what time can hold. On faster links that many have no room.
inline std::uint32_t queue_bytes(double bytes, double rate)
{
    constexpr double kLongest = 1e9, kSlow = 1e6;  // s, bit/s
    const double most =
        rate < kSlow ? std::min(rate * kLongest / 8, LinkState::kUnbounded - 1.0) : LinkState::kUnbounded;
    return static_cast<std::uint32_t>(std::clamp(bytes + 0.5, 0.0, most));
}

}  // namespace anml::rt
