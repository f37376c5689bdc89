// What every node with an address does with a packet for itself (RFC 1122): echo, TCP, datagrams, and port unreachable.
#include "net/node/node.h"
#include "transport/tcp.h"
#include "wire/packet_codec.h"

namespace anml::rt::node {

namespace {

// The echo request becomes the reply, a packet of its own.
void echo(Cluster& k, const Self& self, Packet& packet, PacketId id)
{
    wire::make_echo_reply(packet, k.buffers);
    packet.trail = 0;
    originate(k, self, packet, id);
}

void icmp_error(Cluster& k, const Self& self, const Packet& packet)
{
    Packet offender;
    if (!wire::quoted(packet, k.buffers, offender)) return;
    if (offender.source != self.address()) return;
    const bool unreachable = packet.icmp_type == icmp::unreachable;
    if (offender.protocol == protocol::icmp && offender.icmp_type == icmp::echo_request)
        app::ping::failed(k, self.id, offender, packet.icmp_type);
    else if (offender.protocol == protocol::tcp && unreachable)
        tcp::unreachable(k, self.id, offender, packet.icmp_code, packet.icmp_rest & 0xffff);
    else if (offender.protocol == protocol::udp && unreachable && packet.icmp_code == icmp::port)
        app::datagram::refused(k, offender);
}

}  // namespace

void deliver(Cluster& k, const Self& self, Packet& packet, PacketId id)
{
    bool known =
        packet.protocol == protocol::tcp || packet.protocol == protocol::udp || packet.protocol == protocol::icmp;
    if (!known || (packet.flags & (packet_flag::fragment | packet_flag::corrupted))) {  // nobody reassembles here
        k.drop(packet, id, packet.flags & packet_flag::corrupted ? Fate::corrupted : Fate::malformed);
        return;
    }
    k.account(packet, Fate::delivered);
    switch (packet.protocol) {
        case protocol::tcp:
            tcp::input(k, self, packet);
            break;
        case protocol::udp:
            if (app::datagram::is_datagram(packet))
                app::datagram::received(k, packet);
            else if (!k.ports.open(protocol::udp, self.id, packet.destination_port))
                send_icmp_error(k, self, packet, icmp::unreachable, icmp::port);
            break;
        case protocol::icmp:
            if (packet.icmp_type == icmp::echo_request) {
                echo(k, self, packet, id);
                return;
            }
            if (packet.icmp_type == icmp::echo_reply) app::ping::reply(k, self.id, packet);
            if (packet.icmp_type == icmp::unreachable || packet.icmp_type == icmp::time_exceeded)
                icmp_error(k, self, packet);
            break;
    }
    k.release(packet, id);
}

}  // namespace anml::rt::node
