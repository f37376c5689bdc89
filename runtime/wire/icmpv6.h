// ICMPv6 (RFC 4443), and the addresses by which hosts that speak IPv6 know the emulator. Neighbour discovery, which is
// ICMPv6 too: neighbour_discovery.h.
#pragma once

#include <cstdint>

#include "wire/ethernet.h"
#include "wire/ipv6.h"

namespace anml::rt::wire {

namespace icmpv6_type {
inline constexpr std::uint8_t unreachable = 1, too_big = 2, time_exceeded = 3, parameter_problem = 4,
                              echo_request = 128, echo_reply = 129;
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

}  // namespace anml::rt::wire
