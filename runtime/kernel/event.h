// An event: 24 bytes, ordered by (time, stream, sequence in the stream), so never by a thread or an address.
//
// A stream is a directed link (the event is a packet's arrival at the link's far end) or `directed_links + node`
// (a timer of that node).
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/time.h"

namespace anml::rt {

struct Event {
    Time time;
    StreamId stream;
    std::uint32_t sequence;  // wraps: pending events of one stream are never 2^31 apart
    std::uint32_t payload;   // arrival: PacketId; timer: what `kind` says
    std::uint32_t kind;      // timer: TimerKind; arrival: the link's version (changes.h)
};
static_assert(sizeof(Event) == 24);

inline bool earlier(const Event& a, const Event& b)
{
    if (a.time != b.time) return a.time < b.time;
    if (a.stream != b.stream) return a.stream < b.stream;
    return static_cast<std::int32_t>(a.sequence - b.sequence) < 0;
}

}  // namespace anml::rt
