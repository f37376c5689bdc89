// The bytes of packets that have more than their record says: those of real hosts, and ICMP errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ids.h"
#include "base/pool.h"
#include "base/time.h"
#include "net/address/address_table.h"
#include "net/packet/packet.h"

namespace anml::rt {

// What is known of the bytes of a packet, which follow.
struct BufferHead {
    Time entered;     // when it came from a real host; kNever: it was made here
    Address held[2];  // entries of the table of addresses; none: no entry
    std::uint16_t length;
};

// A complete IP packet as a real host sent it, up to `capacity` bytes.
template <std::size_t capacity>
struct BufferOf : BufferHead {
    std::uint8_t bytes[capacity];
};
struct PacketBuffer : BufferOf<9214> {
    static constexpr std::size_t kCapacity =
        sizeof bytes;  // what most hosts send; longer ones have a pool of their own
};

class BufferPool {
    static constexpr BufferId kLong = 1u << 31;  // the pool's bit of a number
    using LongBuffer = BufferOf<65535>;

  public:
    // A packet to or from an entry of the table always has a buffer, which holds the entry until it is released.
    explicit BufferPool(AddressTable* addresses = nullptr) : addresses_(addresses) {}

    // kNone when `bytes` are more than an IP packet has.
    BufferId store(std::span<const std::uint8_t> bytes);
    std::span<const std::uint8_t> bytes(BufferId id) const
    {
        if (id & kLong) [[unlikely]]
            return {long_[id & ~kLong].bytes, head(id).length};
        return {pool_[id].bytes, pool_[id].length};
    }
    std::span<std::uint8_t> bytes(BufferId id)
    {
        if (id & kLong) [[unlikely]]
            return {long_[id & ~kLong].bytes, head(id).length};
        return {pool_[id].bytes, pool_[id].length};
    }
    Time entered(BufferId id) const { return head(id).entered; }
    void set_entered(BufferId id, Time at) { head(id).entered = at; }
    void release(BufferId id)
    {
        if (id != kNone) free(id);
    }
    // The buffer of `packet`, which has been stored, holds the packet's addresses from now on.
    void hold_addresses(const Packet& packet);
    AddressTable* addresses() const { return addresses_; }
    std::size_t in_use() const { return pool_.in_use() + long_.in_use(); }

  private:
    [[gnu::noinline]] void free(BufferId id);  // and lets go of the addresses that it holds

    const BufferHead& head(BufferId id) const
    {
        if (id & kLong) [[unlikely]]
            return long_[id & ~kLong];
        return pool_[id];
    }
    BufferHead& head(BufferId id)
    {
        if (id & kLong) [[unlikely]]
            return long_[id & ~kLong];
        return pool_[id];
    }
    template <class Buffers>
    static BufferId put(Buffers& buffers, std::span<const std::uint8_t> bytes);

    Pool<PacketBuffer, 6> pool_;
    Pool<LongBuffer, 3> long_;
    AddressTable* addresses_;
};

}  // namespace anml::rt
