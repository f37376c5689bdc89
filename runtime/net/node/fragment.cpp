// Packets above the MTU of the link that they are to take (RFC 791, 1191, 8200). Apart from the behaviours of nodes,
// and from the event loop's bitcode, which most packets never leave.
#include "net/node/fragmentation.h"
#include "net/packet/fragments.h"

namespace anml::rt::node {

// The MTU is of what is behind tags of VLANs.
static bool is_tagged_within(Net& k, const Packet& packet, LinkId link)
{
    return is_frame(packet) && packet.payload <= k.link(link).known_mtu();
}

void drop_too_long(Net& k, LinkId link, Packet& packet, PacketId id)
{
    if (is_tagged_within(k, packet, link)) return k.transmit(k.link(link), link, packet, id);
    k.counters.dropped.unfragmented += k.measuring() && !(packet.flags & packet_flag::dont_fragment);
    k.drop(packet, id, DropReason::mtu);
}

void send_in_fragments(Net& k, LinkId link, Packet& packet, PacketId id)
{
    send_fragments(k, link, packet, id, k.link(link).known_mtu());
}

void send_fragments(Net& k, LinkId link_id, Packet& packet, PacketId id, std::uint32_t most)
{
    LinkState& link = k.link(link_id);
    wire::Cutter pieces(packet, most, k.model, k.buffers);
    Packet piece;
    std::uint64_t made = 0;
    for (; pieces.next(piece); ++made) {
        const PacketId own = k.packets.allocate();
        k.packets[own] = piece;
        k.transmit(link, link_id, k.packets[own], own);
    }
    if (made == 0) return k.drop(packet, id, DropReason::malformed);
    k.counters.fragmented += k.measuring();
    if (k.measuring()) k.counters.fragments += made;
    k.release(packet, id);
}

void originate_too_long(Net& k, LinkId link, Packet& packet, PacketId id)
{
    if (packet.flags & packet_flag::dont_fragment) return k.drop(packet, id, DropReason::mtu);
    send_fragments(k, link, packet, id,
                   k.path_mtus.most_of(packet.source, packet.destination, k.link(link).known_mtu(), k.now));
}

void forward_too_long(Net& k, const Self& self, LinkId link, Packet& packet, PacketId id)
{
    if (is_tagged_within(k, packet, link)) return k.transmit(k.link(link), link, packet, id);
    // None of IPv6 is cut on its way.
    if (!(packet.flags & packet_flag::dont_fragment) && !is_ipv6(packet.destination))
        return send_in_fragments(k, link, packet, id);
    send_icmp_error(k, self, packet, icmp::unreachable, icmp::fragmentation_needed, k.link(link).known_mtu());
    k.drop(packet, id, DropReason::mtu);
}

}  // namespace anml::rt::node
