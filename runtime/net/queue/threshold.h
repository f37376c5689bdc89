// A threshold for marks, as DCTCP wants it (RFC 8257, section 3.1): what arrives while more than `mark` bytes wait is
// marked. Else the queue is drop-tail; what can't be marked waits as any other packet, unless `drop_others` drops it,
// as switches do whose thresholds are RED's (RFC 8257, section 5).
//
// The backlog is the present one, fluid as droptail.h has it, what is left of the packet in transmission included, the
// arriving packet not.
#pragma once

#include "net/queue/discipline.h"
#include "net/queue/parameters.h"

namespace anml::rt::threshold {

struct State {};

inline droptail::Admission admit(State&, const Parameters& parameters, Arrival& arrival)
{
    const bool above = arrival.backlog() > parameters.mark;
    if (above && parameters.drop_others && !ecn::capable(arrival.packet)) return {false, 0, 0};
    const droptail::Admission admission = arrival.admit();
    if (above && admission.accepted) arrival.mark();
    return admission;
}

}  // namespace anml::rt::threshold
