// Which real address on an endpoint's wire stands for which virtual one in the model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "net/address/address.h"
#include "net/packet/packet.h"

namespace anml::rt::io {

// One to one: neither a virtual nor a real address is there twice.
class AddressMap {
  public:
    struct Pair {
        Address virtual_address, real_address;
    };

    AddressMap() = default;
    explicit AddressMap(std::vector<Pair> pairs) : by_virtual_(std::move(pairs)), by_real_(by_virtual_)
    {
        std::ranges::sort(by_virtual_, {}, &Pair::virtual_address);
        std::ranges::sort(by_real_, {}, &Pair::real_address);
    }

    bool empty() const { return by_virtual_.empty(); }
    bool has_real(Address address) const { return real(address) != nullptr; }
    // An address that is not in the table is both, but where another host has it: none.
    Address real_of(Address address) const
    {
        if (empty()) return address;
        if (const Pair* pair = virtual_(address)) return pair->real_address;
        return real(address) ? Address::none : address;
    }
    Address virtual_of(Address address) const
    {
        if (empty()) return address;
        if (const Pair* pair = real(address)) return pair->virtual_address;
        return virtual_(address) ? Address::none : address;
    }

  private:
    const Pair* virtual_(Address address) const { return find(by_virtual_, &Pair::virtual_address, address); }
    const Pair* real(Address address) const { return find(by_real_, &Pair::real_address, address); }
    static const Pair* find(const std::vector<Pair>& pairs, Address Pair::* column, Address address)
    {
        const auto at = std::ranges::lower_bound(pairs, address, {}, column);
        return at != pairs.end() && (*at).*column == address ? &*at : nullptr;
    }

    std::vector<Pair> by_virtual_, by_real_;
};

// A packet of a real host, as bytes too, to the model's addresses: its source, and what an error says of a packet that
// came from here. And one for the real address `to`.
void translate_in(const AddressMap& map, Packet& packet, std::span<std::uint8_t> bytes, Address source);
void translate_out(const AddressMap& map, const Packet& packet, Address to, std::span<std::uint8_t> bytes);

}  // namespace anml::rt::io
