// Explicit congestion notification for TCP (RFC 3168), and DCTCP's way to say which segments were marked (RFC 8257).
// Accurate feedback (RFC 9768) is asked for and agreed on here; the rest of it is in accurate_ecn.h.
//
// What is agreed on in the handshake has a bit of the connection (Connection::ecn); who neither offers nor is asked
// pays for nothing else. A sender's part is in law/echo.h, beside its window law.
#pragma once

#include <cstdint>

#include "net/packet/ecn.h"
#include "transport/tcp.h"

namespace anml::rt::tcp::congestion_notice {

// --- opening
// What a SYN says besides (RFC 3168, 6.1.1): it offers, or accepts in SYN_RECEIVED. A repeated one does not ask.
// DCTCP's is labelled, as all of its packets are.
std::uint8_t opening_flags(Transport& k, Connection& c);
// The peer's SYN has come.
void negotiate(Transport& k, Connection& c, const Packet& syn);
// It has come once more; and the handshake is done, by this packet. Of a connection with ECN, as all that follow.
void opened_again(Transport& k, Connection& c, const Packet& packet);
void opened(Transport& k, Connection& c, const Packet& packet);

// --- receiving
// A segment is acceptable.
void count(Transport& k, Connection& c, const Packet& packet);
// The flags that say it of a segment with `flags`, and the option of a pure acknowledgment.
std::uint8_t echo(Transport& k, Connection& c, std::uint8_t flags);
void add_option(Transport& k, Connection& c, Packet& packet);
// A segment has come, before it is looked at. True: its acknowledgment must not wait.
bool note_mark(Transport& k, Connection& c, const Packet& packet);

// --- sending
// An acknowledgment has moved una by so many bytes, which may reduce the window; by it so many are known to have
// arrived.
void acknowledged(Transport& k, Connection& c, const Packet& packet, std::uint32_t bytes, std::uint32_t delivered);
// One that did not move it. True: it may be a duplicate.
bool repeated(Transport& k, Connection& c, const Packet& packet, std::uint32_t delivered);
// Of a segment with data that is sent for the first time.
void label(Transport& k, Connection& c, Packet& packet);

}  // namespace anml::rt::tcp::congestion_notice
