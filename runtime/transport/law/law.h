// Window laws: how a congestion window grows once slow start is over, and what a loss leaves of it. One file per law.
// What counts as a loss, what is sent again and when is the same for all of them (congestion.h, recovery.cpp).
#pragma once

#include <cstdint>

#include "transport/connection.h"
#include "transport/law/newreno.h"

namespace anml::rt::tcp::law {

// In congestion avoidance so many bytes have arrived.
inline void increase(Connection& c, std::uint32_t bytes) { newreno::increase(c, bytes); }

// ssthresh after a loss with `flight` bytes under way.
inline std::uint32_t threshold(const Connection& c, std::uint32_t flight) { return newreno::threshold(c, flight); }

}  // namespace anml::rt::tcp::law
