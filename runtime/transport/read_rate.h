// An application that reads at a rate (Tcp's `read_rate`): what it has not read takes room of the receive buffer, and
// the window that is offered is the rest. Its right edge never moves back, and moves on by half of the buffer or a
// segment at least, so that the sender gets no silly windows (RFC 1122, 4.2.3.3; RFC 9293, 3.8.6.2.2). Windows of up
// to half of the buffer are told again once they are twice as large (Linux's tcp_cleanup_rbuf). Bytes and nanoseconds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "transport/tcp.h"

namespace anml::rt::tcp::reading {

inline bool slow(const Connection& c) { return facts.slow_readers && c.slow; }
inline Reading& of(Transport& k, const Connection& c) { return k.tcp.law_states[c.law_state].reading; }

// Of the receive buffer what a window field can say.
inline std::uint32_t buffer(const Transport& k, const Connection& c)
{
    return std::min(k.tcp.settings[c.settings].receive_buffer, 0xffffu << c.receive_shift);
}

// The least by which the window opens.
inline std::uint32_t step(std::uint32_t buffer, const Connection& c)
{
    return std::max(std::min<std::uint32_t>(buffer / 2, c.largest_segment), 1u);
}

inline void begin(Transport& k, Connection& c, std::uint32_t slot)
{
    if (k.tcp.settings[c.settings].read_rate == 0) return;
    k.tcp.need_law_state(c);
    of(k, c) = {.at = k.now, .slot = slot};
    c.slow = true;
}

inline void read(Transport& k, const Connection& c)
{
    Reading& reading = of(k, c);
    const double could = k.tcp.settings[c.settings].read_rate * static_cast<double>(k.now - reading.at);
    reading.unread = std::max(0.0, reading.unread - could);
    reading.at = k.now;
}

// So many bytes have come, in order.
[[gnu::noinline]] inline void took(Transport& k, Connection& c, std::uint32_t bytes)
{
    read(k, c);
    of(k, c).unread += bytes;
    c.receive_window -= std::min(c.receive_window, bytes);
}

// A segment tells the window: it gets the room that there is now, in units of its field, and rounding does not take
// back what was told. Another segment tells when it has opened enough.
[[gnu::noinline]] inline void tell(Transport& k, Connection& c)
{
    constexpr double kOff = 1e-3;  // bytes by which sums may be off
    const std::uint32_t all = buffer(k, c), least = step(all, c), unit = 1u << c.receive_shift;
    read(k, c);
    Reading& reading = of(k, c);
    const auto room = static_cast<std::uint32_t>(std::max(all - reading.unread + kOff, 0.0)) & ~(unit - 1);
    c.receive_window = (c.receive_window + unit - 1) & ~(unit - 1);
    if (room >= c.receive_window + least) c.receive_window = room;
    reading.opens = kNever;
    if (c.fin_received || 2 * std::uint64_t{c.receive_window} > all) return;
    std::uint32_t enough = std::max(2 * c.receive_window, c.receive_window + least);
    enough = (enough + unit - 1) & ~(unit - 1);
    constexpr double kCentury = 3e18;
    const double wait = (reading.unread - (static_cast<double>(all) - enough)) / k.tcp.settings[c.settings].read_rate;
    reading.opens = k.now + std::max<Time>(static_cast<Time>(std::ceil(std::min(kCentury, wait))), 1);
    delay_ack(k, reading.slot);
}

}  // namespace anml::rt::tcp::reading
