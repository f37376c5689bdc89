// Keep-alive (RFC 9293, 3.8.4; RFC 1122, 4.2.3.6), as Linux has it: a connection on which nothing has come for a while,
// and nothing is under way, asks whether its peer is there, with a segment that it has to acknowledge. A peer that is
// silent is asked again; one that does not answer so many probes is gone, and the connection fails.
//
// The deadline of the transport timer says when something came last: nothing is kept besides. It does not run while
// another one does: data under way has a time-out of its own, and so has a peer that is to ask first.
#pragma once

#include <cstdint>

#include "transport/tcp.h"

namespace anml::rt::tcp::keep_alive {

// A segment of the peer has come, on a connection with Connection::keep_alive.
void heard(Transport& k, std::uint32_t slot);
// Timer::keep_alive has expired.
void expired(Transport& k, std::uint32_t slot);

}  // namespace anml::rt::tcp::keep_alive
