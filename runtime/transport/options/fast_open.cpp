#include "transport/options/fast_open.h"

#include <algorithm>
#include <utility>

#include "common/mix.h"
#include "transport/congestion.h"
#include "transport/options/accurate_ecn.h"
#include "transport/options/ecn.h"
#include "transport/options/keep_alive.h"
#include "transport/options/mtu_probing.h"
#include "transport/options/tcp_options.h"
#include "transport/recovery/rto.h"
#include "transport/upcalls.h"

namespace anml::rt::tcp::fast_open {

namespace {

constexpr std::uint16_t kOptions = 40;  // bytes, the most that a header has room for

// What the server gives that client. A mixer of ours for the secret function: nobody is to be kept out.
std::uint64_t cookie_for(const Transport& k, Address server, Address client)
{
    const std::uint64_t made = mix(mix(k.seed) ^ (std::uint64_t{number(server)} << 32 | number(client)));
    return made == 0 ? 1 : made;
}

Cookies::Known* known(Transport& k, const Connection& c) { return k.tcp.cookies.find(c.node, c.remote); }

// After two SYNs in a row whose data something on the way does not let through, none is tried for four minutes, then
// for eight (Linux's tcp_fastopen_cookie_check).
bool gives_up(const Cookies::Known& server, Time now)
{
    constexpr Time kFirst = 60 * kSecond;
    constexpr int kMost = 10;
    return server.lost > 1 && now < server.lost_at + (kFirst << std::min<int>(server.lost, kMost));
}

void await_answer(Transport& k, std::uint32_t slot)
{
    start_timer(k, slot, Timer::retransmit, k.now + rto::of(k.tcp.connections[slot]));
}

// The time of what leaves now is the handshake's.
void time_handshake(Transport& k, Connection& c)
{
    c.timing = true;
    c.timed_at = rto::microseconds(k.now);
    c.timed_sequence = c.una;
}

// una moves from the SYN to what lies behind it.
void pass_syn(Connection& c)
{
    c.early = true;
    c.una = c.max = c.nxt;
}

}  // namespace

void begin(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    const Cookies::Known* server = known(k, c);
    if (server == nullptr || gives_up(*server, k.now)) {
        send_syn(k, c, server ? std::nullopt : std::optional<std::uint64_t>(0));
        await_answer(k, slot);
        return;
    }
    pass_syn(c);
    const int most = std::min(own_mss(k, c), server->mss != 0 ? server->mss : default_mss(c.remote)) - kOptions;
    c.mss = static_cast<std::uint16_t>(std::max(most, 1));
    start_timer(k, slot, Timer::fast_open, k.now);
}

void send_first(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    upcalls::established(k, slot);
    if (c.state != State::syn_sent) return;
    std::uint32_t size = 0;
    const Cookies::Known* server = known(k, c);  // another may have taken its place meanwhile
    if (server) size = static_cast<std::uint32_t>(std::min<std::uint64_t>(most_at(k, c, c.una), left(c, c.una)));
    send_syn(k, c, server ? server->cookie : 0, size);
    c.nxt = c.max = c.una + size;
    time_handshake(k, c);
    await_answer(k, slot);
}

void forgo(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    if (!c.early) return;
    c.early = false;
    --c.una;  // the SYN again
    send_syn(k, c);
    await_answer(k, slot);
}

void learn(Transport& k, const Connection& c, const Packet& syn_ack)
{
    const std::uint64_t cookie = tcp_options::cookie(syn_ack);
    if (cookie == 0 || !k.tcp.settings[c.settings].fast_open) return;
    k.tcp.cookies.keep(c.node, {.cookie = cookie, .server = c.remote, .mss = syn_ack.tcp_syn().mss});
}

void answered(Transport& k, std::uint32_t slot, std::uint32_t accepted, std::uint32_t sent, bool given)
{
    Connection& c = k.tcp.connections[slot];
    if (Cookies::Known* server = known(k, c)) {
        const bool lost = c.syn_repeated && accepted < sent && !given;
        server->lost = lost ? static_cast<std::uint8_t>(std::min(server->lost + 1, 255)) : std::uint8_t{0};
        if (lost) server->lost_at = k.now;
    }
    c.early = false;
    c.acknowledged += accepted;
    if (c.queued) trim_spans(k, c);
    if (c.fin_queued) c.state = State::fin_wait_1;
    // What the server has not taken goes again as if it had never left.
    if (accepted < sent) k.retransmissions += k.measuring();
    if (accepted > 0) upcalls::acknowledged(k, slot, accepted);
    c.ack_pending = true;
    if (c.ecn && accurate::of(k, c)) send_ack(k, c);  // it says how the SYN/ACK came, without data (RFC 9768, 3.2.2.1)
    output(k, slot);
    if (c.ack_pending) send_ack(k, c);
    if (c.keep_alive) keep_alive::heard(k, slot);
    if (accepted > 0 && c.all_acknowledged()) upcalls::all_acknowledged(k, slot);
}

void accept(Transport& k, std::uint32_t slot, const Packet& syn)
{
    Connection& c = k.tcp.connections[slot];
    const std::uint64_t own = cookie_for(k, c.local, c.remote);
    if (tcp_options::cookie(syn) != own) {  // it has none, or an old one: its data count for nothing
        send_syn(k, c, own);
        await_answer(k, slot);
        return;
    }
    const std::uint32_t taken = std::min<std::uint32_t>(syn.payload, c.receive_window);
    pass_syn(c);
    c.beyond = true;
    c.rcv_nxt += taken;
    send_syn(k, c);
    time_handshake(k, c);
    await_answer(k, slot);
    c.state = State::established;
    congestion::open(sender(k, c), k.tcp.settings[c.settings].initial_window);
    upcalls::established(k, slot);
    if (taken > 0 && c.state != State::free) take_early(k, slot, syn, taken);
}

void repeat(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    k.retransmissions += k.measuring();
    c.timing = false;
    const State state = std::exchange(c.state, State::syn_received);
    send_syn(k, c);
    c.state = state;
    await_answer(k, slot);
}

void time_out(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    if (c.attempts >= kSynAckRetries) return fail(k, slot, Failure::exhausted);
    ++c.attempts;
    rto::back_off(c, k.tcp.settings[c.settings]);
    repeat(k, slot);
}

void confirmed(Transport& k, std::uint32_t slot, const Packet& packet)
{
    Connection& c = k.tcp.connections[slot];
    // One that acknowledges more follows another, which is lost.
    if (c.ecn && packet.tcp().acknowledgment == c.una) congestion_notice::opened(k, c, packet);
    c.early = false;
    c.beyond = mtu_probing::has(k, c) || goes_beyond(c);
    c.attempts = 0;
    if (c.timing && c.timed_sequence == c.una) {
        c.timing = false;
        const std::uint32_t took = rto::timed(c, k.now);
        rto::sample(c, took, k.tcp.settings[c.settings]);
        rto::least(c, took);
    }
    if (!c.measured) rto::set(c, rto::kAfterLostSyn);
    if (c.una == c.max)
        stop_timer(c);
    else
        await_acknowledgment(k, slot);
}

}  // namespace anml::rt::tcp::fast_open
