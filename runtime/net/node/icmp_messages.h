// ICMP messages about other packets. They quote bytes: wire/icmp_messages.cpp, the layer that knows those, makes them.
#pragma once

#include <cstdint>

#include "net/packet/packet.h"

namespace anml::rt {

class Model;
class BufferPool;

namespace wire {

// The ICMP error `type`/`code` (RFC 792, 1191, 1812) about `offender`, from `source` to the offender's source, as a
// record with a buffer: IP header + ICMP header + of the offender what fits into 576 bytes. `rest`: next-hop MTU or 0.
// Returns false where no error may be sent (offender is an ICMP error, a later fragment, or has no usable source). One
// of IPv4 may be cut on its way, and is to be given an identification (net/packet/fragments.h).
bool make_icmp_error(const Packet& offender, Address source, std::uint8_t type, std::uint8_t code, std::uint32_t rest,
                     const Model& model, BufferPool& buffers, Packet& error);

// Turns an echo request record into its reply, in place (its buffer included, where it has one).
void make_echo_reply(Packet& packet, BufferPool& buffers);

// What an ICMP error quotes: the header fields of the offending packet. False if unusable. Of IPv6 one that is
// `packet_flag::fragment` has its addresses alone. The other knows IPv4.
bool quoted(const Packet& error, const Model& model, const BufferPool& buffers, Packet& offender);
bool quoted(const Packet& error, const BufferPool& buffers, Packet& offender);

}  // namespace wire
}  // namespace anml::rt
