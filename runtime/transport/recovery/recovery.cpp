// Loss recovery with selective acknowledgments: RFC 6675, with RFC 6937's rate. Adaptive recovery is Linux's beside it:
// RACK-TLP (RFC 8985), and undoing what was in vain (RFC 4015).
// What is lost, and what is under way, is found out in losses.cpp.
#include <algorithm>
#include <utility>

#include "transport/congestion.h"
#include "transport/options/mtu_probing.h"
#include "transport/options/tcp_options.h"
#include "transport/recovery/frto.h"
#include "transport/recovery/losses.h"
#include "transport/recovery/rto.h"
#include "transport/tcp.h"

namespace anml::rt::tcp {

namespace {

constexpr Time kTimerSlack = 2 * kMillisecond;  // Linux's TCP_TIMEOUT_MIN

Time probe_delay(const Connection& c) { return 2 * rto::mean(c) + kTimerSlack; }

// Sends [begin, end) again, as far as a segment holds it; returns what that was, in sequence numbers.
std::uint32_t send_again(Transport& k, Connection& c, std::uint32_t begin, std::uint32_t end)
{
    auto size =
        static_cast<std::uint32_t>(std::min<std::uint64_t>({most_at(k, c, begin), end - begin, left(c, begin)}));
    bool fin = c.fin_queued && size == left(c, begin) && after(end, begin + size);
    if (size + fin > 0) send_data(k, c, begin, size, fin);
    return size + fin;
}

}  // namespace

std::uint32_t send_new(Transport& k, Connection& c)
{
    if (behind_fin(c, c.max)) return 0;
    std::uint32_t unacknowledged = c.max - c.una;
    const std::uint32_t window = std::min(c.window, k.tcp.settings[c.settings].send_buffer);
    std::uint32_t room = window > unacknowledged ? window - unacknowledged : 0;
    const std::uint32_t most = most_at(k, c, c.max);
    std::uint64_t remaining = left(c, c.max);
    auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>({most, remaining, room}));
    bool fin = c.fin_queued && size == remaining;
    if (size + fin == 0 || (size < most && size < remaining)) return 0;
    if (waits_for_small(k, c, c.max)) return 0;
    send_data(k, c, c.max, size, fin);
    c.nxt = c.max;
    return size + fin;
}

namespace {

// Sends again the first segment from `cursor` on that has not arrived and lies before `end`; moves the cursor behind
// it. A time-out waits for the first of all from its last sending on.
std::uint32_t send_hole(Transport& k, std::uint32_t slot, std::uint32_t& cursor, std::uint32_t end)
{
    Connection& c = k.tcp.connections[slot];
    const RangeSet& arrived = k.tcp.scoreboard(c).arrived;
    std::uint32_t i = arrived.find(cursor);
    for (; i < arrived.count && !after(arrived[i].begin, cursor); ++i) cursor = arrived[i].end;
    if (!before(cursor, end)) return 0;
    const std::uint32_t limit = i < arrived.count && before(arrived[i].begin, c.max) ? arrived[i].begin : c.max;
    if (cursor == c.una) start_timer(k, slot, Timer::retransmit, k.now + rto::of(c));
    const std::uint32_t sent = send_again(k, c, cursor, limit);
    cursor += sent;
    return sent;
}

// The rescue retransmission, once per recovery: the end of what was under way may be lost, unnoticed.
std::uint32_t send_rescue(Transport& k, Connection& c, Scoreboard& board)
{
    if (!after(c.una, board.rescue_rxt)) return 0;
    const RangeSet& arrived = board.arrived;
    std::uint32_t end = c.recover, ranges = arrived.count;
    while (ranges > 0 && !before(arrived[ranges - 1].begin, end)) --ranges;
    if (ranges > 0 && !before(arrived[ranges - 1].end, end)) end = arrived[--ranges].begin;
    const std::uint32_t begin = last_segment(k, c, ranges > 0 ? arrived[ranges - 1].end : c.una, end);
    board.rescue_rxt = c.recover;
    return send_again(k, c, begin, end);
}

// NextSeg, and sending it. Returns its size, 0: there is nothing to send.
std::uint32_t send_next(Transport& k, std::uint32_t slot, std::uint32_t lost)
{
    Connection& c = k.tcp.connections[slot];
    Scoreboard& board = k.tcp.scoreboard(c);
    while (const auto range = board.retransmissions.next_lost()) {
        std::uint32_t cursor = range->begin;
        if (std::uint32_t sent = send_hole(k, slot, cursor, range->end)) return sent;
    }
    if (std::uint32_t sent = send_hole(k, slot, board.high_rxt, lost)) return sent;
    if (std::uint32_t sent = send_new(k, c)) return sent;
    if (c.adaptive) return 0;
    if (board.arrived.count > 0)
        if (std::uint32_t sent = send_hole(k, slot, board.high_rxt, board.arrived.end())) return sent;
    return send_rescue(k, c, board);
}

void enter_recovery(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    Scoreboard& board = k.tcp.scoreboard(c);
    remember(k, c, board);
    board.flight = congestion::flight(c);
    if (mtu_probing::has(k, c) && mtu_probing::lost(k, c))
        board.undoable = false;
    else
        congestion::reduce(sender(k, c));
    c.recover = c.max;
    c.recovering = true;
    board.rescue_rxt = board.told_lost = board.waited_before = c.una;
    board.delivered = 0;
    board.frto.active = false;
    c.probing = false;
    board.sent = send_hole(k, slot, board.high_rxt, c.una + 1);
    start_timer(k, slot, Timer::retransmit, k.now + rto::of(c));
}

// Proportional rate reduction: what may be under way now that so much has arrived. `spent` of it this acknowledgment
// has let leave already: the first retransmission of a recovery is part of the first `sndcnt` (RFC 6937, 3, where
// prr_out is 0 then), as in Linux.
void reduce(Connection& c, Scoreboard& board, std::uint32_t under_way, std::uint32_t arrived, bool good,
            std::uint32_t spent = 0)
{
    board.delivered += arrived;
    std::uint32_t more = 0;
    if (under_way > c.ssthresh) {
        const std::uint64_t due =
            (std::uint64_t{board.delivered} * c.ssthresh + board.flight - 1) / std::max(board.flight, 1u);
        more = due > board.sent ? static_cast<std::uint32_t>(due - board.sent) : 0;
    } else {
        const std::uint32_t sent = board.sent - spent;
        const std::uint32_t unused = board.delivered > sent ? board.delivered - sent : 0;
        const std::uint32_t limit = std::max(unused, arrived) + (good || !c.adaptive ? c.mss : 0u);
        more = std::min(limit - std::min(limit, spent), c.ssthresh - under_way);
    }
    if (board.sent == 0) more = std::max<std::uint32_t>(more, c.mss);
    if (!law::rules(c)) c.cwnd = under_way + more;
}

// What a time-out had sent again is lost, too. All that was under way then counts as lost, as before; it is a recovery
// as others from here on, which reduces the window once more, as in Linux.
void recover_from_time_out(Transport& k, std::uint32_t slot, std::uint32_t arrived)
{
    Connection& c = k.tcp.connections[slot];
    Scoreboard& board = k.tcp.scoreboard(c);
    board.high_rxt = later(board.high_rxt, c.nxt);
    enter_recovery(k, slot);
    c.nxt = c.max;
    reduce(c, board, pipe(c, board, lost_before(k, c, board)), arrived, false, board.sent);
}

// Of a law that rules, a recovery is not over while something that was sent again is under way, as in Linux: to it
// the next one is the same.
void go_on(Connection& c, const Scoreboard& board)
{
    if (c.recovering || board.arrived.count == 0) return;
    if (!after(board.high_rxt, c.una) || c.nxt != c.max || congestion::after_time_out(c)) return;
    c.recovering = true;
    c.recover = c.max;
}

}  // namespace

void remember(Transport& k, Connection& c, Scoreboard& board)
{
    board.cwnd = c.cwnd;
    board.ssthresh = std::max(c.ssthresh, c.cwnd / 4 * 3);
    // The answer to what was sent again before and is still under way must not look as if the first sending had
    // arrived.
    if (board.retransmissions.empty()) {
        board.stamp = timestamp(k);
        board.stamped = true;
    }
    board.undoable = c.adaptive && c.timestamps && board.stamped;
}

void undo(Transport& k, Connection& c, const Packet& packet)
{
    Scoreboard& board = k.tcp.scoreboards[c.scoreboard];
    if (!board.undoable || !tcp_options::has_timestamps(packet)) return;
    board.undoable = false;
    if (!before(tcp_options::timestamp_echo(packet), board.stamp)) return;
    // What was acknowledged had been sent before, and overtook nothing.
    if (!c.recovering) board.retransmissions.clear(c.una);
    take_back(k, c);
}

void take_back(Transport& k, Connection& c)
{
    Scoreboard& board = k.tcp.scoreboards[c.scoreboard];
    board.undoable = board.frto.active = false;
    if (law::rules(c)) {
        law::undone(sender(k, c));
    } else {
        c.cwnd = std::max(c.cwnd, board.cwnd);
        c.ssthresh = std::max(c.ssthresh, board.ssthresh);
    }
    if (c.recovering) c.reorder_steps = static_cast<std::uint8_t>(std::min(std::max<int>(c.reorder_steps, 1) + 1, 16));
    c.recovering = false;
    c.recover = c.una - 1;
    c.nxt = c.max;
    c.duplicates = 0;
}

void look_for_losses(Transport& k, std::uint32_t slot, std::uint32_t arrived, bool advanced, bool duplicate)
{
    Connection& c = k.tcp.connections[slot];
    Scoreboard& board = k.tcp.scoreboard(c);
    if (board.frto.active) [[unlikely]]
        frto::acknowledged(k, c, advanced, duplicate);
    if (law::rules(c)) [[unlikely]]
        go_on(c, board);
    board.high_rxt = later(board.high_rxt, c.una);
    find_lost_again(k, c, board, reordering_window(c, board));
    if (c.recovering) {
        const std::uint32_t lost = lost_before(k, c, board);
        reduce(c, board, pipe(c, board, lost), arrived, advanced);
        // What may only be late is waited for here, too; all else has a time-out.
        if (c.adaptive && c.timer != Timer::reorder && after(overtaken_before(c, board), lost))
            start_timer(k, slot, Timer::reorder, k.now + reordering_window(c, board) + kTimerSlack);
        return;
    }
    // Not within a recovery by time-out; duplicates without news may come from what was sent twice.
    const bool open = c.nxt == c.max && !congestion::after_time_out(c);
    bool lost = after(lost_before(k, c, board), c.una);
    if (board.retransmissions.lost() > 0 && congestion::after_time_out(c))
        return recover_from_time_out(k, slot, arrived);
    if (!c.adaptive && duplicate) lost |= c.duplicates >= 3 && (arrived > 0 || after(c.una, c.recover));
    if (open && lost) {
        enter_recovery(k, slot);
        reduce(c, board, pipe(c, board, lost_before(k, c, board)), arrived, false, board.sent);
    } else if (open && c.adaptive && after(overtaken_before(c, board), c.una)) {
        if (c.timer != Timer::reorder)
            start_timer(k, slot, Timer::reorder, k.now + reordering_window(c, board) + kTimerSlack);
    } else if (board.arrived.count == 0 && open && !board.undoable) {
        k.tcp.release_scoreboard(c);
    }
}

void reordering_time_out(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    Scoreboard& board = k.tcp.scoreboard(c);
    std::uint32_t spent = 0;
    if (c.recovering) {
        board.waited_before = overtaken_before(c, board);
        find_lost_again(k, c, board, 0);
        start_timer(k, slot, Timer::retransmit, k.now + rto::of(c));
    } else {
        enter_recovery(k, slot);
        spent = board.sent;
    }
    reduce(c, board, pipe(c, board, lost_before(k, c, board)), 0, false, spent);
    recover(k, slot);
}

void probe_for_loss(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    if (send_new(k, c) == 0) {
        send_again(k, c, last_segment(k, c, c.una, c.max), c.max);
        c.timing = false;
        c.timed_at = timestamp(k);
    }
    c.probing = true;
    start_timer(k, slot, Timer::retransmit, k.now + rto::of(c));  // from the probe on, as in Linux
}

void probe_answered(Transport& k, Connection& c, const Packet& packet)
{
    c.probing = false;
    if (c.timing) return;  // it was new data
    const std::uint32_t stamp = std::exchange(c.timed_at, rto::microseconds(k.now));
    if (!tcp_options::has_timestamps(packet) || before(tcp_options::timestamp_echo(packet), stamp)) return;
    congestion::reduce(sender(k, c));
    if (!law::rules(c)) c.cwnd = c.ssthresh;
}

void await_acknowledgment(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    const Time rto = rto::of(c);
    // A lone segment's acknowledgment may be delayed, by as much as the least time-out is: so its probe comes with the
    // time-out, and backs nothing off (RFC 8985, 7.2).
    const bool probes = c.adaptive && c.sack && c.measured && c.scoreboard == kNone && c.nxt == c.max && !c.probing &&
                        !congestion::after_time_out(c);
    const bool lone = c.max - c.una <= c.mss;
    start_timer(k, slot, probes ? Timer::probe : Timer::retransmit,
                k.now + (probes && !lone ? std::min(probe_delay(c), rto) : rto));
}

void recover(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    Scoreboard& board = k.tcp.scoreboards[c.scoreboard];
    const std::uint32_t lost = lost_before(k, c, board);
    std::uint32_t under_way = pipe(c, board, lost);
    // RFC 6675, 5 (C): there has to be room for a whole segment. Linux's windows are whole segments, rounded up.
    const std::uint32_t room = c.adaptive ? 1 : c.mss;
    while (under_way + room <= c.cwnd) {
        if (too_early(k, c)) [[unlikely]] {
            wait_for_pace(k, slot);
            break;
        }
        std::uint32_t sent = send_next(k, slot, lost);
        if (sent == 0) break;
        under_way += sent;
        board.sent += sent;
    }
}

}  // namespace anml::rt::tcp
