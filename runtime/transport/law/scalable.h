// Scalable TCP (Kelly, ACM SIGCOMM CCR 33(2), 2003): the window grows by a hundredth of what arrives, and a loss leaves
// seven eighths of it; while it is small it grows as NewReno's. As Linux has it (tcp_scalable.c).
#pragma once

#include <algorithm>
#include <cstdint>

#include "transport/connection.h"
#include "transport/law/newreno.h"

namespace anml::rt::tcp::law::scalable {

inline constexpr std::uint32_t kArrived = 100;  // bytes for one more

inline void increase(Connection& c, std::uint32_t bytes)
{
    if (c.cwnd < kArrived * c.mss) return newreno::increase(c, bytes);
    c.cwnd += std::max(1u, bytes / kArrived);
}

inline std::uint32_t threshold(const Connection& c, std::uint32_t flight)
{
    return std::max(flight - flight / 8, 2u * c.mss);
}

}  // namespace anml::rt::tcp::law::scalable
