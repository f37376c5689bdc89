// IPv6 of the model's nodes: their addresses as bytes, whole packets of records, and ICMPv6, whose records say what
// they are with the types and codes of ICMP (RFC 792), so that nodes have one kind of both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "net/link/buffers.h"
#include "net/model.h"
#include "net/packet/packet.h"
#include "wire/ipv6.h"

namespace anml::rt::wire {

// The bytes of an address: a node's, an external host's, or of one that has IPv4 alone that in 64:ff9b:1::/96
// (icmpv6.h).
Ipv6 ipv6_bytes(Address address, const Model& model, const BufferPool& buffers);

struct IcmpKind {
    std::uint8_t type = 0, code = 0;
};
IcmpKind icmpv6_kind(IcmpKind icmp);                 // RFC 4443
std::optional<IcmpKind> icmp_kind(IcmpKind icmpv6);  // none: nodes have no use for it
std::uint8_t next_header(std::uint8_t protocol);     // as it is on the wire

// All of a packet without a buffer. Returns its length.
std::size_t emit_ipv6(const Packet& packet, const Model& model, const BufferPool& buffers, std::span<std::uint8_t> out);

// A record of everything but the addresses (wire/packet_codec.cpp). `for_node`: ICMPv6 becomes ICMP where nodes have a
// use for it. `opaque` as there.
ParseError parse_ipv6_fields(const Ipv6View& ip, bool verify_transport, bool for_node, Packet& packet,
                             bool opaque = false);

// What an ICMPv6 error quotes of a packet of `error.destination`, as `quoted`.
bool quoted_ipv6(const Packet& error, const Model& model, const BufferPool& buffers, Packet& offender);

// An echo request with a buffer becomes its reply.
void turn_echo_ipv6(const Packet& packet, std::span<std::uint8_t> bytes);

}  // namespace anml::rt::wire
