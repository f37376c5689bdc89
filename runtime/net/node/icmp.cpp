#include "net/facts.h"
#include "net/node/icmp_limits.h"
#include "net/node/icmp_messages.h"
#include "net/node/node.h"
#include "net/packet/fragments.h"

namespace anml::rt::node {

void send_icmp_error(Net& k, const Self& self, const Packet& offender, std::uint8_t type, std::uint8_t code,
                     std::uint32_t rest)
{
    if (self.address() == Address::none || is_group(offender.destination)) return;  // RFC 1122, 3.2.2
    if (present(abi::RecordSchema::icmp_limits) && self.row.icmp_limits != kNone &&
        (type != icmp::unreachable || code != icmp::fragmentation_needed) &&
        !k.network.icmp_limits->allow(k, self, offender.source))
    {
        k.counters.icmp_withheld += k.measuring();
        return;
    }
    Packet error;
    if (!wire::make_icmp_error(offender, self.answering(offender), type, code, rest, k.model, k.buffers, error)) return;
    if (!(error.flags & packet_flag::dont_fragment)) wire::identify(error, k.next_identification(self.id), k.buffers);
    const PacketId id = k.packets.allocate();
    Packet& packet = k.packets[id];
    packet = error;
    originate(k, self, packet, id);
}

}  // namespace anml::rt::node
