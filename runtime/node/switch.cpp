// A switch: a store-and-forward hop below IP. It decrements no TTL, sends no ICMP, and drops what is too long.
#include "node/node.h"

namespace anml::rt::node {

void bridge(Cluster& k, const Self& self, PacketId id)
{
    const Packet& packet = k.packets[id];
    LinkId link = k.route(self.row, self.element(), packet);
    if (link == kNone)
        k.drop(id, Fate::no_route);
    else if (packet.length > k.link(link).known_mtu())
        k.drop(id, Fate::mtu);
    else
        k.transmit(link, id);
}

}  // namespace anml::rt::node
