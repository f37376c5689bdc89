// Packets that cross from one task to another: the messages of a channel, and the sending side's outbox.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "kernel/channel.h"
#include "kernel/event.h"
#include "kernel/packet.h"
#include "kernel/pool.h"

namespace anml::rt {

// An arrival at the far end of a link whose ends belong to different tasks. Pools belong to one task, so the packet
// travels by value, and its buffer, where it has one (ICMP errors), in a copy.
struct Crossing {
    Time time;
    StreamId stream;
    std::uint32_t sequence;
    std::uint32_t version;  // Event::kind
    std::unique_ptr<PacketBuffer> buffer;
    unsigned char packet[sizeof(Packet)];
};

class Outbox {
  public:
    static constexpr std::size_t kRoom = 1024;

    explicit Outbox(bool& waiting) : channel(kRoom), waiting_flag_(waiting) {}

    // Sends an arrival; sets the flag if it has to wait for room in the ring.
    void send(const Event& event, const Packet& packet, const BufferPool& buffers)
    {
        Crossing* slot = waiting_.empty() ? channel.claim() : nullptr;
        if (!slot) {
            waiting_flag_ = true;
            slot = &waiting_.emplace_back();
        }
        slot->time = event.time;
        slot->stream = event.stream;
        slot->sequence = event.sequence;
        slot->version = event.kind;
        std::copy_n(reinterpret_cast<const unsigned char*>(&packet), sizeof packet, slot->packet);
        if (packet.buffer != kNone) slot->buffer = buffers.copy(packet.buffer);
    }

    // Moves what waits into the ring as far as there is room. True: nothing waits any more.
    bool flush()
    {
        std::size_t moved = 0;
        for (; moved < waiting_.size(); ++moved) {
            Crossing* slot = channel.claim();
            if (!slot) break;
            *slot = std::move(waiting_[moved]);
        }
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(moved));
        return waiting_.empty();
    }

    bool waiting() const { return !waiting_.empty(); }
    // Time of the earliest message that waits, kNever: none.
    Time earliest_waiting() const
    {
        Time earliest = kNever;
        for (const Crossing& crossing : waiting_) earliest = std::min(earliest, crossing.time);
        return earliest;
    }

    Channel<Crossing> channel;

  private:
    std::vector<Crossing> waiting_;
    bool& waiting_flag_;  // of the task: one of its outboxes holds something back
};

}  // namespace anml::rt
