// A switch: a store-and-forward hop below IP. It decrements no TTL, sends no ICMP, and drops what is too long.
#include "net/facts.h"
#include "net/node/node.h"

namespace anml::rt::node {

void bridge(Net& k, Packet& packet, PacketId id, FarEnd& end)
{
    if (facts.segments && packet.segment != 0) [[unlikely]]
        return bridge_to_segment(k, self(k, end), packet, id);
    LinkId link = end.next;
    if (end.destination != packet.destination) {
        const Self self = node::self(k, end);
        link = k.route(self.row, self.element(), packet, end);
        if (link == kNone) return forward_without_route(k, self, packet, id);
    }
    pass_on(k, link, packet, id);
}

}  // namespace anml::rt::node
