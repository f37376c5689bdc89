// TCP Fast Open (RFC 7413): a client that has a server's cookie sends its first data with the SYN, and the server
// answers it a round trip earlier than behind a handshake.
//
// A client's SYN to a server whose cookie it does not have asks for one. With one the connection begins with an event
// of its own: the application is told that it is established, as Linux does with TCP_FASTOPEN_CONNECT, and what it
// sends then goes with the SYN as far as it fits. A SYN that is repeated has neither the option nor data, so that
// whatever dropped the first lets it through.
//
// Until the handshake is done such a connection is `early`: una lies behind the SYN, so that sequence numbers and
// offsets in the stream go together as ever.
#pragma once

#include <cstdint>

#include "transport/tcp.h"

namespace anml::rt::tcp::fast_open {

// --- client, in SYN_SENT
void begin(Transport& k, std::uint32_t slot);
void send_first(Transport& k, std::uint32_t slot);  // Timer::fast_open
// Of a connection that has just begun: its application is told that it is established when the SYN is answered.
void forgo(Transport& k, std::uint32_t slot);
void learn(Transport& k, const Connection& c, const Packet& syn_ack);
// The SYN is acknowledged, and of the `sent` bytes that went with it so many; una is behind them. `given`: with another
// cookie.
void answered(Transport& k, std::uint32_t slot, std::uint32_t accepted, std::uint32_t sent, bool given);

// --- server
// A SYN with the option: SYN/ACK, and if its cookie is good its data are received.
void accept(Transport& k, std::uint32_t slot, const Packet& syn);
void repeat(Transport& k, std::uint32_t slot);                           // the SYN/ACK
void time_out(Transport& k, std::uint32_t slot);                         // it is not acknowledged
void confirmed(Transport& k, std::uint32_t slot, const Packet& packet);  // it is, by this

}  // namespace anml::rt::tcp::fast_open
