// Hierarchical token buckets with classes of their own, as Linux's sch_htb.c has them: a tree below the link, whose
// leaves have queues, each with a rate that it is sure of, a ceiling, a priority and what packets it is for.
//
// A class has a bucket for its rate and one for its ceiling. A leaf whose ceiling's bucket owes nothing sends by itself
// while that of its rate owes nothing either, whatever its ancestors owe; else it borrows from the nearest ancestor
// whose rate's bucket owes nothing, if on the way no ceiling's does, and at last from the link. Who sends by itself
// goes first, then who borrows from a class further from the link; among these the lower `priority`. Among these
// whoever had least goes first, by its rate (start-time fair queueing, as in htb.h: no quanta); where somebody lends
// it, level by level: of those right below the lender, then of those below that one. A packet is charged to the
// ceilings of the leaf and all its ancestors, and to the rates of the lender and those above.
#pragma once

#include <cstdint>

#include "net/queue/discipline.h"
#include "net/queue/parameters.h"

namespace anml::rt::htb_classes {

struct State {
    static constexpr bool kHoldsBack = true;

    std::uint32_t shaper = 0;  // among those that the cluster keeps; 0: none yet
};

bool admit(State& state, const Parameters& parameters, LinkQueue& link, const Waiting& packet);
Waiting next(State& state, const Parameters& parameters, LinkQueue& link);
// The parameters are others from now on: buckets were filled by the former rates until now.
void changed(State& state, const Parameters& parameters, LinkQueue& link);
// The next of whatever waits; its `packet` is kNone where nothing does.
Waiting any(State& state, LinkQueue& link);
void forget(State& state, LinkQueue& link);

template <class Lose>
void abandon(State& state, LinkQueue& link, Lose&& lose)
{
    for (Waiting packet = any(state, link); packet.packet != kNone; packet = any(state, link)) lose(packet);
    forget(state, link);
}

}  // namespace anml::rt::htb_classes
