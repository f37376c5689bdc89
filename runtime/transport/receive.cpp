// Receiving: payload into order, and the peer's FIN.
#include <algorithm>

#include "transport/options/ecn.h"
#include "transport/options/tcp_options.h"
#include "transport/read_rate.h"
#include "transport/recovery/range_set.h"
#include "transport/recovery/rto.h"
#include "transport/tcp.h"
#include "transport/upcalls.h"

namespace anml::rt::tcp {

namespace {

// The packet's payload, from its byte `skip` on.
Piece piece_of(const Transport& k, const Packet& packet, std::uint32_t skip, std::uint32_t count)
{
    if (packet.buffer == kNone) return {packet.content, packet.offset_in_content() + skip, count, false, {}};
    return {0, 0, count, true, k.buffers.bytes(packet.buffer).subspan(packet.length - packet.payload + skip, count)};
}

void open_set(Transport& k, Connection& c, std::uint32_t first)
{
    if (c.out_of_order != kNone) return;
    c.out_of_order = k.tcp.new_out_of_order();
    std::ranges::fill(k.tcp.out_of_order[c.out_of_order].ranges.recent, first);
}

// The range that changed last comes first.
void note(RangeSet& set, std::uint32_t begin, std::uint32_t end)
{
    set.add(begin, end);
    const std::uint32_t now = set.find(begin);
    std::size_t before_it = 0;
    while (before_it + 1 < RangeSet::kRecent && set.find(set.recent[before_it]) != now) ++before_it;
    std::copy_backward(set.recent, set.recent + before_it, set.recent + before_it + 1);
    set.recent[0] = begin;
}

// Keeps [begin, end), which is out of order; what finds no place is forgotten, the peer will send it again.
[[gnu::noinline]] void keep(Transport& k, Connection& c, const Packet& packet, std::uint32_t begin, std::uint32_t end)
{
    if (!after(end, begin)) return;
    open_set(k, c, begin);
    auto& [set, pieces] = k.tcp.out_of_order[c.out_of_order];
    if (c.reads) {
        if (pieces.full()) return;
        pieces.add(begin, end, piece_of(k, packet, 0, end - begin));
    }
    note(set, begin, end);
}

// Keeps that the FIN came out of order: it takes a sequence number.
[[gnu::noinline]] void keep_fin(Transport& k, Connection& c)
{
    open_set(k, c, c.fin_sequence);
    note(k.tcp.out_of_order[c.out_of_order].ranges, c.fin_sequence, c.fin_sequence + 1);
}

// Moves rcv_nxt over the range that it has reached, and what the application is to be shown of it to Stack::shown.
[[gnu::noinline]] void take_ranges(Transport& k, Connection& c)
{
    auto& [set, pieces] = k.tcp.out_of_order[c.out_of_order];
    set.trim(c.rcv_nxt);
    if (set.count > 0 && set[0].begin == c.rcv_nxt) {
        c.rcv_nxt = set[0].end;
        set.trim(c.rcv_nxt);
        if (c.fin_seen && after(c.rcv_nxt, c.fin_sequence)) c.rcv_nxt = c.fin_sequence;  // finish() goes on
    }
    if (!pieces.empty()) [[unlikely]]
        pieces.take(c.rcv_nxt, k.tcp.shown, k.tcp.spare);
    if (set.count == 0) k.tcp.release_out_of_order(c.out_of_order);
}

void show(Transport& k, std::uint32_t slot, const Piece& piece)
{
    if (k.tcp.connections[slot].reads)
        upcalls::read(k, slot, piece);
    else
        upcalls::data(k, slot);
}

// Shows the application `first`, which ends before `end`, and what was held behind it.
[[gnu::noinline]] void show_held(Transport& k, std::uint32_t slot, const Piece& first, std::uint32_t end)
{
    Connection& c = k.tcp.connections[slot];
    ReassemblyQueue& shown = k.tcp.shown;
    c.received += first.length;
    show(k, slot, first);
    for (const ReassemblyQueue::Held& held : shown.all()) {
        if (c.state == State::free) break;
        if (!after(held.end, end)) continue;
        const std::uint32_t from = later(held.begin, end);
        c.received += held.end - end;  // what lies between was not to be shown
        end = held.end;
        show(k, slot, shown.piece(held, from));
    }
    shown.clear();
    if (c.state == State::free || end == c.rcv_nxt) return;
    c.received += c.rcv_nxt - end;  // came when it was not to be shown
    upcalls::data(k, slot);
}

// How long a round trip takes, by the echoes of timestamps, each once: what is shorter counts at once, what is longer
// by an eighth (tcp_rcv_rtt_update).
void time_round(Connection& c, const Packet& packet, std::uint32_t now)
{
    const std::uint32_t echo = tcp_options::timestamp_echo(packet);
    const auto took = static_cast<std::int32_t>(now - echo);
    if (static_cast<std::uint8_t>(echo) == c.round_echo || packet.payload < c.largest_segment || took < 0) return;
    c.round_echo = static_cast<std::uint8_t>(echo);
    const int measured = std::clamp(took, 1, 0xffff / 8);
    const bool shorter = c.round_time == 0 || 8 * measured < c.round_time;
    c.round_time = static_cast<std::uint16_t>(shorter ? 8 * measured : c.round_time + measured - c.round_time / 8);
}

// What came in a round trip is what the window has to hold: twice, because that is known one round trip late, and as
// much more as it grew by, twice again, so that a sender whose window doubles does not meet it (Linux's dynamic
// right-sizing, tcp_rcv_space_adjust).
void measure_round(Transport& k, Connection& c, const Packet& packet)
{
    constexpr std::uint32_t kFirst = 10;  // segments: what the first round trip is compared with
    time_round(c, packet, timestamp(k));
    const std::uint16_t now = eighths(k);
    if (c.round_time == 0 || static_cast<std::uint16_t>(now - c.round_stamp) < c.round_time) return;
    const std::uint32_t came = c.rcv_nxt - c.round_sequence;
    if (c.round_bytes == 0) c.round_bytes = kFirst * c.largest_segment;
    if (came > c.round_bytes) {
        const std::uint64_t held = 2ull * came;
        const std::uint64_t enough = held + 2 * (held * (came - c.round_bytes) / c.round_bytes);
        const std::uint64_t limit = std::min<std::uint64_t>(enough >> c.receive_shift, 0xffff);
        c.window_limit = std::max(c.window_limit, static_cast<std::uint16_t>(limit));
        c.round_bytes = came;
    }
    c.round_stamp = now;
    c.round_sequence = c.rcv_nxt;
}

// By twice of what came, up to `most` and what the round trips so far need. False: the window has what it may.
bool grow_window(Transport& k, Connection& c, const Packet& packet, std::uint32_t came, std::uint32_t most)
{
    if (c.receive_window >= most) return false;
    if (c.timestamps) most = std::min(most, std::uint32_t{c.window_limit} << c.receive_shift);
    const bool grows = c.receive_window < most;
    if (grows)
        c.receive_window = static_cast<std::uint32_t>(std::min<std::uint64_t>(c.receive_window + 2ull * came, most));
    if (c.timestamps) measure_round(k, c, packet);
    return grows;
}

// The peer's FIN is in order. False: the connection is gone.
bool finish(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    c.fin_received = true;
    ++c.rcv_nxt;
    c.ack_pending = true;
    switch (c.state) {
        case State::established:
            c.state = State::close_wait;
            upcalls::peer_closed(k, slot);
            return c.state != State::free;
        case State::fin_wait_1:
            c.state = State::closing;
            upcalls::peer_closed(k, slot);
            return c.state != State::free;
        case State::fin_wait_2:
            send_ack(k, c);
            time_wait(k, c);
            upcalls::peer_closed(k, slot);
            release(k, slot);
            return false;
        default:
            return true;
    }
}

// Data comes after a pause that is longer than a time-out: the peer may have begun anew with a small window, and is
// not to wait for acknowledgments, as with Linux.
[[gnu::noinline]] void come_back(Transport& k, Connection& c, const Settings& settings)
{
    const Time paused = k.now - (c.acknowledgment.deadline - settings.delayed_ack);
    if (paused > rto::of(c)) c.quick_acks = std::max(c.quick_acks, settings.quick_acks);
}

// Data has come. True: what came before it is not acknowledged yet.
[[gnu::always_inline]] inline bool note_data(Transport& k, Connection& c, const Settings& settings)
{
    const bool second = c.ack_pending;
    c.ack_pending = true;
    if (k.now > c.acknowledgment.deadline) [[unlikely]]
        come_back(k, c, settings);
    c.acknowledgment.deadline = k.now + settings.delayed_ack;
    return second;
}

// The segment is acknowledged, unless something has been sent since: at once, or in a while.
[[gnu::always_inline]] inline void answer(Transport& k, std::uint32_t slot, Connection& c, const Packet& packet,
                                          bool grown, bool at_once)
{
    if (!c.ack_pending) return;
    const Settings& settings = k.tcp.settings[c.settings];
    // Half of the window, which opens again (RFC 1122, 4.2.3.3; Linux's tcp_cleanup_rbuf).
    at_once |= settings.delayed_ack == 0 || 2 * std::uint64_t{c.rcv_nxt - c.last_ack_sent} >= c.receive_window;
    // Linux, unless it waits for the next answer, acknowledges what the application has read to the end, which a small
    // segment stands for, and tells the sender of each new window.
    if (settings.quick_acks > 0 && !c.interactive)
        at_once |= c.quick_acks > 0 || grown || packet.payload < c.largest_segment;
    if (at_once)
        send_ack(k, c);
    else
        delay_ack(k, slot);
}

}  // namespace

void take_early(Transport& k, std::uint32_t slot, const Packet& syn, std::uint32_t count)
{
    Connection& c = k.tcp.connections[slot];
    c.received = count;
    c.largest_segment = syn.payload;
    Piece piece = piece_of(k, syn, 0, count);
    if (!piece.real) piece.offset = tcp_options::offset_in_content(syn);
    show(k, slot, piece);
}

void receive(Transport& k, std::uint32_t slot, const Packet& packet, bool sends)
{
    Connection& c = k.tcp.connections[slot];
    const Settings& settings = k.tcp.settings[c.settings];
    std::uint32_t begin = packet.tcp().sequence, end = begin + packet.payload, reached = c.rcv_nxt;
    const bool marks = c.ecn && congestion_notice::note_mark(k, c, packet);
    // Out of order, or filling a gap: such segments are acknowledged at once (RFC 5681, 4.2).
    bool grown = false, irregular = begin != c.rcv_nxt || c.out_of_order != kNone, second = false;
    const bool fin = (packet.tcp().flags & tcp_flag::fin) && !c.fin_received;
    if (fin) {
        c.fin_seen = true;
        c.fin_sequence = end;
    }
    if (packet.payload > 0 && !c.fin_received) {
        second = note_data(k, c, settings);
        c.largest_segment = std::max(c.largest_segment, packet.payload);
        std::uint32_t limit = c.rcv_nxt + c.receive_window;
        if (after(end, limit)) end = limit;
        if (after(begin, c.rcv_nxt)) {
            keep(k, c, packet, begin, end);
        } else if (after(end, c.rcv_nxt)) {
            std::uint32_t skip = c.rcv_nxt - begin, count = end - c.rcv_nxt;
            c.rcv_nxt = end;
            if (c.out_of_order != kNone) take_ranges(k, c);
            if (reading::slow(c)) [[unlikely]]
                reading::took(k, c, c.rcv_nxt - reached);
            else
                grown = c.scaling && !c.fin_seen &&
                        grow_window(k, c, packet, c.rcv_nxt - reached, settings.receive_buffer);
            if (irregular && !k.tcp.shown.empty()) [[unlikely]] {
                show_held(k, slot, piece_of(k, packet, skip, count), end);
            } else {
                c.received += c.rcv_nxt - reached;
                if (c.reads) [[unlikely]]
                    upcalls::read(k, slot, piece_of(k, packet, skip, count));
                else
                    upcalls::data(k, slot);
            }
            if (c.state == State::free) return;
        }
    }
    if (fin) c.ack_pending = true;
    if (fin && c.sack && after(c.fin_sequence, c.rcv_nxt)) [[unlikely]]
        keep_fin(k, c);
    if (c.fin_seen && !c.fin_received && c.rcv_nxt == c.fin_sequence && !finish(k, slot)) return;
    if (sends) [[unlikely]]
        send_on(k, slot);
    answer(k, slot, c, packet, grown, second || irregular || marks || c.fin_seen);
}

void receive_next(Transport& k, std::uint32_t slot, const Packet& packet, bool sends)
{
    Connection& c = k.tcp.connections[slot];
    const Settings& settings = k.tcp.settings[c.settings];
    const bool second = note_data(k, c, settings);
    c.largest_segment = std::max(c.largest_segment, packet.payload);
    c.rcv_nxt += packet.payload;
    c.received += packet.payload;
    const bool grown = c.scaling && grow_window(k, c, packet, packet.payload, settings.receive_buffer);
    if (c.reads) [[unlikely]]
        upcalls::read(k, slot, piece_of(k, packet, 0, packet.payload));
    else
        upcalls::data(k, slot);
    if (c.state == State::free) return;
    if (sends) [[unlikely]]
        send_on(k, slot);
    answer(k, slot, c, packet, grown, second);
}

}  // namespace anml::rt::tcp
