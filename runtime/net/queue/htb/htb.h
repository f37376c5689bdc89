// Hierarchical token buckets of two levels, as Linux's sch_htb.c has them: the link, and below it a class for each
// host, flow or DSCP, of which each is sure of `rate`, and borrows what others leave up to `ceil`.
//
// A class has a bucket for each of the two. While that of `ceil` owes nothing it may send; those whose bucket of `rate`
// owes nothing either go first. Among these, and among those that borrow, whoever had least goes next (start-time fair
// queueing, Goyal, Vin and Cheng, SIGCOMM 1996; Linux has deficit round robin, with a coarser grain). What is sent is
// charged to both buckets, or to that of `ceil` alone if it was borrowed; a bucket may come to owe as much
// as a packet, so that rates are kept exactly. If no class may send the link is idle until the first one may.
//
// Classes are told apart by names of 64 bits, not by their places: two subscribers never share a bucket. Each has the
// bounds of the queue for itself, as Linux's leaves have.
//
// A packet costs the logarithm of the number of classes that wait: those that may send are in the order in which they
// do, the others in that of the times when they may.
#pragma once

#include <cstdint>
#include <vector>

#include "net/queue/discipline.h"
#include "net/queue/parameters.h"

namespace anml::rt::htb {

struct State {
    static constexpr bool kHoldsBack = true;

    std::uint32_t classes = 0;  // among those that the cluster keeps (net/queue/flow_tables.h); 0: none yet
};

bool admit(State& state, const Parameters& parameters, LinkQueue& link, const Waiting& packet);
Waiting next(State& state, const Parameters& parameters, LinkQueue& link);
// The parameters are others from now on: buckets were filled by the former rates until now.
void changed(State& state, const Parameters& parameters, LinkQueue& link);
// All that waits, by the order in which their classes began to wait; the classes are forgotten.
std::vector<Waiting> take_all(State& state, LinkQueue& link);

template <class Lose>
void abandon(State& state, LinkQueue& link, Lose&& lose)
{
    for (const Waiting& packet : take_all(state, link)) lose(packet);
}

}  // namespace anml::rt::htb
