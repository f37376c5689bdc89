// RACK asks how much earlier than what has arrived a segment was sent, and waits for it so much longer. The time is kept
// of retransmissions alone (retransmissions.h). Else the wait begins with the first arrival of something behind it, and
// in recovery the time between two segments is their distance over a congestion window, of a round trip.
#include "transport/recovery/losses.h"

#include <algorithm>

#include "net/packet/real_bytes.h"
#include "transport/congestion.h"
#include "transport/options/tcp_options.h"
#include "transport/recovery/rto.h"

namespace anml::rt::tcp {

namespace {

std::uint32_t earlier(std::uint32_t a, std::uint32_t b) { return before(a, b) ? a : b; }

bool three_arrived(const Connection& c, const RangeSet& arrived)
{
    return arrived.count >= 3 || arrived.bytes > 2u * c.mss;
}

// The reordering window in bytes sent.
std::uint32_t reordering_distance(const Connection& c, const Scoreboard& board)
{
    const Time window = reordering_window(c, board), mean = rto::mean(c);
    if (window == 0 || mean == 0) return 0;
    const std::uint32_t sent = std::max(c.cwnd, board.flight);
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(sent) * window / mean);
}

// A segment that was sent once has come behind one that was sent after it.
void note_reordering(Connection& c) { c.reorder_steps = std::max<std::uint8_t>(c.reorder_steps, 1); }

}  // namespace

Time reordering_window(const Connection& c, const Scoreboard& board)
{
    if (c.probing || (c.reorder_steps == 0 && (c.recovering || three_arrived(c, board.arrived)))) return 0;
    const Time steps = std::max<Time>(c.reorder_steps, 1);
    return std::min(least_round_trip(c) / 4 * steps, rto::mean(c));
}

std::uint32_t overtaken_before(const Connection& c, const Scoreboard& board)
{
    return later(later(board.retransmissions.sent_before(), c.una),
                 board.arrived.count > 0 ? board.arrived.end() : c.una);
}

std::uint32_t lost_before(const Transport& k, const Connection& c, const Scoreboard& board)
{
    const RangeSet& arrived = board.arrived;
    if (law::rules(c)) [[unlikely]]  // it has the time of each
        return later(k.tcp.law_states[c.law_state].delivery.lost_before(reordering_window(c, board), c.una),
                     later(board.waited_before, c.una));
    if (c.adaptive) {
        const std::uint32_t latest = overtaken_before(c, board);
        if (!c.recovering) return reordering_window(c, board) == 0 ? latest : c.una;
        return later(latest - reordering_distance(c, board), later(board.waited_before, c.una));
    }
    std::uint32_t bytes = 0;  // three ranges behind it, or more than two segments
    for (std::uint32_t i = arrived.count; i-- > 0;) {
        bytes += arrived[i].end - arrived[i].begin;
        if (arrived.count - i >= 3 || bytes > 2u * c.mss) return arrived[i].begin;
    }
    return c.una;
}

std::uint32_t pipe(const Connection& c, const Scoreboard& board, std::uint32_t lost)
{
    const RangeSet& arrived = board.arrived;
    // What has not arrived behind what is lost, and of what is lost what was sent again.
    std::uint32_t pipe = c.max - lost - (arrived.bytes - arrived.bytes_before(lost, RangeSet::lost));
    if (after(board.high_rxt, c.una)) {
        const std::uint32_t again = earlier(board.high_rxt, c.max);
        pipe += again - c.una - arrived.bytes_before(again, RangeSet::sent_again);
    }
    return pipe - std::min(pipe, board.retransmissions.lost());
}

void find_lost_again(Transport& k, const Connection& c, Scoreboard& board, Time window)
{
    if (!c.adaptive || board.retransmissions.empty()) return;
    Time newest = board.retransmissions.newest();
    std::uint32_t latest = c.una;
    if (law::rules(c))  // it has the time of each
        newest = std::max(newest, k.tcp.law_states[c.law_state].delivery.newest());
    else if (board.arrived.count > 0)
        latest = board.arrived.end() - (window > 0 ? reordering_distance(c, board) : 0);
    board.retransmissions.judge({latest, newest - window, k.now - least_round_trip(c)});
}

namespace {

// The segment that is timed has arrived behind what is missing. It was sent once (RFC 6298, 3), and where losses go on
// what is acknowledged hardly ever ends with one that was: the time-out would stay where it was backed off to.
void time_arrival(Transport& k, Connection& c, const tcp_options::Block& block)
{
    if (!before(block.begin, c.timed_sequence) || after(c.timed_sequence, block.end)) return;
    c.timing = false;
    const std::uint32_t took = rto::timed(c, k.now);
    rto::sample(c, took, k.tcp.settings[c.settings]);
    rto::least(c, took);
}

// Those of its record, or of its bytes, which have all.
class Blocks {
  public:
    const tcp_options::Block* begin() const { return all_; }
    const tcp_options::Block* end() const { return all_ + count_; }
    void add(const tcp_options::Block& block) { all_[count_++] = block; }

  private:
    tcp_options::Block all_[RangeSet::kRecent];
    std::size_t count_ = 0;
};

Blocks blocks_of(const Transport& k, const Packet& packet)
{
    Blocks all;
    if (packet.buffer == kNone) {
        for (int i = 0; i < tcp_options::block_count(packet); ++i) all.add(tcp_options::block(packet, i));
        return all;
    }
    wire::SackNumbers numbers;
    const std::size_t count = wire::sack_numbers(k.buffers.bytes(packet.buffer), numbers);
    for (std::size_t i = 0; i < count; i += 2) {
        const tcp_options::Block block{numbers[i], numbers[i + 1]};
        // What lies before the acknowledgment is no news (RFC 2883).
        if (after(block.begin, packet.tcp().acknowledgment) && after(block.end, block.begin)) all.add(block);
    }
    return all;
}

}  // namespace

bool update_scoreboard(Transport& k, Connection& c, const Packet& packet)
{
    std::uint32_t added = 0;
    const bool once = !congestion::after_time_out(c);  // nothing was sent again, but in recovery
    for (const tcp_options::Block& block : blocks_of(k, packet)) {
        // Each within what is under way: the difference of two that are not says nothing.
        if (!after(block.begin, c.una) || !before(block.begin, c.max) || after(block.end, c.max)) continue;
        Scoreboard& board = k.tcp.scoreboard(c);
        RangeSet& arrived = board.arrived;
        const std::uint32_t end = arrived.count > 0 ? arrived.end() : block.begin;
        arrived.missing(block.begin, block.end, [&](std::uint32_t begin, std::uint32_t to) {
            board.retransmissions.arrived(begin, to, k.now, least_round_trip(c));
            if (board.frto.active) board.frto.arrived(begin, to);
        });
        const std::uint32_t bytes = arrived.add(block.begin, block.end);
        if (bytes > 0 && c.timing && !c.timestamps) time_arrival(k, c, block);
        if (bytes > 0 && c.beyond && law::rules(c)) [[unlikely]]
            k.tcp.law_states[c.law_state].delivery.arrived(block.begin, block.end, bytes, k.now);
        const bool overtaken = bytes > (after(block.end, end) ? block.end - later(end, block.begin) : 0);
        if (overtaken && once && !before(block.begin, board.high_rxt)) note_reordering(c);
        added += bytes;
    }
    return added > 0;
}

void note_arrival(Transport& k, Connection& c, std::uint32_t acknowledgment)
{
    if (congestion::after_time_out(c)) return;
    const Scoreboard& board = k.tcp.scoreboards[c.scoreboard];
    if (board.arrived.count == 0) return;
    // Something in the gap before what had arrived has come.
    const std::uint32_t filled = earlier(acknowledgment, board.arrived[0].begin);
    if (after(filled, board.high_rxt)) note_reordering(c);
}

std::uint32_t under_way(const Transport& k, const Connection& c)
{
    if (c.scoreboard == kNone) return c.nxt - c.una;
    const Scoreboard& board = k.tcp.scoreboards[c.scoreboard];
    if (!c.recovering)
        return c.nxt - c.una - std::min(c.nxt - c.una, board.arrived.bytes_before(c.nxt, RangeSet::next));
    return pipe(c, board, lost_before(k, c, board));
}

void tell_losses(Transport& k, Connection& c)
{
    if (!c.recovering || c.scoreboard == kNone) return;
    Scoreboard& board = k.tcp.scoreboards[c.scoreboard];
    const std::uint32_t from = later(board.told_lost, c.una), lost = lost_before(k, c, board);
    if (!after(lost, from)) return;
    const law::Sender s = sender(k, c);
    s.state().delivery.lost(from, lost, [&](const law::LostSegment& segment) { law::lost(s, segment); });
    board.told_lost = lost;
}

}  // namespace anml::rt::tcp
