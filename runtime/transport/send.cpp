// What applications send: one span, which the connection itself has room for, or a queue of them.
#include <algorithm>

#include "transport/congestion.h"
#include "transport/options/mtu_probing.h"
#include "transport/recovery/rto.h"
#include "transport/tcp.h"

namespace anml::rt::tcp {

namespace {

// Of real bytes so many are one span, so that a segment of them has a buffer, whatever the MTU.
constexpr std::size_t kMostBytes = 8192;
static_assert(kMostBytes + headers(ipv6_of(0)) + tcp_options::kTimestamps <=
              PacketBuffer::kCapacity - sizeof(std::uint16_t));

// From the stream of one span to a queue: what is not yet acknowledged of it goes first.
void begin_queue(Transport& k, Connection& c)
{
    const std::uint32_t id = k.tcp.span_queues.allocate();
    if (!c.all_acknowledged())
        k.tcp.span_queues[id].add({c.content, c.acknowledged, c.length - c.acknowledged}, c.acknowledged);
    c.content = id;
    c.queued = c.beyond = true;
}

void append(Transport& k, Connection& c, const Span& span)
{
    if (span.length == 0) return;
    if (!c.queued && c.all_acknowledged() && span.bytes == kNone) {
        c.content = span.content;
        c.acknowledged = span.offset;
        c.length = span.offset + span.length;
        return;
    }
    if (!c.queued) begin_queue(k, c);
    k.tcp.span_queues[c.content].add(span, c.length);
    c.length += span.length;
}

// A connection that has sent before, and then nothing for longer than a time-out, begins again (RFC 5681, 4.1).
[[gnu::always_inline]] inline void resume(Transport& k, Connection& c)
{
    if (c.length == 0 || c.una != c.max || c.early) return;
    congestion::resume(sender(k, c), Time{rto::timed(c, k.now)} * kMicrosecond,
                       k.tcp.settings[c.settings].initial_window);
}

void go(Transport& k, std::uint32_t slot, bool then_close)
{
    Connection& c = k.tcp.connections[slot];
    if (c.early && c.state == State::syn_sent) [[unlikely]] {  // it goes with the SYN, or behind the answer to it
        c.fin_queued |= then_close;
        return;
    }
    if (then_close) return close(k, slot);
    if (c.timer == Timer::keep_alive) c.attempts = 0;  // they were probes
    output(k, slot);
}

}  // namespace

void send(Transport& k, std::uint32_t slot, const Span& span, bool then_close)
{
    Connection& c = k.tcp.connections[slot];
    resume(k, c);
    append(k, c, span);
    go(k, slot, then_close);
}

void send_bytes(Transport& k, std::uint32_t slot, std::span<const std::uint8_t> bytes, bool then_close)
{
    Connection& c = k.tcp.connections[slot];
    resume(k, c);
    // Whole segments, so that none is short for lying at the end of a span.
    const std::size_t most = c.mss < kMostBytes ? kMostBytes / c.mss * c.mss : kMostBytes;
    while (!bytes.empty()) {
        const std::size_t count = std::min(bytes.size(), most);
        append(k, c, {.length = count, .bytes = k.buffers.store(bytes.first(count))});
        bytes = bytes.subspan(count);
    }
    go(k, slot, then_close);
}

void trim_spans(Transport& k, Connection& c)
{
    SpanQueue& queue = k.tcp.span_queues[c.content];
    if (!queue.trim(c.acknowledged, [&](const Span& span) { k.buffers.release(span.bytes); })) return;
    k.tcp.span_queues.release(c.content);
    c.content = 0;
    c.queued = false;
    c.beyond = mtu_probing::has(k, c) || goes_beyond(c);
}

void forget_spans(Transport& k, Connection& c)
{
    c.acknowledged = c.length;
    trim_spans(k, c);
}

}  // namespace anml::rt::tcp
