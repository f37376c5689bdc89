// Segment routing (RFC 8402): a router gives packets a list of segments, and others follow it. A packet has the row of
// the segment that is before it; labels make it longer. Apart from the behaviours of nodes, and from the event loop's
// bitcode, since few models have it.
#include <algorithm>

#include "abi/forwarding.h"
#include "net/middlebox/list.h"
#include "net/node/node.h"
#include "net/packet/fragments.h"

namespace anml::rt::node {

namespace {

const abi::SegmentRow& segment_of(const Net& k, const Packet& packet) { return k.image.segments[packet.segment]; }

void set_segment(const Net& k, Packet& packet, std::uint32_t segment)
{
    packet.length =
        static_cast<std::uint16_t>(packet.length + k.image.segments[segment].bytes - segment_of(k, packet).bytes);
    packet.segment = static_cast<std::uint8_t>(segment);
}

// Shortest paths that end here.
void end_segments(const Net& k, const Self& self, Packet& packet)
{
    while (packet.segment != 0) {
        const abi::SegmentRow& row = segment_of(k, packet);
        if (row.node != self.id || row.link != kNone) return;
        set_segment(k, packet, row.next);
    }
}

// By which tables know a node: its address of IPv4 where it has both, and the endpoint's of those behind one.
std::uint32_t known(const Net& k, Address address)
{
    if (is_ipv6_of_node(address)) return number(k.model.address(ipv6_node(address)));
    if (!is_ipv6(address)) return number(address);
    const std::uint32_t endpoint = k.network.external_hosts.endpoint_of(address);
    return endpoint == kNone ? number(address) : number(k.model.address(k.image.endpoints[endpoint].node));
}

// The segments that a router gives a packet without any; kDropped: none, and it goes no further. Flows choose among
// lists by a key of their own, so that they do not choose alike among links.
std::uint32_t choose_segments(const Net& k, const Self& self, const Packet& packet)
{
    const abi::SteeringRow* const end = k.image.steering + k.image.steering_count;
    const abi::SteeringRow* row = std::lower_bound(
        k.image.steering, end, self.id, [](const abi::SteeringRow& r, NodeId node) { return r.node < node; });
    if (row == end || row->node != self.id) return 0;
    const std::uint32_t destination = known(k, packet.destination);
    const Flow flow = flow_of(packet);
    const bool icmp = packet.protocol == protocol::icmp || packet.protocol == protocol::icmpv6;
    const bool ports = packet.protocol == protocol::tcp || packet.protocol == protocol::udp;
    const abi::SteeredPacket steered{known(k, packet.source),
                                     static_cast<std::uint32_t>(packet.traffic_class >> 2),
                                     icmp ? protocol::icmp : packet.protocol,
                                     {ports ? flow.source_port : 0u, ports ? flow.destination_port : 0u}};
    const abi::Forwarding forwarding{k.image.ranges,       k.image.hops, k.image.columns,
                                     k.image.column_count, k.codes(),    k.image.alternatives};
    for (; row != end && row->node == self.id; ++row) {
        if (!abi::takes(*row, steered)) continue;
        const abi::NextHop* hop = abi::next_hop(forwarding, k.tables()[row->table], destination);
        if (!hop) continue;
        const std::uint32_t path =
            hop->paths == 1 ? 0 : choose_path(flow, k.seed, k.image.nodes + self.id, hop->paths);
        return abi::link_of(forwarding, *hop, destination, 0, path);
    }
    return 0;
}

// False: dropped.
bool steer(Net& k, const Self& self, Packet& packet, PacketId id)
{
    if (packet.segment != 0) return true;
    const std::uint32_t segment = choose_segments(k, self, packet);
    if (segment == abi::kDropped) {
        send_icmp_error(k, self, packet, icmp::unreachable, icmp::network);
        k.drop(packet, id, DropReason::no_route);
        return false;
    }
    const std::uint32_t longer = packet.length + k.image.segments[segment].bytes;
    if (longer > 0xffff) {  // no link takes it
        k.drop(packet, id, DropReason::mtu);
        return false;
    }
    set_segment(k, packet, segment);
    end_segments(k, self, packet);
    return true;
}

LinkId route_to_segment(const Net& k, const Self& self, const Packet& packet)
{
    return k.model.route(k.tables(), k.codes(), self.row, self.element(), Address{segment_of(k, packet).address},
                         k.seed, [&] { return flow_of(packet); });
}

// A segment of this router's that is a link is done when the packet is sent on it.
LinkId next_link(const Net& k, const Self& self, Packet& packet)
{
    if (packet.segment == 0) return k.route(self.row, self.element(), packet);
    const abi::SegmentRow& row = segment_of(k, packet);
    if (row.node != self.id) return route_to_segment(k, self, packet);
    set_segment(k, packet, row.next);
    return row.link;
}

void without_route(Net& k, const Self& self, Packet& packet, PacketId id)
{
    send_icmp_error(k, self, plain(k, packet), icmp::unreachable, icmp::network);
    k.drop(packet, id, DropReason::no_route);
}

// As forward_too_long, of what labels make too long, too: what is cut, and what is said of the MTU, leave them room.
void send_labelled(Net& k, const Self& self, LinkId link_id, Packet& packet, PacketId id)
{
    LinkState& link = k.link(link_id);
    if (packet.length <= link.known_mtu()) return k.transmit(link, link_id, packet, id);
    const std::uint32_t bytes = segment_of(k, packet).bytes,
                        room = link.known_mtu() - std::min(bytes, link.known_mtu());
    const Packet whole = plain(k, packet);
    if ((packet.flags & packet_flag::dont_fragment) || is_ipv6(packet.destination)) {
        send_icmp_error(k, self, whole, icmp::unreachable, icmp::fragmentation_needed, room);
        return k.drop(packet, id, DropReason::mtu);
    }
    wire::Cutter pieces(whole, room, k.model, k.buffers);
    Packet piece;
    std::uint64_t made = 0;
    for (; pieces.next(piece); ++made) {
        const PacketId own = k.packets.allocate();
        k.packets[own] = piece;
        set_segment(k, k.packets[own], packet.segment);
        k.transmit(link, link_id, k.packets[own], own);
    }
    if (made == 0) return k.drop(packet, id, DropReason::malformed);
    k.counters.fragmented += k.measuring();
    if (k.measuring()) k.counters.fragments += made;
    k.release(packet, id);
}

}  // namespace

Packet plain(const Net& k, const Packet& packet)
{
    Packet without = packet;
    if (without.segment != 0) set_segment(k, without, 0);
    return without;
}

void bridge_to_segment(Net& k, const Self& self, Packet& packet, PacketId id)
{
    const LinkId link = route_to_segment(k, self, packet);
    if (link == kNone) return k.drop(packet, id, DropReason::no_route);
    pass_on(k, link, packet, id);
}

void router_with_segments(Net& k, const Self& self, Packet& packet, PacketId id)
{
    end_segments(k, self, packet);
    if (packet.segment == 0) {
        if (present(kMiddleboxes) && self.row.middlebox != kNone) return through_middlebox(k, self, packet, id);
        if (self.has(packet.destination)) return deliver(k, self, packet, id);
    }
    if (packet.ttl <= 1) {
        send_icmp_error(k, self, plain(k, packet), icmp::time_exceeded, icmp::in_transit);
        k.drop(packet, id, DropReason::ttl);
        return;
    }
    --packet.ttl;
    if (!steer(k, self, packet, id)) return;
    const bool labelled = packet.segment != 0;
    const LinkId link = next_link(k, self, packet);
    if (link == kNone)
        return labelled ? without_route(k, self, packet, id) : forward_without_route(k, self, packet, id);
    if (packet.segment != 0) return send_labelled(k, self, link, packet, id);
    forward(k, self.id, k.link(link), link, packet, id);
}

void originate_with_segments(Net& k, const Self& self, Packet& packet, PacketId id)
{
    if (!steer(k, self, packet, id)) return;
    const bool labelled = packet.segment != 0;
    const LinkId link = next_link(k, self, packet);
    if (link == kNone) {
        if (!labelled) return originate_without_route(k, self, packet, id);
        k.counters.packets_sent += k.measuring();
        return k.drop(packet, id, DropReason::no_route);
    }
    if (packet.segment == 0) return send_on(k, link, packet, id);
    k.counters.packets_sent += k.measuring();
    send_labelled(k, self, link, packet, id);
}

}  // namespace anml::rt::node
