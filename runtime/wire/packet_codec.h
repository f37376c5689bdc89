// Between packet records and bytes of IPv4 and IPv6. Untrusted bytes are checked here, once (RFC 791, 792, 768,
// 8200, 9293); behind it accessors cannot fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "net/packet/packet.h"

namespace anml::rt {

class Model;
class BufferPool;
class ExternalHosts;

namespace wire {

enum class ParseError : std::uint8_t {
    none,
    truncated,  // shorter than its headers or total length say
    not_ipv4,
    not_ipv6,
    bad_checksum,  // IP header, or transport where `verify_transport`
    bad_header,    // lengths or offsets that contradict each other
    no_room,
};

// Fills a record from a complete IPv4 packet (trailing bytes after the total length are ignored). Does
// not set `buffer`. With `verify_transport` false the transport checksum is taken as good (checksum
// offload: the kernel had not yet filled it in). `opaque`: nobody looks at the transport, and the record has no ports,
// like a later fragment's.
ParseError parse(std::span<const std::uint8_t> bytes, bool verify_transport, Packet& packet, bool opaque = false);

// The same of IPv6. The addresses become handles: that of the destination is none where no endpoint has it behind it.
// `no_room`: the table of addresses is full. Nobody holds them yet: BufferPool::hold_addresses has to follow.
ParseError parse_ipv6(std::span<const std::uint8_t> bytes, bool verify_transport, ExternalHosts& hosts, Packet& packet,
                      bool opaque = false);

// What the transport of a packet is like, whose IP header is good. No router minds (RFC 1812, 5.2.2).
enum class Transport : std::uint8_t {
    good,
    wrong,   // its checksum
    broken,  // its header: lengths that contradict each other
};
Transport judge_transport(std::span<const std::uint8_t> packet, bool verify);

// Writes the complete packet with correct checksums; returns its length, packet.length. `out`
// holds at least packet.length bytes. A packet with a buffer is that buffer with the record's
// TTL (hop limit) and a fresh IP checksum; any other is made from the record and its content. Of a corrupted one a bit
// of the IP payload is flipped, always the same, unless its checksum was wrong as it came. A frame (wire/frames.h) is
// whole with its header, and longer than packet.length.
std::size_t emit(const Packet& packet, const Model& model, const BufferPool& buffers, std::span<std::uint8_t> out);

std::uint16_t checksum(std::span<const std::uint8_t> bytes, std::uint32_t sum = 0);  // RFC 1071

}  // namespace wire
}  // namespace anml::rt
