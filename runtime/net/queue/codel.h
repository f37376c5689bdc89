// Controlled delay (CoDel, RFC 8289): a queue whose packets have waited for longer than `target` during all of
// `interval` drops one, and others faster and faster, until one has waited for less.
//
// As in section 5 there, which is Linux's version: whoever is to go next is asked for its time in the queue; a backlog
// of no more than the longest packet (bytes on the wire, without the packet asked) never counts as one; the next drop
// comes `interval` / sqrt(number of drops) behind the last one, and a queue that comes back soon goes on where it was.
//
// ECN as Linux has it (include/net/codel_impl.h): instead of being dropped a packet that can be marked is marked and
// sent, and the next one of a series has to wait for its own transmission. Apart from that, whatever has waited for
// longer than `ce_threshold` is marked.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "net/queue/codel_control.h"
#include "net/queue/discipline.h"
#include "net/queue/parameters.h"

namespace anml::rt::codel {

struct State {
    WaitingList list;
    Control control;
};

struct Head {
    Waiting packet;
    bool may_drop = false;  // it has been above the target for an interval
};

// A list of packets that CoDel serves, of a link that may have others. Law: what has its parameters.
template <class Law>
struct Controlled {
    WaitingList& list;
    Control& control;
    const Law& law;
    LinkQueue& queue;

    Head take()
    {
        if (list.empty()) {
            control.first_above = 0;
            return {};
        }
        Head head{queue.pop(list)};
        if (queue.now() - head.packet.since < law.target || queue.bytes() <= queue.longest())
            control.first_above = 0;
        else if (control.first_above == 0)
            control.first_above = queue.now() + law.interval;
        else
            head.may_drop = queue.now() >= control.first_above;
        return head;
    }
    Time following(Time drop) const
    {
        return drop + std::llround(static_cast<double>(law.interval) / std::sqrt(static_cast<double>(control.drops)));
    }
    Waiting next();
};

template <class Law>
Waiting Controlled<Law>::next()
{
    constexpr Time kSoon = 16;  // intervals
    const Time now = queue.now();
    Head head = take();
    bool marked = false;
    // By a mark, true, or by a drop: then the next one is there.
    const auto tell = [&] {
        if (law.ecn && queue.mark(head.packet)) return marked = true;
        queue.drop(head.packet);
        head = take();
        return false;
    };
    control.dropping = control.dropping && head.may_drop;
    if (control.dropping) {
        while (control.dropping && !marked && now >= control.drop_next) {
            ++control.drops;
            control.dropping = tell() || head.may_drop;
            if (control.dropping) control.drop_next = following(control.drop_next);
        }
    } else if (head.may_drop) {
        tell();
        control.dropping = true;
        const std::uint32_t more = control.drops - control.drops_then;
        control.drops = more > 1 && now - control.drop_next < kSoon * law.interval ? more : 1;
        control.drops_then = control.drops;
        control.drop_next = following(now);
    }
    if (!marked && head.packet.packet != kNone && now - head.packet.since > law.ce_threshold) queue.mark(head.packet);
    return head.packet;
}

inline bool admit(State& state, const Parameters&, LinkQueue& queue, const Waiting& packet)
{
    if (!queue.has_room(packet.bytes)) return false;
    queue.push(state.list, packet);
    return true;
}

inline Waiting next(State& state, const Parameters& parameters, LinkQueue& queue)
{
    return Controlled<Parameters>{state.list, state.control, parameters, queue}.next();
}

inline std::span<WaitingList> lists(State& state) { return {&state.list, 1}; }

}  // namespace anml::rt::codel
