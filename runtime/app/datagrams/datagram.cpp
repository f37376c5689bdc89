#include "app/datagrams/datagram.h"

#include "app/cluster.h"
#include "app/content.h"
#include "net/node/multicast.h"
#include "net/node/node.h"
#include "transport/upcalls.h"

namespace anml::rt::app::datagram {

namespace {

constexpr std::uint16_t kUdpHeader = 8;
// The local port tells a host's workloads apart (RFC 6335: the dynamic ports).
constexpr std::uint32_t kFirstPort = 49152, kPorts = 65536 - kFirstPort;

// Whom it is for.
std::uint64_t members(const Packet& datagram)
{
    return is_group(datagram.destination) ? datagram.multicast().members : 1;
}

DatagramStatistics& statistics(Cluster& k, const Packet& datagram)
{
    return k.statistics.workloads[content::workload_of(datagram.content)].datagrams;
}

struct Datagram {
    std::uint32_t number = 0;
    std::uint16_t payload = 0;
    Time sent_at = 0;
    std::uint8_t flags = 0;  // packet_flag
};

void send_out(Cluster& k, const DatagramSender& sender, const Datagram& datagram)
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
    packet.flags |= datagram.flags;
    packet.traffic_class = static_cast<std::uint8_t>(row.traffic_class);
    packet.payload = datagram.payload;
    packet.length = static_cast<std::uint16_t>(ip_header(packet.destination) + kUdpHeader + packet.payload);
    packet.source_port = source_port(sender.workload);
    packet.destination_port = static_cast<std::uint16_t>(row.port);
    packet.content = content::datagram(sender.workload);
    packet.content_offset = datagram.number;
    packet.udp().set_sent_at(datagram.sent_at);
    if (is_group(sender.destination)) packet.multicast().members = sender.members;
    if (sender.link != kNone)
        node::send_on(k, sender.link, packet, id);
    else
        node::originate(k, node::self(k, sender.node), packet, id);
}

}  // namespace

std::uint16_t source_port(std::uint32_t workload) { return static_cast<std::uint16_t>(kFirstPort + workload % kPorts); }

DatagramSender sender(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, abi::ValueId payload,
                      abi::ValueId fragments)
{
    const abi::WorkloadRow& row = k.image.workloads[workload];
    DatagramSender made{.node = node,
                        .link = kNone,
                        .source = k.model.address(node, row.ipv6 != 0),
                        .destination = k.model.address_of_peer(row, peer),
                        .workload = workload,
                        .payload = static_cast<std::uint16_t>(payload == kNone ? 0 : k.model.integer(payload)),
                        .fragments = k.model.integer(fragments) != 0};
    if (multicast::sends(k.image, workload)) {
        made.destination = group_of(workload, row.ipv6 != 0);
        made.members = multicast::members(k, workload, node);
    }
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
    k.statistics.workloads[sender.workload].datagrams.sent += k.measuring() * sender.members;
    if (present(abi::RecordSchema::relay) && k.relay.maybe()) relay::count_due(k, sender);
    send_out(k, sender, {static_cast<std::uint32_t>(sender.sent++), sender.payload, k.now});
}

void send_on(Cluster& k, const DatagramSender& sender, const Packet& came)
{
    send_out(k, sender, {came.content_offset, came.payload, came.udp().sent_at(),
                         static_cast<std::uint8_t>(came.flags & packet_flag::copied)});
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
    if (datagram.flags & packet_flag::copied) {
        statistics(k, datagram).duplicates += k.measuring();
        return;
    }
    k.statistics.second(k.now).bytes += datagram.length;
    if (!k.measuring()) return;
    DatagramStatistics& s = statistics(k, datagram);
    ++s.received;
    s.bytes += datagram.length;
    s.delay.record(k.now - datagram.udp().sent_at());
}

void dropped(Cluster& k, const Packet& datagram)
{
    if (datagram.flags & packet_flag::copied) return;
    statistics(k, datagram).lost += k.measuring() * members(datagram);
    if (present(abi::RecordSchema::relay) && k.relay.maybe()) relay::count_lost(k, datagram);
}

void collect(const Cluster& k, AppStatistics& all)
{
    k.reassembly.each_overtaken(k.counters, [&](const Packet& first) {
        if (is_datagram(first) && !(first.flags & (packet_flag::copied | packet_flag::corrupted)))
            all.workloads[content::workload_of(first.content)].datagrams.lost += members(first);
    });
}

void refused(Cluster& k, std::uint32_t workload)
{
    k.statistics.workloads[workload].datagrams.refused += k.measuring();
}

}  // namespace anml::rt::app::datagram

bool anml::rt::upcalls::sends_datagrams(const Transport& k, const Packet& datagram)
{
    return app::datagram::workload_between(k, datagram.source_port, datagram.destination_port) != kNone;
}
