// A router (RFC 1812): decrements the TTL, looks the destination up, and tells the source why a packet goes no further.
#include "node/node.h"

namespace anml::rt::node {

void router(Cluster& k, const Self& self, PacketId id)
{
    Packet& packet = k.packets[id];
    if (packet.destination == self.address()) {
        deliver(k, self, id);
        return;
    }
    if (packet.ttl <= 1) {
        send_icmp_error(k, self, packet, icmp::time_exceeded, 0);
        k.drop(id, Fate::ttl);
        return;
    }
    --packet.ttl;
    LinkId link = k.route(self.row, self.element(), packet);
    if (link == kNone) {
        send_icmp_error(k, self, packet, icmp::unreachable, icmp::network);
        k.drop(id, Fate::no_route);
        return;
    }
    std::uint32_t mtu = k.link(link).known_mtu();
    if (packet.length > mtu) {
        if (packet.flags & packet_flag::dont_fragment)
            send_icmp_error(k, self, packet, icmp::unreachable, icmp::fragmentation_needed, mtu);
        k.drop(id, Fate::mtu);
        return;
    }
    k.transmit(link, id);
}

}  // namespace anml::rt::node
