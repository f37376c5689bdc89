// An endpoint: where a real host is attached. Its packets leave through the edge, and what it sends enters here. An
// endpoint that is not attached is a host (with a simulated server, if the model gives it one).
#include "net/address/gateway_address.h"
#include "net/node/icmp_messages.h"
#include "net/node/node.h"
#include "net/packet/fragments.h"
#include "net/packet/real_bytes.h"
#include "net/upcalls.h"

namespace anml::rt::node {

namespace {

std::uint32_t endpoint_row(const Self& self) { return self.row.endpoint + self.element(); }

Address gateway(const Net& k) { return gateway_of(k.image); }

Edge* edge(Net& k, const Self& self) { return self.row.endpoint == kNone ? nullptr : k.edges[endpoint_row(self)]; }

// Hands the packet to the real host, where it ends as far as the model is concerned.
void leave(Net& k, const Self& self, const Packet& packet, PacketId id)
{
    // That its checksum is wrong is for the real host to find out.
    const bool spoiled = (packet.flags & packet_flag::corrupted) && !wire::came_wrong(packet, k.buffers);
    k.account(packet, spoiled ? DropReason::corrupted : DropReason::none);
    if (Edge* to = edge(k, self)) to->release(endpoint_row(self), packet, k.now);
    k.release(packet, id);
}

// Tells the real host about its own packet, as the gateway.
void refuse(Net& k, const Self& self, const Packet& packet, PacketId id, std::uint8_t code, std::uint32_t rest,
            DropReason reason)
{
    Packet error;
    if (wire::make_icmp_error(packet, gateway(k), icmp::unreachable, code, rest, k.model, k.buffers, error)) {
        if (!(error.flags & packet_flag::dont_fragment))
            wire::identify(error, k.next_identification(self.id), k.buffers);
        PacketId reply = k.packets.allocate();
        k.packets[reply] = error;
        leave(k, self, k.packets[reply], reply);
    }
    k.drop(packet, id, reason);
}

// An echo request to the gateway becomes its reply. `most`: bytes that a packet to the real host may have.
void answer(Net& k, const Self& self, Packet& packet, PacketId id, std::uint32_t most)
{
    wire::make_echo_reply(packet, k.buffers);
    if (packet.buffer != kNone) wire::identify(packet, k.next_identification(self.id), k.buffers);
    if (packet.length <= most) return leave(k, self, packet, id);
    wire::Cutter pieces(packet, most, k.model, k.buffers);
    for (Packet piece; pieces.next(piece);) {
        const PacketId own = k.packets.allocate();
        k.packets[own] = piece;
        leave(k, self, k.packets[own], own);
    }
    k.release(packet, id);
}

// The same of a request in fragments: the host's own say how long they may be.
void answer_fragment(Net& k, const Self& self, Packet& packet, PacketId id)
{
    wire::FragmentView fragment;
    if (packet.buffer == kNone || !wire::view_fragment(k.buffers.bytes(packet.buffer), fragment))
        return k.drop(packet, id, DropReason::malformed);
    k.account(packet, DropReason::none);
    Packet whole;
    std::uint32_t largest = 0;
    const bool complete = k.reassembly.take(k, self.id, packet, fragment, Reassembly::For::gateway, whole, &largest);
    k.release(packet, id);
    if (!complete) return;
    if (whole.protocol != protocol::icmp || whole.icmp().type != icmp::echo_request)
        return k.buffers.release(whole.buffer);
    const PacketId request = k.packets.allocate();
    k.packets[request] = whole;
    answer(k, self, k.packets[request], request, largest);
}

// A virtual host's datagram is handed over when all of its fragments are.
void hand_over_fragment(Net& k, const Self& self, const Packet& packet)
{
    wire::FragmentView fragment;
    if (packet.protocol != protocol::udp || packet.content == 0 || packet.buffer == kNone) return;
    if (!wire::view_fragment(k.buffers.bytes(packet.buffer), fragment)) return;
    Packet whole;
    if (k.reassembly.take(k, self.id, packet, fragment, Reassembly::For::others, whole)) upcalls::handed_over(k, whole);
}

// A frame of a real host knows its link, or is routed to the other endpoint of its bridged subnet. Nobody is told of
// what becomes of it, as on a wire.
void inject_frame(Net& k, const Self& self, const Packet& frame, PacketId id)
{
    LinkId link_id = frame.frame().link;
    if (link_id == kNone) link_id = k.route(self.row, self.element(), frame);
    if (link_id == kNone) return k.drop(frame, id, DropReason::no_route);
    LinkState& link = k.link(link_id);
    if (frame.payload > link.known_mtu()) return k.drop(frame, id, DropReason::mtu);
    k.transmit(link, link_id, k.packets[id], id);
}

}  // namespace

void endpoint(Net& k, const Self& self, Packet& packet, PacketId id)
{
    const bool own = self.has(packet.destination) || is_group(packet.destination);
    if (!own && !behind(k, self, packet.destination)) {
        k.drop(packet, id, DropReason::malformed);
    } else if (is_frame(packet)) {
        leave(k, self, packet, id);
    } else if (edge(k, self)) {
        if (packet.flags & packet_flag::fragment)
            hand_over_fragment(k, self, packet);
        else if (!(packet.flags & packet_flag::corrupted))
            upcalls::handed_over(k, packet);
        leave(k, self, packet, id);
    } else if (own) {
        deliver(k, self, packet, id);
    } else {  // a host of its subnets: not attached, it stands for one host
        send_icmp_error(k, self, packet, icmp::unreachable, icmp::host);
        k.drop(packet, id, DropReason::no_route);
    }
}

void inject(Net& k, const Self& self, PacketId id)
{
    Packet& packet = k.packets[id];
    k.counters.packets_sent += k.measuring();
    if (is_frame(packet)) return inject_frame(k, self, packet, id);
    if (packet.destination == gateway(k) && (packet.protocol == protocol::icmp || packet.protocol == protocol::icmpv6))
    {
        if (packet.flags & packet_flag::fragment) return answer_fragment(k, self, packet, id);
        if (packet.flags & packet_flag::corrupted) return k.drop(packet, id, DropReason::corrupted);
        if (packet.protocol == protocol::icmp && packet.icmp().type == icmp::echo_request) {
            k.account(packet, DropReason::none);
            return answer(k, self, packet, id, packet.length);
        }
    }
    // The TTL stays: the real host is the source, the endpoint stands for it.
    LinkId link_id = k.route(self.row, self.element(), packet);
    if (link_id == kNone) link_id = k.route_otherwise(self.row, self.element(), flow_of(packet));
    if (link_id == kNone) {
        refuse(k, self, packet, id, icmp::network, 0, DropReason::no_route);
        return;
    }
    LinkState& link = k.link(link_id);
    if (packet.length <= link.known_mtu())
        k.transmit(link, link_id, packet, id);
    else if (packet.flags & packet_flag::dont_fragment)
        refuse(k, self, packet, id, icmp::fragmentation_needed, link.known_mtu(), DropReason::mtu);
    else
        send_in_fragments(k, link_id, packet, id);
}

}  // namespace anml::rt::node
