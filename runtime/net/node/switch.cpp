// A switch: a store-and-forward hop below IP. It decrements no TTL, sends no ICMP, and drops what is too long.
#include "net/facts.h"
#include "net/node/node.h"

namespace anml::rt::node {

void bridge(Net& k, const Self& self, Packet& packet, PacketId id, FarEnd& from)
{
    if (facts.segments && packet.segment != 0) [[unlikely]]
        return bridge_to_segment(k, self, packet, id);
    LinkId link = from.destination == packet.destination ? from.next : kNone;
    if (link == kNone) link = k.route(self.row, self.element(), packet, from);
    if (link == kNone)
        forward_without_route(k, self, packet, id);
    else
        pass_on(k, link, packet, id);
}

}  // namespace anml::rt::node
