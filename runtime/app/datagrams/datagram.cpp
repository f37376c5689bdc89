#include "app/datagrams/datagram.h"

#include "app/cluster.h"
#include "app/content.h"
#include "net/node/node.h"
#include "transport/upcalls.h"

namespace anml::rt::app::datagram {

namespace {

constexpr std::uint16_t kUdpHeader = 8;
// The local port tells a host's workloads apart (RFC 6335: the dynamic ports).
constexpr std::uint32_t kFirstPort = 49152, kPorts = 65536 - kFirstPort;

DatagramStatistics& statistics(Cluster& k, const Packet& datagram)
{
    return k.statistics.workloads[content::workload_of(datagram.content)].datagrams;
}

}  // namespace

std::uint16_t source_port(std::uint32_t workload) { return static_cast<std::uint16_t>(kFirstPort + workload % kPorts); }

DatagramSender sender(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, abi::ValueId payload,
                      abi::ValueId fragments)
{
    DatagramSender made{0,
                        node,
                        kNone,
                        k.model.address(node, k.image.workloads[workload].ipv6 != 0),
                        k.model.address(peer, k.image.workloads[workload].ipv6 != 0),
                        workload,
                        static_cast<std::uint16_t>(k.model.integer(payload)),
                        false,
                        k.model.integer(fragments) != 0};
    choose_link(k, made);
    return made;
}

double interval_at(double rate, const DatagramSender& sender)
{
    return 8e9 * (sender.payload + ip_header(sender.destination) + kUdpHeader) / rate;
}

void choose_link(Cluster& k, DatagramSender& sender)
{
    const node::Self self = node::self(k, sender.node);
    const Flow flow{sender.source, sender.destination, protocol::udp, source_port(sender.workload),
                    static_cast<std::uint16_t>(k.image.workloads[sender.workload].port)};
    sender.link = k.route(self.row, self.element(), flow);
}

void send(Cluster& k, DatagramSender& sender)
{
    const abi::WorkloadRow& row = k.image.workloads[sender.workload];
    const PacketId id = k.packets.allocate();
    Packet& packet = k.packets[id];
    packet = Packet{};
    packet.source = sender.source;
    packet.destination = sender.destination;
    packet.protocol = protocol::udp;
    if (sender.fragments)
        packet.udp().identification = k.next_identification(sender.node);
    else
        packet.flags = packet_flag::dont_fragment;
    packet.traffic_class = static_cast<std::uint8_t>(row.traffic_class);
    packet.payload = sender.payload;
    packet.length = static_cast<std::uint16_t>(ip_header(packet.destination) + kUdpHeader + packet.payload);
    packet.source_port = source_port(sender.workload);
    packet.destination_port = static_cast<std::uint16_t>(row.port);
    packet.content = content::datagram(sender.workload);
    packet.content_offset = static_cast<std::uint32_t>(sender.sent);
    packet.udp().set_sent_at(k.now);
    k.statistics.workloads[sender.workload].datagrams.sent += k.measuring();
    ++sender.sent;
    if (sender.link != kNone)
        node::send_on(k, sender.link, packet, id);
    else
        node::originate(k, node::self(k, sender.node), packet, id);
}

bool is_datagram(const Packet& packet)
{
    return packet.protocol == protocol::udp && packet.buffer == kNone &&
           content::kind(packet.content) == content::Kind::datagram;
}

std::uint32_t workload_between(const Net& k, std::uint16_t host_port, std::uint16_t peer_port)
{
    if (host_port < kFirstPort) return kNone;
    for (std::uint32_t w = host_port - kFirstPort; w < k.image.workload_count; w += kPorts)
        if (k.image.workloads[w].transport == protocol::udp && k.image.workloads[w].port == peer_port) return w;
    return kNone;
}

void received(Cluster& k, const Packet& datagram)
{
    k.statistics.second(k.now).bytes += datagram.length;
    if (!k.measuring()) return;
    DatagramStatistics& s = statistics(k, datagram);
    ++s.received;
    s.bytes += datagram.length;
    s.delay.record(k.now - datagram.udp().sent_at());
}

void dropped(Cluster& k, const Packet& datagram) { statistics(k, datagram).lost += k.measuring(); }

void refused(Cluster& k, std::uint32_t workload)
{
    k.statistics.workloads[workload].datagrams.refused += k.measuring();
}

}  // namespace anml::rt::app::datagram

bool anml::rt::upcalls::sends_datagrams(const Transport& k, const Packet& datagram)
{
    return app::datagram::workload_between(k, datagram.source_port, datagram.destination_port) != kNone;
}
