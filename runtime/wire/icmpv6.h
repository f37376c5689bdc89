// ICMPv6 (RFC 4443), and of neighbour discovery (RFC 4861) what an emulator needs that is one neighbour: the question
// who has an address, and the answer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "wire/ethernet.h"
#include "wire/ipv6.h"

namespace anml::rt::wire {

namespace icmpv6_type {
inline constexpr std::uint8_t unreachable = 1, too_big = 2, time_exceeded = 3, solicitation = 135, advertisement = 136;
}

// Errors, and what may be one.
inline bool is_icmpv6_error(std::uint8_t type) { return type < 128; }

// The address that a node of the model, or the gateway, has for hosts that speak IPv6: its IPv4 address in the prefix
// for translation within one network (RFC 8215, in the form of RFC 6052).
inline Ipv6 embedded(Address ipv4)
{
    Ipv6 address{0x00, 0x64, 0xff, 0x9b, 0x00, 0x01};
    store32(address.data() + 12, number(ipv4));
    return address;
}

// fe80::/64 with the interface's identifier of a MAC address (RFC 4291, appendix A).
inline Ipv6 link_local(const MacAddress& mac)
{
    return {0xfe,   0x80,   0,    0,    0,      0,      0,     0, static_cast<std::uint8_t>(mac[0] ^ 2),
            mac[1], mac[2], 0xff, 0xfe, mac[3], mac[4], mac[5]};
}

// Whether the packet asks for the MAC address of `target`, by the rules of RFC 4861, 7.1.1, and can be answered.
inline bool asks_for(const Ipv6View& ip, const Ipv6& target)
{
    const std::span<const std::uint8_t> message = ip.payload();
    if (ip.protocol() != protocol::icmpv6 || ip.is_fragment() || ip.hop_limit() != 255 || message.size() < 24)
        return false;
    if (message[0] != icmpv6_type::solicitation || message[1] != 0) return false;
    if (ip.source() == Ipv6{} || ip.source()[0] == 0xff) return false;
    return std::equal(target.begin(), target.end(), message.begin() + 8) &&
           fold(sum_bytes(message, ip.pseudo(message.size()))) == 0xffff;
}

// The answer, a packet of kAdvertisement bytes.
inline constexpr std::size_t kAdvertisement = Ipv6View::kHeader + 32;
inline void write_advertisement(std::uint8_t* out, const Ipv6& target, const MacAddress& mac, const Ipv6& to)
{
    std::fill_n(out, kAdvertisement, std::uint8_t{0});
    write_ipv6(out, target, to, protocol::icmpv6, 32, 255);
    std::uint8_t* message = out + Ipv6View::kHeader;
    message[0] = icmpv6_type::advertisement;
    message[4] = 0x60;  // solicited, override
    std::copy(target.begin(), target.end(), message + 8);
    message[24] = 2;  // option: the target's link-layer address, in units of 8 bytes
    message[25] = 1;
    std::copy(mac.begin(), mac.end(), message + 26);
    Ipv6View ip;
    if (Ipv6View::check({out, kAdvertisement}, ip) == ParseError::none)
        store16(message + 2, checksum({message, 32}, ip.pseudo(32)));
}

}  // namespace anml::rt::wire
