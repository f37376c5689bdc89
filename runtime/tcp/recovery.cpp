// Loss recovery with selective acknowledgments (RFC 6675). The scoreboard is the set of ranges that the peer said it
// has.
#include <algorithm>

#include "kernel/tcp_options.h"
#include "tcp/tcp.h"

namespace anml::rt::tcp {

namespace {

// IsLost: of a sequence number above which so much has arrived.
bool lost(const Connection& c, std::uint32_t ranges_above, std::uint32_t bytes_above)
{
    return ranges_above >= 3 || bytes_above > 2u * c.mss;
}

// SetPipe: bytes that are under way, by what is known.
std::uint32_t pipe(const Connection& c, const RangeSet& known)
{
    std::uint32_t pipe = 0, bytes_above = 0, gap_end = c.max;
    for (std::uint32_t above = 0; above <= known.count; ++above) {
        std::uint32_t i = known.count - above;  // the gap lies behind range i - 1, before range i
        std::uint32_t gap = i > 0 ? known.ranges[i - 1].end : c.una;
        if (!lost(c, above, bytes_above)) pipe += gap_end - gap;
        if (after(known.high_rxt, gap)) pipe += (before(known.high_rxt, gap_end) ? known.high_rxt : gap_end) - gap;
        if (i == 0) break;
        bytes_above += known.ranges[i - 1].end - known.ranges[i - 1].begin;
        gap_end = known.ranges[i - 1].begin;
    }
    return pipe;
}

// Sends [begin, end) again, as far as a segment holds it; returns what that was, in sequence numbers.
std::uint32_t send_again(Cluster& k, Connection& c, std::uint32_t begin, std::uint32_t end)
{
    auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>({c.mss, end - begin, left(c, begin)}));
    bool fin = c.fin_queued && size == left(c, begin);
    if (size + fin > 0) send_data(k, c, begin, size, fin);
    return size + fin;
}

std::uint32_t send_new(Cluster& k, Connection& c)
{
    if (behind_fin(c, c.max)) return 0;
    std::uint32_t unacknowledged = c.max - c.una;
    std::uint32_t room = c.window > unacknowledged ? c.window - unacknowledged : 0;
    std::uint64_t remaining = left(c, c.max);
    auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>({c.mss, remaining, room}));
    bool fin = c.fin_queued && size == remaining;
    if (size + fin == 0 || (size < c.mss && size < remaining)) return 0;
    send_data(k, c, c.max, size, fin);
    c.nxt = c.max;
    return size + fin;
}

// NextSeg, and sending it. Returns its size, 0: there is nothing to send.
std::uint32_t send_next(Cluster& k, Connection& c, RangeSet& known)
{
    // The first gap with something that was not yet sent again.
    std::uint32_t begin = known.high_rxt, i = 0, bytes_above = known.bytes;
    for (; i < known.count && !after(known.ranges[i].begin, begin); ++i) {
        begin = later(begin, known.ranges[i].end);
        bytes_above -= known.ranges[i].end - known.ranges[i].begin;
    }
    const auto resend = [&] {
        std::uint32_t sent = send_again(k, c, begin, known.ranges[i].begin);
        known.high_rxt = begin + sent;
        return sent;
    };
    if (i < known.count && lost(c, known.count - i, bytes_above)) return resend();
    if (std::uint32_t sent = send_new(k, c)) return sent;
    if (i < known.count) return resend();
    // The rescue retransmission, once per recovery: the end of what was under way may be lost, unnoticed.
    if (!after(c.una, known.rescue_rxt)) return 0;
    std::uint32_t end = c.recover, ranges = known.count;
    while (ranges > 0 && !before(known.ranges[ranges - 1].begin, end)) --ranges;
    if (ranges > 0 && !before(known.ranges[ranges - 1].end, end)) end = known.ranges[--ranges].begin;
    begin = ranges > 0 ? known.ranges[ranges - 1].end : c.una;
    if (end - begin > c.mss) begin = end - c.mss;
    known.rescue_rxt = c.recover;
    return send_again(k, c, begin, end);
}

}  // namespace

bool update_scoreboard(Cluster& k, Connection& c, const Packet& packet)
{
    std::uint32_t added = 0;
    for (int i = 0; i < tcp_options::block_count(packet); ++i) {
        tcp_options::Block block = tcp_options::block(packet, i);
        if (!after(block.begin, c.una) || after(block.end, c.max)) continue;
        if (c.scoreboard == kNone) c.scoreboard = k.tcp.new_ranges();
        added += k.tcp.ranges[c.scoreboard].add(block.begin, block.end);
    }
    return added > 0;
}

void trim_scoreboard(Cluster& k, Connection& c)
{
    if (c.scoreboard == kNone) return;
    RangeSet& known = k.tcp.ranges[c.scoreboard];
    known.trim(c.una);
    if (known.count == 0 && !c.recovering) k.tcp.release_ranges(c.scoreboard);
}

bool first_lost(const Cluster& k, const Connection& c)
{
    return c.scoreboard != kNone && lost(c, k.tcp.ranges[c.scoreboard].count, k.tcp.ranges[c.scoreboard].bytes);
}

void enter_recovery(Cluster& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    if (c.scoreboard == kNone) c.scoreboard = k.tcp.new_ranges();
    RangeSet& known = k.tcp.ranges[c.scoreboard];
    known.high_rxt = known.rescue_rxt = c.una + send_again(k, c, c.una, c.max);
    start_timer(k, slot, Timer::retransmit, k.now + c.rto);
}

void recover(Cluster& k, Connection& c)
{
    RangeSet& known = k.tcp.ranges[c.scoreboard];
    known.high_rxt = later(known.high_rxt, c.una);
    std::uint32_t under_way = pipe(c, known);
    while (c.cwnd >= under_way + c.mss) {
        std::uint32_t sent = send_next(k, c, known);
        if (sent == 0) break;
        under_way += sent;
    }
}

}  // namespace anml::rt::tcp
