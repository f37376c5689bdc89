// Controlled delay (CoDel, RFC 8289): a queue whose packets have waited for longer than `target` during all of
// `interval` drops one, and others faster and faster, until one has waited for less.
//
// As in section 5 there, which is Linux's version: whoever is to go next is asked for its time in the queue; a backlog
// of no more than the longest packet (bytes on the wire, without the packet asked) never counts as one; the next drop
// comes `interval` / sqrt(number of drops) behind the last one, and a queue that comes back soon goes on where it was.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "net/queue/discipline.h"
#include "net/queue/parameters.h"

namespace anml::rt::codel {

struct State {
    WaitingList list;
    Time first_above = 0;  // when the queue will have been above the target for an interval; 0: it is not
    Time drop_next = 0;
    std::uint32_t drops = 0;       // since it began to drop
    std::uint32_t drops_then = 0;  // as it began to
    bool dropping = false;
};

struct Head {
    Waiting packet;
    bool may_drop = false;  // it has been above the target for an interval
};

inline Head take(State& state, const Parameters& parameters, LinkQueue& queue)
{
    if (state.list.empty()) {
        state.first_above = 0;
        return {};
    }
    Head head{queue.pop(state.list)};
    if (queue.now() - head.packet.since < parameters.target || queue.bytes() <= queue.longest())
        state.first_above = 0;
    else if (state.first_above == 0)
        state.first_above = queue.now() + parameters.interval;
    else
        head.may_drop = queue.now() >= state.first_above;
    return head;
}

inline Time following(Time drop, const Parameters& parameters, std::uint32_t drops)
{
    return drop + std::llround(static_cast<double>(parameters.interval) / std::sqrt(static_cast<double>(drops)));
}

inline bool admit(State& state, const Parameters&, LinkQueue& queue, const Waiting& packet)
{
    if (!queue.has_room(packet.bytes)) return false;
    queue.push(state.list, packet);
    return true;
}

inline Waiting next(State& state, const Parameters& parameters, LinkQueue& queue)
{
    constexpr Time kSoon = 16;  // intervals
    const Time now = queue.now();
    Head head = take(state, parameters, queue);
    state.dropping = state.dropping && head.may_drop;
    if (state.dropping) {
        while (state.dropping && now >= state.drop_next) {
            queue.drop(head.packet);
            ++state.drops;
            head = take(state, parameters, queue);
            state.dropping = head.may_drop;
            if (state.dropping) state.drop_next = following(state.drop_next, parameters, state.drops);
        }
    } else if (head.may_drop) {
        queue.drop(head.packet);
        head = take(state, parameters, queue);
        state.dropping = true;
        const std::uint32_t more = state.drops - state.drops_then;
        state.drops = more > 1 && now - state.drop_next < kSoon * parameters.interval ? more : 1;
        state.drops_then = state.drops;
        state.drop_next = following(now, parameters, state.drops);
    }
    return head.packet;
}

inline std::span<WaitingList> lists(State& state) { return {&state.list, 1}; }

}  // namespace anml::rt::codel
