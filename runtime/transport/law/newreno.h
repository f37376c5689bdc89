// The window law of RFC 5681: a segment more in a round trip, half of the window after a loss.
#pragma once

#include <algorithm>
#include <cstdint>

#include "transport/connection.h"

namespace anml::rt::tcp::law::newreno {

inline void increase(Connection& c, std::uint32_t bytes)
{
    c.cwnd += std::max(1u, static_cast<std::uint32_t>(std::uint64_t{bytes} * c.mss / c.cwnd));
}

inline std::uint32_t threshold(const Connection& c, std::uint32_t flight) { return std::max(flight / 2, 2u * c.mss); }

}  // namespace anml::rt::tcp::law::newreno
