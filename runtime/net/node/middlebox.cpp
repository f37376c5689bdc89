// A router with a middlebox (net/middlebox/middlebox.h): what becomes of a packet that has reached it. Apart from the
// behaviours of nodes, and from the event loop's bitcode: models without have none of it.
#include <algorithm>

#include "net/middlebox/middleboxes.h"
#include "net/node/fragmentation.h"
#include "net/node/icmp_messages.h"
#include "net/packet/fragments.h"
#include "net/packet/rewrite.h"

namespace anml::rt::node {

namespace {

constexpr std::uint16_t kTcpHeader = 20;

// What is not understood is reset, by whom it was sent to (RFC 9293, 3.10.7.1).
void send_reset(Net& k, const Self& self, const Packet& offender)
{
    const std::uint8_t flags = offender.tcp().flags;
    if (flags & tcp_flag::rst) return;
    const PacketId id = k.packets.allocate();
    Packet& packet = k.packets[id];
    packet = Packet{};
    packet.source = offender.destination;
    packet.destination = offender.source;
    packet.source_port = offender.destination_port;
    packet.destination_port = offender.source_port;
    packet.protocol = protocol::tcp;
    packet.flags = packet_flag::dont_fragment;
    packet.length = ip_header(packet.destination) + kTcpHeader;
    if (flags & tcp_flag::ack) {
        packet.tcp().flags = tcp_flag::rst;
        packet.tcp().sequence = offender.tcp().acknowledgment;
    } else {
        packet.tcp().flags = tcp_flag::rst | tcp_flag::ack;
        packet.tcp().acknowledgment = offender.tcp().sequence + offender.payload + ((flags & tcp_flag::syn) != 0) +
                                      ((flags & tcp_flag::fin) != 0);
    }
    originate(k, self, packet, id);
}

void see_whole(Net& k, const Self& self, Packet& packet, PacketId id, std::uint32_t largest);

// Ends are those of whole packets, so a middlebox puts fragments together, as Linux's connection tracking does. The
// packet goes on as one of its own, which may be cut again; one of IPv6 in fragments as its sender has cut it, since
// nobody else may.
void gather(Net& k, const Self& self, Packet& packet, PacketId id)
{
    const std::uint8_t ttl = packet.ttl;
    const Whole made = reassemble(k, self, packet, id);
    if (made.id == kNone) return;
    Packet& whole = k.packets[made.id];
    whole.ttl = ttl;
    k.counters.packets_sent += k.measuring();
    if (!is_ipv6(whole.destination)) return see_whole(k, self, whole, made.id, 0);
    wire::identify(whole, static_cast<std::uint16_t>(made.identification), k.buffers);
    see_whole(k, self, whole, made.id, made.largest);
}

// As iptables' --clamp-mss-to-pmtu: by the MTUs of the link on which it goes and of the one towards its sender.
void clamp_mss(Net& k, const Self& self, Packet& packet, const Ends& before, std::uint32_t most)
{
    const LinkId back =
        k.route(self.row, self.element(),
                Flow{before.destination, before.source, packet.protocol, before.destination_port, before.source_port});
    if (back != kNone) most = std::min<std::uint32_t>(most, k.link(back).known_mtu());
    wire::lower_mss(packet, static_cast<std::uint16_t>(most - ip_header(packet.destination) - kTcpHeader), k.buffers);
}

// Errors are about the packet as its sender knows it, so one that doesn't go on gets its ends back. `largest`: of the
// fragments in which a packet of IPv6 has come, 0 where it is whole.
void pass(Net& k, const Self& self, Middlebox& box, Packet& packet, PacketId id, const Decision& decision,
          std::uint32_t largest)
{
    const Ends before = ends_of(packet);
    if (packet.ttl <= 1) {
        send_icmp_error(k, self, packet, icmp::time_exceeded, icmp::in_transit);
        return k.drop(packet, id, DropReason::ttl);
    }
    --packet.ttl;
    Packet quote;
    if (decision.quote && wire::quoted(packet, k.buffers, quote))
        wire::rewrite_quoted(packet, quote, decision.quoted, k.buffers);
    if (decision.ends != before) wire::rewrite(packet, decision.ends, k.buffers);
    const LinkId link = k.route(self.row, self.element(), packet);
    if (link == kNone) {
        if (k.route_otherwise(self.row, self.element(), flow_of(packet)) == kNone && decision.ends != before) {
            wire::rewrite(packet, before, k.buffers);
            box.without_way(k, packet);
        }
        return forward_without_route(k, self, packet, id);
    }
    const std::uint32_t most = k.link(link).known_mtu();
    const bool too_long = (largest != 0 ? largest : packet.length) > most;
    const bool stuck = too_long && (largest != 0 || (packet.flags & packet_flag::dont_fragment));
    if (decision.clamp_mss && packet.protocol == protocol::tcp && (packet.tcp().flags & tcp_flag::syn))
        clamp_mss(k, self, packet, before, most);
    if (decision.ends != before) {
        if (stuck)
            wire::rewrite(packet, before, k.buffers);
        else
            box.translated(k);
    }
    if (too_long) return forward_too_long(k, self, link, packet, id);
    if (largest != 0) return send_fragments(k, link, packet, id, largest);
    k.transmit(k.link(link), link, packet, id);
}

void see_whole(Net& k, const Self& self, Packet& packet, PacketId id, std::uint32_t largest)
{
    Middlebox& box = k.network.middleboxes->of(k, self);
    // What bridged hosts say to each other beside IPv4 has no header that a middlebox reads.
    const Decision decision = is_frame(packet) ? Decision{.ends = ends_of(packet)} : box.see(k, self, packet);
    switch (decision.what) {
        case Decision::pass:
            if (self.has(decision.ends.destination)) return deliver(k, self, packet, id);
            return pass(k, self, box, packet, id, decision, largest);
        case Decision::drop:
            break;
        case Decision::reject:
            if (packet.protocol == protocol::tcp) {
                send_reset(k, self, packet);
                break;
            }
            [[fallthrough]];
        case Decision::tell:
            send_icmp_error(k, self, packet, icmp::unreachable, decision.code);
            break;
    }
    k.drop(packet, id, DropReason::middlebox);
}

}  // namespace

void through_middlebox(Net& k, const Self& self, Packet& packet, PacketId id)
{
    if (packet.flags & packet_flag::fragment) return gather(k, self, packet, id);
    see_whole(k, self, packet, id, 0);
}

}  // namespace anml::rt::node
