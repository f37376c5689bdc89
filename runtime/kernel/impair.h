// What impaired links do to packets: lose, corrupt, duplicate, hold back and delay them at random.
//
// It happens behind the transmitter: the packet has had its place in the queue and its time on the link. Each directed
// link draws from a stream of its own, by the number of the packet, so that no other link, thread or task matters.
// Nothing arrives before its propagation delay: what the partition promises stays true.
#pragma once

#include <cstdint>

#include "abi/image.h"
#include "kernel/event.h"
#include "kernel/random.h"

namespace anml::rt {

struct Cluster;
struct LinkState;

// Words of state that a link with such impairments has.
inline std::uint32_t words_of(const abi::ImpairmentRow& row)
{
    return state_words(row.loss) + state_words(row.corrupt) + state_words(row.duplicate) + state_words(row.reorder) +
           state_words(row.reorder_delay) + state_words(row.jitter);
}

// Sends what is left of the packet to the far end of its link. `arrival`: as if the link did nothing.
void impair(Cluster& k, LinkState& link, Event arrival, Packet& packet);

}  // namespace anml::rt
