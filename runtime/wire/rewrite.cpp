// Packets that get other ends on their way: their records, and their bytes where they have some.
#include "net/packet/rewrite.h"

#include <algorithm>

#include "net/link/buffers.h"
#include "wire/icmp.h"
#include "wire/translate.h"

namespace anml::rt {

Ends ends_of(const Packet& packet)
{
    Ends ends{packet.source, packet.destination, 0, 0};
    if (packet.protocol == protocol::tcp || packet.protocol == protocol::udp) {
        ends.source_port = packet.source_port;
        ends.destination_port = packet.destination_port;
    } else if (is_echo(packet)) {
        const auto identifier = static_cast<std::uint16_t>(packet.icmp().rest >> 16);
        (packet.icmp().type == wire::icmp_type::echo_request ? ends.source_port : ends.destination_port) = identifier;
    }
    return ends;
}

namespace wire {

namespace {

void set_ports(Packet& packet, const Ends& ends)
{
    if (packet.protocol == protocol::tcp || packet.protocol == protocol::udp) {
        packet.source_port = ends.source_port;
        packet.destination_port = ends.destination_port;
    } else if (is_echo(packet)) {
        const std::uint32_t identifier = ends.source_port | ends.destination_port;
        packet.icmp().rest = identifier << 16 | (packet.icmp().rest & 0xffff);
    }
}

// Calls address(field, now) and port(field, now) for what differs.
template <class SetAddress, class SetPort>
void each_change(const Ends& before, const Ends& now, SetAddress&& address, SetPort&& port)
{
    if (now.source != before.source) address(AddressField::source, now.source);
    if (now.destination != before.destination) address(AddressField::destination, now.destination);
    if (now.source_port != before.source_port) port(AddressField::source, now.source_port);
    if (now.destination_port != before.destination_port) port(AddressField::destination, now.destination_port);
}

}  // namespace

void rewrite(Packet& packet, const Ends& ends, BufferPool& buffers)
{
    const Ends before = ends_of(packet);
    packet.source = ends.source;
    packet.destination = ends.destination;
    set_ports(packet, ends);
    if (packet.buffer == kNone) return;
    const std::span<std::uint8_t> bytes = buffers.bytes(packet.buffer);
    each_change(
        before, ends, [&](AddressField field, Address now) { replace_address(bytes, field, now); },
        [&](AddressField field, std::uint16_t now) { replace_port(bytes, field, now); });
}

void rewrite_quoted(Packet& error, const Packet& before, const Ends& ends, BufferPool& buffers)
{
    const std::span<std::uint8_t> bytes = buffers.bytes(error.buffer);
    each_change(
        ends_of(before), ends, [&](AddressField field, Address now) { replace_quoted_address(bytes, field, now); },
        [&](AddressField field, std::uint16_t now) { replace_quoted_port(bytes, field, now); });
}

void lower_mss(Packet& packet, std::uint16_t most, BufferPool& buffers)
{
    packet.tcp_syn().mss = std::min(packet.tcp_syn().mss, most);
    if (packet.buffer != kNone) lower_mss(buffers.bytes(packet.buffer), most);
}

}  // namespace wire
}  // namespace anml::rt
