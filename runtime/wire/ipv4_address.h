// IPv4 addresses between bytes and handles (net/address.h).
#pragma once

#include <cstdint>

#include "net/address_table.h"
#include "wire/bytes.h"

namespace anml::rt::wire {

// 240.0.0.0/4 is no host's, broadcasts included: its handles stand for other addresses (net/address_table.h), which
// nobody may name by them.
inline Address load_ipv4(const std::uint8_t* at)
{
    const Address address{load32(at)};
    return AddressTable::has(address) ? Address::none : address;
}
inline void store_ipv4(std::uint8_t* at, Address address) { store32(at, number(address)); }

}  // namespace anml::rt::wire
