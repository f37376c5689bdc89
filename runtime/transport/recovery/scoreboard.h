// What a sender knows of what is not yet acknowledged, and how its recovery from a loss stands. Only connections that
// lost something, or seem to have, have one, from a pool (Stack::scoreboards). The algorithms are in
// losses.cpp and recovery.cpp.
#pragma once

#include <cstdint>
#include <utility>

#include "base/time.h"
#include "transport/recovery/range_set.h"
#include "transport/recovery/retransmissions.h"

namespace anml::rt::tcp {

// Where forward RTO-recovery stands (frto.h).
struct Frto {
    bool active = false;
    bool original = false;  // something has arrived that was sent once, and before the time-out
    // Of what was under way at the time-out, what lies before `again` or behind `end` was sent more than once.
    std::uint32_t again = 0, end = 0;
    std::uint32_t resume = 0;  // where sending again goes on
    Range fresh = {};          // new data that was sent instead, and is not to be sent again with the rest

    // [begin, end) has arrived.
    void arrived(std::uint32_t begin, std::uint32_t to)
    {
        original |= after(before(to, end) ? to : end, later(begin, again));
    }
};

struct Scoreboard {
    RangeSet arrived;  // what the peer selectively acknowledged

    // What is lost before high_rxt was sent again (HighRxt of RFC 6675), in this recovery or one before.
    std::uint32_t high_rxt = 0, rescue_rxt = 0;
    Retransmissions retransmissions;  // of adaptive recovery
    std::uint32_t waited_before = 0;  // the reordering window is over for what was sent before this
    std::uint32_t told_lost = 0;      // losses before this are known to the window law, where it asks for them

    // Proportional rate reduction (RFC 6937): bytes that have arrived and that were sent since recovery began, and
    // those that were under way then.
    std::uint32_t delivered = 0, sent = 0, flight = 0;

    // What to go back to where an acknowledgment shows that what was sent again had arrived (RFC 4015): it echoes a
    // timestamp before `stamp`, if that is known: the path's MTU has segments sent again without one.
    bool undoable = false, stamped = false;
    std::uint32_t cwnd = 0, ssthresh = 0, stamp = 0;

    Frto frto;

    // All that has not arrived is to be sent again: nothing of it was yet.
    void begin_again(std::uint32_t una)
    {
        high_rxt = waited_before = una;
        frto = {};
        frto.fresh = {una, una};
        retransmissions.clear(una);
    }
    // Of another connection, with the room that is there.
    void reset(std::uint32_t una)
    {
        RangeSet ranges = std::move(arrived);
        Retransmissions sent_again = std::move(retransmissions);
        *this = {};
        arrived = std::move(ranges);
        arrived.clear();
        retransmissions = std::move(sent_again);
        begin_again(una);
    }
};

}  // namespace anml::rt::tcp
