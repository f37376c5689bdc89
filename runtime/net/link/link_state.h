// The state of a directed link while the model runs: one cache line. All zero until it is first used
// (net/network_state.h).
#pragma once

#include <cstdint>

#include "base/time.h"
#include "net/facts.h"
#include "net/link/start_times.h"
#include "net/packet/packet.h"

namespace anml::rt {

struct alignas(64) LinkState {
    Time busy_until = 0;                         // when the last admitted packet will have been transmitted
    Time delay = 0;                              // propagation
    double rate = 0;                             // bit/s
    std::uint64_t packets = 0;                   // admitted in the measured window
    std::uint64_t bytes = 0;                     // IP bytes of those
    std::uint32_t capacity = 0;                  // bytes of queue, kUnbounded for 4 GB and more
    std::uint32_t sequence = 0;                  // of the stream of arrivals at the far end
    std::uint32_t starts = StartTimes::kNoRing;  // where the queue is bounded in packets and one has waited
    std::uint16_t packet_limit = 0;              // packets that may wait, 0: as many as the bytes allow
    std::uint16_t mtu = 0;                       // bytes, IP packet; 0: the link is not filled in yet
    std::uint16_t overhead = 0;                  // bytes added to each packet on the wire
    std::uint16_t outbox = 0;    // 1 + index of the cluster's outbox where the far end is another task's; 0: its own
    std::uint32_t fraction = 0;  // 2^-32 ns by which the last transmission ended behind `busy_until` (droptail.h)

    static constexpr std::uint32_t kHalf = 0x80000000u;  // what `fraction` begins as: ends are rounded to the nearest
    static constexpr std::uint32_t kUnbounded = 0xffffffffu;
    static constexpr std::uint16_t kImpaired = 0x8000;  // bit of `outbox`: net/link/impair.h has the packets first

    // Such a link has no room, and is busy for ever, so that others pay nothing for it: what it takes in spite of that
    // is its discipline's to say (service.cpp), or opportunities.h's, where it follows a trace. So has
    // one that is down (net/timeline/changes.h), which has to be asked for first.
    bool decided_elsewhere() const { return capacity == 0; }
    static constexpr Time kForEver = kNever / 2;
    void decide_elsewhere()
    {
        capacity = 0;
        busy_until = kForEver;
        rate = 1;  // no backlog of so long a time is out of range
    }

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

// How long packets of a directed link waited in its queue, from when they came until their transmission began, in the
// measured window. Beside LinkState: those that find the link idle don't touch it.
struct QueueDelay {
    double sum = 0;  // ns
    Time longest = 0;

    void add(Time waited)
    {
        sum += static_cast<double>(waited);
        if (waited > longest) longest = waited;
    }
};

// What a directed link has besides if it is impaired. All zero until it is first used.
struct ImpairedLink {
    std::uint64_t packets = 0;  // that it has drawn for
    Time last = 0;              // arrival of the last packet that kept its place
    std::uint32_t law = 0;      // of NetworkState::laws
    std::uint32_t order = 0;    // 1 + index in Net::arrival_orders; 0: no packet can be late so far
    // Packets, in the measured window.
    std::uint64_t lost = 0, corrupted = 0, duplicated = 0, reordered = 0;
};

// What a directed link has besides if it follows a trace.
struct TracedLink {
    Time begin = 0;              // of the period that `next` is in
    Time busy_until = 0;         // when the last admitted packet will have been transmitted
    std::uint64_t backlog = 0;   // bytes that wait for `next` and those behind it
    std::uint32_t next = 0;      // opportunity
    std::uint32_t trace = 0;     // of the image
    std::uint32_t capacity = 0;  // as LinkState's would be
};

// What a directed link has besides if its queue has a discipline (net/queue/discipline.h), or shares a buffer
// (net/link/shared_buffers.h) or the air (net/radio/air.h).
struct DisciplinedLink {
    static constexpr std::uint32_t kDroptail = 0xffffffffu;
    LinkState line;                // as if it had none: its rate, its bounds, and until when it is busy
    std::uint32_t discipline = 0;  // 1 + its number; 0: the link has none; kDroptail: it shares something
    NodeId near = 0;               // the node that it leaves
    std::uint64_t draws = 0;       // random numbers that the discipline has used
    std::uint64_t marked = 0;      // packets in the measured window (net/packet/ecn.h)
    // Where it decides at the dequeue:
    Time expected = 0;          // end of a transmission for which an event is pending, kNever: nothing waits for it
    std::uint64_t bytes = 0;    // that wait, overhead included
    std::uint32_t packets = 0;  // that wait
};

// Where a directed link leads, as the task that receives looks it up before the first arrival: it must not touch the
// sender's LinkState.
struct FarEnd {
    NodeId node;
    std::uint32_t kind : 2;  // of that: abi::NodeKind
    std::uint32_t row : 30;  // its node row
    // Where that forwards, and routes stay as they are: the last packet's destination, which is none of its own, and
    // the link that all packets there take. Until then a destination that no packet has.
    Address destination = Address{0xffffffff};
    LinkId next = kNone;
};

}  // namespace anml::rt
