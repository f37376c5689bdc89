// Packets that cross from one task to another: the messages of a channel, and the sending side's outbox.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/zero_pages.h"
#include "kernel/channel.h"
#include "kernel/event.h"
#include "net/link/buffers.h"
#include "net/packet/packet.h"

namespace anml::rt {

// An arrival at the far end of a link whose ends belong to different tasks. Pools belong to one task, so the packet
// travels by value, and the bytes of its buffer, where it has one, beside the message.
struct Crossing {
    Time time;
    StreamId stream;
    std::uint32_t sequence;
    std::uint32_t version;  // Event::kind
    std::uint32_t bytes;    // of the buffer
    Time entered;           // that, too (BufferHead)
    unsigned char packet[sizeof(Packet)];

    // But in live runs of several processes, most buffers that cross are those of ICMP errors, which quote the head of
    // a packet; those of segments with real bytes have more, and room of their own.
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
        Waiting* late = nullptr;
        if (!slot) {
            waiting_flag_ = true;
            late = &waiting_.emplace_back();
            slot = &late->crossing;
        }
        slot->time = event.time;
        slot->stream = event.stream;
        slot->sequence = event.sequence;
        slot->version = event.kind;
        slot->bytes = 0;
        std::copy_n(reinterpret_cast<const unsigned char*>(&packet), sizeof packet, slot->packet);
        if (packet.buffer != kNone) [[unlikely]] {
            const std::span<const std::uint8_t> bytes = buffers.bytes(packet.buffer);
            slot->bytes = static_cast<std::uint32_t>(bytes.size());
            slot->entered = buffers.entered(packet.buffer);
            if (bytes.size() > Crossing::kMostBytes)
                (late ? late->large : large_of(*slot)).assign(bytes.begin(), bytes.end());
            else
                std::copy(bytes.begin(), bytes.end(), late ? late->bytes : bytes_of(*slot));
        }
    }

    // Moves what waits into the ring as far as there is room. True: nothing waits any more.
    bool flush()
    {
        std::size_t moved = 0;
        for (; moved < waiting_.size(); ++moved) {
            Crossing* slot = channel.claim();
            if (!slot) break;
            Waiting& late = waiting_[moved];
            *slot = late.crossing;
            if (slot->bytes > Crossing::kMostBytes)
                large_of(*slot).swap(late.large);
            else
                std::copy_n(late.bytes, slot->bytes, bytes_of(*slot));
        }
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(moved));
        return waiting_.empty();
    }

    // Consumer: `take` gets each arrival that is there, and the bytes of its buffer. True: the sender waits for room.
    template <class Take>
    bool drain(Take&& take)
    {
        return channel.drain([&](const Crossing& crossing) { take(crossing, content_of(crossing)); });
    }

    // The same as long as `take` takes them (Channel::drain_while).
    template <class Take>
    Channel<Crossing>::Drained drain_while(Take&& take)
    {
        return channel.drain_while([&](const Crossing& crossing) { return take(crossing, content_of(crossing)); });
    }

    // An arrival that came from elsewhere; there is room for it.
    void put(const Crossing& crossing, std::span<const std::uint8_t> bytes)
    {
        Crossing& slot = *channel.claim();
        slot = crossing;
        if (bytes.size() > Crossing::kMostBytes)
            large_of(slot).assign(bytes.begin(), bytes.end());
        else
            std::copy(bytes.begin(), bytes.end(), bytes_of(slot));
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
        std::vector<std::uint8_t> large;
    };

    std::uint8_t* bytes_of(const Crossing& slot) { return &bytes_[channel.place_of(slot) * Crossing::kMostBytes]; }

    std::span<const std::uint8_t> content_of(const Crossing& slot)
    {
        const bool large = slot.bytes > Crossing::kMostBytes;
        return {large ? large_of(slot).data() : bytes_of(slot), slot.bytes};
    }

    // Made by the sender, before the first that needs it is handed over.
    std::vector<std::uint8_t>& large_of(const Crossing& slot)
    {
        if (!large_) large_ = std::make_unique<std::vector<std::uint8_t>[]>(kRoom);
        return large_[channel.place_of(slot)];
    }

    ZeroPages<std::uint8_t> bytes_;  // by place in the ring; most runs use none of it
    std::unique_ptr<std::vector<std::uint8_t>[]> large_;
    std::vector<Waiting> waiting_;
    bool& waiting_flag_;  // of the task: one of its outboxes holds something back
};

}  // namespace anml::rt
