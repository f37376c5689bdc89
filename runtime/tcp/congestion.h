// Congestion control: RFC 5681 with NewReno (RFC 6582). Pure functions on the connection's variables; what to send
// follows from the result.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tcp/connection.h"
#include "tcp/sequence.h"

namespace anml::rt::tcp::congestion {

inline constexpr std::uint32_t kUnlimited = 1u << 30;

// At the end of the handshake: una is the first byte's sequence number.
inline void open(Connection& c, std::uint32_t initial_window)
{
    std::uint32_t mss = c.mss;
    // RFC 6928, which has 10 segments; one segment if the handshake lost one (RFC 5681, 3.1).
    c.cwnd = c.syn_repeated ? mss : std::min(initial_window * mss, std::max(2 * mss, initial_window * 1460));
    c.ssthresh = kUnlimited;
    c.recover = c.una - 1;  // the initial sequence number
    c.recovering = false;
    c.duplicates = 0;
}

// May be sent beyond una: the congestion window, and a segment for each of the first two duplicate acknowledgments
// (limited transmit, RFC 3042). With selective acknowledgments what has arrived is not under way, which says the same.
inline std::uint32_t window(const Connection& c)
{
    return c.cwnd + (c.recovering || c.sack ? 0 : std::min<std::uint32_t>(c.duplicates, 2) * c.mss);
}

inline std::uint32_t half_of_flight(const Connection& c) { return std::max((c.nxt - c.una) / 2, 2u * c.mss); }

// A duplicate acknowledgment. True: retransmit the first unacknowledged segment.
inline bool duplicate(Connection& c)
{
    if (c.recovering) {
        c.cwnd = std::min(c.cwnd + c.mss, kUnlimited);
        return false;
    }
    if (c.duplicates < 255) ++c.duplicates;
    // After a time-out, duplicates below `recover` come from what was sent twice (RFC 6582, 4.1).
    if (c.duplicates != 3 || !after(c.una, c.recover)) return false;
    c.ssthresh = half_of_flight(c);
    c.recover = c.max;
    c.recovering = true;
    c.partial_seen = false;
    c.cwnd = c.ssthresh + 3 * c.mss;
    return true;
}

// The same with selective acknowledgments (RFC 6675): the acknowledgment told `news`, and by what is known the first
// segment is `lost`. True: recovery begins.
inline bool duplicate(Connection& c, bool news, bool lost)
{
    if (c.recovering) return false;
    if (c.duplicates < 255) ++c.duplicates;
    if (c.duplicates < 3 && !lost) return false;
    // Not within a recovery by time-out; duplicates without news may come from what was sent twice.
    if (news ? before(c.una, c.recover) : !after(c.una, c.recover)) return false;
    if (c.nxt != c.max) return false;
    c.ssthresh = c.cwnd = half_of_flight(c);
    c.recover = c.max;
    c.recovering = true;
    return true;
}

// `bytes` more are acknowledged; una is already moved. True: a partial acknowledgment in fast recovery, retransmit the
// first unacknowledged segment.
inline bool acknowledge(Connection& c, std::uint32_t bytes)
{
    std::uint32_t mss = c.mss;
    c.duplicates = 0;
    if (!c.recovering) {
        std::uint32_t growth = c.cwnd < c.ssthresh ? std::min(bytes, mss) : std::max(1u, mss * mss / c.cwnd);
        c.cwnd = std::min(c.cwnd + growth, kUnlimited);
        return false;
    }
    if (!before(c.una, c.recover)) {
        c.recovering = false;
        if (!c.sack) c.cwnd = std::min(c.ssthresh, std::max(c.max - c.una, mss) + mss);
        return false;
    }
    if (c.sack) return false;
    c.cwnd -= std::min(c.cwnd - std::min(c.cwnd, mss), bytes);  // deflate, to no less than a segment
    if (bytes >= mss) c.cwnd += mss;
    return true;
}

// The retransmission timer expired; `first`: for the first time since there was progress.
inline void time_out(Connection& c, bool first)
{
    if (first) c.ssthresh = half_of_flight(c);
    c.cwnd = c.mss;
    c.recover = c.max;
    c.recovering = false;
    c.duplicates = 0;
}

}  // namespace anml::rt::tcp::congestion
