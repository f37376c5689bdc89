// When a host begins, so that those of a workload don't begin in step: as if its rhythm had run for a while.
//
// Within start_spread, uniformly, where the model says one. Else a share of the first interval or think time goes by,
// all of it where it is exponential, which has no memory: so the beginning is like any other time (a renewal process
// seen at random; exact for constant and exponential times). Hosts that don't think begin within 100 ms.
#pragma once

#include <cstdint>

#include "abi/image.h"
#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt {

class Model;

namespace app {

// What passes between two events of a host: what is drawn, or the same each time; neither: hosts begin within 100 ms.
struct Rhythm {
    const abi::Distribution* drawn = nullptr;
    abi::ValueId same = abi::kNone;
    bool thinks = true;  // its hosts wait for answers: where they don't think they don't begin in step all the same
};

// Of what is drawn, or the same each time, and nobody waits for.
inline Rhythm open_rhythm(const abi::Distribution& interval)
{
    if (interval.kind == abi::DistributionKind::constant) return {nullptr, interval.a};
    return {&interval, abi::kNone, false};
}

// From the workload's start, or from being switched on so long after it, to the host's first event. `round`: how often
// it has begun something before. Each wait is another, also of a host that has begun nothing since it was switched on
// last: its wait was too long then, and would be again.
Time wait_to_begin(const Model& model, std::uint64_t seed, std::uint32_t workload, NodeId host, std::uint64_t round,
                   Time passed);

}  // namespace app
}  // namespace anml::rt
