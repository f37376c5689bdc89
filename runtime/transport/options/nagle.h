// Nagle's algorithm (RFC 896; RFC 9293, 3.7.4) as Linux has it, with Minshall's modification: a small segment waits
// only while another small one is not acknowledged. So the last part of a large write leaves at once, and the second of
// two small writes waits for the acknowledgment of the first, however long its receiver delays that.
#pragma once

#include <cstdint>

#include "transport/sequence.h"

namespace anml::rt::tcp {

// Of a connection with Connection::nagle; its law's state has it.
struct Nagle {
    std::uint32_t small_end = 0;  // behind the last small segment that was sent; where there was one
    bool any = false;

    // A small segment would leave at `next`.
    bool holds(std::uint32_t una, std::uint32_t next) const
    {
        return any && after(small_end, una) && !after(small_end, next);
    }
    // New data from `sequence` on leaves, of which there are `left` bytes; what of them fits in a segment belongs to
    // it.
    void sent(std::uint32_t una, std::uint32_t sequence, std::uint64_t left, std::uint32_t mss)
    {
        any = any && after(small_end, una);  // once acknowledged it is forgotten, before numbers come around
        if (left >= mss || (any && after(small_end, sequence))) return;
        small_end = sequence + static_cast<std::uint32_t>(left);
        any = true;
    }
};

}  // namespace anml::rt::tcp
