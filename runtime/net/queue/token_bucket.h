// A token bucket: a packet begins its transmission when the link is free and the bucket, which fills at `rate` up to
// `burst` bytes, has a token for each of its bytes, overhead included. One of more bytes than the bucket holds begins
// when that is full, and what it takes too much is owed: the rate is kept, and no packet is too long for ever.
//
// A packet that waits for neither is always accepted, as by drop-tail (droptail.h); whatever has to wait, for the link
// or for tokens, keeps the bounds of the queue.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "net/queue/discipline.h"
#include "net/queue/parameters.h"

namespace anml::rt::token_bucket {

struct State {
    static constexpr bool kHoldsBack = true;

    Time at = 0;                 // when the last packet began its transmission
    double missing = 0;          // tokens, in bytes, that the bucket then lacked to be full; above `burst`: it owes some
    double rate = 0, burst = 0;  // by which it fills since then
    Time due = 0;                // when the first one that waits finds its tokens; 0: it waits for none
    WaitingList list;
};

// What the bucket lacks at a time. Whoever waited for tokens found it no fuller than that took: its time is rounded to
// nanoseconds, and what that is too early or too late is not lost.
inline double missing_at(const State& state, Time now)
{
    const double unlimited = state.missing - static_cast<double>(now - state.at) * state.rate / 8e9;
    return std::max(state.due != 0 && now == state.due ? -state.rate / 8e9 : 0.0, unlimited);
}

// How long from now on a packet has to wait for tokens, in ns.
inline double wait(const State& state, const Parameters& parameters, std::uint32_t bytes, Time now)
{
    const auto depth = static_cast<double>(parameters.burst);
    const double lacks = missing_at(state, now) + std::min(depth, static_cast<double>(bytes)) - depth;
    return std::max(0.0, lacks) * 8e9 / parameters.rate;
}

// The parameters are others from now on: the bucket was filled by the former ones until now, and keeps its tokens.
inline void changed(State& state, const Parameters& parameters, LinkQueue& queue)
{
    const auto deeper = static_cast<double>(parameters.burst) - state.burst;
    state.missing = state.rate == 0 ? 0 : std::max(0.0, missing_at(state, queue.now()) + deeper);
    state.at = queue.now();
    state.rate = parameters.rate;
    state.burst = static_cast<double>(parameters.burst);
    state.due = 0;
}

inline bool admit(State& state, const Parameters& parameters, LinkQueue& queue, const Waiting& packet)
{
    const bool waits = !queue.idle() || std::llround(wait(state, parameters, packet.bytes, queue.now())) > 0;
    if (waits && !queue.within(queue.packets() + 1, queue.bytes() + packet.bytes)) return false;
    queue.push(state.list, packet);
    return true;
}

inline Waiting next(State& state, const Parameters& parameters, LinkQueue& queue)
{
    constexpr double kYear = 365.25 * 86400e9;  // ns: who waits longer is asked again
    if (state.list.empty()) return {};
    const std::uint32_t bytes = queue.front(state.list).bytes;
    if (const auto more = std::llround(std::min(kYear, wait(state, parameters, bytes, queue.now()))); more > 0) {
        state.due = queue.now() + more;
        queue.ask_again(state.due);
        return {};
    }
    const double missing = missing_at(state, queue.now()) + bytes;
    state = {queue.now(), missing, parameters.rate, static_cast<double>(parameters.burst), 0, state.list};
    return queue.pop(state.list);
}

inline std::span<WaitingList> lists(State& state) { return {&state.list, 1}; }

}  // namespace anml::rt::token_bucket
