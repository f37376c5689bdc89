// A token bucket: a packet begins its transmission when the link is free and the bucket, which fills at `rate` up to
// `burst` bytes, has a token for each of its bytes, overhead included. One of more bytes than the bucket holds begins
// when that is full, and what it takes too much is owed: the rate is kept, and no packet is too long for ever.
//
// A packet that waits for neither is always accepted, as by drop-tail (droptail.h); whatever has to wait, for the link
// or for tokens, keeps the bounds of the queue. The backlog is fluid, as there: the bytes that a fluid would have left
// behind a link with such a bucket. These are the more of those that the link alone and the bucket alone would have
// left: neither what is transmitted of a packet nor the tokens that the first one waits with count.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "net/queue/discipline.h"
#include "net/queue/parameters.h"

namespace anml::rt::token_bucket {

struct State {
    Time at = 0;         // when the last packet that was admitted begins its transmission
    double missing = 0;  // tokens, in bytes, that the bucket then lacks to be full; above `burst`: it owes some
    Time gaps = 0;       // by which the link alone would have been done earlier than at `busy_until`
};

// Bytes that pass in `time` at `rate` bit/s.
inline double passing(Time time, double rate) { return static_cast<double>(time) * rate / 8e9; }

// As if nobody else came.
inline double missing_at(const State& state, const Parameters& parameters, Time time)
{
    return std::max(0.0, state.missing - passing(time - state.at, parameters.rate));
}

// How long after `earliest` the bucket has what a packet needs, in ns.
inline double wait(const State& state, const Parameters& parameters, std::uint32_t bytes, Time earliest)
{
    const auto depth = static_cast<double>(parameters.burst);
    const double lacks = missing_at(state, parameters, earliest) + std::min(depth, static_cast<double>(bytes)) - depth;
    return std::max(0.0, lacks) * 8e9 / parameters.rate;
}

inline std::uint64_t backlog(const State& state, const Parameters& parameters, const LinkState& line, Time now)
{
    const Time alone = line.busy_until - state.gaps - now;
    const std::uint64_t link = alone > 0 ? droptail::backlog(alone, line.rate) : 0;
    if (state.at <= now) return link;
    const double left = std::max(0.0, static_cast<double>(parameters.burst) - state.missing);
    // Until the last one begins no more leaves than the bucket and the link let through.
    const double due = passing(state.at - now, std::min(parameters.rate, line.rate));
    return std::max(link, static_cast<std::uint64_t>(std::clamp(due - left, 0.0, 1e18)));
}

// How long after `at` the link still transmits what it has taken: without the waits for tokens, to a packet or so.
inline Time transmission_beyond(const State& state, const Parameters& parameters, const LinkState& line, Time at)
{
    const Time all = std::max(Time{0}, line.busy_until - at);
    if (state.at <= at) return all;
    const auto left = static_cast<double>(backlog(state, parameters, line, at));
    return std::min(all, static_cast<Time>(8e9 * left / line.rate));
}

// Whether a packet of so many bytes may wait until `start`.
inline bool may_wait(const State& state, const Parameters& parameters, Arrival& arrival, std::uint32_t bytes,
                     Time start)
{
    LinkState& line = arrival.line;
    if (line.known_bounded() && backlog(state, parameters, line, arrival.now) + bytes > line.capacity) return false;
    const std::uint32_t limit = line.known_packet_limit();
    if (limit == 0) return true;
    if (line.starts == StartTimes::kNoRing) line.starts = arrival.starts.make(limit);
    return arrival.starts.wait(line.starts, limit, arrival.now, start);
}

inline droptail::Admission admit(State& state, const Parameters& parameters, Arrival& arrival)
{
    constexpr double kThirtyYears = 30 * 365.25 * 86400e9;  // ns; nothing waits longer for a slow bucket
    LinkState& line = arrival.line;
    const std::uint32_t bytes = arrival.packet.length + line.known_overhead();
    const Time free = std::max(arrival.now, line.busy_until);
    const double more = wait(state, parameters, bytes, free);
    if (static_cast<double>(free - arrival.now) + more > kThirtyYears) return {false, 0, 0};
    // To the nearest nanosecond; what that is too early or too late, `missing` remembers.
    const Time start = free + std::llround(more);
    if (start > arrival.now && !may_wait(state, parameters, arrival, bytes, start)) return {false, 0, 0};

    // Who waited for tokens found the bucket no fuller than that took, whatever the nanosecond adds.
    const double before = more > 0 ? state.missing - passing(start - state.at, parameters.rate)
                                   : missing_at(state, parameters, start);
    const double missing = before + static_cast<double>(bytes);
    const Time duration = droptail::transmission_time(bytes, line.rate, line.fraction);
    const Time alone = std::max(arrival.now, line.busy_until - state.gaps) + duration;
    line.busy_until = start + duration;
    state = {start, missing, line.busy_until - alone};
    return {true, start, line.busy_until};
}

}  // namespace anml::rt::token_bucket
