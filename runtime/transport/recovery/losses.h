// What is lost, and what is under way, by what the peer has acknowledged: RFC 6675's IsLost and SetPipe, and RACK's
// rule (RFC 8985). For recovery.cpp; of a connection with a scoreboard.
#pragma once

#include <cstdint>

#include "transport/recovery/scoreboard.h"
#include "transport/tcp.h"

namespace anml::rt::tcp {

// RACK's reordering window: how much later a segment may arrive than one that was sent after it. A probe is sent long
// after the rest.
Time reordering_window(const Connection& c, const Scoreboard& board);
// Something that was sent later than all before this has arrived.
std::uint32_t overtaken_before(const Connection& c, const Scoreboard& board);
// IsLost: what has not arrived of all before this, which is una or lies behind it.
std::uint32_t lost_before(const Transport& k, const Connection& c, const Scoreboard& board);
// SetPipe: bytes that are under way, by what is known.
std::uint32_t pipe(const Connection& c, const Scoreboard& board, std::uint32_t lost);
// Retransmissions may be lost too: what was sent after them, by more than the window, has arrived.
void find_lost_again(Transport& k, const Connection& c, Scoreboard& board, Time window);

}  // namespace anml::rt::tcp
