// Sending: segments as the windows allow, retransmissions, acknowledgments, resets.
#include <algorithm>

#include "net/packet/real_bytes.h"
#include "transport/congestion.h"
#include "transport/options/ecn.h"
#include "transport/options/mtu_probing.h"
#include "transport/options/narrow_window.h"
#include "transport/options/tcp_options.h"
#include "transport/read_rate.h"
#include "transport/recovery/rto.h"
#include "transport/tcp.h"

namespace anml::rt::tcp {

namespace {

// A packet that was made in its place.
struct Made {
    Packet& packet;
    PacketId id;
};

[[gnu::always_inline]] inline Made segment(Transport& k, Connection& c, std::uint32_t sequence, std::uint8_t flags)
{
    const PacketId id = k.packets.allocate();
    Packet& p = k.packets[id];
    p = Packet{};
    p.source = c.local;
    p.destination = c.remote;
    p.length = headers(c.remote);
    p.protocol = protocol::tcp;
    p.flags = packet_flag::dont_fragment;
    p.traffic_class = c.traffic_class;
    p.tcp().flags = flags;
    if (c.echo) [[unlikely]]
        p.tcp().flags |= congestion_notice::echo(k, c, flags);
    p.source_port = c.local_port;
    p.destination_port = c.remote_port;
    p.tcp().sequence = sequence;
    if (flags & tcp_flag::ack) {
        p.tcp().acknowledgment = c.last_ack_sent = c.rcv_nxt;
        if (c.ack_pending) {
            c.ack_pending = false;
            c.quick_acks -= c.quick_acks > 0;
        }
    }
    if (flags & tcp_flag::rst) return {p, id};
    if (reading::slow(c)) [[unlikely]]
        reading::tell(k, c);
    p.tcp().window = static_cast<std::uint16_t>(c.receive_window >> c.receive_shift);
    if (c.timestamps) {
        tcp_options::set_timestamps(p, timestamp(k), c.ts_recent);
        p.length += tcp_options::kTimestamps;
    }
    return {p, id};
}

constexpr std::size_t kOptions = 40;  // bytes

// Ranges that the record has no room for are said in bytes.
[[gnu::noinline]] void carry_ranges(Transport& k, const Connection& c, Packet& p, std::span<const Range> ranges)
{
    std::uint8_t option[kOptions] = {1, 1, 5};  // padded
    std::uint8_t* at = option + tcp_options::kSackHead;
    for (const Range& range : ranges)
        for (const std::uint32_t number : {range.begin, range.end})
            for (int shift = 24; shift >= 0; shift -= 8) *at++ = static_cast<std::uint8_t>(number >> shift);
    const auto size = static_cast<std::size_t>(at - option);
    option[3] = static_cast<std::uint8_t>(size - 2);
    p.length = static_cast<std::uint16_t>(headers(c.remote) + (c.timestamps ? tcp_options::kTimestamps : 0) + size);
    wire::carry(p, std::span(option, size), k.model, k.buffers);
}

// The ranges that changed last come first, as many as the options have room for (RFC 2018, section 3 and 4): four, or
// three beside timestamps.
void report_ranges(Transport& k, const Connection& c, Packet& p)
{
    const RangeSet& set = k.tcp.out_of_order[c.out_of_order].ranges;
    const std::size_t room = kOptions - (c.timestamps ? tcp_options::kTimestamps : 0) - tcp_options::kSackHead;
    const std::size_t most = std::min<std::size_t>(room / tcp_options::kSackBlock, set.count);
    Range reported[RangeSet::kRecent];
    std::size_t count = 0;
    bool fits = true;
    for (const std::uint32_t sequence : set.recent) {
        const std::uint32_t i = set.find(sequence);
        if (i == set.count || after(set[i].begin, sequence)) continue;
        const Range& range = set[i];
        const auto same = [&](const Range& other) { return other.begin == range.begin; };
        if (std::any_of(reported, reported + count, same)) continue;
        reported[count++] = range;
        fits &= tcp_options::add_block(p, {range.begin, range.end});
        if (count == most) break;
    }
    if (!fits) [[unlikely]]
        carry_ranges(k, c, p, std::span(reported, count));
}

// The payload of a segment at that offset of a stream of many spans: it lies within one.
void carry(Transport& k, const Connection& c, Packet& p, std::uint64_t offset)
{
    p.content = 0;
    p.set_offset_in_content(0);
    if (p.payload == 0) return;
    const SpanQueue::Place place = k.tcp.span_queues[c.content].find(offset);
    if (place.span.bytes == kNone) {
        p.content = place.span.content;
        p.set_offset_in_content(place.span.offset + place.within);
        return;
    }
    const std::span<const std::uint8_t> bytes = k.buffers.bytes(place.span.bytes);
    wire::carry(p, bytes.subspan(place.span.offset + place.within, p.payload), k.model, k.buffers);
}

// The payload of a SYN, the first of the stream, which lies within one span, less than 1 TiB into its content.
[[gnu::noinline]] void carry_early(Transport& k, const Connection& c, Packet& p, std::uint32_t size)
{
    p.payload = static_cast<std::uint16_t>(size);
    p.length = static_cast<std::uint16_t>(p.length + size);
    Span span{.content = c.content, .offset = c.acknowledged};
    if (c.queued) span = k.tcp.span_queues[c.content].find(c.acknowledged).span;
    if (span.bytes == kNone) {
        p.content = span.content;
        tcp_options::set_syn_offset(p, span.offset);
        return;
    }
    wire::carry(p, k.buffers.bytes(span.bytes).subspan(span.offset, size), k.model, k.buffers);
}

// What lies beyond the connection of a segment that ends before `end`, and is made but for its payload's bytes.
[[gnu::noinline]] void go_beyond(Transport& k, Connection& c, Packet& p, std::uint64_t offset, std::uint32_t end)
{
    if (c.ecn && p.payload > 0 && !before(p.tcp().sequence, c.max)) congestion_notice::label(k, c, p);
    if (c.queued) carry(k, c, p, offset);
    if (c.nagle && !before(p.tcp().sequence, c.max))
        k.tcp.law_states[c.law_state].nagle.sent(c.una, p.tcp().sequence, left(c, p.tcp().sequence), c.mss);
    if (mtu_probing::has(k, c) && before(p.tcp().sequence, c.max)) mtu_probing::sent_again(k, c);
    if (law::paces(c)) k.tcp.law_states[c.law_state].pacing.segment(c, p.payload, k.now);
    if (law::rules(c)) {
        law::Delivery& delivery = k.tcp.law_states[c.law_state].delivery;
        const std::uint32_t first = p.tcp().sequence;
        const std::uint32_t fresh = later(first, c.max);
        const std::uint32_t flight = law::asks_for_flight(c) ? under_way(k, c) : 0;
        if (before(first, c.max)) delivery.sent_again(first, before(end, c.max) ? end : c.max, flight, k.now);
        if (after(end, fresh)) delivery.sent(fresh, end, flight, c.max == c.una, k.now);
    }
}

// Of a segment without data: behind all that was sent, whatever of it is being sent again (SND.NXT, RFC 9293, 3.10.7.4).
// What probed a closed window the peer has not taken; a FIN that filled it by one it has.
std::uint32_t next_sequence(const Connection& c)
{
    const std::uint32_t end = c.una + c.window;
    if (!before(end, c.max) || c.state == State::syn_received) return c.max;
    return end + (behind_fin(c, c.max) ? 1u : 0u);
}

void transmit(Transport& k, const Connection& c, Made made) { node::send_on(k, c.link, made.packet, made.id); }

}  // namespace

void send_data(Transport& k, Connection& c, std::uint32_t sequence, std::uint32_t size, bool fin)
{
    std::uint64_t offset = c.offset(sequence);
    std::uint8_t flags = tcp_flag::ack;
    if (size > 0 && offset + size == c.length) flags |= tcp_flag::psh;
    if (fin) flags |= tcp_flag::fin;
    const auto [p, id] = segment(k, c, sequence, flags);
    p.payload = static_cast<std::uint16_t>(size);
    p.length = static_cast<std::uint16_t>(p.length + size);
    p.content = c.content;
    p.set_offset_in_content(offset);

    std::uint32_t end = sequence + size + fin;
    if (before(sequence, c.max)) {
        k.retransmissions += k.measuring();
        // Karn's algorithm (RFC 6298, section 3). Of another segment a selective acknowledgment tells when it arrives.
        if (c.timestamps || !c.sack || (before(sequence, c.timed_sequence) && !before(end, c.timed_sequence)))
            c.timing = false;
        if (!c.timing && !c.probing) c.timed_at = rto::microseconds(k.now);  // it ends a pause, as new data does
        if (c.scoreboard != kNone && c.adaptive) [[unlikely]]
            k.tcp.scoreboards[c.scoreboard].retransmissions.sent(sequence, before(end, c.max) ? end : c.max, c.max,
                                                                 k.now);
    } else if (!c.timing) {
        c.timing = true;
        c.timed_at = rto::microseconds(k.now);
        c.timed_sequence = end;
    }
    if (c.beyond) [[unlikely]]
        go_beyond(k, c, p, offset, end);
    if (law::records(c)) {
        law::SentRecords& sent = k.tcp.law_states[c.law_state].sent;
        if (before(sequence, c.max))
            sent.sent_again(sequence, end);
        else
            sent.sent(end, rto::microseconds(k.now));
    }
    c.max = later(c.max, end);
    if (k.now < c.acknowledgment.deadline) c.interactive = true;
    node::send_on(k, c.link, p, id);
}

void send_syn(Transport& k, Connection& c, std::optional<std::uint64_t> cookie, std::uint32_t size)
{
    bool reply = c.state == State::syn_received;
    const int flags = congestion_notice::opening_flags(k, c) | (reply ? tcp_flag::syn | tcp_flag::ack : tcp_flag::syn);
    const auto [p, id] = segment(k, c, c.una - c.early, static_cast<std::uint8_t>(flags));
    const Settings& settings = k.tcp.settings[c.settings];
    p.tcp_syn().mss = own_mss(k, c);
    p.tcp().window = static_cast<std::uint16_t>(std::min(settings.receive_buffer, 0xffffu));  // never scaled
    if (c.sack) p.flags |= packet_flag::sack;
    if (c.scaling) tcp_options::set_window_scale(p, settings.shift);
    if (cookie) [[unlikely]]
        tcp_options::set_cookie(p, *cookie);
    // A SYN/ACK shows that the option comes through; one that is repeated goes without (RFC 9768, 3.2.3.2).
    if (reply && c.ecn && c.attempts == 0) congestion_notice::add_option(k, c, p);
    p.length = static_cast<std::uint16_t>(headers(c.remote) + tcp_options::length(p));
    if (size > 0) [[unlikely]]
        carry_early(k, c, p, size);
    transmit(k, c, {p, id});
}

void send_keep_alive(Transport& k, Connection& c) { transmit(k, c, segment(k, c, c.una - 1, tcp_flag::ack)); }

void send_ack(Transport& k, Connection& c)
{
    const auto [p, id] = segment(k, c, next_sequence(c), tcp_flag::ack);
    const bool ranges = c.sack && c.out_of_order != kNone;
    if (ranges || c.ecn) [[unlikely]] {
        if (ranges) report_ranges(k, c, p);
        if (p.buffer == kNone) {
            if (c.ecn) congestion_notice::add_option(k, c, p);
            p.length = static_cast<std::uint16_t>(headers(c.remote) + tcp_options::length(p));
        }
    }
    node::send_on(k, c.link, p, id);
}

namespace {

// No small segments while larger ones are under way, or where the peer's window has no room for more: that one waits
// for the persist timer (silly window avoidance, RFC 9293, 3.8.6.2.1).
bool too_small(const Connection& c, std::uint32_t size, std::uint32_t most, std::uint64_t remaining,
               std::uint32_t flight, std::uint32_t usable)
{
    return size < most && size < remaining && (flight > 0 || c.window < usable);
}

// What the windows allow from nxt on, of a connection of which nothing more is to be asked at each segment.
void send_plain(Transport& k, Connection& c)
{
    const std::uint32_t mss = c.mss;
    const std::uint32_t usable = std::min(congestion::window(c), k.tcp.settings[c.settings].send_buffer);
    const std::uint32_t window = std::min(usable, c.window);
    while (!behind_fin(c, c.nxt)) {
        const std::uint32_t flight = c.nxt - c.una, room = window > flight ? window - flight : 0;
        const std::uint64_t remaining = left(c, c.nxt);
        const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::min(mss, room), remaining));
        const bool fin = c.fin_queued && size == remaining;
        if ((size == 0 && !fin) || too_small(c, size, mss, remaining, flight, usable)) break;
        send_data(k, c, c.nxt, size, fin);
        c.nxt += size + fin;
    }
}

// The same of others. What the peer is known to have is neither under way nor sent again.
void send_from_nxt(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    const Scoreboard* board = c.scoreboard == kNone ? nullptr : &k.tcp.scoreboards[c.scoreboard];
    const std::uint32_t buffer = k.tcp.settings[c.settings].send_buffer;
    const bool beyond = c.beyond;
    while (!behind_fin(c, c.nxt)) {
        std::uint32_t most = c.mss;
        if (beyond) {
            if (mtu_probing::has(k, c) && !mtu_probing::prepare(k, c)) break;
            if (c.narrow) narrow_window::follow(k, c);
            most = most_at(k, c, c.nxt);
        }
        std::uint32_t flight = c.nxt - c.una, usable = congestion::window(c);
        if (board) [[unlikely]] {
            const RangeSet& known = board->arrived;
            const Range& fresh = board->frto.fresh;
            if (!before(c.nxt, fresh.begin) && before(c.nxt, fresh.end)) {
                c.nxt = fresh.end;
                continue;
            }
            std::uint32_t next = known.find(c.nxt);
            if (next < known.count && !after(known[next].begin, c.nxt)) {
                c.nxt = known[next].end;
                continue;
            }
            if (next < known.count) most = std::min(most, known[next].begin - c.nxt);
            if (before(c.nxt, fresh.begin)) most = std::min(most, fresh.begin - c.nxt);
            usable += known.bytes_before(c.nxt, RangeSet::next);
        }
        std::uint32_t window = std::min({usable, c.window, buffer});
        std::uint32_t room = window > flight ? window - flight : 0;
        std::uint64_t remaining = left(c, c.nxt);
        auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>({most, remaining, room}));
        bool fin = c.fin_queued && size == remaining;
        if (size == 0 && !fin) break;
        if (too_small(c, size, most, remaining, flight, std::min(usable, buffer))) break;
        if (beyond && waits_for_small(k, c, c.nxt)) [[unlikely]]
            break;
        if (beyond && too_early(k, c)) [[unlikely]] {
            wait_for_pace(k, slot);
            break;
        }
        send_data(k, c, c.nxt, size, fin);
        c.nxt += size + fin;
    }
}

}  // namespace

void output(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    const std::uint32_t before = c.nxt;
    if (facts.mtu_searches && k.path_mtus.any() && c.max == c.una) [[unlikely]]
        mtu_probing::follow(k, c);
    if (c.recovering && c.sack)
        recover(k, slot);
    else if (c.scoreboard == kNone && !c.beyond)
        send_plain(k, c);
    else
        send_from_nxt(k, slot);
    congestion::note_use(c, c.scoreboard == kNone ? c.nxt - c.una : under_way(k, c), c.nxt != before);
    if (c.beyond && law::rules(c) && unsent(c) == 0 && c.nxt == c.max && c.max - c.una < c.cwnd)
        k.tcp.law_states[c.law_state].delivery.application_limits(c.max - c.una);
    if (c.nxt != c.una) {
        if (c.timer == Timer::none || c.timer == Timer::idle || c.timer == Timer::persist ||
            c.timer == Timer::keep_alive)
            await_acknowledgment(k, slot);
    } else if (!behind_fin(c, c.nxt) && left(c, c.nxt) > 0 && c.timer != Timer::persist && !too_early(k, c)) {
        start_timer(k, slot, Timer::persist, k.now + rto::of(c));
    }
}

std::uint32_t most_beyond(const Transport& k, const Connection& c, std::uint32_t sequence)
{
    std::uint32_t most = c.mss;
    if (c.narrow) {  // Linux's bounds: of windows this small the whole, and no segment below the least MTU
        constexpr std::uint32_t kSmall = 536, kLeast = 68;
        const std::uint32_t widest = k.tcp.law_states[c.law_state].widest_window;
        const std::uint32_t least = kLeast - kTcpHeader - (c.timestamps ? tcp_options::kTimestamps : 0);
        if (widest > 0) most = std::min(most, std::max(widest > kSmall ? widest / 2 : widest, least));
    }
    const std::uint64_t offset = c.offset(sequence);
    if (!c.queued || offset >= c.length) return most;  // or only the FIN is left
    const std::uint64_t left = k.tcp.span_queues[c.content].find(offset).left;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, left));
}

std::uint32_t last_segment(const Transport& k, const Connection& c, std::uint32_t begin, std::uint32_t end)
{
    if (end - begin > c.mss) begin = end - c.mss;
    const std::uint64_t behind = std::min(c.offset(end), c.length);  // the FIN may lie there
    if (!c.queued || behind <= c.offset(begin)) return begin;
    const std::uint64_t within = k.tcp.span_queues[c.content].find(behind - 1).within;
    return later(begin, c.una + static_cast<std::uint32_t>(behind - 1 - within - c.acknowledged));
}

void retransmit_first(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(most_at(k, c, c.una), left(c, c.una)));
    size = std::min(size, c.max - c.una);
    bool fin = c.fin_queued && size == left(c, c.una);
    send_data(k, c, c.una, size, fin);
    c.nxt = later(c.nxt, c.una + size + fin);
}

void send_probe(Transport& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    const std::uint32_t most = std::max(std::min(c.window, most_at(k, c, c.una)), 1u);
    const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, left(c, c.una)));
    send_data(k, c, c.una, size, c.window > 0 && c.fin_queued && size == left(c, c.una));
    if (c.window > 0) c.nxt = c.max;
}

void send_reset(Transport& k, Connection& c)
{
    transmit(k, c, segment(k, c, next_sequence(c), tcp_flag::rst | tcp_flag::ack));
}

void send_bare(Transport& k, const node::Self& self, const Packet& to, std::uint8_t flags, std::uint32_t sequence,
               std::uint32_t acknowledgment)
{
    Connection c;  // only who talks to whom
    c.local = self.answering(to);
    c.remote = to.source;
    c.local_port = to.destination_port;
    c.remote_port = to.source_port;
    c.rcv_nxt = acknowledgment;
    c.timestamps = tcp_options::has_timestamps(to);
    c.ts_recent = tcp_options::timestamp(to);
    const auto [packet, id] = segment(k, c, sequence, flags);
    node::originate(k, self, packet, id);
}

void refuse(Transport& k, const node::Self& self, const Packet& packet)
{
    if (packet.tcp().flags & tcp_flag::rst) return;
    if (packet.tcp().flags & tcp_flag::ack) {
        send_bare(k, self, packet, tcp_flag::rst, packet.tcp().acknowledgment, 0);
        return;
    }
    bool syn = packet.tcp().flags & tcp_flag::syn, fin = packet.tcp().flags & tcp_flag::fin;
    send_bare(k, self, packet, tcp_flag::rst | tcp_flag::ack, 0, packet.tcp().sequence + packet.payload + syn + fin);
}

}  // namespace anml::rt::tcp
