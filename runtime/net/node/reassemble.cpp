// Fragments that have reached the node to which they are addressed (RFC 1122, 3.3.2).
#include "net/facts.h"
#include "net/node/fragmentation.h"
#include "net/node/icmp_messages.h"
#include "net/node/node.h"
#include "net/node/reassembly.h"
#include "net/packet/fragments.h"

namespace anml::rt::node {

Whole reassemble(Net& k, const Self& self, Packet& packet, PacketId id)
{
    wire::FragmentView fragment;
    if (packet.buffer == kNone || !wire::view_fragment(k.buffers.bytes(packet.buffer), fragment)) {
        k.drop(packet, id, DropReason::malformed);
        return {};
    }
    k.account(packet, packet.flags & packet_flag::corrupted ? DropReason::corrupted : DropReason::none);
    Packet whole;
    Whole made{.identification = fragment.identification};
    const bool complete = k.reassembly.take(k, self.id, packet, fragment, Reassembly::For::node, whole, &made.largest);
    k.release(packet, id);
    if (!complete) return {};
    made.id = k.packets.allocate();
    k.packets[made.id] = whole;
    return made;
}

void deliver_fragment(Net& k, const Self& self, Packet& packet, PacketId id)
{
    const PacketId made = reassemble(k, self, packet, id).id;
    if (made != kNone) hand_up(k, self, k.packets[made], made);
}

void reassembly_timer(Net& k, const Self& self)
{
    k.reassembly.expire(k, self.id, [&](const Packet& first) {
        send_icmp_error(k, self, first, icmp::time_exceeded, icmp::reassembly);
    });
}

}  // namespace anml::rt::node
