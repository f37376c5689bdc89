// The life of a connection: slots, opening, closing, failing, and its timers.
#include <algorithm>
#include <utility>

#include "common/mix.h"
#include "transport/congestion.h"
#include "transport/options/ecn.h"
#include "transport/options/fast_open.h"
#include "transport/options/keep_alive.h"
#include "transport/options/mtu_probing.h"
#include "transport/options/tcp_options.h"
#include "transport/ports/local_ports.h"
#include "transport/read_rate.h"
#include "transport/recovery/frto.h"
#include "transport/recovery/rto.h"
#include "transport/tcp.h"
#include "transport/upcalls.h"

namespace anml::rt::tcp {

namespace {

void arm(Transport& k, NodeId node, LazyTimer& timer, Time due, std::uint32_t kind, std::uint32_t slot)
{
    if (due >= timer.armed) return;
    timer.armed = due;
    k.schedule(node, due, kind, slot);
}
void arm(Transport& k, NodeId node, LazyTimer& timer, std::uint32_t kind, std::uint32_t slot)
{
    arm(k, node, timer, timer.deadline, kind, slot);
}

// True if the timer has expired.
bool fires(Transport& k, Connection& c, LazyTimer& timer, std::uint32_t kind, std::uint32_t slot, Time at)
{
    if (timer.armed != at) return false;
    timer.armed = kNever;
    if (timer.deadline > at) {
        arm(k, c.node, timer, kind, slot);
        return false;
    }
    timer.deadline = kNever;
    return true;
}

// Nothing was acknowledged for an RTO: go back to the first unacknowledged segment.
void retransmission_time_out(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    const Settings& settings = k.tcp.settings[c.settings];
    bool handshake = c.state == State::syn_received || c.state == State::syn_sent;
    const std::uint8_t most = c.state == State::syn_sent       ? settings.syn_retries
                              : c.state == State::syn_received ? kSynAckRetries
                                                               : settings.retries;
    if (c.attempts >= most) {
        fail(k, slot, Failure::exhausted);
        return;
    }
    if (c.early && !handshake) return fast_open::time_out(k, slot);
    bool first = c.attempts++ == 0;
    if (c.state == State::syn_sent)
        rto::set(c, rto::after_syn(settings, c.attempts));
    else
        rto::back_off(c, settings);
    c.timing = false;  // Karn: what is sent twice is not timed
    c.timed_at = rto::microseconds(k.now);
    if (handshake) {
        c.syn_repeated = true;
        k.retransmissions += k.measuring();
        send_syn(k, c);
        start_timer(k, slot, Timer::retransmit, k.now + rto::of(c));
        return;
    }
    const Frto forward = frto::prepare(k, c, first);
    if (c.adaptive && first && !c.recovering) remember(k, c, k.tcp.scoreboard(c));
    if (mtu_probing::has(k, c)) mtu_probing::timed_out(k, c, first);
    congestion::time_out(sender(k, c), first);
    // What the peer said it has is sent again only if it seems to have dropped it after all (RFC 2018, section 8; RFC
    // 6675, 5.1), as in Linux.
    if (c.scoreboard != kNone) {
        Scoreboard& board = k.tcp.scoreboards[c.scoreboard];
        if (board.arrived.holds(c.una)) board.arrived.clear();
        board.begin_again(c.una);
    }
    c.probing = false;
    c.nxt = c.una;
    if (facts.mtu_searches && k.path_mtus.any()) mtu_probing::follow(k, c);
    retransmit_first(k, slot);
    frto::begin(k, c, forward);
    start_timer(k, slot, Timer::retransmit, k.now + rto::of(c));
}

}  // namespace

Tuple tuple(const Connection& c) { return {c.node, c.remote, c.local_port, c.remote_port}; }

std::uint32_t allocate(Transport& k, const Tuple& t, LinkId link, const node::Self& self)
{
    NodeState& node = k.nodes[t.node];
    std::uint32_t slot;
    Connection fresh;
    if (node.free_connection != 0) {
        slot = node.free_connection - 1;
        const Connection& old = k.tcp.connections[slot];
        node.free_connection = old.next_free;
        fresh.generation = old.generation + 1;
        fresh.transport.armed = old.transport.armed;  // their events are still pending
        fresh.application.armed = old.application.armed;
        fresh.acknowledgment.armed = old.acknowledgment.armed;
    } else {
        slot = k.tcp.connections.allocate();
    }
    fresh.node = t.node;
    fresh.link = link;
    fresh.local = self.toward(t.remote);
    fresh.settings = self.row.tcp;
    const Settings& settings = k.tcp.settings[fresh.settings];
    fresh.sack = settings.sack;
    fresh.timestamps = settings.timestamps;
    fresh.scaling = settings.window_scaling;
    fresh.adaptive = settings.adaptive;
    fresh.law = static_cast<std::uint8_t>(settings.congestion) & 7;
    fresh.law_state = k.tcp.new_law_state(settings);
    const law::Traits law = law::traits(settings.congestion);
    fresh.pacing = settings.pacing || law.rules;
    fresh.nagle = settings.nagle;
    fresh.keep_alive = settings.keep_alive > 0;
    fresh.beyond = fresh.pacing || fresh.nagle;
    fresh.byte_counting = settings.byte_counting;
    fresh.quick_acks = settings.quick_acks;
    fresh.receive_window = std::min(settings.receive_buffer, 0xffffu);
    fresh.remote = t.remote;
    fresh.local_port = t.local_port;
    fresh.remote_port = t.remote_port;
    reading::begin(k, fresh, slot);
    rto::set(fresh, rto::kInitial);
    k.tcp.connections[slot] = fresh;
    k.tcp.table.insert(t, slot);
    ++k.tcp.open;
    return slot;
}

void release(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    if (facts.secured || k.records_connections) upcalls::released(k, slot);
    k.tcp.table.erase(tuple(c), slot);
    k.nodes[c.node].last_connection = 0;
    c.state = State::free;
    c.transport.deadline = c.application.deadline = kNever;
    k.tcp.release_out_of_order(c.out_of_order);
    if (c.queued) forget_spans(k, c);
    k.tcp.release_scoreboard(c);
    k.tcp.release_law_state(c);
    c.next_free = k.nodes[c.node].free_connection;
    k.nodes[c.node].free_connection = slot + 1;
    --k.tcp.open;
    if (!k.tcp.shortages.empty()) [[unlikely]]
        local_ports::released(k, tuple(c));
}

void time_wait(Transport& k, const Connection& c)
{
    const Time lasts = k.tcp.settings[c.settings].time_wait;
    if (lasts > 0) k.tcp.time_wait.insert({tuple(c), c.nxt, c.rcv_nxt, c.timestamps, k.now + lasts}, k.now);
}

void fail(Transport& k, std::uint32_t slot, Failure failure)
{
    upcalls::failed(k, slot, failure);
    release(k, slot);
}

// RFC 6528 with a mixer of ours for the secret hash: unpredictability is not the point here, difference is. A real host
// keeps a connection in TIME_WAIT after a run has ended, and takes the next run's SYN for a new one only if its number
// is higher: so with real hosts the clock goes on from run to run, and the seed stays out of it.
std::uint32_t initial_sequence(const Transport& k, const Tuple& t)
{
    std::uint64_t secret = k.epoch == 0 ? mix(k.seed) : 0;
    return static_cast<std::uint32_t>(mix(t.hash() ^ secret)) + static_cast<std::uint32_t>((k.epoch + k.now) / 4000);
}

std::uint16_t own_mss(Transport& k, const Connection& c)
{
    std::uint32_t mtu = k.link(c.link).mtu;
    if (k.path_mtus.any()) [[unlikely]]
        mtu = k.path_mtus.most_of(c.local, c.remote, mtu, k.now);
    const std::uint16_t most =
        mtu > headers(c.remote) ? static_cast<std::uint16_t>(mtu - headers(c.remote)) : std::uint16_t{1};
    return std::min(most, k.tcp.settings[c.settings].segment);
}

void negotiate(Transport& k, Connection& c, const Packet& syn)
{
    const Settings& settings = k.tcp.settings[c.settings];
    c.sack = c.sack && tcp_options::sack_permitted(syn);
    c.timestamps = c.timestamps && tcp_options::has_timestamps(syn);
    c.scaling = c.scaling && tcp_options::has_window_scale(syn);
    congestion_notice::negotiate(k, c, syn);
    c.mss = std::min(own_mss(k, c), syn.tcp_syn().mss ? syn.tcp_syn().mss : default_mss(c.remote));
    if (c.timestamps) {
        c.ts_recent = tcp_options::timestamp(syn);
        c.round_stamp = eighths(k);
        c.round_sequence = syn.tcp().sequence + 1;
        c.mss = static_cast<std::uint16_t>(std::max(c.mss - tcp_options::kTimestamps, 1));
    }
    if (c.scaling) {
        c.send_shift = tcp_options::window_scale(syn);
        c.receive_shift = settings.shift;
        c.window_limit = static_cast<std::uint16_t>(0xffffu >> c.receive_shift);
    }
    if (mtu_probing::may_begin(k, settings)) [[unlikely]]
        mtu_probing::begin(k, c, syn.tcp_syn().mss ? syn.tcp_syn().mss : default_mss(c.remote));
}

Opened connect(Transport& k, Application app, NodeId node, Address remote, std::uint16_t remote_port,
               std::uint8_t traffic_class)
{
    node::Self self = node::self(k, node);
    const local_ports::Taken taken = local_ports::take(k, self, remote, remote_port);
    if (taken.port == 0) return {kNone, Failure::no_port};
    Tuple t{node, remote, taken.port, remote_port};
    LinkId link =
        k.route(self.row, self.element(), Flow{self.toward(remote), remote, protocol::tcp, taken.port, remote_port});
    if (link == kNone) {
        local_ports::released(k, t);
        return {kNone, Failure::no_route};
    }
    std::uint32_t slot = allocate(k, t, link, self);
    Connection& c = k.tcp.connections[slot];
    c.app = app;
    c.traffic_class = traffic_class;
    c.state = State::syn_sent;
    c.una = c.nxt = taken.sequence.value_or(initial_sequence(k, t));
    c.max = ++c.nxt;
    c.timing = true;
    c.timed_at = rto::microseconds(k.now);
    c.timed_sequence = c.nxt;
    rto::set(c, rto::after_syn(k.tcp.settings[c.settings], 0));
    if (k.tcp.settings[c.settings].fast_open) [[unlikely]] {
        fast_open::begin(k, slot);
        return {slot};
    }
    send_syn(k, c);
    start_timer(k, slot, Timer::retransmit, k.now + rto::of(c));
    return {slot};
}

void accept(Transport& k, const node::Self& self, const Packet& syn, Application app, std::uint32_t owner)
{
    const Address local = self.answering(syn);
    const Flow flow{local, syn.source, protocol::tcp, syn.destination_port, syn.source_port};
    LinkId link = k.route(self.row, self.element(), flow);
    if (link == kNone) link = k.route_otherwise(self.row, self.element(), flow);
    if (link == kNone) return;
    Tuple t{self.id, syn.source, syn.destination_port, syn.source_port};
    std::uint32_t slot = allocate(k, t, link, self);
    Connection& c = k.tcp.connections[slot];
    c.local = local;
    c.app = app;
    c.owner = owner;
    c.traffic_class = ecn::without(syn.traffic_class);
    c.state = State::syn_received;
    c.una = c.nxt = initial_sequence(k, t);
    c.max = ++c.nxt;
    c.rcv_nxt = syn.tcp().sequence + 1;
    c.window = syn.tcp().window;
    c.window_sequence = syn.tcp().sequence;
    negotiate(k, c, syn);
    c.timing = true;
    c.timed_at = rto::microseconds(k.now);
    c.timed_sequence = c.nxt;
    upcalls::accepted(k, slot);
    if (tcp_options::has_fast_open(syn) && k.tcp.settings[c.settings].fast_open) [[unlikely]]
        return fast_open::accept(k, slot, syn);
    send_syn(k, c);
    start_timer(k, slot, Timer::retransmit, k.now + rto::of(c));
}

void close(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    if (c.fin_queued) return;
    c.fin_queued = true;
    if (c.timer == Timer::keep_alive) c.attempts = 0;  // they were probes
    if (c.early && c.state == State::syn_sent) return;
    c.state = c.state == State::close_wait ? State::last_ack : State::fin_wait_1;
    output(k, slot);
}

void abort(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    if (c.state != State::syn_sent) send_reset(k, c);
    release(k, slot);
}

void start_timer(Transport& k, std::uint32_t slot, Timer timer, Time deadline)
{
    Connection& c = k.tcp.connections[slot];
    c.timer = timer;
    c.transport.deadline = deadline;
    arm(k, c.node, c.transport, timer_kind::transport, slot);
}

void stop_timer(Connection& c)
{
    c.timer = Timer::none;
    c.transport.deadline = kNever;
}

void set_application_timer(Transport& k, std::uint32_t slot, Time deadline)
{
    Connection& c = k.tcp.connections[slot];
    c.application.deadline = deadline;
    arm(k, c.node, c.application, timer_kind::application, slot);
}

// When the next acknowledgment is due; kNever: none waits.
static Time acknowledgment_due(Transport& k, const Connection& c)
{
    const Time due = c.ack_pending ? c.acknowledgment.deadline : kNever;
    return reading::slow(c) ? std::min(due, reading::of(k, c).opens) : due;
}

void delay_ack(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    arm(k, c.node, c.acknowledgment, acknowledgment_due(k, c), timer_kind::acknowledgment, slot);
}

void acknowledgment_timer(Transport& k, std::uint32_t slot, Time at)
{
    Connection& c = k.tcp.connections[slot];
    if (c.acknowledgment.armed != at) return;
    c.acknowledgment.armed = kNever;
    if (c.state == State::free) return;
    if (acknowledgment_due(k, c) > at) return delay_ack(k, slot);
    c.interactive = false;
    send_ack(k, c);
}

void wait_for_pace(Transport& k, std::uint32_t slot)
{
    const Connection& c = k.tcp.connections[slot];
    law::Pacing& pacing = k.tcp.law_states[c.law_state].pacing;
    pacing.timer.deadline = pacing.next;
    arm(k, c.node, pacing.timer, timer_kind::pacing, slot);
}

// Of a connection that is gone the event may still come, to one that does not pace.
void pacing_timer(Transport& k, std::uint32_t slot, Time at)
{
    Connection& c = k.tcp.connections[slot];
    if (c.state == State::free || !law::paces(c)) return;
    if (fires(k, c, k.tcp.law_states[c.law_state].pacing.timer, timer_kind::pacing, slot, at)) output(k, slot);
}

void application_timer(Transport& k, std::uint32_t slot, Time at)
{
    Connection& c = k.tcp.connections[slot];
    if (fires(k, c, c.application, timer_kind::application, slot, at)) upcalls::timer(k, slot);
}

void transport_timer(Transport& k, std::uint32_t slot, Time at)
{
    Connection& c = k.tcp.connections[slot];
    if (!fires(k, c, c.transport, timer_kind::transport, slot, at)) return;
    switch (std::exchange(c.timer, Timer::none)) {
        case Timer::none:
            break;
        case Timer::retransmit:
            retransmission_time_out(k, slot);
            break;
        case Timer::persist:
            if (c.attempts++ >= k.tcp.settings[c.settings].retries) {
                fail(k, slot, Failure::exhausted);
                break;
            }
            if (c.window > 0) {
                send_probe(k, slot);
                await_acknowledgment(k, slot);
                break;
            }
            rto::back_off(c, k.tcp.settings[c.settings]);
            send_probe(k, slot);
            start_timer(k, slot, Timer::persist, k.now + rto::of(c));
            break;
        case Timer::idle:
            // The application may have something to read, or to answer.
            if (c.state == State::established && (c.receive_window == 0 || !upcalls::waits_for_peer(k, c))) {
                start_timer(k, slot, Timer::idle, k.now + kIdleLimit);
                break;
            }
            send_reset(k, c);
            fail(k, slot, Failure::exhausted);
            break;
        case Timer::probe:
            probe_for_loss(k, slot);
            break;
        case Timer::reorder:
            reordering_time_out(k, slot);
            break;
        case Timer::keep_alive:
            keep_alive::expired(k, slot);
            break;
        case Timer::fast_open:
            fast_open::send_first(k, slot);
            break;
    }
}

void unreachable(Transport& k, NodeId node, const Packet& offender, std::uint8_t code, std::uint32_t mtu)
{
    std::uint32_t slot = find(k, {node, offender.destination, offender.source_port, offender.destination_port});
    if (slot == kNone) return;
    Connection& c = k.tcp.connections[slot];
    const std::uint32_t sequence = offender.tcp().sequence;
    if (before(sequence, c.una - c.early) || after(sequence, c.max)) return;  // not about what is in flight
    if (code == node::icmp::fragmentation_needed) {
        // RFC 1191, 8201: smaller segments from here on, and what was lost again, without touching the congestion
        // window.
        const std::uint32_t least = is_ipv6(c.remote) ? PathMtus::kLeast : 68u;
        if (mtu < least) return;
        k.path_mtus.learn(c.local, c.remote, mtu, k.now);
        if (c.state == State::syn_sent || c.state == State::syn_received) return;
        if (!mtu_probing::told(k, c, mtu) || c.una == c.max) return;
        c.nxt = c.una;
        c.timing = false;
        if (c.scoreboard != kNone) k.tcp.scoreboards[c.scoreboard].begin_again(c.una);
        retransmit_first(k, slot);
        output(k, slot);
        return;
    }
    // Network and host unreachable may pass (RFC 1122, 4.2.3.9); a SYN is not worth the wait, as for Linux.
    bool soft = code == node::icmp::network || code == node::icmp::host;
    if (!soft || c.state == State::syn_sent) return fail(k, slot, Failure::reset);
    // What was repeated met no congestion: one back-off is taken back (RFC 6069).
    if (!c.adaptive || c.timer != Timer::retransmit || c.attempts == 0 || sequence != c.una || !c.measured) return;
    const Time sent = c.transport.deadline - rto::of(c);
    c.rto = std::max(rto::estimated(c, k.tcp.settings[c.settings]), c.rto / 2);
    start_timer(k, slot, Timer::retransmit, std::max(k.now, sent + rto::of(c)));
}

}  // namespace anml::rt::tcp
