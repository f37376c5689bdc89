// What a connection knows of the MTU of its path, beyond the size of its segments: those alone have it that look for it
// themselves, or were told of one (mtu_probing.h).
#pragma once

#include <cstdint>

#include "base/time.h"

namespace anml::rt::tcp {

// Lengths are those of IP packets, in bytes.
struct MtuSearch {
    bool begun = false;                // of this connection
    bool on = false;                   // it looks for the largest packet that arrives
    bool keeps_threshold = false;      // `threshold` counts again when the recovery is over
    std::uint16_t low = 0;             // packets of that length arrive, as far as is known
    std::uint16_t high = 0;            // longer ones do not
    std::uint16_t most = 0;            // what the link and the peer have room for
    std::uint16_t told = 0;            // the same, and what routers have said
    std::uint16_t probe = 0;           // the probe that is under way; 0: none
    std::uint32_t begin = 0, end = 0;  // its payload
    std::uint32_t threshold = 0;       // ssthresh
    Time until = kNever;               // when what routers have said is forgotten
    Time since = 0;                    // when the search began
    Time first_again = 0;              // the first of the time-outs in a row
};

}  // namespace anml::rt::tcp
