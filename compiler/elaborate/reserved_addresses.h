// Addresses of IPv4 that no host has (RFC 6890), in host byte order.
#pragma once

#include <cstdint>
#include <string_view>

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

}  // namespace anml
