// A FIFO queue before a link that follows a trace, with Mahimahi's semantics (Netravali et al., USENIX ATC 2015).
//
// At each opportunity of the trace the link takes up to kOpportunityBytes from the queue: several packets where they
// fit, the first part of one that does not, whose rest is the first to go at the next one. What an opportunity does not
// use is lost. A packet that arrives at the time of an opportunity misses it. It departs with its last byte.
//
// Bytes that wait fill the opportunities ahead one after the other, so that a departure is known when the packet is
// admitted, and a hop costs one event here too. Bounds are droptail.h's.
#pragma once

#include <algorithm>
#include <cstdint>

#include "abi/image.h"
#include "net/link/droptail.h"
#include "net/link/link_state.h"
#include "net/link/start_times.h"

namespace anml::rt::opportunities {

// A trace at run time.
struct Trace {
    const std::uint32_t* times;  // ms
    std::uint32_t count;

    Time period() const { return Time{times[count - 1]} * kMillisecond; }
    Time at(Time begin, std::uint64_t index) const
    {
        return begin + static_cast<Time>(index / count) * period() + Time{times[index % count]} * kMillisecond;
    }
};

// Moves on to the first opportunity after `now`; those that passed have taken what waited for them.
inline void pass(TracedLink& link, const Trace& trace, Time now)
{
    std::uint64_t passed = 0;
    const auto waits = [&] { return link.begin + Time{trace.times[link.next]} * kMillisecond > now; };
    constexpr int kFew = 8;  // that pass between two packets of a busy link
    for (int i = 0; i < kFew && !waits(); ++i, ++passed) {
        if (++link.next < trace.count) continue;
        link.next = 0;
        link.begin += trace.period();
    }
    if (!waits()) {
        const Time periods = (now - link.begin) / trace.period();
        const auto rest = static_cast<std::uint32_t>((now - link.begin) % trace.period() / kMillisecond);
        const auto next =
            static_cast<std::uint32_t>(std::upper_bound(trace.times, trace.times + trace.count, rest) - trace.times);
        passed += static_cast<std::uint64_t>(periods) * trace.count + next - link.next;
        link.begin += periods * trace.period();
        link.next = next;
    }
    link.backlog -= std::min(link.backlog, passed * abi::kOpportunityBytes);
}

// Admits a packet that takes `bytes`, overhead included, and arrives now, or refuses it.
inline droptail::Admission admit(TracedLink& link, const Trace& trace, LinkState& state, StartTimes& starts,
                                 std::uint32_t bytes, Time now)
{
    pass(link, trace, now);
    if (link.backlog != 0 && link.capacity != LinkState::kUnbounded && link.backlog + bytes > link.capacity)
        return {false, 0, 0};
    const Time start = trace.at(link.begin, link.next + link.backlog / abi::kOpportunityBytes);
    if (const std::uint32_t limit = state.known_packet_limit(); limit != 0) {
        if (state.starts == StartTimes::kNoRing) state.starts = starts.make(limit);
        if (!starts.wait(state.starts, limit, now, start)) return {false, 0, 0};
    }
    link.backlog += bytes;
    link.busy_until = trace.at(link.begin, link.next + (link.backlog - 1) / abi::kOpportunityBytes);
    return {true, start, link.busy_until};
}

}  // namespace anml::rt::opportunities
