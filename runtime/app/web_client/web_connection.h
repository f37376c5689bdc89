// Connections that web clients keep for several requests (RFC 9112, section 9.3), pipelined ones too (9.3.2).
//
// Each client of a connection has one request at a time on it; several make a pipeline, and responses belong to
// requests in their order. The last of `requests` says "Connection: close". A client whose turn comes while there is no
// room waits. The connection ends as the server says, with its FIN or RST, or when it rests for `idle`. A request that
// it leaves unanswered, without a byte of a response, is sent again on a new connection, if the old one had answered
// any, or had another one before it that has failed (9.3.1), unless it is a POST; behind a connection that did not end
// with a response that says so nothing is pipelined until the first has come (9.3.2).
#pragma once

#include <cstdint>

#include "app/web/closed_loop.h"

namespace anml::rt::app::web_connection {

// Of clients that begin with this one; the first of as many as its workload has origins.
std::uint32_t make(Cluster& k, std::uint32_t client);
// Whether any of them is open.
bool any_open(const Cluster& k, const Client& client);
// The client's next request is due: it is sent, or waits for its connection.
void begin(Cluster& k, std::uint32_t client);
// Its transaction goes on with another request, before those that wait, once its response has been dealt with.
void ask_again(Cluster& k, std::uint32_t client);
// A client of it has ended a transaction, the next one is due then.
void rests(Cluster& k, std::uint32_t connection, Time until);
void hang_up(Cluster& k, std::uint32_t connection);  // one on which nothing is asked for any more
inline bool open(const WebConnection& w) { return w.slot != kNone; }

void reconnect(Cluster& k, std::uint32_t connection);  // in an event of its own
// transport/upcalls.h
void established(Cluster& k, std::uint32_t slot);
void opened(Cluster& k, std::uint32_t slot);
void broke(Cluster& k, std::uint32_t slot, const char* why);
void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece);
void data(Cluster& k, std::uint32_t slot);
void peer_closed(Cluster& k, std::uint32_t slot);
void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure);
void connection_timer(Cluster& k, std::uint32_t slot);

}  // namespace anml::rt::app::web_connection
