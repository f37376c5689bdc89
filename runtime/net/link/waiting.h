// Packets that wait for a link that is served at the dequeue (net/queue/discipline.h): lists of them, first in, first
// out, made of records of the cluster's pool, so that no packet asks for memory of its own.
#pragma once

#include <cstdint>

#include "base/pool.h"
#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt {

struct Waiting {
    PacketId packet = kNone;
    std::uint32_t bytes = 0;  // on the wire, overhead included
    Time since = 0;
};

struct WaitingRecord {
    Waiting packet;
    std::uint32_t next, previous;
};
using WaitingPool = Pool<WaitingRecord>;

// All zero: empty.
class WaitingList {
  public:
    bool empty() const { return packets_ == 0; }
    std::uint32_t packets() const { return packets_; }
    std::uint64_t bytes() const { return bytes_; }

    void push(WaitingPool& pool, const Waiting& packet)
    {
        const std::uint32_t record = pool.allocate();
        pool[record].packet = packet;
        pool[record].previous = last_;
        (empty() ? first_ : pool[last_].next) = record;
        last_ = record;
        ++packets_;
        bytes_ += packet.bytes;
    }
    // The first one, which stays; not if it is empty.
    const Waiting& front(const WaitingPool& pool) const { return pool[first_].packet; }
    // The first one; not if it is empty.
    Waiting pop(WaitingPool& pool)
    {
        const std::uint32_t record = first_;
        const Waiting packet = pool[record].packet;
        if (--packets_ != 0) first_ = pool[record].next;
        bytes_ -= packet.bytes;
        pool.release(record);
        return packet;
    }
    // The last one; not if it is empty.
    Waiting pop_last(WaitingPool& pool)
    {
        const std::uint32_t record = last_;
        const Waiting packet = pool[record].packet;
        if (--packets_ != 0) last_ = pool[record].previous;
        bytes_ -= packet.bytes;
        pool.release(record);
        return packet;
    }

  private:
    std::uint64_t bytes_ = 0;
    std::uint32_t packets_ = 0;
    std::uint32_t first_ = 0, last_ = 0;  // records, where it is not empty
};

}  // namespace anml::rt
