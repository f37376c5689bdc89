// Packets whose destination no node has: those for external hosts (net/external_hosts.h) go where the endpoint's go.
// Apart from the behaviours of nodes, and from the event loop's bitcode, which most packets never leave.
#include "net/node/multicast.h"
#include "net/node/node.h"

namespace anml::rt::node {

void forward_without_route(Net& k, const Self& self, Packet& packet, PacketId id)
{
    if (is_group(packet.destination)) return multicast::forward(k, self, packet, id);
    const LinkId link = k.route_otherwise(self.row, self.element(), flow_of(packet));
    const bool router = self.row.kind == abi::NodeKind::router;
    if (link != kNone && router) return forward(k, self.id, k.link(link), link, packet, id);
    if (link != kNone) return pass_on(k, link, packet, id);
    if (router) send_icmp_error(k, self, packet, icmp::unreachable, icmp::network);
    k.drop(packet, id, DropReason::no_route);
}

void originate_without_route(Net& k, const Self& self, Packet& packet, PacketId id)
{
    if (is_group(packet.destination)) return multicast::forward(k, self, packet, id);
    const LinkId link = k.route_otherwise(self.row, self.element(), flow_of(packet));
    if (link != kNone) return send_on(k, link, packet, id);
    k.counters.packets_sent += k.measuring();
    k.drop(packet, id, DropReason::no_route);
}

bool behind(const Net& k, const Self& self, Address address)
{
    return self.row.endpoint != kNone &&
           k.network.external_hosts.endpoint_of(address) == self.row.endpoint + self.element();
}

}  // namespace anml::rt::node
