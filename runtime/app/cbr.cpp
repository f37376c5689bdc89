#include "app/cbr.h"

#include <cmath>
#include <utility>

#include "app/content.h"
#include "kernel/cluster.h"
#include "node/node.h"

namespace anml::rt::app::cbr {

namespace {

constexpr std::uint16_t kHeaders = 28;
// The local port tells a host's workloads apart (RFC 6335: the dynamic ports).
constexpr std::uint32_t kFirstPort = 49152, kPorts = 65536 - kFirstPort;

std::uint16_t source_port(std::uint32_t workload) { return static_cast<std::uint16_t>(kFirstPort + workload % kPorts); }

DatagramStatistics& statistics(Cluster& k, const Packet& datagram)
{
    return k.statistics.workloads[content::workload_of(datagram.content)].datagrams;
}

void choose_link(Cluster& k, CbrSender& sender)
{
    const node::Self self = node::self(k, sender.node);
    const Flow flow{sender.source, sender.destination, protocol::udp, source_port(sender.workload),
                    static_cast<std::uint16_t>(k.image.workloads[sender.workload].port)};
    sender.link = k.route(self.row, self.element(), flow);
}

}  // namespace

void resume(Cluster& k, std::uint32_t workload)
{
    const double interval = k.model.value(k.image.workloads[workload].interval);
    for (std::uint32_t i = 0; i < k.cbr.size(); ++i) {
        CbrSender& sender = k.cbr[i];
        if (sender.workload != workload || !std::exchange(sender.dormant, false)) continue;
        sender.first = k.now - std::llround(static_cast<double>(sender.sent) * interval);
        k.schedule(sender.node, k.now, TimerKind::datagram, i);
    }
}

void routes_changed(Cluster& k)
{
    for (CbrSender& sender : k.cbr) choose_link(k, sender);
}

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first)
{
    const node::Self self = node::self(k, node);
    const std::uint32_t destination = k.model.address(peer);
    const auto index = static_cast<std::uint32_t>(k.cbr.size());
    k.cbr.push_back({first, 0, node, kNone, self.address(), destination, workload, false});
    choose_link(k, k.cbr.back());
    k.schedule(node, first, TimerKind::datagram, index);
}

void timer(Cluster& k, std::uint32_t index)
{
    CbrSender& sender = k.cbr[index];
    const abi::WorkloadRow& row = k.image.workloads[sender.workload];
    if (!k.active(sender.workload)) {
        sender.dormant = true;
        return;
    }
    const PacketId id = k.packets.allocate();
    Packet& packet = k.packets[id];
    packet = Packet{};
    packet.source = sender.source;
    packet.destination = sender.destination;
    packet.protocol = protocol::udp;
    packet.flags = packet_flag::dont_fragment;
    packet.payload = static_cast<std::uint16_t>(k.model.integer(row.size));
    packet.length = static_cast<std::uint16_t>(kHeaders + packet.payload);
    packet.source_port = source_port(sender.workload);
    packet.destination_port = static_cast<std::uint16_t>(row.port);
    packet.content = content::datagram(sender.workload);
    packet.content_offset = static_cast<std::uint32_t>(sender.sent);
    packet.set_sent_at(k.now);
    k.statistics.workloads[sender.workload].datagrams.sent += k.measuring();
    ++sender.sent;
    const Time next = sender.first + std::llround(static_cast<double>(sender.sent) * k.model.value(row.interval));
    k.schedule(sender.node, next, TimerKind::datagram, index);
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

void received(Cluster& k, const Packet& datagram)
{
    k.statistics.second(k.now).bytes += datagram.length;
    if (!k.measuring()) return;
    DatagramStatistics& s = statistics(k, datagram);
    ++s.received;
    s.bytes += datagram.length;
    s.delay.record(k.now - datagram.sent_at());
}

void dropped(Cluster& k, const Packet& datagram) { statistics(k, datagram).lost += k.measuring(); }

void refused(Cluster& k, const Packet& offender)
{
    const std::uint32_t workload = offender.source_port - kFirstPort;
    if (offender.source_port < kFirstPort || workload >= k.image.workload_count) return;
    const abi::WorkloadRow& row = k.image.workloads[workload];
    if (row.kind == abi::WorkloadKind::cbr && row.port == offender.destination_port)
        k.statistics.workloads[workload].datagrams.refused += k.measuring();
}

}  // namespace anml::rt::app::cbr
