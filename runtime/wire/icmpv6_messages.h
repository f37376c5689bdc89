// ICMPv6 errors (RFC 4443).
#pragma once

#include "net/link/buffers.h"
#include "net/packet/packet.h"

namespace anml::rt {
class Model;
}

namespace anml::rt::wire {

// What make_icmp_error (icmp_messages.h) makes of an offender with addresses of IPv6. `type`, `code` and `rest` are
// those of ICMP.
bool make_icmpv6_error(const Packet& offender, Address source, std::uint8_t type, std::uint8_t code, std::uint32_t rest,
                       const Model& model, BufferPool& buffers, Packet& error);

}  // namespace anml::rt::wire
