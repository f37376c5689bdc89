// Where requests wait for a connection of HTTP/2, and which connection takes which (http2_client.h); http2_client.cpp
// has what passes on them.
#pragma once

#include <cstdint>

#include "app/cluster.h"
#include "app/http2/http2_client.h"
#include "app/statistics.h"
#include "app/web_client/transaction.h"

namespace anml::rt::app {

namespace http2_client {

enum Timer : std::uint32_t { kPlace, kSend };

// Of several streams requests that are due at one instant go together.
void send_soon(Cluster& k, std::uint32_t connection);

}  // namespace http2_client

namespace http2_home {

using Connection = Http2Connection;
using Line = WebConnection::Line;

inline Client& client_at(Cluster& k, std::uint32_t index) { return k.closed_loop.clients[index]; }
inline Connection& connection(Cluster& k, std::uint32_t at) { return k.http2_client.connections[at]; }
inline Http2Home& home_of(Cluster& k, const Connection& c) { return k.http2_client.homes[c.home]; }
inline const transaction::ConnectionValues& values_of(const Cluster& k, const Http2Home& home)
{
    return transaction::connection_values(k.image, home.workload);
}

// Lines of clients, by Client::next.
void add(Cluster& k, Line& line, std::uint32_t client);
void put_ahead(Cluster& k, Line& ahead, Line& line);

// A connection may have room for more; it takes no more.
void list(Cluster& k, std::uint32_t connection);
void retire(Cluster& k, Connection& c);
// Its streams: no later than this they are given up; one of them is no more; its request is sent.
void watch_all(Cluster& k, Connection& c);
void remove(Cluster& k, Connection& c, std::uint32_t client);
void ask(Cluster& k, Connection& c, Connection::Stream& stream);

// From now on the TCP connection is nobody's, and its streams' clients are the caller's.
void detach(Cluster& k, std::uint32_t connection);
// Gives those that wait to connections, as far as they have room. Others may be opened in events of their own alone.
void place(Cluster& k, std::uint32_t home, bool may_open);
// A request is sent once more: it is put in line.
void try_again(Cluster& k, Line& line, std::uint32_t client);
inline constexpr std::uint8_t kMostTries = 5;
// The connection is no more, and so are its streams; `again`: they may be sent again.
void lose(Cluster& k, std::uint32_t connection, FailureCause cause, bool again);

}  // namespace http2_home
}  // namespace anml::rt::app
