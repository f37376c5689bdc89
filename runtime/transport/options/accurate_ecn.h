// Accurate ECN feedback (AccECN, RFC 9768): instead of one echo in a round trip every segment says how many marked
// packets have come, modulo eight, in the flags AE, CWR and ECE (the ACE field), and pure acknowledgments with room
// say in an option how many bytes came with each codepoint.
//
// Of a connection that has agreed on it; ecn.cpp asks, negotiates and calls what is here.
#pragma once

#include <cstdint>

#include "transport/law/accurate.h"
#include "transport/tcp.h"

namespace anml::rt::tcp::accurate {

inline constexpr std::uint8_t kField = tcp_flag::ae | tcp_flag::cwr | tcp_flag::ece;

// Null: of a connection with ECN, which has agreed on RFC 3168's feedback.
inline law::Accurate* of(Transport& k, const Connection& c)
{
    law::Accurate& state = k.tcp.law_states[c.law_state].accurate;
    return state.agreed ? &state : nullptr;
}

// --- opening
// How flags of a SYN/ACK, or of the acknowledgment of one, tell with which codepoint it came (tables 2 and 3).
std::uint8_t encode_opening(std::uint8_t codepoint);
// Whether a SYN/ACK's flags agree to accurate feedback, and whether a SYN's ask for it.
bool confirms(std::uint8_t field);
bool asks(std::uint8_t field);
// The peer's SYN or SYN/ACK has come once more.
void opened_again(law::Accurate& state, Connection& c, const Packet& packet);
// The handshake is done, by this packet. True: it tells that one of ours was marked.
bool opened(law::Accurate& state, Connection& c, const Packet& packet);

// --- receiving
void count(Transport& k, Connection& c, law::Accurate& state, const Packet& packet);
bool at_once(const law::Accurate& state, const Packet& packet);  // its acknowledgment must not wait
// The field of a segment that is to leave, as flags.
std::uint8_t field(law::Accurate& state, std::uint8_t flags);
// The option of a pure acknowledgment, where there is something to say and room.
void add_option(law::Accurate& state, Packet& packet);

// --- sending
struct Marks {
    std::uint32_t packets, bytes;
};
// What the acknowledgment tells anew; `delivered`: bytes that by it are known to have arrived.
Marks learn(law::Accurate& state, const Connection& c, const Packet& packet, std::uint32_t delivered);

}  // namespace anml::rt::tcp::accurate
