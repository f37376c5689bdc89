// Connections of simulated web servers on which the client speaks HTTP/2: with prior knowledge (RFC 9113, 3.3), or over
// TLS by ALPN (3.2).
//
// Each stream's request is served by itself, as those of HTTP/1 are (web_server.h): by a worker of its own, or, where a
// worker belongs to a connection, one after another by the connection's. A connection ends after keep_alive without
// requests, when its client ends it, or breaks the rules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/application.h"
#include "app/http2/http2_sending.h"
#include "app/http2/http2_session.h"
#include "app/web_server/web_server.h"

namespace anml::rt::app {

struct Http2Request {
    enum class State : std::uint8_t { free, coming, waiting, serving, calling };
    std::uint32_t link = 0;    // index in Http2Servers::links
    std::uint32_t stream = 0;  // its identifier
    WebSession::Request asked{};
    State state{};
    bool worker = false;  // one of its own is busy with it
    Time done = 0;        // when it has been served, where processors are not shared
};

struct Http2Link {
    http2::Owned session;
    std::vector<std::uint32_t> requests;       // that are not answered yet, as they came
    std::uint32_t slot = kNone;                // the connection's
    Time idle_until = kNever, armed = kNever;  // as tcp::LazyTimer
    bool worker = false;                       // of the connection
    bool answered = false;                     // any
    bool ends = false;                         // the client sends no more
    bool arranged = false;                     // an event will send what there is
};

struct Http2Servers {
    std::vector<Http2Link> links;
    std::vector<Http2Request> requests;
    std::vector<std::uint32_t> free_links, free_requests;
    http2::Sending sending;
    http::Fields fields{http::Fields::if_none_match, http::Fields::cookie};  // of the head that is read
    std::string text;                                                        // of a response
};

namespace http2_server {

using namespace otherwise;
using Row = abi::record::web_server;
using State = Http2Servers;
inline constexpr bool kHttp2 = true;

// The connection becomes one of these; `worker`: it has one.
void adopt(Cluster& k, std::uint32_t slot, bool worker);

// web_server.h
void granted(Cluster& k, const WebServer::Waiting& next);
bool in_service(const Cluster& k, const WebServer::Waiting& who);
void served(Cluster& k, const WebServer::Waiting& done);
bool calling(const Cluster& k, const WebServer::Waiting& who);
void called(Cluster& k, const WebServer::Waiting& who, std::uint16_t status);

void timer(Cluster& k, std::uint32_t which, std::uint32_t link_or_request, Time at);
void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece);
void acknowledged(Cluster& k, std::uint32_t slot, std::uint64_t bytes);
void all_acknowledged(Cluster& k, std::uint32_t slot);
void peer_closed(Cluster& k, std::uint32_t slot);
void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure);
void broke(Cluster& k, std::uint32_t slot, const char* why);
bool waits_for_peer(const Cluster& k, const tcp::Connection& c);

}  // namespace http2_server
}  // namespace anml::rt::app
