// Clients that keep connections open: WebSockets (websocket.h), on which they send and expect messages, and streams of
// events (event_stream.h), on which they listen.
//
// A connection begins with its SYN, shakes hands of TLS where its scheme wants it, asks, and is open with the answer.
// On a socket messages go at their interval, whether or not the answers to those before have come. A message with its
// answer is a transaction, from when it is sent; where no answer is expected, and on a stream, what comes is one, from
// when the one before it came. So is what fails: a message without its answer in time, and of a connection that could
// not be opened, or broke, what was to be answered on it, or itself. Behind the last message the client closes (RFC
// 6455, 7); behind the end of a connection comes the think time, and after failures in a row a growing pause
// (outcome.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "app/http/http_fields.h"
#include "app/http/http_response.h"
#include "app/messages/event_stream.h"
#include "app/messages/websocket_protocol.h"
#include "base/time.h"

namespace anml::rt::app {

struct WebSocket {
    struct Message {  // that waits for its answer
        Time sent = 0;
        std::uint64_t hash = 0;
        std::uint64_t bytes = 0;  // of its frame
    };
    enum class Phase : std::uint8_t { rests, opens, open, closes };

    Time due = kNever;  // its next connection begins, or its next message goes
    Time started = 0;   // of the connection: its SYN
    Time asked = 0;     // it was asked for, behind that
    Time last = 0;      // something came that counts, or the stream was asked for; what it is closing: since when
    NodeId node = 0;
    std::uint32_t workload = 0;  // row
    std::uint32_t number = 0;    // of those of its host
    std::uint32_t slot = kNone;
    std::uint32_t state = 0;     // of its random times and sizes: the first word in Cluster::sampler_states
    std::uint32_t refusals = 0;  // in a row (outcome.h)
    std::uint64_t begun = 0;     // connections
    std::uint64_t sent = 0;      // messages, of all of them
    std::uint64_t drawn = 0;     // masks and keys
    std::uint64_t left = 0;      // messages or events of this connection that are still to be; 0 from the first: any
    std::uint64_t came = 0;      // bytes, since what counted last
    bool events = false;         // it is a stream
    bool ends = false;           // nothing follows what is unanswered
    bool heard = false;          // an event has come on this connection
    bool dormant = false;        // its next connection waits until the workload is switched on
    Phase phase = Phase::rests;
    std::vector<Message> unanswered;  // in the order in which they were sent
    std::string key;                  // while it is asked for
    std::unique_ptr<websocket::Compression> compression;  // that was agreed on
    std::unique_ptr<http::Fields> fields;
    http::Response response;
    websocket::Reader reader;
    EventStream stream;
};

struct WebSockets {
    std::vector<WebSocket> all;
    std::vector<std::uint8_t> payload, frame;  // room
    std::string body;
};

namespace web_socket {

using namespace otherwise;
using Row = abi::record::web_socket;
using State = WebSockets;
inline constexpr FigureKind kFigureKind = FigureKind::transactions;
inline constexpr RecordSet kActsFor = bit_of(abi::RecordSchema::web_events);
inline Rhythm rhythm(const Row& row) { return {&row.interval}; }

void start(Cluster& k, NodeId node, NodeId server, std::uint32_t workload, Time first);
void timer(Cluster& k, std::uint32_t which, std::uint32_t socket, Time at);
void resume(Cluster& k, const Hosts& hosts);
void stop(Cluster& k, const Hosts& hosts);  // open ones are closed
// Its connections.
void established(Cluster& k, std::uint32_t slot);
void opened(Cluster& k, std::uint32_t slot);                  // its stream is (web_stream.h)
void broke(Cluster& k, std::uint32_t slot, const char* why);  // TLS has failed
void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece);
void peer_closed(Cluster& k, std::uint32_t slot);
void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure);
void connection_timer(Cluster& k, std::uint32_t slot);
void collect(const Cluster& k, AppStatistics& all, Time now);

}  // namespace web_socket
}  // namespace anml::rt::app
