// Simulated web servers: HTTP/1.0 and HTTP/1.1 (RFC 9112); connections that begin as those of HTTP/2 do are
// http2_server.h's.
//
// A connection persists where its client lets it: requests that come before their turn wait for it, and are answered in
// order; one on which nothing comes for keep_alive is closed. Otherwise, and with keep_alive 0, it ends with the
// response.
//
// A request waits for one of `workers` (first come, first served; 0: there is always one), is served for a random time,
// and its response goes to TCP. A worker belongs to a request until it has handed the response over, or to a connection
// from the handshake until its client has acknowledged the last response, or has closed it, too, as Apache's lingering
// close does (WorkerHold), or is gone; while it is idle, too; and while calls are made for it (calls.h). One of HTTP/2
// lets go of its worker when the server closes. While `backlog` wait for a worker, SYNs are dropped, and the last
// segments of handshakes where connections wait, as in Linux; with `half_open` connections whose handshake is under way
// are among these, as in BSD. The server closes first: with the last segment
// (at_once), or once its data is acknowledged.
//
// Requests in service have a processor each, or share some equally (processor sharing): with n requests on p
// processors each gets min(1, p / n) of one. `progress` is what a request has got that was there all the time, so a
// request that arrives is done when it has grown by its service time; one event is pending, for the first of them.
// A SYN, dropped or not, takes `syn_cost` of one processor before any request: past the capacity a server does less
// than at it (Mogul and Ramakrishnan, "Eliminating receive livelock in an interrupt-driven kernel", ACM TOCS 15(3),
// 1997).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "app/http/http_request.h"
#include "app/http/path_index.h"
#include "app/statistics.h"
#include "base/pool.h"
#include "base/ring.h"
#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt {

class Model;
namespace app {

struct WebServer {
    struct Waiting {
        std::uint32_t slot, generation;  // of the connection: another one may have the slot by then
        std::uint32_t stream = 0;        // of HTTP/2; 0: the connection's own request, or the connection
    };
    const abi::ServerRow* row = nullptr;
    const abi::record::web_server* values = nullptr;
    std::uint64_t workers = 0;  // 0: unlimited
    std::uint64_t busy = 0;
    std::uint64_t requests = 0;         // served so far, the index of their random service times
    std::vector<double> state;          // of the service times
    std::vector<double> shaking_state;  // of those of handshakes
    Ring<Waiting> waiting;
    std::uint64_t backlog = 0;  // 0: none
    bool half_open = false;     // connections that are not established count, too
    std::uint64_t opening = 0;  // these

    struct Job {
        double end;  // of progress
        std::uint64_t number;
        Waiting request;
    };
    std::uint64_t processors = 0;  // that are shared; 0: none is
    std::vector<Job> jobs;         // in service on them, a heap; those that were given up stay until their end
    std::uint64_t in_service = 0;  // those that were not
    double progress = 0;           // ns
    Time progressed = 0;           // when it was worked out
    Time armed = kNever;           // when its event is pending; an earlier one overtook others
    Time syn_cost = 0;
    Time keep_alive = 0;
    bool etags = false, cookie = false, moved = false;
    std::uint64_t cookies = 0;            // set so far
    bool http2 = false;                   // it speaks that, too
    std::vector<std::uint32_t> callers;   // its calls: Calls::callers
    std::vector<std::uint32_t> sessions;  // free ones: a timer event that outlives one finds the same server's next
    Time interrupted = 0;                 // of `progressed`: so long a processor is still busy with SYNs

    ServerStatistics statistics;
    Time counted = 0;  // so far `statistics` has what was busy and waiting
};

// Of a connection on which a real host asks, or more than one request comes.
struct WebSession {
    struct Request {
        std::uint32_t document;  // kNone: there is none of this path
        bool plain;              // HTTP/1.0
        http::Method method;
        // What it says besides, or where it asks: it has the document already, it knows a cookie, the document has
        // moved.
        bool has_it = false, has_cookie = false, elsewhere = false;
        bool grpc = false;  // a call
        std::uint16_t refusal = 0;  // RequestHead::refusal()
    };
    struct Coming {
        http::RequestHead head;                                                  // of a real host's request
        http::Fields fields{http::Fields::if_none_match, http::Fields::cookie};  // of that head, where they count
        Ring<Request> pending;                                                   // behind the one that is served
    };
    std::unique_ptr<Coming> coming;            // made at need, and kept
    std::uint32_t slot = 0;                    // the connection's
    Time idle_until = kNever, armed = kNever;  // as tcp::LazyTimer
};

struct WebServers {
    // `real`: real hosts may ask for documents by their paths.
    WebServers(const Model& model, bool real);
    // Index of the server that listens there, whatever it is; kNone: nobody.
    std::uint32_t find(NodeId node, std::uint16_t port) const;
    // Of all documents; made when a real host first asks, where it was not made before the run.
    const PathIndex& paths();
    // What server `row` has counted up to `now`, in the window of `all`.
    ServerStatistics statistics(std::uint32_t row, const NetCounters& all, Time now) const;

    std::vector<WebServer> servers;                                  // by row; those of other schemas stay empty
    std::vector<std::pair<std::uint64_t, std::uint32_t>> listeners;  // (node, port) and server of any kind, sorted
    Pool<WebSession, 6> sessions;

  private:
    const Model& model_;
    std::optional<PathIndex> paths_;
};

namespace web_server {

using namespace otherwise;
using Row = abi::record::web_server;
using State = WebServers;
bool take_syn(Cluster& k, std::uint32_t server);  // false: the backlog is full, it is dropped
bool admits(Cluster& k, std::uint32_t slot);      // false: it filled up since the SYN came, as does a queue of accept()
void accepted(Cluster& k, std::uint32_t slot);
void established(Cluster& k, std::uint32_t slot);
// web_stream.h: it is open; TLS has failed; a full handshake is to be answered: true, it takes time.
void opened(Cluster& k, std::uint32_t slot);
void broke(Cluster& k, std::uint32_t slot, const char* why);
bool shakes(Cluster& k, std::uint32_t slot);
bool listens(const Cluster& k, NodeId node, std::uint16_t port, std::uint32_t& owner);
// Of a server with processors, or of a connection that is idle.
void timer(Cluster& k, std::uint32_t which, std::uint32_t server_or_session, Time at);
void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece);
void all_acknowledged(Cluster& k, std::uint32_t slot);
void peer_closed(Cluster& k, std::uint32_t slot);
void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure);
void connection_timer(Cluster& k, std::uint32_t slot);
bool waits_for_peer(const Cluster& k, const tcp::Connection& c);
void collect(const Cluster& k, AppStatistics& all, Time now);
// A worker is there for one that waited, before it is anybody's; a request that may be in service is, and has been
// served (web_workers.h).
void granted(Cluster& k, const WebServer::Waiting& next);
bool in_service(const Cluster& k, const WebServer::Waiting& who);
void served(Cluster& k, const WebServer::Waiting& done);
// Its calls are being made (calls.h); they have ended, and it is answered: with that status where it is not 0.
bool calling(const Cluster& k, const WebServer::Waiting& who);
void called(Cluster& k, const WebServer::Waiting& who, std::uint16_t status);
}  // namespace web_server

}  // namespace app
}  // namespace anml::rt
