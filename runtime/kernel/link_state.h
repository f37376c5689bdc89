// The state of a directed link while the model runs: one cache line. All zero until it is first used
// (kernel/network_state.h).
#pragma once

#include <cstdint>

#include "base/time.h"
#include "kernel/facts.h"
#include "kernel/packet.h"
#include "queue/start_times.h"

namespace anml::rt {

struct alignas(64) LinkState {
    Time busy_until = 0;                         // when the last admitted packet will have been transmitted
    Time delay = 0;                              // propagation
    double rate = 0;                             // bit/s
    std::uint64_t packets = 0;                   // admitted in the measured window
    std::uint64_t bytes = 0;                     // IP bytes of those
    std::uint32_t dropped = 0;                   // queue full, in the measured window
    std::uint32_t capacity = 0;                  // bytes of queue, kUnbounded for 4 GB and more
    std::uint32_t sequence = 0;                  // of the stream of arrivals at the far end
    std::uint32_t starts = StartTimes::kNoRing;  // where the queue is bounded in packets and one has waited
    std::uint16_t packet_limit = 0;              // packets that may wait, 0: as many as the bytes allow
    std::uint16_t mtu = 0;                       // bytes, IP packet; 0: the link is not filled in yet
    std::uint16_t overhead = 0;                  // bytes added to each packet on the wire
    std::uint16_t outbox = 0;  // 1 + index of the cluster's outbox where the far end is another task's; 0: its own

    static constexpr std::uint32_t kUnbounded = 0xffffffffu;
    static constexpr Time kDown = kNever / 2;  // busy_until of a link that is down: for ever

    // The same, without a load where the compiler knows them.
    std::uint32_t known_mtu() const { return facts.mtu != abi::kVaries ? facts.mtu : mtu; }
    std::uint32_t known_overhead() const { return facts.overhead != abi::kVaries ? facts.overhead : overhead; }
    bool known_bounded() const { return facts.unbounded_queues == 0 && capacity != kUnbounded; }  // in bytes
    std::uint32_t known_packet_limit() const
    {
        return facts.packet_limit != abi::kVaries ? facts.packet_limit : packet_limit;
    }
};
static_assert(sizeof(LinkState) == 64);

// Where a directed link leads: written once, and read by the receiving task, which must not touch the sender's
// LinkState.
struct FarEnd {
    NodeId node = 0;
    std::uint32_t row = 0;  // its node row
};

}  // namespace anml::rt
