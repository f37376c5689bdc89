// What every node with an address does with a packet for itself (RFC 1122): it answers echo requests, and hands the
// rest up by protocol.
#include "net/icmp_messages.h"
#include "net/node/node.h"
#include "net/upcalls.h"

namespace anml::rt::node {

namespace {

// The echo request becomes the reply, a packet of its own.
void echo(Net& k, const Self& self, Packet& packet, PacketId id)
{
    wire::make_echo_reply(packet, k.buffers);
    packet.trail = 0;
    originate(k, self, packet, id);
}

void icmp_error(Net& k, const Self& self, const Packet& packet)
{
    Packet offender;
    if (!wire::quoted(packet, k.buffers, offender)) return;
    if (offender.source != self.address()) return;
    const std::uint32_t mtu = packet.icmp().rest & 0xffff;
    switch (offender.protocol) {
#define PROTOCOL(name)                                                                         \
    case protocol::name:                                                                       \
        upcalls::name##_error(k, self, offender, packet.icmp().type, packet.icmp().code, mtu); \
        break;
#include "net/protocols.def"
#undef PROTOCOL
    }
}

bool known(std::uint8_t number)
{
    switch (number) {
#define PROTOCOL(name)   \
    case protocol::name: \
        return true;
#include "net/protocols.def"
#undef PROTOCOL
        default:
            return false;
    }
}

}  // namespace

void deliver(Net& k, const Self& self, Packet& packet, PacketId id)
{
    if (!known(packet.protocol) || (packet.flags & (packet_flag::fragment | packet_flag::corrupted))) {
        // nobody reassembles here
        k.drop(packet, id, packet.flags & packet_flag::corrupted ? Fate::corrupted : Fate::malformed);
        return;
    }
    k.account(packet, Fate::delivered);
    if (packet.protocol == protocol::icmp) {
        if (packet.icmp().type == icmp::echo_request) {
            echo(k, self, packet, id);
            return;
        }
        if (packet.icmp().type == icmp::unreachable || packet.icmp().type == icmp::time_exceeded)
            icmp_error(k, self, packet);
    }
    switch (packet.protocol) {
#define PROTOCOL(name)                          \
    case protocol::name:                        \
        upcalls::name##_input(k, self, packet); \
        break;
#include "net/protocols.def"
#undef PROTOCOL
    }
    k.release(packet, id);
}

}  // namespace anml::rt::node
