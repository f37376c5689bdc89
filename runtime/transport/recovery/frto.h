// Forward RTO-recovery (RFC 5682, 3.1, with Linux's tcp_process_loss): whether a time-out was spurious. Behind a
// time-out the first segment is sent again. If the acknowledgment that follows moves on, new data is sent instead of
// the rest: something that was sent once, before the time-out, arrives then, or the new data alone. Needs no
// timestamps. Of adaptive recovery; its state is the scoreboard's.
#pragma once

#include <cstdint>

#include "transport/recovery/scoreboard.h"
#include "transport/tcp.h"

namespace anml::rt::tcp::frto {

// Before a time-out changes the connection: what was sent more than once; `first`: in a row.
Frto prepare(Transport& k, Connection& c, bool first);
// Step 1: the first segment has been sent again.
void begin(Transport& k, Connection& c, const Frto& frto);

// An acknowledgment has moved una from `una`, and its scoreboard not yet been trimmed. Step 3 b.
void advanced(Transport& k, Connection& c, std::uint32_t una);
// An acknowledgment is understood, which moved una (`moved`), or told that something had arrived (`duplicate`): steps
// 2 and 3.
void acknowledged(Transport& k, Connection& c, bool moved, bool duplicate);

}  // namespace anml::rt::tcp::frto
