#include "transport/options/ecn.h"

#include <algorithm>

#include "transport/congestion.h"
#include "transport/options/accurate_ecn.h"

namespace anml::rt::tcp::congestion_notice {

namespace {

constexpr std::uint8_t kBoth = tcp_flag::ece | tcp_flag::cwr;

bool offers(const Settings& settings)
{
    return settings.ecn >= abi::Ecn::offered || law::traits(settings.congestion).precise_marks;
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
    if (settings.quick_acks > 0) hurry_acks(c, kSoon);
}

// RFC 8257, 3.2: an acknowledgment that waits is for segments that were marked alike.
bool note_precisely(Transport& k, Connection& c, const Packet& packet, const Settings& settings)
{
    const bool marked = ecn::congestion(packet);
    if (marked == c.echo) return false;
    if (c.ack_pending) send_ack(k, c);
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

// RFC 9768, 3.1.1. False: the peer doesn't know of it, or asks for less.
[[gnu::noinline]] bool negotiate_accurately(Transport& k, Connection& c, const Packet& syn)
{
    const std::uint8_t said = syn.tcp().flags;
    if (!(said & tcp_flag::ack ? accurate::confirms(said) : accurate::asks(said))) return false;
    k.tcp.need_law_state(c);
    law::Accurate& state = k.tcp.law_states[c.law_state].accurate;
    state = {};
    state.agreed = state.untold = true;
    state.opening = ecn::codepoint(syn);
    c.ecn = c.beyond = c.echo = true;
    return true;
}

}  // namespace

std::uint8_t opening_flags(Transport& k, Connection& c)
{
    const Settings& settings = k.tcp.settings[c.settings];
    if (c.state == State::syn_received) {
        if (!c.ecn) return 0;
        const law::Accurate* state = accurate::of(k, c);
        return state ? accurate::encode_opening(state->opening) : tcp_flag::ece;
    }
    const bool asks_accurately = settings.ecn == abi::Ecn::accurate;  // once more, too (RFC 9768, 3.1.4.1)
    if (!offers(settings) || c.attempts > (asks_accurately ? 1 : 0)) return 0;
    label_all(c, settings);
    return asks_accurately ? accurate::kField : kBoth;
}

void negotiate(Transport& k, Connection& c, const Packet& syn)
{
    const Settings& settings = k.tcp.settings[c.settings];
    const std::uint8_t said = syn.tcp().flags & kBoth;
    if (settings.ecn == abi::Ecn::accurate && negotiate_accurately(k, c, syn)) return label_all(c, settings);
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

void opened_again(Transport& k, Connection& c, const Packet& packet)
{
    if (law::Accurate* state = accurate::of(k, c)) accurate::opened_again(*state, c, packet);
}

void opened(Transport& k, Connection& c, const Packet& packet)
{
    if (law::Accurate* state = accurate::of(k, c); state && accurate::opened(*state, c, packet)) reduce(k, c);
}

void count(Transport& k, Connection& c, const Packet& packet)
{
    if (law::Accurate* state = accurate::of(k, c)) accurate::count(k, c, *state, packet);
}

std::uint8_t echo(Transport& k, Connection& c, std::uint8_t flags)
{
    law::Accurate* state = c.ecn ? accurate::of(k, c) : nullptr;
    return state ? accurate::field(*state, flags) : tcp_flag::ece;
}

void add_option(Transport& k, Connection& c, Packet& packet)
{
    if (law::Accurate* state = accurate::of(k, c)) accurate::add_option(*state, packet);
}

bool note_mark(Transport& k, Connection& c, const Packet& packet)
{
    const Settings& settings = k.tcp.settings[c.settings];
    if (const law::Accurate* state = accurate::of(k, c)) return accurate::at_once(*state, packet);
    if (packet.payload == 0) return false;
    if (law::traits(settings.congestion).precise_marks) return note_precisely(k, c, packet, settings);
    if (packet.tcp().flags & tcp_flag::cwr) c.echo = false;
    if (!ecn::congestion(packet) || c.echo) return (packet.tcp().flags & tcp_flag::cwr) != 0;
    c.echo = true;
    hurry(c, settings);
    return true;
}

void acknowledged(Transport& k, Connection& c, const Packet& packet, std::uint32_t bytes, std::uint32_t delivered)
{
    const law::Sender s = sender(k, c);
    law::Echo& echo = s.state().echo;
    bool marked = packet.tcp().flags & tcp_flag::ece;
    const bool rules = law::rules(c);
    if (echo.over(c) && !c.recovering && !rules) c.cwnd = c.ssthresh;
    if (law::Accurate* state = accurate::of(k, c)) {
        const accurate::Marks marks = accurate::learn(*state, c, packet, delivered);
        marked = marks.packets > 0;
        law::echoed(s, delivered, marks.bytes);
    } else {
        law::echoed(s, bytes, marked ? bytes : 0);
    }
    if (marked) reduce(k, c);
    if (echo.reducing && c.adaptive && !c.recovering && !rules) c.cwnd = echo.allowed(c, bytes);
}

bool repeated(Transport& k, Connection& c, const Packet& packet, std::uint32_t delivered)
{
    law::Accurate* state = accurate::of(k, c);
    if (!state) {
        if (packet.tcp().flags & tcp_flag::ece) reduce(k, c);
        return true;
    }
    // One that tells of no arrival may be older than what is known (RFC 9768, 3.2.2.2), or acknowledge marked
    // acknowledgments (3.2.2.5.1), which have no blocks.
    if (delivered == 0) return !c.sack || packet.flags & packet_flag::sack;
    const accurate::Marks marks = accurate::learn(*state, c, packet, delivered);
    law::echoed(sender(k, c), delivered, marks.bytes);
    if (marks.packets > 0) reduce(k, c);
    return true;
}

void label(Transport& k, Connection& c, Packet& packet)
{
    const law::Accurate* state = accurate::of(k, c);
    if (state && !state->labels) return;
    packet.traffic_class |= ecn::kEct0;
    if (state) return;  // it says nothing of a reduction (RFC 9768, 3.1.5)
    law::Echo& echo = k.tcp.law_states[c.law_state].echo;
    if (!echo.tells) return;
    echo.tells = false;
    packet.tcp().flags |= tcp_flag::cwr;
}

}  // namespace anml::rt::tcp::congestion_notice
