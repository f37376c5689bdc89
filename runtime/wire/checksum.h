// The Internet checksum (RFC 1071), its pseudo header (RFC 768, 9293) and its incremental update (RFC 1624).
//
// Partial sums are 32-bit ones' complement sums in host order, as `checksum` of packet_codec.h takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "net/address/address.h"

namespace anml::rt::wire {

// Adds bytes to a partial sum; an odd last byte counts as the high half of a word.
std::uint32_t sum_bytes(std::span<const std::uint8_t> bytes, std::uint32_t sum = 0);

inline std::uint16_t fold(std::uint32_t sum)
{
    sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>((sum & 0xffff) + (sum >> 16));
}

// Both addresses are IPv4.
inline std::uint32_t pseudo_header(Address source, Address destination, std::uint8_t protocol, std::uint32_t length)
{
    const std::uint32_t from = number(source), to = ipv4_bits(destination);
    return (from >> 16) + (from & 0xffff) + (to >> 16) + (to & 0xffff) + protocol + length;
}

// The checksum after a 16-bit word that it covers changed (RFC 1624, equation 3).
inline std::uint16_t update(std::uint16_t checksum, std::uint16_t before, std::uint16_t after)
{
    return static_cast<std::uint16_t>(~fold(static_cast<std::uint32_t>(static_cast<std::uint16_t>(~checksum)) +
                                            static_cast<std::uint16_t>(~before) + after));
}

}  // namespace anml::rt::wire
