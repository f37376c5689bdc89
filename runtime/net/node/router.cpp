// A router (RFC 1812): decrements the TTL, looks the destination up, and tells the source why a packet goes no further.
#include "net/facts.h"
#include "net/middlebox/list.h"
#include "net/node/node.h"

namespace anml::rt::node {

void forward(Net& k, NodeId node, LinkState& link, LinkId link_id, Packet& packet, PacketId id)
{
    if (packet.length > link.known_mtu())
        forward_too_long(k, self(k, node), link_id, packet, id);
    else
        k.transmit(link, link_id, packet, id);
}

[[gnu::noinline]] static void expire(Net& k, const FarEnd& end, Packet& packet, PacketId id)
{
    send_icmp_error(k, self(k, end), packet, icmp::time_exceeded, icmp::in_transit);
    k.drop(packet, id, DropReason::ttl);
}

void router(Net& k, Packet& packet, PacketId id, FarEnd& end)
{
    LinkId link = end.next;
    if (end.destination != packet.destination) {
        const Self self = node::self(k, end);
        if (facts.segments && k.image.steering_count != 0) [[unlikely]]
            return router_with_segments(k, self, packet, id);
        if (present(kMiddleboxes) && self.row.middlebox != kNone) return through_middlebox(k, self, packet, id);
        if (self.has(packet.destination)) return deliver(k, self, packet, id);
        link = k.route(self.row, self.element(), packet, end);
        if (link == kNone && packet.ttl > 1) [[unlikely]] {
            --packet.ttl;
            return forward_without_route(k, self, packet, id);
        }
    }
    if (packet.ttl <= 1) return expire(k, end, packet, id);
    --packet.ttl;
    forward(k, end.node, k.link(link), link, packet, id);
}

}  // namespace anml::rt::node
