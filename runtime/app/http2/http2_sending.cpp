#include "app/http2/http2_sending.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "app/cluster.h"
#include "app/content.h"
#include "app/web_client/web_stream.h"
#include "transport/tcp.h"

namespace anml::rt::app::http2 {

namespace {

// Not yet sent, of a connection: what the next acknowledgments let go. There is more when half of it is left.
constexpr std::uint64_t kMostUnsent = 64 * 1024;
// Of a peer that asks, and takes nothing.
constexpr std::size_t kMostSpans = 4096;
constexpr std::size_t kMostOfSpan = 8192;  // transport/send.cpp

// Spans end where segments do.
void send_real(Cluster& k, std::uint32_t slot, std::size_t segment, std::vector<std::uint8_t>& bytes)
{
    std::span<const std::uint8_t> left = bytes;
    const std::size_t most = std::max<std::size_t>(kMostOfSpan / segment, 1) * segment;
    while (!left.empty()) {
        const std::span<const std::uint8_t> piece = left.first(std::min(left.size(), most));
        left = left.subspan(piece.size());
        web_stream::send_bytes(k, slot, piece, false);
    }
    bytes.clear();
}

void add_real(const Cluster& k, std::vector<std::uint8_t>& bytes, const Output::Part& part, std::uint64_t from,
              std::uint64_t count)
{
    if (count == 0) return;
    const std::size_t before = bytes.size();
    bytes.resize(before + count);
    content::produce(k.model, part.content, part.offset + from, std::span(bytes).subspan(before));
}

// The heads of frames lie between parts of contents, but a segment lies within a span: what shares a segment with a
// head is sent as real bytes, so that segments are those of a server to whom all bytes are alike. Over TLS all bytes are
// real ones in records, and heads of frames share them with what follows.
void hand_over(Cluster& k, std::uint32_t slot, Sending& sending)
{
    const Output& output = sending.output;
    std::vector<std::uint8_t>& bytes = sending.bytes;
    const bool secured = web_stream::secured(k, slot);
    const std::size_t segment = k.tcp.connections[slot].mss;
    std::size_t from = 0;
    const auto add_bytes = [&](std::size_t to) {
        bytes.insert(bytes.end(), output.bytes.begin() + static_cast<std::ptrdiff_t>(from),
                     output.bytes.begin() + static_cast<std::ptrdiff_t>(to));
        from = to;
    };
    for (const Output::Part& part : output.parts) {
        add_bytes(part.behind);
        const std::uint64_t first = std::min<std::uint64_t>((segment - bytes.size() % segment) % segment, part.length);
        add_real(k, bytes, part, 0, first);
        const std::uint64_t whole = secured ? 0 : (part.length - first) / segment * segment;
        if (whole > 0) {
            send_real(k, slot, segment, bytes);
            web_stream::send(k, slot, {.content = part.content, .offset = part.offset + first, .length = whole}, false);
        }
        add_real(k, bytes, part, first + whole, part.length - first - whole);
    }
    add_bytes(output.bytes.size());
    if (secured) {
        web_stream::send_bytes(k, slot, bytes, false);
        bytes.clear();
    } else {
        send_real(k, slot, segment, bytes);
    }
}

}  // namespace

void send(Cluster& k, std::uint32_t slot, Session& session, Sending& sending)
{
    const tcp::Connection& c = k.tcp.connections[slot];
    const std::uint64_t waiting = tcp::unsent(c);
    const bool full = waiting > kMostUnsent / 2 || web_stream::spans(k, slot) >= kMostSpans;
    sending.output.clear();
    take(session, sending.output, full ? 0 : kMostUnsent - waiting);
    if (!sending.output.empty()) hand_over(k, slot, sending);
}

}  // namespace anml::rt::app::http2
