// Arriving segments (RFC 9293, 3.10.7): to a connection, to a listener, to TIME_WAIT, or refused.
#include <algorithm>

#include "transport/congestion.h"
#include "transport/options/ecn.h"
#include "transport/options/fast_open.h"
#include "transport/options/keep_alive.h"
#include "transport/options/mtu_probing.h"
#include "transport/options/narrow_window.h"
#include "transport/options/tcp_options.h"
#include "transport/ports/local_ports.h"
#include "transport/recovery/frto.h"
#include "transport/recovery/rto.h"
#include "transport/sequence.h"
#include "transport/tcp.h"
#include "transport/upcalls.h"

namespace anml::rt::tcp {

namespace {

void closed(Transport& k, const node::Self& self, const Packet& packet, const Tuple& t)
{
    constexpr std::uint8_t kOpening = tcp_flag::syn | tcp_flag::ack | tcp_flag::rst;
    bool opens = (packet.tcp().flags & kOpening) == tcp_flag::syn;
    if (!facts.connections) return refuse(k, self, packet);
    if (TimeWaitRecord* waiting = k.tcp.time_wait.find(t, k.now)) {
        if (opens || (packet.tcp().flags & tcp_flag::rst)) {
            TimeWait::forget(*waiting);
            if (!k.tcp.shortages.empty()) [[unlikely]]
                local_ports::released(k, t);
            if (!opens) return;
        } else {
            if (packet.payload == 0 && !(packet.tcp().flags & (tcp_flag::fin | tcp_flag::syn))) return;
            send_bare(k, self, packet, tcp_flag::ack, waiting->sequence, waiting->acknowledgment);
            return;
        }
    }
    const auto listener = opens ? upcalls::listener(k, self.id, packet.destination_port) : std::nullopt;
    if (!listener)
        refuse(k, self, packet);
    else if (upcalls::take_syn(k, *listener))
        accept(k, self, packet, listener->app, listener->owner);
}

// Bytes; a SYN's are not scaled (RFC 7323, 2.2).
std::uint32_t window(const Connection& c, const Packet& packet)
{
    return packet.tcp().flags & tcp_flag::syn ? packet.tcp().window
                                              : std::uint32_t{packet.tcp().window} << c.send_shift;
}

// A round trip by the timestamp that a segment echoes.
void sample_echo(Transport& k, Connection& c, const Packet& packet, const Settings& settings)
{
    if (!c.timestamps || !tcp_options::has_timestamps(packet)) return;
    const std::uint32_t ticks = timestamp(k) - tcp_options::timestamp_echo(packet);
    if (static_cast<std::int32_t>(ticks) >= 0)
        rto::sample(c, std::min(ticks, rto::kMostMeasured / 1000) * 1000, settings);
}

// The peer has acknowledged the SYN: una is the first byte's sequence number.
void handshake_done(Transport& k, Connection& c, const Packet& packet)
{
    c.una = packet.tcp().acknowledgment;
    c.nxt = c.max = c.una;
    c.window = window(c, packet);
    c.window_sequence = packet.tcp().sequence;
    const Settings& settings = k.tcp.settings[c.settings];
    if (c.timing) {
        const std::uint32_t took = rto::timed(c, k.now);
        rto::sample(c, took, settings);
        rto::least(c, took);
    } else {
        sample_echo(k, c, packet, settings);
    }
    c.timing = false;
    if (!c.measured) rto::set(c, rto::kAfterLostSyn);
    // One segment if the handshake lost one (RFC 5681, 3.1); Linux wants to see that twice, with a time-out of 1 s.
    const bool careful = c.adaptive ? c.attempts > 1 : c.syn_repeated;
    c.attempts = 0;
    congestion::open(sender(k, c), careful ? 1 : settings.initial_window);
    stop_timer(c);
    c.state = State::established;
    narrow_window::begin(k, c);
    if (c.ecn) [[unlikely]]
        congestion_notice::opened(k, c, packet);
}

void syn_sent(Transport& k, const node::Self& self, std::uint32_t slot, const Packet& packet)
{
    Connection& c = k.tcp.connections[slot];
    bool ack = packet.tcp().flags & tcp_flag::ack, rst = packet.tcp().flags & tcp_flag::rst;
    const std::uint32_t first = c.una, early = c.max - first;  // of one that has sent data with its SYN
    if (ack && (c.early ? packet.tcp().acknowledgment - first > early : packet.tcp().acknowledgment != c.nxt)) {
        refuse(k, self, packet);
        return;
    }
    if (rst) {
        if (ack) fail(k, slot, Failure::reset);
        return;
    }
    if (!ack || !(packet.tcp().flags & tcp_flag::syn)) return;
    c.rcv_nxt = packet.tcp().sequence + 1;
    negotiate(k, c, packet);
    handshake_done(k, c, packet);
    if (tcp_options::has_fast_open(packet)) [[unlikely]]
        fast_open::learn(k, c, packet);
    if (c.early) [[unlikely]]
        return fast_open::answered(k, slot, c.una - first, early, tcp_options::has_fast_open(packet));
    send_ack(k, c);
    if (c.keep_alive) keep_alive::heard(k, slot);
    upcalls::established(k, slot);
}

bool acceptable(const Connection& c, const Packet& packet)
{
    std::uint32_t occupied = packet.payload + ((packet.tcp().flags & tcp_flag::fin) ? 1u : 0u) +
                             ((packet.tcp().flags & tcp_flag::syn) ? 1u : 0u);
    std::uint32_t limit = c.rcv_nxt + c.receive_window;
    // Into a closed window goes nothing, but what it acknowledges counts, and resets do (RFC 9293, 3.10.7.4).
    if (!before(packet.tcp().sequence, limit) && (c.receive_window > 0 || packet.tcp().sequence != limit)) return false;
    return occupied == 0 ? !before(packet.tcp().sequence, c.rcv_nxt)
                         : after(packet.tcp().sequence + occupied, c.rcv_nxt);
}

// Of a segment without SYN that acknowledges una or more.
void update_window(Connection& c, const Packet& packet)
{
    if (after(c.window_sequence, packet.tcp().sequence)) return;
    c.window = std::uint32_t{packet.tcp().window} << c.send_shift;
    c.window_sequence = packet.tcp().sequence;
}

// The law's own measurement: a round trip with each acknowledgment, where it can be told.
[[gnu::noinline]] void note_round_trip(Transport& k, Connection& c)
{
    const law::Sender s = sender(k, c);
    if (const auto at = s.state().sent.acknowledged(c.una)) law::acknowledged(s, rto::microseconds(k.now) - *at);
}

// una moves to the segment's acknowledgment, by which so much content is acknowledged. What was under way, or since a
// time-out.
[[gnu::always_inline]] inline std::uint32_t move_una(Transport& k, std::uint32_t slot, Connection& c,
                                                     const Packet& packet, std::uint64_t fresh)
{
    const std::uint32_t ack = packet.tcp().acknowledgment;
    c.acknowledged += fresh;
    if (c.beyond && c.queued) [[unlikely]]
        trim_spans(k, c);
    upcalls::acknowledged(k, slot, fresh);
    const std::uint32_t sent = c.nxt - c.una;
    c.una = ack;
    c.nxt = later(c.nxt, ack);
    c.attempts = 0;
    const Settings& settings = k.tcp.settings[c.settings];
    if (c.timing && !before(ack, c.timed_sequence)) {
        c.timing = false;
        const std::uint32_t took = rto::timed(c, k.now);
        rto::sample(c, took, settings);
        rto::least(c, took);
    } else {
        sample_echo(k, c, packet, settings);
    }
    return sent;
}

// The same with all that follows from it. `known`: what the peer had before the segment came.
void advance(Transport& k, std::uint32_t slot, const Packet& packet, std::uint32_t known)
{
    Connection& c = k.tcp.connections[slot];
    std::uint32_t ack = packet.tcp().acknowledgment;
    std::uint32_t bytes = ack - c.una;
    std::uint64_t content = c.length - c.acknowledged;
    if (bytes > content) c.fin_acked = true;  // the FIN's sequence number lies behind the content
    const std::uint64_t fresh = std::min<std::uint64_t>(bytes, content);
    const std::uint32_t sent = move_una(k, slot, c, packet, fresh);
    if (c.probing) probe_answered(k, c, packet);
    if (c.scoreboard != kNone) [[unlikely]] {
        undo(k, c, packet);
        Scoreboard& board = k.tcp.scoreboards[c.scoreboard];
        frto::advanced(k, c, ack - bytes);
        board.arrived.trim(c.una);
        if (const auto news = received_by_peer(k, c) - known - (bytes - static_cast<std::uint32_t>(fresh)); news != 0)
            upcalls::arrived(k, slot, news);
        board.retransmissions.acknowledged(c.una, k.now, least_round_trip(c));
    }
    if (law::records(c)) note_round_trip(k, c);
    if (c.beyond && law::rules(c)) [[unlikely]]
        k.tcp.law_states[c.law_state].delivery.acknowledged(c.una, k.now);
    if (mtu_probing::has(k, c)) [[unlikely]]
        mtu_probing::acknowledged(k, c);
    if (c.ecn) [[unlikely]]
        congestion_notice::acknowledged(k, c, packet, bytes, received_by_peer(k, c) - known);
    // What a time-out forgets, because the peer seems to have dropped it, is no news when it is acknowledged after all
    // (RFC 3465, 2.3).
    bool partial = congestion::acknowledge(sender(k, c), bytes, std::min(received_by_peer(k, c) - known, sent));
    if (c.una == c.max) {
        stop_timer(c);
    } else {
        // In recovery only the first partial acknowledgment restarts the timer (RFC 6582, section 3.2).
        if (!partial || !c.partial_seen) await_acknowledgment(k, slot);
        c.partial_seen |= partial;
        if (partial) retransmit_first(k, slot);
    }
}

bool brings(const Packet& packet) { return packet.payload > 0 || (packet.tcp().flags & tcp_flag::fin); }

// Nothing of ours is under way or waits, so that an acknowledgment of the same tells of a window at most.
bool quiet(const Transport& k, const Connection& c)
{
    return c.una == c.max && c.all_acknowledged() && !c.fin_queued && !(facts.mtu_searches && k.path_mtus.any());
}

// What waits leaves once what the segment brings is taken, and acknowledges it (Linux's tcp_data_snd_check).
bool sends_behind(const Connection& c, const Packet& packet)
{
    return brings(packet) && !behind_fin(c, c.max) && unsent(c) > 0;
}

// The segment's acknowledgment. False: the connection is gone, or the segment is to be ignored.
bool acknowledge(Transport& k, std::uint32_t slot, const Packet& packet, bool& sends_later)
{
    Connection& c = k.tcp.connections[slot];
    std::uint32_t ack = packet.tcp().acknowledgment;
    if (after(ack, c.max)) {
        send_ack(k, c);
        return false;
    }
    if (before(ack, c.una)) return true;
    bool had_content = !c.all_acknowledged(), repeated = false;
    const bool advanced = ack != c.una;
    const std::uint32_t known = received_by_peer(k, c);
    const bool opens = c.beyond && c.early;  // the handshake's last: it repeats none
    if (opens) [[unlikely]]
        fast_open::confirmed(k, slot, packet);
    const bool ruled = c.beyond && c.max != c.una && law::rules(c);
    if (ruled) [[unlikely]]
        k.tcp.law_states[c.law_state].delivery.note_flight(under_way(k, c));
    if (advanced && c.scoreboard != kNone) note_arrival(k, c, ack);
    bool news = c.sack && packet.flags & packet_flag::sack && update_scoreboard(k, c, packet);
    if (!advanced) {
        if (news) [[unlikely]]
            upcalls::arrived(k, slot, received_by_peer(k, c) - known);
        bool pure =
            packet.payload == 0 && !(packet.tcp().flags & tcp_flag::fin) && window(c, packet) == c.window && !opens;
        if (c.timer == Timer::persist) c.attempts = 0;  // the peer is there: it answers probes
        update_window(c, packet);
        if (c.ecn) [[unlikely]]
            pure &= congestion_notice::repeated(k, c, packet, received_by_peer(k, c) - known);
        repeated = (pure || news) && c.max != c.una && c.timer != Timer::persist;
        // Where segments overtake each other, all that arrives makes the window grow, in order or not, as in Linux.
        if (news && c.reorder_steps > 0 && !c.recovering && !congestion::after_time_out(c))
            congestion::grow(sender(k, c), received_by_peer(k, c) - known);
        if (repeated && c.sack)
            c.duplicates = static_cast<std::uint8_t>(std::min(c.duplicates + 1, 255));
        else if (repeated && ((mtu_probing::has(k, c) && mtu_probing::lost_by_duplicates(k, c)) ||
                              congestion::duplicate(sender(k, c))))
            retransmit_first(k, slot);
    } else {
        update_window(c, packet);
        advance(k, slot, packet, known);
    }
    if (c.sack && (c.scoreboard != kNone || repeated))
        look_for_losses(k, slot, received_by_peer(k, c) - known, advanced, repeated);
    else if (c.scoreboard != kNone) [[unlikely]]
        frto::acknowledged(k, c, advanced, repeated);
    if (ruled) [[unlikely]] {
        tell_losses(k, c);
        law::control(sender(k, c), under_way(k, c), congestion::after_time_out(c));
    }
    if (c.timer == Timer::persist && c.window > 0) {
        stop_timer(c);
        if (c.measured) rto::estimate(c, k.tcp.settings[c.settings]);  // probes of a closed window tell of no congestion
    }
    sends_later = sends_behind(c, packet);
    if (!sends_later) send_on(k, slot);

    if (had_content && c.all_acknowledged()) {
        upcalls::all_acknowledged(k, slot);
        if (c.state == State::free) return false;
    }
    if (c.fin_acked) {
        switch (c.state) {
            case State::fin_wait_1:
                c.state = State::fin_wait_2;
                start_timer(k, slot, Timer::idle, k.now + kIdleLimit);
                break;
            case State::closing:
                time_wait(k, c);
                release(k, slot);
                return false;
            case State::last_ack:
                release(k, slot);
                return false;
            default:
                break;
        }
    }
    return true;
}

// A server does not wait for ever for its client's request, or for more of one; that the peer's kernel answers probes
// changes nothing.
[[gnu::always_inline]] inline void rest(Transport& k, std::uint32_t slot, Connection& c, const Packet& packet)
{
    if (c.state != State::established) return;
    if (c.timer == Timer::idle && packet.payload > 0)
        c.transport.deadline = k.now + kIdleLimit;
    else if ((c.timer == Timer::none || c.timer == Timer::keep_alive) && upcalls::waits_for_peer(k, c))
        start_timer(k, slot, Timer::idle, k.now + kIdleLimit);
}

// Header prediction, after Van Jacobson: what most segments are, and need of all that follows. The next data, or none,
// or an acknowledgment of something, or both, on a connection that has nothing unusual. False: it is another one, and
// nothing has changed.
[[gnu::always_inline]] inline bool take_predicted(Transport& k, std::uint32_t slot, const Packet& packet)
{
    Connection& c = k.tcp.connections[slot];
    const std::uint8_t options = c.timestamps ? packet_flag::timestamps : 0;
    if (c.state <= State::syn_received || c.unusual() || c.scoreboard != kNone || c.out_of_order != kNone ||
        c.timer == Timer::persist || (packet.tcp().flags & ~tcp_flag::psh) != tcp_flag::ack ||
        (packet.flags & ~packet_flag::dont_fragment) != options || packet.tcp().sequence != c.rcv_nxt ||
        packet.payload > c.receive_window || (options && before(tcp_options::timestamp(packet), c.ts_recent)))
        return false;
    const std::uint32_t fresh = packet.tcp().acknowledgment - c.una;
    if (fresh == 0 ? !quiet(k, c) : fresh > c.max - c.una || fresh > c.length - c.acknowledged) return false;

    if (options && !after(c.rcv_nxt, c.last_ack_sent)) c.ts_recent = tcp_options::timestamp(packet);
    update_window(c, packet);
    bool sends_later = false;
    if (fresh != 0) {
        const std::uint32_t sent = move_una(k, slot, c, packet, fresh);
        if (law::records(c)) note_round_trip(k, c);
        congestion::acknowledge(sender(k, c), fresh, std::min(fresh, sent));
        if (c.una == c.max)
            stop_timer(c);
        else
            await_acknowledgment(k, slot);
        sends_later = packet.payload > 0 && sends_behind(c, packet);
        if (!sends_later) output(k, slot);
        if (c.all_acknowledged()) upcalls::all_acknowledged(k, slot);
    }
    if (packet.payload > 0 && c.state != State::free) receive_next(k, slot, packet, sends_later);
    rest(k, slot, c, packet);
    return true;
}

[[gnu::noinline]] void synchronized(Transport& k, const node::Self& self, std::uint32_t slot, const Packet& packet)
{
    Connection& c = k.tcp.connections[slot];
    bool syn = packet.tcp().flags & tcp_flag::syn, rst = packet.tcp().flags & tcp_flag::rst;
    bool stamped = c.timestamps && tcp_options::has_timestamps(packet);
    // Protection against wrapped sequence numbers (RFC 7323, 5.3).
    if (stamped && !rst && before(tcp_options::timestamp(packet), c.ts_recent)) {
        send_ack(k, c);
        return;
    }
    if (!acceptable(c, packet)) {
        if (rst) return;
        if (syn && c.ecn) [[unlikely]]
            congestion_notice::opened_again(k, c, packet);
        // A repetition of what was acknowledged last, whose acknowledgment is lost: the next one tells of this sending,
        // or the sender would take its back-off for a round trip (Linux's tcp_sequence() lets it in).
        const std::uint32_t end = packet.tcp().sequence + packet.payload + ((packet.tcp().flags & tcp_flag::fin) != 0);
        if (stamped && end == c.last_ack_sent) c.ts_recent = tcp_options::timestamp(packet);
        if (c.state == State::syn_received && syn && packet.tcp().sequence + 1 == c.rcv_nxt) {
            k.retransmissions += k.measuring();
            c.timing = false;
            send_syn(k, c);
            start_timer(k, slot, Timer::retransmit, k.now + rto::of(c));  // as if by it, which Linux does too
        } else if (c.early && syn) {
            fast_open::repeat(k, slot);
        } else {
            // The acknowledgment of what is repeated may be lost: the next ones do not wait (Linux's quick mode).
            if (packet.payload > 0) hurry_acks(c, k.tcp.settings[c.settings].quick_acks);
            send_ack(k, c);
        }
        return;
    }
    if (rst) {  // only the next sequence number is the peer's for sure
        if (packet.tcp().sequence == c.rcv_nxt) return fail(k, slot, Failure::reset);
        send_ack(k, c);
        return;
    }
    if (syn) {
        send_ack(k, c);
        return;
    }
    if (!(packet.tcp().flags & tcp_flag::ack)) return;
    if (c.ecn) [[unlikely]]
        congestion_notice::count(k, c, packet);
    if (stamped && !after(packet.tcp().sequence, c.last_ack_sent)) c.ts_recent = tcp_options::timestamp(packet);
    bool sends_later = false;
    if (c.state == State::syn_received) {
        if (packet.tcp().acknowledgment != c.nxt) {
            refuse(k, self, packet);
            return;
        }
        if (!upcalls::admits(k, slot)) return;  // the SYN/ACK comes again (Linux with tcp_abort_on_overflow = 0)
        handshake_done(k, c, packet);
        upcalls::established(k, slot);
    } else if (!acknowledge(k, slot, packet, sends_later)) {
        return;
    }
    if (brings(packet)) receive(k, slot, packet, sends_later);
    rest(k, slot, c, packet);
    if (c.keep_alive) [[unlikely]]
        keep_alive::heard(k, slot);
}

Tuple tuple_of(const node::Self& self, const Packet& packet)
{
    const Address local = self.row.anycast != 0 ? packet.destination : Address::none;
    return {self.id, packet.source, packet.destination_port, packet.source_port, local};
}

[[gnu::noinline]] void take_other(Transport& k, const node::Self& self, std::uint32_t slot, const Packet& packet)
{
    if (k.tcp.connections[slot].state == State::syn_sent)
        syn_sent(k, self, slot, packet);
    else
        synchronized(k, self, slot, packet);
}

}  // namespace

void input(Transport& k, const node::Self& self, const Packet& packet)
{
    const std::uint32_t slot = find(k, tuple_of(self, packet));
    if (slot == kNone) [[unlikely]]
        closed(k, self, packet, tuple_of(self, packet));
    else if (!take_predicted(k, slot, packet)) [[unlikely]]
        take_other(k, self, slot, packet);
}

}  // namespace anml::rt::tcp
