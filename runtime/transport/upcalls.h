// What the transport protocols call above them; app/ defines it. A callback about a connection may abort it, and never
// opens one: a new connection begins with an event of its own.
#pragma once

#include <cstdint>
#include <optional>

#include "net/node/node.h"
#include "net/packet/packet.h"
#include "transport/connection.h"
#include "transport/span.h"
#include "transport/transport.h"

namespace anml::rt {

namespace tcp {
enum class Failure : std::uint8_t {
    reset,      // RST, or ICMP unreachable
    exhausted,  // too many retransmissions
    no_route,   // of one that cannot begin: no way leads to the peer
    no_port,    // the same: no local port is left for it
};

// A connection that was to begin.
struct Opened {
    std::uint32_t slot = kNone;           // kNone: it has not begun, by `failure`
    Failure failure = Failure::no_route;  // or no_port

    explicit operator bool() const { return slot != kNone; }
};
}

namespace upcalls {

// Who listens on that port, if anybody does.
struct Listener {
    tcp::Application app;
    std::uint32_t owner;
};
std::optional<Listener> listener(const Transport& k, NodeId node, std::uint16_t port);
bool take_syn(Transport& k, const Listener& listener);  // false: its backlog is full, the SYN is dropped
void accepted(Transport& k, std::uint32_t slot);        // a SYN arrived
bool admits(Transport& k, std::uint32_t slot);  // false: its backlog is full, the handshake's last segment is dropped
void established(Transport& k, std::uint32_t slot);
// The next piece of the stream, which c.received has, for an application that reads (Connection::reads).
void read(Transport& k, std::uint32_t slot, const tcp::Piece& piece);
void data(Transport& k, std::uint32_t slot);                               // for others: c.received has grown
void acknowledged(Transport& k, std::uint32_t slot, std::uint64_t bytes);  // more than before; not the place to send
// Of one that has lost something: so many have arrived more than was known before, in order or not.
void arrived(Transport& k, std::uint32_t slot, std::uint32_t bytes);
void all_acknowledged(Transport& k, std::uint32_t slot);                   // all that was sent
void drained(Transport& k, std::uint32_t slot);                            // Connection::refills: little is unsent
void peer_closed(Transport& k, std::uint32_t slot);                        // FIN, after all data
void released(Transport& k, std::uint32_t slot);                           // it is gone, whatever ended it
void failed(Transport& k, std::uint32_t slot, tcp::Failure failure);       // TCP releases the connection afterwards
void timer(Transport& k, std::uint32_t slot);
bool waits_for_peer(const Transport& k, const tcp::Connection& c);  // it has not got all that it is to answer

// Datagrams: one has reached its node; false: it is none of a workload. One that was sent met nobody who listens.
bool datagram(Transport& k, const node::Self& self, const Packet& packet);
void datagram_refused(Transport& k, const Packet& offender);
bool sends_datagrams(const Transport& k, const Packet& datagram);  // hosts of a workload, between these ports

}  // namespace upcalls
}  // namespace anml::rt
