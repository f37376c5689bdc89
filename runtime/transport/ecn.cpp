#include "transport/ecn.h"

#include <algorithm>

#include "transport/congestion.h"

namespace anml::rt::tcp::congestion_notice {

namespace {

constexpr std::uint8_t kBoth = tcp_flag::ece | tcp_flag::cwr;

bool offers(const Settings& settings)
{
    return settings.ecn == abi::Ecn::offered || law::traits(settings.congestion).precise_marks;
}

// Every packet of such a connection may be marked, acknowledgments too (Linux's tcp_ca_needs_ecn).
void label_all(Connection& c, const Settings& settings)
{
    if (law::traits(settings.congestion).precise_marks) c.traffic_class |= ecn::kEct0;
}

// A mark, or a segment that says the sender has reduced its window, is answered within two segments (Linux's quick
// acknowledgments), where the host has such.
void hurry(Connection& c, const Settings& settings)
{
    constexpr std::uint8_t kSoon = 2;
    if (settings.quick_acks > 0) c.quick_acks = std::max(c.quick_acks, kSoon);
}

// RFC 8257, 3.2: an acknowledgment that waits is for segments that were marked alike.
bool note_precisely(Transport& k, Connection& c, const Packet& packet, const Settings& settings)
{
    const bool marked = ecn::congestion(packet);
    if (marked == c.echo) return false;
    if (c.ack_pending && c.acknowledgment.deadline != kNever) send_ack(k, c);
    c.echo = marked;
    return settings.quick_acks > 0;  // Linux's does not wait either
}

void reduce(Transport& k, Connection& c)
{
    const law::Sender s = sender(k, c);
    law::Echo& echo = s.state().echo;
    if (echo.reducing || c.recovering || congestion::after_time_out(c)) return;
    c.ssthresh = law::marked_threshold(s, congestion::flight(c));
    echo.reduce(c);
    if (!c.adaptive && !law::rules(c)) c.cwnd = c.ssthresh;
}

}  // namespace

std::uint8_t opening_flags(const Transport& k, Connection& c)
{
    const Settings& settings = k.tcp.settings[c.settings];
    if (c.state == State::syn_received) return c.ecn ? tcp_flag::ece : std::uint8_t{0};
    if (!offers(settings) || c.attempts > 0) return 0;
    label_all(c, settings);
    return kBoth;
}

void negotiate(Transport& k, Connection& c, const Packet& syn)
{
    const Settings& settings = k.tcp.settings[c.settings];
    const std::uint8_t said = syn.tcp().flags & kBoth;
    if (syn.tcp().flags & tcp_flag::ack)
        c.ecn = offers(settings) && said == tcp_flag::ece;
    else
        c.ecn = (settings.ecn != abi::Ecn::none || offers(settings)) && said == kBoth;
    if (!c.ecn) {
        c.traffic_class = ecn::without(c.traffic_class);
        return;
    }
    k.tcp.need_law_state(c);
    c.beyond = true;
    label_all(c, settings);
}

bool note_mark(Transport& k, Connection& c, const Packet& packet)
{
    const Settings& settings = k.tcp.settings[c.settings];
    if (packet.payload == 0) return false;
    if (law::traits(settings.congestion).precise_marks) return note_precisely(k, c, packet, settings);
    if (packet.tcp().flags & tcp_flag::cwr) c.echo = false;
    if (!ecn::congestion(packet) || c.echo) return (packet.tcp().flags & tcp_flag::cwr) != 0;
    c.echo = true;
    hurry(c, settings);
    return true;
}

void acknowledged(Transport& k, Connection& c, const Packet& packet, std::uint32_t bytes)
{
    const law::Sender s = sender(k, c);
    law::Echo& echo = s.state().echo;
    const bool marked = packet.tcp().flags & tcp_flag::ece;
    const bool rules = law::rules(c);
    if (echo.over(c) && !c.recovering && !rules) c.cwnd = c.ssthresh;
    law::echoed(s, bytes, marked);
    if (marked) reduce(k, c);
    if (echo.reducing && c.adaptive && !c.recovering && !rules) c.cwnd = echo.allowed(c, bytes);
}

void repeated(Transport& k, Connection& c, const Packet& packet)
{
    if (packet.tcp().flags & tcp_flag::ece) reduce(k, c);
}

void label(Transport& k, Connection& c, Packet& packet)
{
    packet.traffic_class |= ecn::kEct0;
    law::Echo& echo = k.tcp.law_states[c.law_state].echo;
    if (!echo.tells) return;
    echo.tells = false;
    packet.tcp().flags |= tcp_flag::cwr;
}

}  // namespace anml::rt::tcp::congestion_notice
