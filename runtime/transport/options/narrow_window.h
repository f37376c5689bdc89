// A peer whose window never had room for two segments: segments have half of the widest that it offered, in bytes, so
// that one can be under way while the other is acknowledged (RFC 1122, 4.2.3.4; RFC 9293, 3.8.6.2.1; Linux's
// tcp_bound_to_half_wnd).
#pragma once

#include <algorithm>
#include <cstdint>

#include "transport/options/mtu_probing.h"
#include "transport/tcp.h"

namespace anml::rt::tcp::narrow_window {

inline std::uint32_t& widest(Transport& k, const Connection& c) { return k.tcp.law_states[c.law_state].widest_window; }

// The handshake is done.
inline void begin(Transport& k, Connection& c)
{
    if (c.window >= 2u * c.mss) return;
    k.tcp.need_law_state(c);
    widest(k, c) = c.window;
    c.narrow = c.beyond = true;
}

// Before something is sent.
inline void follow(Transport& k, Connection& c)
{
    widest(k, c) = std::max(widest(k, c), c.window);
    if (widest(k, c) < 2u * c.mss) return;
    c.narrow = false;
    c.beyond = mtu_probing::has(k, c) || goes_beyond(c);
}

}  // namespace anml::rt::tcp::narrow_window
