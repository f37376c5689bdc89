// What a sender knows of what is not yet acknowledged, and how its recovery from a loss stands. Only connections that
// lost something, or seem to have, have one, from a pool (Stack::scoreboards). The algorithms are in recovery.cpp.
#pragma once

#include <cstdint>

#include "base/time.h"
#include "transport/range_set.h"

namespace anml::rt::tcp {

struct Scoreboard {
    RangeSet arrived;  // what the peer selectively acknowledged

    // Fast recovery. What is lost before high_rxt was sent again (HighRxt of RFC 6675), and so was once more what lies
    // before `again`, of what lies before again_end and was lost a second time.
    std::uint32_t high_rxt = 0, rescue_rxt = 0;
    std::uint32_t again = 0, again_end = 0;
    std::uint32_t resent_before = 0;  // what is sent from here on was sent after anything that was sent again
    Time resending_since = 0;         // when the first retransmission went out, of those that may have to come again
    std::uint32_t told_lost = 0;      // losses before this are known to the window law, where it asks for them
    bool resent_arrived = false;      // a retransmission is acknowledged: what was sent before it is lost or arrived

    // Proportional rate reduction (RFC 6937): bytes that have arrived and that were sent since recovery began, and
    // those that were under way then.
    std::uint32_t delivered = 0, sent = 0, flight = 0;

    // What to go back to where an acknowledgment shows that what was sent again had arrived (RFC 4015): it echoes a
    // timestamp before `stamp`.
    bool undoable = false;
    std::uint32_t cwnd = 0, ssthresh = 0, stamp = 0;
};

}  // namespace anml::rt::tcp
