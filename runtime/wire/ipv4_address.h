// IPv4 addresses between bytes and handles (net/address/address.h).
#pragma once

#include <cstdint>

#include "net/address/address.h"
#include "wire/bytes.h"

namespace anml::rt::wire {

// From 224.0.0.0 on addresses are no single host's, groups and broadcasts: their handles stand for IPv6
// (net/address/address.h), which nobody may name by them.
inline Address load_ipv4(const std::uint8_t* at)
{
    const Address address{load32(at)};
    if (is_group(Address{number(address) ^ kGroups})) return Address{number(address) ^ kGroups};
    return is_ipv6(address) || is_group(address) ? Address::none : address;
}
// A node that has IPv6 alone speaks of packets of IPv4 as RFC 7600 says.
inline void store_ipv4(std::uint8_t* at, Address address)
{
    constexpr std::uint32_t kDummy = 0xc0000008;  // 192.0.0.8
    store32(at, is_ipv6(address) ? kDummy : ipv4_bits(address));
}

}  // namespace anml::rt::wire
