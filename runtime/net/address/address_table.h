// What handles stand for that do not hold their address themselves: IPv6 addresses, an entry each, in the block of
// handles that is no host's address (240.0.0.0/4; the compiler gives none of it to a node).
//
// The table is bounded. An entry is in use while something holds it, as each buffer of a packet under way does
// (buffers.h); a handle that is held stands for its address until it is let go. Of the others the one that was let
// go the longest ago is taken for the next new address.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "net/address/address.h"

namespace anml::rt {

using Ipv6 = std::array<std::uint8_t, 16>;  // as on the wire

class AddressTable {
  public:
    static constexpr std::uint32_t kRoom = 1 << 16;

    explicit AddressTable(std::uint32_t room = kRoom) : room_(room) {}

    static constexpr bool has(Address handle) { return number(handle) >> 28 == kBlock; }

    // The handle of an address, which begins to stand for it if none does; none: all entries are held. `owner` is kept
    // with a new entry. Until it is held, the next call may take it for another address.
    Address handle(const Ipv6& address, std::uint32_t owner);
    const Ipv6& address(Address handle) const { return entries_[index(handle)].address; }
    std::uint32_t owner(Address handle) const { return entries_[index(handle)].owner; }

    void hold(Address handle);
    void let_go(Address handle);

    std::size_t size() const { return entries_.size(); }

  private:
    static constexpr std::uint32_t kBlock = 0xf, kNobody = 0xffffffff;
    // Entries that nobody holds are a list, by when they were let go.
    struct Entry {
        Ipv6 address;
        std::uint32_t owner;
        std::uint32_t holders;
        std::uint32_t before, behind;
    };

    static std::uint32_t index(Address handle) { return number(handle) & 0x0fffffff; }
    void append(std::uint32_t entry);
    void remove(std::uint32_t entry);

    std::uint32_t room_;
    std::vector<Entry> entries_;
    // A tree, not hashed: external hosts choose the addresses, and none of them may make a search long.
    std::map<Ipv6, std::uint32_t> known_;
    std::uint32_t oldest_ = kNobody, newest_ = kNobody;  // of those that nobody holds
};

}  // namespace anml::rt
