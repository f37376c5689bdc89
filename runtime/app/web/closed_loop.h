// Closed-loop web clients: GETs, the next transaction after the end of the one before and a think time. What stands
// here is one HTTP/1.0 GET per connection; connections for several are web_connection.h's.
//
// A transaction begins with its SYN; unanswered for connect_timeout, or as long as TCP repeats it, it is abandoned and
// counted as failed. It ends when the response is whole by its own framing (http_response.h), and the client closes,
// whether the server does or not; or, where the workload says so (TransactionEnd in web_client.def), when the server's
// FIN has arrived behind all data, as the paper's do. A response that is cut short or whose framing is broken has
// failed. After every transaction comes the think time, and after refusals in a row a growing pause (outcome.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "app/http/http_cookies.h"
#include "app/http/http_fields.h"
#include "app/http/http_response.h"
#include "app/http/http_words.h"
#include "app/http/validators.h"
#include "app/web_client/request_script.h"
#include "base/ids.h"
#include "base/pool.h"
#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt {

namespace app {

struct Client {
    Time started = 0;  // of the current transaction
    Time due = 0;      // when it was to start, of an open loop; of a closed one, when the next one is, else kNever
    Time handshake = kNever;  // from its SYN to the answer; kNever: it found a connection
    Time shaking = kNever;    // of TLS behind that, where it had to
    Time asked = 0;           // the request was sent
    Time answered = 0;        // the response began; 0: it has not
    NodeId node = 0;
    NodeId peer = kNone;               // whom it asks; kNone: its workload's server
    std::uint32_t workload = 0;        // row
    std::uint32_t transactions = 0;    // number of this one, of those of its host
    std::uint32_t first = 0;           // of its host's clients
    std::uint32_t begun = 0;           // transactions, of the first for all
    std::uint32_t connection = kNone;  // index in ClosedLoops::connections, where it has one for several requests
    std::uint32_t home = kNone;        // index in Http2Clients::homes, of HTTP/2
    std::uint32_t next = kNone;        // behind it in a line of its connection; of an open loop, in its source's; of
                                       // HTTP/2, its place among its connection's streams
    std::uint32_t requested = 0;       // bytes
    std::uint32_t document = 0;        // asked for
    std::uint32_t wanted = kNone;      // with its next transaction; kNone: what comes next of its workload's
    std::uint32_t state =
        0;  // of its think times: the first word in Cluster::sampler_states; or its source, host or user
    std::uint32_t choices = 0;                       // the same of the documents that it draws
    std::uint32_t refusals = 0;                      // in a row (outcome.h)
    std::uint32_t memory = kNone, exchange = kNone;  // in ClosedLoops, of one whose requests differ (web_exchange.h)
    std::uint32_t check = kNone;                     // of the response's body (body_check.h)
    std::uint32_t slot = kNone;                      // of the TCP connection that its request is on, or is to be
    std::uint32_t origin = 0;                        // whom it asks: a place of WebOrigins
    std::uint16_t places = 1;                        // so many connections it has, where it has any
    std::uint8_t tries = 0;                          // of a transaction over HTTP/2, that were in vain
    bool open = false;                               // a transaction is under way
    bool dormant = false;                            // its next one waits until the workload is switched on
    http::Response response;
};

// What the clients of a host remember from request to request (web_exchange.h).
struct WebMemory {
    http::Cookies cookies;
    Validators documents;
    ScriptMemory script;
};

// What the transaction of one of them has besides.
struct Exchange {
    http::Fields fields{http::Fields::set_cookie, http::Fields::location, http::Fields::etag,
                        http::Fields::last_modified};  // of the response
    std::string path;                                  // of the request; "": the document's
    ScriptedRequest scripted;
    http::Method method = http::Method::get;
    std::uint64_t requested = 0, received = 0;  // bytes, before the request that is under way
    std::uint32_t redirects = 0;                // followed so far
    bool conditional = false;                   // the request asks whether the document is still the same
    bool reads_head = false;                    // of the response
    bool elsewhere = false;                     // a redirection has led to another origin
};

// A connection for several requests (web_connection.h).
struct WebConnection {
    struct Line {
        std::uint32_t first = kNone, last = kNone;  // clients, by Client::next
        bool empty() const { return first == kNone; }
    };
    Line unanswered, waiting;
    std::uint64_t taken = 0;  // bytes of the responses that have ended
    Time opened = 0;          // its SYN
    std::uint32_t slot = kNone;
    std::uint32_t sent = 0, answered = 0;  // requests
    std::uint32_t user = 0;                // one of its clients
    bool established = false;
    bool alone = false;  // no request is sent before the one before has its response
};

// What the connection of a client keeps; its owner is the index of the Client, or of the WebConnection.
struct Carried {
    bool persistent = false;
};

struct ClosedLoops {
    std::vector<Client> clients;
    std::vector<WebConnection> connections;
    Pool<WebMemory, 6> memories;
    Pool<Exchange, 6> exchanges;
};

namespace closed_loop {

using namespace otherwise;
using Row = abi::record::closed_loop;
using State = ClosedLoops;
inline constexpr FigureKind kFigureKind = FigureKind::transactions;
inline constexpr RecordSet kActsFor = bit_of(abi::RecordSchema::open_loop) | bit_of(abi::RecordSchema::s_client) |
                                      bit_of(abi::RecordSchema::replay) | bit_of(abi::RecordSchema::browser) |
                                      bit_of(abi::RecordSchema::sessions) | bit_of(abi::RecordSchema::calls);
inline Rhythm rhythm(const Row& row) { return {&row.think}; }
// Words of state that each user of the workload's documents needs.
std::uint32_t choice_words(const Cluster& k, const abi::WorkloadRow& workload);
// The client's next transaction begins now.
void begin(Cluster& k, std::uint32_t client);
// The transaction goes on with another request, as its response says, on a connection that comes in an event of its own
// where there is none.
void ask_again(Cluster& k, std::uint32_t client);
enum Timer : std::uint32_t { kTransaction, kReconnect, kAskAgain };
// Its next transaction begins, or a connection for several, or another one of the same transaction.
void timer(Cluster& k, std::uint32_t which, std::uint32_t client_or_connection, Time at);
void start(Cluster& k, NodeId node, NodeId server, std::uint32_t workload, Time first);
void resume(Cluster& k, const Hosts& hosts);  // it is switched on: those that wait begin
// Its connections.
void established(Cluster& k, std::uint32_t slot);
void opened(Cluster& k, std::uint32_t slot);                  // its stream is (web_stream.h)
void broke(Cluster& k, std::uint32_t slot, const char* why);  // TLS has failed
void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece);
void data(Cluster& k, std::uint32_t slot);
void peer_closed(Cluster& k, std::uint32_t slot);
void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure);
void connection_timer(Cluster& k, std::uint32_t slot);
void collect(const Cluster& k, AppStatistics& all, Time now);
}  // namespace closed_loop

}  // namespace app
}  // namespace anml::rt
