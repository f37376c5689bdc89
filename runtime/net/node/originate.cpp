// Packets that a node itself makes.
#include "net/facts.h"
#include "net/node/node.h"

namespace anml::rt::node {

void pass_on(Net& k, LinkId link_id, Packet& packet, PacketId id)
{
    LinkState& link = k.link(link_id);
    if (packet.length > link.known_mtu())
        drop_too_long(k, link_id, packet, id);
    else
        k.transmit(link, link_id, packet, id);
}

void send_on(Net& k, LinkId link_id, Packet& packet, PacketId id)
{
    k.counters.packets_sent += k.measuring();
    LinkState& link = k.link(link_id);
    if (packet.length > link.known_mtu() || k.path_mtus.exceeds(packet, k.now))
        originate_too_long(k, link_id, packet, id);
    else
        k.transmit(link, link_id, packet, id);
}

void originate(Net& k, const Self& self, Packet& packet, PacketId id)
{
    if (facts.segments && k.image.steering_count != 0 && self.row.kind == abi::NodeKind::router) [[unlikely]]
        return originate_with_segments(k, self, packet, id);
    const LinkId link = k.route(self.row, self.element(), packet);
    if (link != kNone)
        send_on(k, link, packet, id);
    else
        originate_without_route(k, self, packet, id);
}

}  // namespace anml::rt::node
