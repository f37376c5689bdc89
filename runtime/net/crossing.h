// Packets that cross from one task to another: the messages of a channel, and the sending side's outbox.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/zero_pages.h"
#include "kernel/channel.h"
#include "kernel/event.h"
#include "net/buffers.h"
#include "net/packet.h"

namespace anml::rt {

// An arrival at the far end of a link whose ends belong to different tasks. Pools belong to one task, so the packet
// travels by value, and the bytes of its buffer, where it has one, beside the message.
struct Crossing {
    Time time;
    StreamId stream;
    std::uint32_t sequence;
    std::uint32_t version;  // Event::kind
    std::uint32_t bytes;    // of the buffer
    unsigned char packet[sizeof(Packet)];

    // Real hosts take part in runs of one task only. So the buffers that cross are those of ICMP errors, which quote
    // the head of a packet.
    static constexpr std::size_t kMostBytes = 128;
    using Bytes = std::uint8_t[kMostBytes];
};

class Outbox {
  public:
    static constexpr std::size_t kRoom = 1024;

    explicit Outbox(bool& waiting) : channel(kRoom), bytes_(kRoom * Crossing::kMostBytes), waiting_flag_(waiting) {}

    // Sends an arrival; sets the flag if it has to wait for room in the ring.
    void send(const Event& event, const Packet& packet, const BufferPool& buffers)
    {
        Crossing* slot = waiting_.empty() ? channel.claim() : nullptr;
        std::uint8_t* to = slot ? bytes_of(*slot) : nullptr;
        if (!slot) {
            waiting_flag_ = true;
            Waiting& late = waiting_.emplace_back();
            slot = &late.crossing;
            to = late.bytes;
        }
        slot->time = event.time;
        slot->stream = event.stream;
        slot->sequence = event.sequence;
        slot->version = event.kind;
        slot->bytes = 0;
        std::copy_n(reinterpret_cast<const unsigned char*>(&packet), sizeof packet, slot->packet);
        if (packet.buffer != kNone) [[unlikely]] {
            const std::span<const std::uint8_t> bytes = buffers.bytes(packet.buffer);
            assert(bytes.size() <= Crossing::kMostBytes);
            slot->bytes = static_cast<std::uint32_t>(bytes.size());
            std::copy(bytes.begin(), bytes.end(), to);
        }
    }

    // Moves what waits into the ring as far as there is room. True: nothing waits any more.
    bool flush()
    {
        std::size_t moved = 0;
        for (; moved < waiting_.size(); ++moved) {
            Crossing* slot = channel.claim();
            if (!slot) break;
            const Waiting& late = waiting_[moved];
            *slot = late.crossing;
            std::copy_n(late.bytes, late.crossing.bytes, bytes_of(*slot));
        }
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(moved));
        return waiting_.empty();
    }

    // Consumer: `take` gets each arrival that is there, and the bytes of its buffer. True: the sender waits for room.
    template <class Take>
    bool drain(Take&& take)
    {
        return channel.drain([&](const Crossing& crossing) {
            take(crossing, std::span<const std::uint8_t>(bytes_of(crossing), crossing.bytes));
        });
    }

    bool waiting() const { return !waiting_.empty(); }
    // Time of the earliest message that waits, kNever: none.
    Time earliest_waiting() const
    {
        Time earliest = kNever;
        for (const Waiting& late : waiting_) earliest = std::min(earliest, late.crossing.time);
        return earliest;
    }

    Channel<Crossing> channel;

  private:
    struct Waiting {
        Crossing crossing;
        Crossing::Bytes bytes;
    };

    std::uint8_t* bytes_of(const Crossing& slot) { return &bytes_[channel.place_of(slot) * Crossing::kMostBytes]; }

    ZeroPages<std::uint8_t> bytes_;  // by place in the ring; most runs use none of it
    std::vector<Waiting> waiting_;
    bool& waiting_flag_;  // of the task: one of its outboxes holds something back
};

}  // namespace anml::rt
