#include "io/gateway/probe.h"

#include "io/gateway/gateway.h"

namespace anml::rt::io {

namespace {

constexpr std::uint16_t kTcp = 20;  // header
constexpr std::uint16_t kMssOption = 4;
constexpr std::uint16_t kMss = 536, kMss6 = 1220;  // what every path takes (RFC 9293, 3.7.1)

}  // namespace

void Probe::tick(Time now)
{
    if (seen_ == Seen::accepted || now < next_) return;
    next_ = now + kInterval;
    if (!gateway_.knows_host(server_)) return;  // the gateway is asking
    const auto port = static_cast<std::uint16_t>(kFirstPort + sent_++ % (65536 - kFirstPort));
    send(port, tcp_flag::syn, sent_);
}

bool Probe::answer(const Packet& packet)
{
    if (packet.source != server_ || packet.source_port != port_ || packet.destination_port < kFirstPort) return false;
    if (packet.tcp().flags & tcp_flag::rst) {
        if (seen_ == Seen::nothing) seen_ = Seen::refused;
    } else if ((packet.tcp().flags & (tcp_flag::syn | tcp_flag::ack)) == (tcp_flag::syn | tcp_flag::ack)) {
        send(packet.destination_port, tcp_flag::rst, packet.tcp().acknowledgment);
        seen_ = Seen::accepted;
    }
    return true;
}

void Probe::send(std::uint16_t from, std::uint8_t flags, std::uint32_t sequence)
{
    Packet packet;
    packet.source = gateway_.address();
    packet.destination = server_;
    packet.protocol = protocol::tcp;
    packet.flags = packet_flag::dont_fragment;
    packet.tcp().flags = flags;
    packet.source_port = from;
    packet.destination_port = port_;
    packet.tcp().sequence = sequence;
    packet.length = static_cast<std::uint16_t>(ip_header(server_) + kTcp);
    if (flags & tcp_flag::syn) {
        packet.tcp_syn().mss = is_ipv6(server_) ? kMss6 : kMss;
        packet.tcp().window = 65535;
        packet.length += kMssOption;
    }
    gateway_.send(packet, kNever);
}

}  // namespace anml::rt::io
