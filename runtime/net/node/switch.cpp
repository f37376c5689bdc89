// A switch: a store-and-forward hop below IP. It decrements no TTL, sends no ICMP, and drops what is too long.
#include "net/facts.h"
#include "net/node/node.h"

namespace anml::rt::node {

void bridge(Net& k, const Self& self, Packet& packet, PacketId id)
{
    if (facts.segments && packet.segment != 0) [[unlikely]]
        return bridge_to_segment(k, self, packet, id);
    const LinkId link = k.route(self.row, self.element(), packet);
    if (link == kNone)
        forward_without_route(k, self, packet, id);
    else
        pass_on(k, link, packet, id);
}

}  // namespace anml::rt::node
