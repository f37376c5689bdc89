// What all window laws (law/) share of congestion control: slow start, fast retransmit (RFC 5681) and NewReno's
// recovery (RFC 6582), time-outs. Functions on the connection's variables; what to send follows from the result.
// Recovery with selective acknowledgments is in recovery.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "transport/connection.h"
#include "transport/law/law.h"
#include "transport/sequence.h"

namespace anml::rt::tcp::congestion {

inline constexpr std::uint32_t kUnlimited = 1u << 30;
inline constexpr std::uint32_t kFull = kUnlimited;  // of Connection::used: there was no room for another segment

// RFC 6928, which has 10 segments.
inline std::uint32_t first_window(const Connection& c, std::uint32_t segments)
{
    const std::uint32_t mss = c.mss;
    return std::min(segments * mss, std::max(2 * mss, segments * 1460));
}

// At the end of the handshake: una is the first byte's sequence number.
inline void open(const law::Sender& s, std::uint32_t initial_window)
{
    Connection& c = s.c;
    c.cwnd = first_window(c, initial_window);
    c.ssthresh = kUnlimited;
    c.recover = c.una - 1;  // the initial sequence number
    c.recovering = false;
    c.duplicates = 0;
    law::opened(s);
}

// May be sent beyond una: the congestion window, and a segment for each of the first two duplicate acknowledgments
// (limited transmit, RFC 3042). With selective acknowledgments what has arrived is not under way, which says the same.
inline std::uint32_t window(const Connection& c)
{
    return c.cwnd + (c.recovering || c.sack ? 0 : std::min<std::uint32_t>(c.duplicates, 2) * c.mss);
}

// Under way, without what limited transmit has sent (RFC 5681, 3.2). Linux takes the window for it, which grows only
// while it is full. While a lost retransmission holds up what is acknowledged, selective acknowledgments let new
// segments leave for as long as the time-out takes: they have arrived, and are not under way. Without them the window
// of a recovery counts duplicates.
inline std::uint32_t flight(const Connection& c)
{
    if (c.adaptive) return c.cwnd;
    const std::uint32_t unacknowledged = c.nxt - c.una;
    return c.recovering && !c.sack ? unacknowledged : std::min(unacknowledged, c.cwnd);
}
// A loss: what the window law leaves of it.
// One that a mark has begun to reduce in this round trip is not reduced again, unless the law takes marks for less than
// a loss (RFC 8257, 3.5). The peer is told in any case (RFC 3168, 6.1.2).
inline void reduce(const law::Sender& s)
{
    if (s.c.ecn) [[unlikely]] {
        law::Echo& echo = s.state().echo;
        echo.tells = true;
        if (std::exchange(echo.reducing, false) && !law::traits(law::of(s.c)).precise_marks) return;
    }
    s.c.ssthresh = law::threshold(s, flight(s.c));
}

// A time-out's recovery goes on: what was sent before it is not all acknowledged.
inline bool after_time_out(const Connection& c) { return !c.recovering && before(c.una, c.recover); }

// A duplicate acknowledgment. True: retransmit the first unacknowledged segment.
inline bool duplicate(const law::Sender& s)
{
    Connection& c = s.c;
    if (c.recovering) {
        if (!law::rules(c)) c.cwnd = std::min(c.cwnd + c.mss, kUnlimited);
        return false;
    }
    if (c.duplicates < 255) ++c.duplicates;
    // After a time-out, duplicates below `recover` come from what was sent twice (RFC 6582, 4.1).
    if (c.duplicates != 3 || !after(c.una, c.recover)) return false;
    reduce(s);
    c.recover = c.max;
    c.recovering = true;
    c.partial_seen = false;
    if (!law::rules(c)) c.cwnd = c.ssthresh + 3 * c.mss;
    return true;
}

// What may be sent has been, `sent`: something, and `flight` are under way: how far the window is used is kept until
// that is acknowledged, or more is used (Linux's tcp_cwnd_validate).
[[gnu::always_inline]] inline void note_use(Connection& c, std::uint32_t flight, bool sent)
{
    const std::uint32_t used = flight + c.mss > c.cwnd ? kFull : flight;
    if (used != kFull && (!sent || (used <= c.used && before(c.una, c.used_until)))) return;
    c.used = used;
    c.used_until = c.nxt;
}

// Slow start, then as the law says, of `bytes` that have arrived; no growth where something else than the window keeps
// the sender back. In slow start half of it is enough: it grows to twice of what was under way.
[[gnu::always_inline]] inline void grow(const law::Sender& s, std::uint32_t bytes)
{
    Connection& c = s.c;
    if (law::rules(c)) return;
    const std::uint32_t mss = c.mss;
    if (!c.byte_counting) bytes = std::min(bytes, mss);
    if (c.ecn && s.state().echo.reducing) [[unlikely]]
        return;
    if (c.cwnd < c.ssthresh) {
        if (c.cwnd >= 2 * c.used) return;
        const std::uint32_t start = c.byte_counting ? std::min(bytes, c.ssthresh - c.cwnd) : bytes;
        c.cwnd += start;
        bytes -= start;
    } else if (c.used != kFull) {
        return;
    }
    if (bytes > 0) law::increase(s, c.byte_counting ? bytes : mss);
    c.cwnd = std::min(c.cwnd, kUnlimited);
}

// `bytes` more are acknowledged, una is already moved; `arrived` of them the sender did not know of. True: a partial
// acknowledgment in fast recovery, retransmit the first unacknowledged segment.
[[gnu::always_inline]] inline bool acknowledge(const law::Sender& s, std::uint32_t bytes, std::uint32_t arrived)
{
    Connection& c = s.c;
    std::uint32_t mss = c.mss;
    c.duplicates = 0;
    if (!c.recovering) {
        // What arrived before a time-out is no reason to send as much again (RFC 3465, 2.3).
        if (!c.sack && after_time_out(c)) arrived = std::min(arrived, mss);
        grow(s, arrived);
        if (after(c.una, c.recover)) c.recover = c.una - 1;  // so that it never lies half the numbers behind
        return false;
    }
    if (!before(c.una, c.recover)) {
        c.recovering = false;
        if (law::rules(c)) return false;
        c.cwnd = c.sack ? c.ssthresh : std::min(c.ssthresh, std::max(c.max - c.una, mss) + mss);
        return false;
    }
    if (c.sack) return false;
    if (law::rules(c)) return true;
    c.cwnd -= std::min(c.cwnd - std::min(c.cwnd, mss), bytes);  // deflate, to no less than a segment
    if (bytes >= mss) c.cwnd += mss;
    return true;
}

// Sending goes on after a pause in which nothing was under way: of each time-out that it lasted half of the window is
// gone, down to the initial one, as in Linux (tcp_cwnd_restart).
inline void resume(const law::Sender& s, Time idle, std::uint32_t initial_window)
{
    Connection& c = s.c;
    law::resumed(s, idle);
    const Time rto = Time{c.rto} * kMicrosecond;
    if (idle <= rto || law::rules(c)) return;
    const std::uint32_t least = std::min(first_window(c, initial_window), c.cwnd);
    c.ssthresh = std::max(c.ssthresh, c.cwnd / 4 * 3);
    for (; idle > rto && c.cwnd > least; idle -= rto) c.cwnd /= 2;
    c.cwnd = std::max(c.cwnd, least);
}

// The retransmission timer expired; `first`: for the first time since there was progress.
inline void time_out(const law::Sender& s, bool first)
{
    Connection& c = s.c;
    if (first && !(c.adaptive && c.recovering)) reduce(s);
    c.cwnd = c.mss;
    c.recover = c.max;
    c.recovering = false;
    c.duplicates = 0;
    if (c.ecn) s.state().echo.reducing = false;
    law::timed_out(s);
}

}  // namespace anml::rt::tcp::congestion
