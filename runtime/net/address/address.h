// The address of a packet or a connection: a handle of 32 bits, whatever family the address is of.
//
// The handle of an IPv4 address is that address in host byte order, so that routes are ranges of handles. From
// 224.0.0.0 on, where IPv4 has no hosts, handles stand for IPv6 addresses: those of 224.0.0.0/4 for that of the node of
// that number, the last of them for groups and for what nodes share, those of 240.0.0.0/4 for external hosts'
// (address_table.h). Bytes become handles, and handles bytes, in
// wire/ alone; text is made of them where people read it.
#pragma once

#include <cstdint>

#include "abi/image.h"
#include "base/ids.h"

namespace anml::rt {

enum class Address : std::uint32_t { none = 0 };

// What tables and hashes take.
constexpr std::uint32_t number(Address address) { return static_cast<std::uint32_t>(address); }

inline constexpr std::uint32_t kIpv6Nodes = 0xe0000000, kIpv6ExternalHosts = 0xf0000000;

// Where IPv4 has no hosts either, from 0.0.0.1 to 0.255.255.255, handles stand for groups: that of workload w, whose
// datagrams all members get, is 232.0.1.0 + w, of those that a source gives out itself (RFC 4607, 4.2).
inline constexpr std::uint32_t kGroups = 0xe8000000, kFirstGroup = 0x100, kGroupBits = 0xffffff;
// Of IPv6 that of workload w is ff3e::8000:w (RFC 4607, 1; RFC 3307, 4.3), and its handle behind those of nodes.
inline constexpr std::uint32_t kGroupsIpv6 = abi::kIpv6Groups, kMostGroupsIpv6 = abi::kIpv6Shared - abi::kIpv6Groups;
constexpr bool is_group_ipv6(Address address) { return number(address) - kGroupsIpv6 < kMostGroupsIpv6; }
constexpr bool is_group(Address address) { return number(address) - 1 < kGroupBits || is_group_ipv6(address); }
constexpr Address group_of(std::uint32_t workload, bool ipv6)
{
    return Address{ipv6 ? kGroupsIpv6 + workload : (kFirstGroup + workload) & kGroupBits};
}
constexpr std::uint32_t workload_of_group(Address group)
{
    return number(group) - (is_group_ipv6(group) ? kGroupsIpv6 : kFirstGroup);
}
// As a header has an address that is no handle of IPv6.
constexpr std::uint32_t ipv4_bits(Address address)
{
    return number(address) | (number(address) - 1 < kGroupBits ? kGroups : 0);
}

constexpr bool is_ipv6(Address address) { return number(address) >= kIpv6Nodes; }
// Of a node that has one.
constexpr Address ipv6_of(NodeId node) { return Address{kIpv6Nodes | node}; }
constexpr bool is_ipv6_of_node(Address address) { return is_ipv6(address) && number(address) < kGroupsIpv6; }
// That several nodes share (anycast).
constexpr bool is_shared_ipv6(Address address)
{
    return number(address) >= abi::kIpv6Shared && number(address) < kIpv6ExternalHosts;
}
// The node of such a handle.
constexpr NodeId ipv6_node(Address address) { return number(address) & ~kIpv6ExternalHosts; }

// Bytes of an IP header without options or extensions, of a packet for that address.
constexpr std::uint16_t ip_header(Address destination) { return is_ipv6(destination) ? 40 : 20; }

}  // namespace anml::rt
