// Where a packet comes from and goes to, and packets that get other ends on their way (RFC 3022). Bytes follow, so the
// layer that knows those does it: wire/rewrite.cpp.
#pragma once

#include <cstdint>

#include "net/packet/packet.h"

namespace anml::rt {

class BufferPool;

// The ports of TCP and UDP. An echo request has its identifier for its source port, a reply for its destination port;
// what else there is has none.
struct Ends {
    Address source = Address::none, destination = Address::none;
    std::uint16_t source_port = 0, destination_port = 0;
    friend bool operator==(const Ends&, const Ends&) = default;
};

// Of a whole packet, or of what an ICMP error quotes.
Ends ends_of(const Packet& packet);

inline bool is_echo(const Packet& packet)
{
    constexpr std::uint8_t kReply = 0, kRequest = 8;
    return packet.protocol == protocol::icmp && (packet.icmp().type == kReply || packet.icmp().type == kRequest);
}

namespace wire {

// Gives a whole packet of IPv4 these ends, in its record and its buffer.
void rewrite(Packet& packet, const Ends& ends, BufferPool& buffers);
// The same of the packet that an ICMP error quotes, which wire::quoted knows as `before`.
void rewrite_quoted(Packet& error, const Packet& before, const Ends& ends, BufferPool& buffers);

// Lowers the MSS of a whole segment of TCP over IPv4 that offers more, in its record and its buffer (RFC 9293, 3.7.1);
// where it has none it stays so.
void lower_mss(Packet& packet, std::uint16_t most, BufferPool& buffers);

}  // namespace wire
}  // namespace anml::rt
