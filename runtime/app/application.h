// Between TCP and the applications on it: what TCP tells, handed to the application that owns the connection. A
// callback may abort its connection, and never opens one: a new connection begins with an event of its own.
#pragma once

#include <cstdint>
#include <optional>

#include "net/cluster.h"
#include "transport/tcp.h"

namespace anml::rt::app {

// Who listens on that port, if anybody does: a web server, by its index, or a sink.
struct Listener {
    tcp::Role role;
    std::uint32_t owner;
};
std::optional<Listener> listener(const Cluster& k, NodeId node, std::uint16_t port);
bool take_syn(Cluster& k, const Listener& listener);  // false: its backlog is full, the SYN is dropped
void accepted(Cluster& k, std::uint32_t slot);        // a SYN arrived
void established(Cluster& k, std::uint32_t slot);
// `count` payload bytes of the packet, from its byte `skip` on, are in order; more may have followed them.
void data(Cluster& k, std::uint32_t slot, const Packet& packet, std::uint32_t skip, std::uint32_t count);
void acknowledged(Cluster& k, std::uint32_t slot, std::uint64_t bytes);  // of content, more than before
void all_acknowledged(Cluster& k, std::uint32_t slot);                   // all content that was sent
void peer_closed(Cluster& k, std::uint32_t slot);                        // FIN, after all data
void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure);       // TCP releases the connection afterwards
void timer(Cluster& k, std::uint32_t slot);
bool waits_for_peer(const tcp::Connection& c);  // a server that has not got all of its request

}  // namespace anml::rt::app
