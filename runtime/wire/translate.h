// Network address translation of a complete IPv4 packet, in place (RFC 3022): an address, and the checksums that cover
// it (RFC 1624): of the IP header, TCP and UDP, and where an ICMP error quotes a packet, those in the quote and its own
// (RFC 5508). Lengths stay. Ports the same
// way. Of other transports only the address changes.
#pragma once

#include <cstdint>
#include <span>

#include "net/address/address.h"

namespace anml::rt::wire {

enum class AddressField : std::uint8_t { source = 12, destination = 16 };  // where it begins in the header

// The packet must have passed `parse`.
void replace_address(std::span<std::uint8_t> packet, AddressField field, Address now);

// The same of a port of TCP or UDP, or of the identifier of an echo message, whichever field.
void replace_port(std::span<std::uint8_t> packet, AddressField field, std::uint16_t now);

// Each MSS above it that a SYN of TCP offers: stacks differ in which of several counts.
void lower_mss(std::span<std::uint8_t> packet, std::uint16_t most);

// That of the packet that an ICMP error quotes; none: it is no such error, or quotes no header.
Address quoted_address(std::span<const std::uint8_t> packet, AddressField field);
// For one that has it.
void replace_quoted_address(std::span<std::uint8_t> packet, AddressField field, Address now);
void replace_quoted_port(std::span<std::uint8_t> packet, AddressField field, std::uint16_t now);

}  // namespace anml::rt::wire
