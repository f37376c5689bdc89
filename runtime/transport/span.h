// What a connection carries: a stream of spans. A span is a part of a content, by its number, or real bytes. Their
// sender queues spans, a segment lies within one of them, and the receiver is shown pieces of them, in order.
#pragma once

#include <cstdint>
#include <span>

#include "net/link/buffers.h"

namespace anml::rt::tcp {

struct Span {
    std::uint32_t content = 0;  // what the layer above can produce at any offset; 0: zeros
    std::uint64_t offset = 0;   // of the first byte, there
    std::uint64_t length = 0;
    BufferId bytes = kNone;  // real ones instead of a content: a buffer of the connection's (Net::buffers)
};

// What of a span has come.
struct Piece {
    std::uint32_t content = 0;
    std::uint64_t offset = 0;
    std::uint32_t length = 0;
    bool real = false;
    std::span<const std::uint8_t> bytes;  // where they are real; valid during the call
};

}  // namespace anml::rt::tcp
