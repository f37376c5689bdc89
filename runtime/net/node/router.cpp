// A router (RFC 1812): decrements the TTL, looks the destination up, and tells the source why a packet goes no further.
#include "net/facts.h"
#include "net/middlebox/list.h"
#include "net/node/node.h"

namespace anml::rt::node {

void forward(Net& k, const Self& self, LinkId link_id, Packet& packet, PacketId id)
{
    LinkState& link = k.link(link_id);
    if (packet.length > link.known_mtu())
        forward_too_long(k, self, link_id, packet, id);
    else
        k.transmit(link, link_id, packet, id);
}

void router(Net& k, const Self& self, Packet& packet, PacketId id, FarEnd& from)
{
    if (facts.segments && k.image.steering_count != 0) [[unlikely]]
        return router_with_segments(k, self, packet, id);
    if (present(kMiddleboxes) && self.row.middlebox != kNone) return through_middlebox(k, self, packet, id);
    LinkId link_id = from.destination == packet.destination ? from.next : kNone;
    if (link_id == kNone && self.has(packet.destination)) {
        deliver(k, self, packet, id);
        return;
    }
    if (packet.ttl <= 1) {
        send_icmp_error(k, self, packet, icmp::time_exceeded, icmp::in_transit);
        k.drop(packet, id, DropReason::ttl);
        return;
    }
    --packet.ttl;
    if (link_id == kNone) link_id = k.route(self.row, self.element(), packet, from);
    if (link_id == kNone) return forward_without_route(k, self, packet, id);
    forward(k, self, link_id, packet, id);
}

}  // namespace anml::rt::node
