// What every node with an address does with a packet for itself (RFC 1122): it answers echo requests, and hands the
// rest up by protocol.
#include "net/node/icmp_messages.h"
#include "net/node/node.h"
#include "net/packet/fragments.h"
#include "net/packet/rewrite.h"
#include "net/upcalls.h"

namespace anml::rt::node {

namespace {

// The echo request becomes the reply, a packet of its own. Whatever a real host asks, routers may cut the reply, as
// that of most systems.
[[gnu::noinline]] void echo(Net& k, const Self& self, Packet& packet, PacketId id)
{
    wire::make_echo_reply(packet, k.buffers);
    if (packet.buffer != kNone || !(packet.flags & packet_flag::dont_fragment))
        wire::identify(packet, k.next_identification(self.id), k.buffers);
    packet.trail = 0;
    originate(k, self, packet, id);
}

[[gnu::noinline]] void icmp_error(Net& k, const Self& self, const Packet& packet)
{
    Packet offender;
    if (!wire::quoted(packet, k.model, k.buffers, offender)) return;
    if (!self.has(offender.source)) return;
    const std::uint32_t mtu = packet.icmp().rest & 0xffff;
    const bool too_big = packet.icmp().type == icmp::unreachable && packet.icmp().code == icmp::fragmentation_needed;
    if (too_big && offender.length <= mtu) return;  // it fits
    // Of TCP the connection knows whether it has sent that (RFC 5927, 7.2), of UDP whose the port is.
    if (too_big && (is_echo(offender) || (offender.flags & packet_flag::fragment)))
        k.path_mtus.learn(offender.source, offender.destination, mtu, k.now);
    if (is_ipv6(offender.destination) && (offender.flags & packet_flag::fragment)) return;
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

// What few packets are: a part of one, corrupted, or of a protocol that nobody speaks here.
[[gnu::noinline]] static void deliver_odd(Net& k, const Self& self, Packet& packet, PacketId id)
{
    if (packet.flags & packet_flag::fragment) return deliver_fragment(k, self, packet, id);
    if (packet.flags & packet_flag::corrupted) return k.drop(packet, id, DropReason::corrupted);
    // A message that nodes have no use for (RFC 4443, 2.4 b).
    if (packet.protocol == protocol::icmpv6) return k.drop(packet, id, DropReason::none);
    send_icmp_error(k, self, packet, icmp::unreachable, icmp::protocol);
    k.drop(packet, id, DropReason::malformed);
}

void deliver(Net& k, const Self& self, Packet& packet, PacketId id)
{
    if (!known(packet.protocol) || (packet.flags & (packet_flag::fragment | packet_flag::corrupted)))
        return deliver_odd(k, self, packet, id);
    k.account(packet, DropReason::none);
    hand_up(k, self, packet, id);
}

void hand_up(Net& k, const Self& self, Packet& packet, PacketId id)
{
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
        case protocol::icmpv6:
            break;
        default:
            send_icmp_error(k, self, packet, icmp::unreachable, icmp::protocol);
            break;
    }
    k.release(packet, id);
}

}  // namespace anml::rt::node
