// ARP for IPv4 over Ethernet (RFC 826): a checked view, and writing a packet.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "wire/bytes.h"
#include "wire/ethernet.h"
#include "wire/ipv4_address.h"

namespace anml::rt::wire {

namespace arp_operation {
inline constexpr std::uint16_t request = 1, reply = 2;
}

struct Arp {
    static constexpr std::size_t kLength = 28;

    std::uint16_t operation = 0;
    MacAddress sender_mac{};
    Address sender = Address::none;
    MacAddress target_mac{};
    Address target = Address::none;
};

// False: truncated, or not IPv4 over Ethernet.
inline bool parse_arp(std::span<const std::uint8_t> bytes, Arp& arp)
{
    if (bytes.size() < Arp::kLength) return false;
    const std::uint8_t* at = bytes.data();
    if (load16(at) != 1 || load16(at + 2) != ether_type::ipv4 || at[4] != 6 || at[5] != 4) return false;
    arp.operation = load16(at + 6);
    std::memcpy(arp.sender_mac.data(), at + 8, 6);
    arp.sender = load_ipv4(at + 14);
    std::memcpy(arp.target_mac.data(), at + 18, 6);
    arp.target = load_ipv4(at + 24);
    return true;
}

inline void write_arp(std::uint8_t* out, const Arp& arp)
{
    store16(out, 1);
    store16(out + 2, ether_type::ipv4);
    out[4] = 6;
    out[5] = 4;
    store16(out + 6, arp.operation);
    std::memcpy(out + 8, arp.sender_mac.data(), 6);
    store_ipv4(out + 14, arp.sender);
    std::memcpy(out + 18, arp.target_mac.data(), 6);
    store_ipv4(out + 24, arp.target);
}

}  // namespace anml::rt::wire
