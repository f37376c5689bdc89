// Packets that a node itself makes.
#include "node/node.h"

namespace anml::rt::node {

void send_on(Cluster& k, LinkId link, PacketId id)
{
    k.statistics.packets_sent += k.measuring();
    if (k.packets[id].length > k.link(link).known_mtu())
        k.drop(id, Fate::mtu);
    else
        k.transmit(link, id);
}

void originate(Cluster& k, const Self& self, PacketId id)
{
    LinkId link = k.route(self.row, self.element(), k.packets[id]);
    if (link != kNone) {
        send_on(k, link, id);
        return;
    }
    k.statistics.packets_sent += k.measuring();
    k.drop(id, Fate::no_route);
}

}  // namespace anml::rt::node
