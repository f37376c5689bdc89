// Addresses of IPv4 that no host has (RFC 6890), in host byte order.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/address.h"

namespace anml {

inline bool usable_anywhere(std::uint64_t first, std::uint64_t last)
{
    const auto overlaps = [&](std::uint64_t low, std::uint64_t high) { return first <= high && last >= low; };
    return last < (224ull << 24) && !overlaps(0, (1ull << 24) - 1) && !overlaps(127ull << 24, (128ull << 24) - 1);
}

// What the addresses are for, of those that no host has.
inline std::string_view reserved_for(std::uint64_t first, std::uint64_t last)
{
    if (last >= 0xffffffff) return "255.255.255.255 is a broadcast to all hosts";
    if (last >= (240ull << 24)) return "addresses from 240.0.0.0 on are reserved";
    if (last >= (224ull << 24)) return "224.0.0.0/4 is for groups of hosts (multicast)";
    if (first < (1ull << 24)) return "0.0.0.0/8 stands for hosts without an address";
    return "127.0.0.0/8 is each host's own (loopback)";
}

// Of IPv6 (RFC 4291, 6890), the first and the last of which are given.
inline bool usable_anywhere_ipv6(AddressBits first, AddressBits last)
{
    const auto top = [](AddressBits bits) { return static_cast<std::uint32_t>(bits >> 118); };
    return first <= last && (first >> 120) != 0 && (last >> 120) < 0xff && (top(last) < 0x3fa || top(first) > 0x3fa);
}

inline std::string_view reserved_for_ipv6(AddressBits first, AddressBits last)
{
    if (last < first) return "there are not as many behind it";
    if ((first >> 120) == 0) return "::/8 is reserved, for `::1`, each host's own, and for addresses with IPv4 in them";
    if ((last >> 120) == 0xff) return "ff00::/8 is for groups of hosts (multicast)";
    return "fe80::/10 is for one link (link-local), and nothing is routed to it";
}

}  // namespace anml
