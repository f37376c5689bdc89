// FIFO drop-tail, bounded in bytes, and in packets where the model says so.
//
// First in, first out at a fixed rate: a packet's departure is known when it is enqueued, so that a hop costs one
// event. The backlog that an arriving packet finds is fluid: the bytes (overhead included) that are admitted and
// not yet transmitted, the transmitted part of the packet on the wire not counted. A packet is dropped if backlog
// and packet together exceed the capacity, or if as many packets as the limit wait: those that have not begun
// transmission; one that begins in this very nanosecond waits no more. A packet that finds the link idle is always
// accepted, so that a queue smaller than a packet is a link without a queue, not a link that is down.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "net/facts.h"
#include "net/link/link_state.h"
#include "net/link/start_times.h"

namespace anml::rt::droptail {

struct Admission {
    bool accepted;
    Time start;      // of the transmission
    Time departure;  // its end
};

// What carries the part of a nanosecond from one transmission to the next, so that a link keeps its rate, however short
// they are: the time that `bytes` take at `rate` bit/s, in 2^-32 ns, to the nearest. A whole number of nanoseconds
// comes out exactly: the product is exact in a double and the division correctly rounded, the same everywhere.
inline constexpr double kUnits = 4294967296.0;  // of a nanosecond
inline constexpr double kMostUnits = 0x1p63;    // 2.1 s; longer transmissions are whole nanoseconds
inline double transmission_units(std::uint32_t bytes, double rate)
{
    return static_cast<double>(bytes) * (8e9 * kUnits) / rate + 0.5;
}

inline Time long_transmission(double units) { return static_cast<Time>(units / kUnits + 0.5); }

// Nanoseconds from one whole one to another; `fraction` (LinkState's) is what is left of the one before, if this one
// `follows` at once, and then of this one. No transmission is shorter than least_transmission_time() says.
inline Time transmission_time(std::uint32_t bytes, double rate, std::uint32_t& fraction, bool follows = true)
{
    if (facts.ns_per_byte[0] != 0) {  // the quotient is whole, and this is it; bits compare faster than numbers
        const auto is = [&](double known) {
            return std::bit_cast<std::uint64_t>(rate) == std::bit_cast<std::uint64_t>(known);
        };
        if (is(facts.rate[0])) return Time{bytes} * facts.ns_per_byte[0];
        if (facts.other_rates == 0 || is(facts.rate[1])) return Time{bytes} * facts.ns_per_byte[1];
    }
    const double units = transmission_units(bytes, rate);
    if (!(units < kMostUnits)) [[unlikely]]
        return long_transmission(units);
    const std::uint64_t all =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(units)) + (follows ? fraction : LinkState::kHalf);
    fraction = static_cast<std::uint32_t>(all);
    return static_cast<Time>(all >> 32);
}

// The same of the transmission that left `fraction`, which becomes what it had found.
inline Time undo_transmission(std::uint32_t bytes, double rate, std::uint32_t& fraction)
{
    const double units = transmission_units(bytes, rate);
    if (!(units < kMostUnits)) return long_transmission(units);
    const auto own = static_cast<std::uint64_t>(static_cast<std::int64_t>(units));
    fraction -= static_cast<std::uint32_t>(own);
    return static_cast<Time>((own + fraction) >> 32);
}

inline Time least_transmission_time(std::uint32_t bytes, double rate)
{
    std::uint32_t fraction = 0;
    return transmission_time(bytes, rate, fraction);
}

// Bytes that a link of that rate transmits in `time`, rounded down: a rounded transmission time never makes a
// packet that fits exactly too large, up to 16 Gbit/s, where half a nanosecond is a byte.
inline std::uint64_t backlog(Time time, double rate)
{
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<double>(time) * rate / 8e9));
}

// Whether a packet of so many bytes may wait until the link is free.
inline bool may_wait(LinkState& link, StartTimes& starts, std::uint32_t bytes, Time now)
{
    if (link.known_bounded() && backlog(link.busy_until - now, link.rate) + bytes > link.capacity) return false;
    const std::uint32_t limit = link.known_packet_limit();
    if (limit == 0) return true;
    if (link.starts == StartTimes::kNoRing) [[unlikely]]
        link.starts = starts.make(limit);
    return starts.wait(link.starts, limit, now, link.busy_until);
}

// Admits a packet of `length` IP bytes that arrives now, or refuses it.
inline Admission admit(LinkState& link, StartTimes& starts, std::uint32_t length, Time now)
{
    const std::uint32_t bytes = length + link.known_overhead();
    const bool follows = link.busy_until >= now;
    Time start = now;
    if (link.busy_until > now) {
        if (!may_wait(link, starts, bytes, now)) return {false, 0, 0};
        start = link.busy_until;
    }
    link.busy_until = start + transmission_time(bytes, link.rate, link.fraction, follows);
    return {true, start, link.busy_until};
}

}  // namespace anml::rt::droptail
