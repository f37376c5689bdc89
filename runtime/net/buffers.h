// The bytes of packets that have more than their record says: those of real hosts, and ICMP errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ids.h"
#include "base/pool.h"
#include "base/time.h"
#include "net/address_table.h"
#include "net/packet.h"

namespace anml::rt {

// Complete IP packets as real hosts sent them, up to kCapacity bytes.
struct PacketBuffer {
    static constexpr std::size_t kCapacity = 9216;
    Time entered;     // when it came from a real host; kNever: it was made here
    Address held[2];  // entries of the table of addresses; none: no entry
    std::uint16_t length;
    std::uint8_t bytes[kCapacity - 2];
};

class BufferPool {
  public:
    // A packet to or from an entry of the table always has a buffer, which holds the entry until it is released.
    explicit BufferPool(AddressTable* addresses = nullptr) : addresses_(addresses) {}

    // kNone when `bytes` is larger than a buffer.
    BufferId store(std::span<const std::uint8_t> bytes);
    std::span<const std::uint8_t> bytes(BufferId id) const { return {pool_[id].bytes, pool_[id].length}; }
    std::span<std::uint8_t> bytes(BufferId id) { return {pool_[id].bytes, pool_[id].length}; }
    Time entered(BufferId id) const { return pool_[id].entered; }
    void set_entered(BufferId id, Time at) { pool_[id].entered = at; }
    void release(BufferId id)
    {
        if (id != kNone) free(id);
    }
    // The buffer of `packet`, which has been stored, holds the packet's addresses from now on.
    void hold_addresses(const Packet& packet);
    AddressTable* addresses() const { return addresses_; }
    std::size_t in_use() const { return pool_.in_use(); }

  private:
    [[gnu::noinline]] void free(BufferId id);  // and lets go of the addresses that it holds

    Pool<PacketBuffer, 6> pool_;
    AddressTable* addresses_;
};

}  // namespace anml::rt
