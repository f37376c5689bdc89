// Connections of web clients that speak HTTP/2 (RFC 9113): several requests at a time, each a stream of its own.
//
// A home is where requests wait for a connection: a closed loop's client has one for each of its connections, a user
// who looks at pages one for all of them, as many as the workload says, and so has an open loop's source, for any
// number. It opens another where those that there are have no room. A connection takes so many streams at a time as the
// workload says and the server lets it, so many in all as `requests` says, and none any more once the server has said
// GOAWAY; it ends with its last one. What a server has not looked at, as it says with GOAWAY or REFUSED_STREAM, is sent
// again (8.7), and so is what a connection that has answered before leaves without a byte of a response, unless it is a
// POST; kMostTries times.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/http2/http2_sending.h"
#include "app/http2/http2_session.h"
#include "app/web/closed_loop.h"

namespace anml::rt::app {

struct Http2Home {
    NodeId node = 0;
    std::uint32_t workload = 0;  // row
    std::uint32_t most = 0;      // connections that take requests; 0: any number
    std::uint32_t taking = 0;    // of them there are
    WebConnection::Line waiting;
    std::vector<std::uint32_t> connections;
    std::vector<std::uint32_t> roomy;  // of them those that may have room, the next to be used last
};

struct Http2Connection {
    struct Stream {
        std::uint32_t client, id;  // 0: it is not sent yet
    };
    http2::Owned session;
    std::vector<Stream> streams;
    Time opened = 0;                    // its SYN
    Time heard = 0;                     // something came
    Time watched = kNever;              // by the application's timer: no stream is given up earlier
    std::uint32_t home = 0, place = 0;  // among the home's
    std::uint32_t slot = kNone;
    std::uint32_t given = 0, answered = 0;  // requests
    bool established = false;
    bool retired = false;   // it takes no more requests
    bool listed = false;    // among its home's roomy ones
    bool arranged = false;  // an event will send what there is
};

struct Http2Clients {
    std::vector<Http2Home> homes;
    std::vector<Http2Connection> connections;
    std::vector<std::uint32_t> free;  // of these
    http2::Sending sending;
    std::string text;  // of a request
};

namespace http2_client {

using namespace otherwise;
using Row = abi::record::closed_loop;
using State = Http2Clients;
inline constexpr RecordSet kActsFor = bit_of(abi::RecordSchema::open_loop) | bit_of(abi::RecordSchema::replay) |
                                      bit_of(abi::RecordSchema::browser) | bit_of(abi::RecordSchema::sessions) |
                                      bit_of(abi::RecordSchema::calls);
inline constexpr bool kHttp2 = true;

bool speaks(const Model& model, std::uint32_t workload);
// The first of as many as the workload has origins. `connections`: of each at a time; 0: any number.
std::uint32_t make(Cluster& k, NodeId node, std::uint32_t workload, std::uint32_t connections);
// The client's next transaction begins now.
void begin(Cluster& k, std::uint32_t client);
// It goes on with another request, as its response says, when those responses have been read that came with it.
void ask_again(Cluster& k, std::uint32_t client);
void hang_up(Cluster& k, std::uint32_t home);  // its connections, on which nothing is asked for any more

void timer(Cluster& k, std::uint32_t which, std::uint32_t home_or_connection, Time at);
void established(Cluster& k, std::uint32_t slot);
void opened(Cluster& k, std::uint32_t slot);  // its stream is (web_stream.h)
void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece);
void broke(Cluster& k, std::uint32_t slot, const char* why);  // TLS has failed
void acknowledged(Cluster& k, std::uint32_t slot, std::uint64_t bytes);
void peer_closed(Cluster& k, std::uint32_t slot);
void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure);
void connection_timer(Cluster& k, std::uint32_t slot);

}  // namespace http2_client
}  // namespace anml::rt::app
