// An endpoint: where a real host is attached. Its packets leave through the edge, and what it sends enters here. An
// endpoint that is not attached is a host (with a simulated server, if the model gives it one).
#include "node/node.h"
#include "wire/packet_codec.h"

namespace anml::rt::node {

namespace {

std::uint32_t endpoint_row(const Self& self) { return self.row.endpoint + self.element(); }

Edge* edge(Cluster& k, const Self& self) { return self.row.endpoint == kNone ? nullptr : k.edges[endpoint_row(self)]; }

// Hands the packet to the real host, where it ends as far as the model is concerned.
void leave(Cluster& k, const Self& self, PacketId id)
{
    k.account(k.packets[id], Fate::delivered);
    if (Edge* to = edge(k, self)) to->release(endpoint_row(self), k.packets[id], k.now);
    k.release(id);
}

// Tells the real host about its own packet, as the gateway.
void refuse(Cluster& k, const Self& self, PacketId id, std::uint8_t code, std::uint32_t rest, Fate fate)
{
    Packet error;
    if (k.image.gateway != 0 &&
        wire::make_icmp_error(k.packets[id], k.image.gateway, icmp::unreachable, code, rest, k.model, k.buffers, error))
    {
        PacketId reply = k.packets.allocate();
        k.packets[reply] = error;
        leave(k, self, reply);
    }
    k.drop(id, fate);
}

}  // namespace

void endpoint(Cluster& k, const Self& self, PacketId id)
{
    if (k.packets[id].destination != self.address()) {
        k.drop(id, Fate::malformed);
    } else if (edge(k, self)) {
        if (app::cbr::is_datagram(k.packets[id])) app::cbr::received(k, k.packets[id]);
        leave(k, self, id);
    } else {
        deliver(k, self, id);
    }
}

void inject(Cluster& k, const Self& self, PacketId id)
{
    const Packet& packet = k.packets[id];
    k.statistics.packets_sent += k.measuring();
    if (packet.destination == k.image.gateway && packet.protocol == protocol::icmp &&
        packet.icmp_type == icmp::echo_request && !(packet.flags & packet_flag::fragment))
    {
        k.account(packet, Fate::delivered);
        wire::make_echo_reply(k.packets[id], k.buffers);
        leave(k, self, id);
        return;
    }
    // The TTL stays: the real host is the source, the endpoint stands for it.
    LinkId link = k.route(self.row, self.element(), packet);
    if (link == kNone)
        refuse(k, self, id, icmp::network, 0, Fate::no_route);
    else if (packet.length <= k.link(link).known_mtu())
        k.transmit(link, id);
    else if (packet.flags & packet_flag::dont_fragment)
        refuse(k, self, id, icmp::fragmentation_needed, k.link(link).known_mtu(), Fate::mtu);
    else
        k.drop(id, Fate::mtu);
}

}  // namespace anml::rt::node
