// What nodes hand up: the packets of each protocol, and the ICMP errors about them.
#include "net/upcalls.h"
#include "transport/tcp.h"
#include "transport/upcalls.h"

namespace anml::rt::upcalls {

void tcp_input(Net& k, const node::Self& self, const Packet& packet) { tcp::input(transport(k), self, packet); }

void tcp_error(Net& k, const node::Self& self, const Packet& offender, std::uint8_t type, std::uint8_t code,
               std::uint32_t mtu)
{
    if (type == node::icmp::unreachable) tcp::unreachable(transport(k), self.id, offender, code, mtu);
}

void udp_input(Net& k, const node::Self& self, const Packet& packet)
{
    if (datagram(transport(k), self, packet)) return;
    if (!transport(k).ports.open(protocol::udp, self.id, packet.destination_port))
        node::send_icmp_error(k, self, packet, node::icmp::unreachable, node::icmp::port);
}

void udp_error(Net& k, const node::Self& self, const Packet& offender, std::uint8_t type, std::uint8_t code,
               std::uint32_t mtu)
{
    if (type != node::icmp::unreachable) return;
    if (code == node::icmp::port) datagram_refused(transport(k), offender);
    if (code == node::icmp::fragmentation_needed &&
        (sends_datagrams(transport(k), offender) ||
         transport(k).ports.open(protocol::udp, self.id, offender.source_port)))
    {
        k.path_mtus.learn(offender.source, offender.destination, mtu, k.now);
    }
}

}  // namespace anml::rt::upcalls
