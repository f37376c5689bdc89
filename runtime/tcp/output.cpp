// Sending: segments as the windows allow, retransmissions, acknowledgments, resets.
#include <algorithm>

#include "tcp/congestion.h"
#include "tcp/rto.h"
#include "tcp/tcp.h"

namespace anml::rt::tcp {

namespace {

Packet segment(const Connection& c, std::uint32_t sequence, std::uint8_t flags)
{
    Packet p;
    p.source = c.local;
    p.destination = c.remote;
    p.length = kHeaders;
    p.protocol = protocol::tcp;
    p.flags = packet_flag::dont_fragment;
    p.tcp_flags = flags;
    p.source_port = c.local_port;
    p.destination_port = c.remote_port;
    p.sequence = sequence;
    p.acknowledgment = flags & tcp_flag::ack ? c.rcv_nxt : 0;
    p.window = flags & tcp_flag::rst ? 0 : static_cast<std::uint16_t>(c.receive_window);
    return p;
}

void transmit(Cluster& k, const Connection& c, const Packet& packet)
{
    PacketId id = k.packets.allocate();
    k.packets[id] = packet;
    node::send_on(k, c.link, id);
}

// Sends `size` bytes of content from `sequence`, and a FIN behind them.
void send_data(Cluster& k, Connection& c, std::uint32_t sequence, std::uint32_t size, bool fin)
{
    std::uint64_t offset = c.offset(sequence);
    std::uint8_t flags = tcp_flag::ack;
    if (size > 0 && offset + size == c.length) flags |= tcp_flag::psh;
    if (fin) flags |= tcp_flag::fin;
    Packet p = segment(c, sequence, flags);
    p.payload = static_cast<std::uint16_t>(size);
    p.length = static_cast<std::uint16_t>(kHeaders + size);
    p.content = c.content;
    p.content_offset = static_cast<std::uint32_t>(offset);

    std::uint32_t end = sequence + size + fin;
    if (before(sequence, c.max)) {
        k.statistics.retransmissions += k.measuring();
        c.timing = false;  // Karn's algorithm (RFC 6298, section 3)
    } else if (!c.timing) {
        c.timing = true;
        c.timed_at = k.now;
        c.timed_sequence = end;
    }
    c.max = later(c.max, end);
    c.ack_pending = false;
    transmit(k, c, p);
}

// Bytes of content from `sequence` on; the FIN lies behind the last.
std::uint64_t left(const Connection& c, std::uint32_t sequence) { return c.length - c.offset(sequence); }

// The FIN was sent, and nxt lies behind it.
bool behind_fin(const Connection& c) { return c.fin_acked || c.offset(c.nxt) > c.length; }

}  // namespace

void send_syn(Cluster& k, Connection& c)
{
    bool reply = c.state == State::syn_received;
    Packet p = segment(c, c.una, reply ? tcp_flag::syn | tcp_flag::ack : tcp_flag::syn);
    p.mss = own_mss(k, c);
    p.length += 4;  // the option
    transmit(k, c, p);
}

void send_ack(Cluster& k, Connection& c)
{
    c.ack_pending = false;
    transmit(k, c, segment(c, c.nxt, tcp_flag::ack));
}

void output(Cluster& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    while (!behind_fin(c)) {
        std::uint32_t flight = c.nxt - c.una;
        std::uint32_t window = std::min(congestion::window(c), c.window);
        std::uint32_t room = window > flight ? window - flight : 0;
        std::uint64_t remaining = left(c, c.nxt);
        auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>({c.mss, remaining, room}));
        bool fin = c.fin_queued && size == remaining;
        if (size == 0 && !fin) break;
        // No small segments while larger ones are under way (silly window avoidance, RFC 9293, 3.8.6.2.1).
        if (size < c.mss && size < remaining && flight > 0) break;
        send_data(k, c, c.nxt, size, fin);
        c.nxt += size + fin;
    }
    if (c.nxt != c.una) {
        if (c.timer != Timer::retransmit) start_timer(k, slot, Timer::retransmit, k.now + c.rto);
    } else if (!behind_fin(c) && left(c, c.nxt) > 0 && c.timer != Timer::persist) {
        start_timer(k, slot, Timer::persist, k.now + c.rto);
    }
}

void retransmit_first(Cluster& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(c.mss, left(c, c.una)));
    size = std::min(size, c.max - c.una);
    bool fin = c.fin_queued && size == left(c, c.una);
    send_data(k, c, c.una, size, fin);
    c.nxt = later(c.nxt, c.una + size + fin);
}

void send_probe(Cluster& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    send_data(k, c, c.una, 1, false);
}

void send_reset(Cluster& k, const Connection& c) { transmit(k, c, segment(c, c.nxt, tcp_flag::rst | tcp_flag::ack)); }

void send_bare(Cluster& k, const node::Self& self, const Packet& to, std::uint8_t flags, std::uint32_t sequence,
               std::uint32_t acknowledgment)
{
    Connection c;  // only who talks to whom
    c.local = self.address();
    c.remote = to.source;
    c.local_port = to.destination_port;
    c.remote_port = to.source_port;
    c.rcv_nxt = acknowledgment;
    PacketId id = k.packets.allocate();
    k.packets[id] = segment(c, sequence, flags);
    node::originate(k, self, id);
}

void refuse(Cluster& k, const node::Self& self, const Packet& packet)
{
    if (packet.tcp_flags & tcp_flag::rst) return;
    if (packet.tcp_flags & tcp_flag::ack) {
        send_bare(k, self, packet, tcp_flag::rst, packet.acknowledgment, 0);
        return;
    }
    bool syn = packet.tcp_flags & tcp_flag::syn, fin = packet.tcp_flags & tcp_flag::fin;
    send_bare(k, self, packet, tcp_flag::rst | tcp_flag::ack, 0, packet.sequence + packet.payload + syn + fin);
}

}  // namespace anml::rt::tcp
