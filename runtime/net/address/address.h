// The address of a packet or a connection: a handle of 32 bits, whatever family the address is of.
//
// The handle of an IPv4 address is that address in host byte order, so that routes are ranges of handles. From
// 224.0.0.0 on, where IPv4 has no hosts, handles stand for IPv6 addresses: those of 224.0.0.0/4 for that of the node of
// that number, those of 240.0.0.0/4 for external hosts' (address_table.h). Bytes become handles, and handles bytes, in
// wire/ alone; text is made of them where people read it.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace anml::rt {

enum class Address : std::uint32_t { none = 0 };

// What tables and hashes take.
constexpr std::uint32_t number(Address address) { return static_cast<std::uint32_t>(address); }

inline constexpr std::uint32_t kIpv6Nodes = 0xe0000000, kIpv6ExternalHosts = 0xf0000000;

constexpr bool is_ipv6(Address address) { return number(address) >= kIpv6Nodes; }
// Of a node that has one.
constexpr Address ipv6_of(NodeId node) { return Address{kIpv6Nodes | node}; }
constexpr bool is_ipv6_of_node(Address address) { return is_ipv6(address) && number(address) < kIpv6ExternalHosts; }
// The node of such a handle.
constexpr NodeId ipv6_node(Address address) { return number(address) & ~kIpv6ExternalHosts; }

// Bytes of an IP header without options or extensions, of a packet for that address.
constexpr std::uint16_t ip_header(Address destination) { return is_ipv6(destination) ? 40 : 20; }

}  // namespace anml::rt
