// The stream of a web connection, as HTTP sees it: clients and servers send through here, and ask here how much has
// come. What they send, and the pieces that their read() is shown, are plain bytes or contents, whatever lies between
// them and TCP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "app/cluster.h"
#include "transport/tcp.h"

namespace anml::rt::app::web_stream {

// As their namesakes in transport/tcp.h.
inline void send(Cluster& k, std::uint32_t slot, const tcp::Span& span, bool then_close)
{
    tcp::send(k, slot, span, then_close);
}
inline void send_bytes(Cluster& k, std::uint32_t slot, std::span<const std::uint8_t> bytes, bool then_close)
{
    tcp::send_bytes(k, slot, bytes, then_close);
}
inline void close(Cluster& k, std::uint32_t slot) { tcp::close(k, slot); }
inline void abort(Cluster& k, std::uint32_t slot) { tcp::abort(k, slot); }

// Bytes that have come so far, the piece that is being shown included.
inline std::uint64_t received(const Cluster& k, std::uint32_t slot) { return k.tcp.connections[slot].received; }
// Whether read() is shown what comes next; else data() is told that there is more.
inline void show(Cluster& k, std::uint32_t slot, bool all) { k.tcp.connections[slot].reads = all; }
// How many spans are not acknowledged.
inline std::size_t spans(const Cluster& k, std::uint32_t slot) { return tcp::spans(k, k.tcp.connections[slot]); }

}  // namespace anml::rt::app::web_stream
