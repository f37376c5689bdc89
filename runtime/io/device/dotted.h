// Addresses as text.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "net/external_hosts.h"

namespace anml::rt::io {

inline std::string dotted(std::uint32_t address)
{
    return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
}

inline std::string dotted(Address address) { return dotted(number(address)); }

inline std::string shown(const Ipv6& address)
{
    char text[INET6_ADDRSTRLEN] = {};
    inet_ntop(AF_INET6, address.data(), text, sizeof text);
    return text;
}

inline std::string shown(const Subnet& subnet)
{
    if (subnet.ipv6) return fmt::format("{}/{}", shown(subnet.bits), subnet.length);
    const auto& bits = subnet.bits;
    return fmt::format("{}.{}.{}.{}/{}", bits[0], bits[1], bits[2], bits[3], subnet.length);
}

}  // namespace anml::rt::io
