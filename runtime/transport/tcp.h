// TCP (RFC 9293) for virtual hosts and simulated servers: one engine for both sides.
//
// Sender: slow start, congestion avoidance, fast retransmit (RFC 5681), limited transmit (RFC 3042), recovery with
// selective acknowledgments (RFC 6675, 6937, 8985) or as NewReno (RFC 6582), initial window (RFC 6928), retransmission
// time-out (RFC 6298) and its undoing (RFC 4015, 5682), path MTU discovery (RFC 1191, 4821), Nagle's algorithm
// (nagle.h). Receiver: selective and delayed acknowledgments (RFC 2018, 1122). Both: window scaling, timestamps and
// PAWS (RFC 7323), Fast Open (RFC 7413; fast_open.h), keep-alive (keep_alive.h). What a host can set: settings.h.
// Segments: input.cpp; what is sent: send.cpp; sending: output.cpp; losses.cpp, recovery.cpp; receiving: receive.cpp;
// path MTUs: mtu_probing.cpp; life cycle: lifecycle.cpp; window laws: law/law.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "net/node/node.h"
#include "transport/connection.h"
#include "transport/recovery/scoreboard.h"
#include "transport/span.h"
#include "transport/transport.h"
#include "transport/upcalls.h"

namespace anml::rt::tcp {

// RFC 9293, 3.7.1: the peer sent no option.
constexpr std::uint16_t default_mss(Address remote) { return is_ipv6(remote) ? 1220 : 536; }
inline constexpr std::uint16_t kTcpHeader = 20;  // without options
// Of IP and TCP, of segments for that address.
constexpr std::uint16_t headers(Address remote) { return static_cast<std::uint16_t>(ip_header(remote) + kTcpHeader); }
inline constexpr std::uint8_t kSynAckRetries = 5;      // Linux's tcp_synack_retries
inline constexpr std::uint64_t kFewUnsent = 32 << 10;  // bytes, below which an application that refills is told
inline constexpr Time kIdleLimit = 60 * kSecond;       // a server hears nothing, or FIN_WAIT_2 no FIN, that long

// --- for nodes and the kernel
void input(Transport& k, const node::Self& self, const Packet& packet);
// An ICMP unreachable about a segment that `node` sent: `mtu` with code fragmentation needed.
void unreachable(Transport& k, NodeId node, const Packet& offender, std::uint8_t code, std::uint32_t mtu);
void routes_changed(Transport& k);  // a routing epoch begins
void transport_timer(Transport& k, std::uint32_t slot, Time at);
void acknowledgment_timer(Transport& k, std::uint32_t slot, Time at);
void application_timer(Transport& k, std::uint32_t slot, Time at);
void pacing_timer(Transport& k, std::uint32_t slot, Time at);

// --- for applications; all callbacks are in transport/upcalls.h
// Sends a SYN, and repeats it, if a local port is free (local_ports.h) and a route leads there. Who accepts it answers
// with the same traffic class (DSCP, without ECN).
Opened connect(Transport& k, Application app, NodeId node, Address remote, std::uint16_t remote_port,
               std::uint8_t traffic_class = 0);
// Sends a span behind what was sent before. With `then_close` its FIN goes with the last segment. Of a connection that
// is established, and has not been closed.
void send(Transport& k, std::uint32_t slot, const Span& span, bool then_close);
// The same of real bytes, which are copied.
void send_bytes(Transport& k, std::uint32_t slot, std::span<const std::uint8_t> bytes, bool then_close);
// A FIN follows what is being sent.
void close(Transport& k, std::uint32_t slot);
// The peer's FIN comes next, behind what the application is shown.
inline bool closes_next(const Connection& c) { return c.fin_seen && c.rcv_nxt == c.fin_sequence; }
// Sends RST, except for a SYN that nobody answered, and forgets the connection; no callback follows.
void abort(Transport& k, std::uint32_t slot);
// Its SYN is not answered; an application that has been told that it is established may have sent what goes with it.
inline bool connecting(const Connection& c) { return c.state == State::syn_sent; }
void set_application_timer(Transport& k, std::uint32_t slot, Time deadline);  // kNever: none

// How many spans it has that are not acknowledged.
inline std::size_t spans(const Transport& k, const Connection& c)
{
    return c.queued ? k.tcp.span_queues[c.content].size() : c.all_acknowledged() ? 0 : 1;
}

// --- within tcp/
// Bytes of the stream from `sequence` on; the FIN lies behind the last.
inline std::uint64_t left(const Connection& c, std::uint32_t sequence) { return c.length - c.offset(sequence); }
// `sequence` lies behind the FIN.
inline bool behind_fin(const Connection& c, std::uint32_t sequence)
{
    return c.fin_acked || c.offset(sequence) > c.length;
}
// The most that a segment from `sequence` on may have: it lies within a span, and within half of a narrow window.
std::uint32_t most_beyond(const Transport& k, const Connection& c, std::uint32_t sequence);
inline std::uint32_t most_at(const Transport& k, const Connection& c, std::uint32_t sequence)
{
    return c.beyond && (c.queued || c.narrow) ? most_beyond(k, c, sequence) : c.mss;
}
// Of the bytes that the application has sent so many have never left.
inline std::uint64_t unsent(const Connection& c) { return left(c, c.max); }
// All that is to be sent has room in the send buffer: a real application has written it.
inline bool buffered(const Transport& k, const Connection& c)
{
    return c.length - c.acknowledged <= k.tcp.settings[c.settings].send_buffer;
}
// Where the last segment of [begin, end) begins, which are sequence numbers with something between.
std::uint32_t last_segment(const Transport& k, const Connection& c, std::uint32_t begin, std::uint32_t end);
// What Connection::beyond says.
inline bool goes_beyond(const Connection& c)
{
    return c.queued || law::paces(c) || c.ecn || c.nagle || c.early || c.narrow;
}
void trim_spans(Transport& k, Connection& c);    // gives back those that are acknowledged
void forget_spans(Transport& k, Connection& c);  // all of them
// Of a millisecond, modulo eight seconds.
inline std::uint16_t eighths(const Transport& k) { return static_cast<std::uint16_t>(k.now / (kMillisecond / 8)); }
// The clock of timestamps ticks in milliseconds (RFC 7323, 5.4). With real hosts it goes on from run to run.
inline std::uint32_t timestamp(const Transport& k)
{
    return static_cast<std::uint32_t>((k.epoch + k.now) / kMillisecond);
}
inline law::Sender sender(Transport& k, Connection& c) { return {c, k.tcp.law_states, k.now}; }
Tuple tuple(const Connection& c);
// Of each segment that comes, a real host's where there are no connections, too.
[[gnu::always_inline]] inline std::uint32_t find(Transport& k, const Tuple& t)
{
    if (!facts.connections) return kNone;
    const auto is = [&](std::uint32_t slot) {
        const Connection& c = k.tcp.connections[slot];
        return c.node == t.node && c.remote == t.remote && c.local_port == t.local_port &&
               c.remote_port == t.remote_port && (t.local == Address::none || c.local == t.local);
    };
    std::uint32_t& last = k.nodes[t.node].last_connection;
    if (last == 0 || !is(last - 1)) last = k.tcp.table.find(t, is) + 1;
    return last - 1;
}
std::uint32_t allocate(Transport& k, const Tuple& tuple, LinkId link, const node::Self& self);
void release(Transport& k, std::uint32_t slot);
void fail(Transport& k, std::uint32_t slot, Failure failure);
void time_wait(Transport& k, const Connection& c);  // remembers it for a while: it closed first
std::uint32_t initial_sequence(const Transport& k, const Tuple& tuple);
std::uint16_t own_mss(Transport& k, const Connection& c);
void negotiate(Transport& k, Connection& c,
               const Packet& syn);  // keeps of what is offered what the peer's SYN offers too
void start_timer(Transport& k, std::uint32_t slot, Timer timer, Time deadline);
void stop_timer(Connection& c);
void delay_ack(Transport& k, std::uint32_t slot);
// The next acknowledgments, so many at least, do not wait.
inline void hurry_acks(Connection& c, std::uint8_t count)
{
    c.quick_acks = std::max(c.quick_acks, count);
    c.interactive = false;
}
// Whether the next segment has to wait for its pace; and output() when it may leave.
inline bool too_early(Transport& k, const Connection& c)
{
    return c.beyond && law::paces(c) && k.tcp.law_states[c.law_state].pacing.next > k.now;
}
// Whether new data has to wait for a small segment before it (nagle.h): not what fills one, or ends with a FIN. Several
// short spans are as one segment, which Linux would make of them: they leave together.
inline bool waits_for_small(const Transport& k, const Connection& c, std::uint32_t sequence)
{
    if (!c.nagle || c.fin_queued || sequence != c.max || left(c, sequence) >= c.mss) return false;
    return k.tcp.law_states[c.law_state].nagle.holds(c.una, sequence);
}
void wait_for_pace(Transport& k, std::uint32_t slot);

// SYN, or SYN/ACK in SYN_RECEIVED. With a cookie it has the option of Fast Open, with 0 to ask for one; and so many
// bytes of content.
void send_syn(Transport& k, Connection& c, std::optional<std::uint64_t> cookie = {}, std::uint32_t size = 0);
void send_ack(Transport& k, Connection& c);
// Sends `size` bytes of content from `sequence`, and a FIN behind them.
void send_data(Transport& k, Connection& c, std::uint32_t sequence, std::uint32_t size, bool fin);
void output(Transport& k, std::uint32_t slot);  // everything that the windows allow
// That, and asks the application for more.
[[gnu::always_inline]] inline void send_on(Transport& k, std::uint32_t slot)
{
    output(k, slot);
    const Connection& c = k.tcp.connections[slot];
    if (facts.secured && c.refills && unsent(c) < kFewUnsent) [[unlikely]]
        upcalls::drained(k, slot);
}
void retransmit_first(Transport& k, std::uint32_t slot);
// A byte into a closed window, or what a small one has room for.
void send_probe(Transport& k, std::uint32_t slot);
void send_keep_alive(Transport& k, Connection& c);  // what the peer has to answer
// A segment without a connection, in answer to `to`.
void send_bare(Transport& k, const node::Self& self, const Packet& to, std::uint8_t flags, std::uint32_t sequence,
               std::uint32_t acknowledgment);
// RST to a segment that no connection wants (RFC 9293, 3.10.7.1).
void refuse(Transport& k, const node::Self& self, const Packet& packet);
void send_reset(Transport& k, Connection& c);

// recovery.cpp
bool update_scoreboard(Transport& k, Connection& c, const Packet& packet);  // true: the peer has got something new
// Before an acknowledgment moves una, of one with a scoreboard: what it covers may have been overtaken.
void note_arrival(Transport& k, Connection& c, std::uint32_t acknowledgment);
// Up to where the peer has all, and the bytes that it has beyond: grows by what arrives.
inline std::uint32_t received_by_peer(const Transport& k, const Connection& c)
{
    return c.una + (c.scoreboard == kNone ? 0 : k.tcp.scoreboards[c.scoreboard].arrived.bytes);
}
// Before one was measured nothing is as long.
inline Time least_round_trip(const Connection& c) { return Time{c.least_rtt} * kMicrosecond; }
// Bytes that are under way, by what is known.
std::uint32_t under_way(const Transport& k, const Connection& c);
// Of a window law that rules: how much has been found to be lost since it was told last.
void tell_losses(Transport& k, Connection& c);
// Behind an acknowledgment by which so much has arrived; it moved una (`advanced`), or told nothing but what had.
// Where there is no scoreboard, of duplicates only.
void look_for_losses(Transport& k, std::uint32_t slot, std::uint32_t arrived, bool advanced, bool duplicate);
void recover(Transport& k, std::uint32_t slot);  // sends what is lost, and new data
void reordering_time_out(Transport& k, std::uint32_t slot);
void remember(Transport& k, Connection& c, Scoreboard& board);  // what undo() goes back to, as something is sent again
// Of one with a scoreboard: where the acknowledgment shows that it had arrived, all is as it was before.
void undo(Transport& k, Connection& c, const Packet& packet);
void take_back(Transport& k, Connection& c);
// A full segment of new data, or the last one, if the peer's window has room; its size in sequence numbers, or 0.
std::uint32_t send_new(Transport& k, Connection& c);
void await_acknowledgment(Transport& k, std::uint32_t slot);  // starts the timer for what is under way
void probe_for_loss(Transport& k, std::uint32_t slot);        // tail loss probe
void probe_answered(Transport& k, Connection& c, const Packet& packet);

void accept(Transport& k, const node::Self& self, const Packet& syn, Application app, std::uint32_t owner);
// Payload and FIN of an acceptable segment; `sends`: its acknowledgment has made room for what waits.
void receive(Transport& k, std::uint32_t slot, const Packet& packet, bool sends);
// The same of the next data, all of which has room, where none has come out of order, and nothing else is unusual.
void receive_next(Transport& k, std::uint32_t slot, const Packet& packet, bool sends);
// The first so many bytes of a SYN's payload, which are acknowledged.
void take_early(Transport& k, std::uint32_t slot, const Packet& syn, std::uint32_t count);

}  // namespace anml::rt::tcp
