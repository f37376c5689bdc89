// Calls: what a simulated web server asks others for, for each request that it has served, before it answers.
//
// A server's calls are those of the workloads of web.Calls that run on it, and whose `entry` the request's path has.
// They are made stage by stage: those without a stage one after the other in the order of the text, then those of each
// stage at the same time. A stage is over with as many answered calls as it waits for, or when so many can no longer
// come.
//
// A call asks one node or several at the same time, for one document or for all, each by a transaction of HTTP
// (transaction.h) over a connection of the caller's, which stays for the next one (web_connection.h); one that rests on
// the node's is taken first. It is over with the answers that it waits for, or when so many can no longer come. What is
// under way when a call or its stage is over goes on, without a further try, and nobody reads what it brings. The
// request's worker stays busy until the last stage is over.
//
// What fails is tried again, after a wait that grows, as often as `retries` and the budget let it: each node that is
// asked for the first time adds `budget` to what is saved, up to kMostSaved, and a retry takes 1. After `breaker`
// failures in a row a node's circuit is open, for this caller: it is not asked for `open_for`; then one try is let
// through, whose end closes the circuit or opens it again.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "app/failure_cause.h"
#include "app/web_server/web_server.h"
#include "base/ids.h"
#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt {

namespace app {

struct Callee {  // a node that a caller asks
    NodeId node = 0;
    std::uint32_t open = 0;         // tries under way
    std::uint32_t failed = 0;       // in a row
    std::uint32_t resting = kNone;  // clients that rest on a connection to it, the last one first, by Client::next
    std::uint32_t home = kNone;     // of its connections, of HTTP/2 (http2_client.h)
    std::uint64_t chosen = 0;       // by the caller's call of that number
    Time opens = 0;                 // for a probe, where its circuit is open
    bool circuit_open = false;
    bool probing = false;
};

struct Caller {  // a server, of one workload
    NodeId node = 0;
    std::uint32_t workload = 0;
    std::uint32_t next = 0;   // of `to`, in turn
    std::uint64_t calls = 0;  // so far, with those that the cache has answered
    std::uint64_t tries = 0, draws = 0, picks = 0;
    double saved = 0;              // of the budget
    std::uint32_t state = 0;       // of its waits: the first word in Cluster::sampler_states
    std::uint32_t choices = 0;     // the same of the documents that it draws
    std::uint32_t memory = kNone;  // of its clients (web_exchange.h)
    std::uint32_t entries = kNone;  // of Calls::entries; kNone: it is made for all requests
    std::vector<Callee> to;
};

struct CallStage {  // what a request's server calls at the same time
    WebServer::Waiting request;
    std::uint32_t server = 0;    // row
    std::uint32_t document = 0;  // that was asked for
    std::uint32_t next = 0;      // place of the stage behind it, among the server's calls
    std::uint32_t wanted = 0, answered = 0;
    std::uint32_t may = 0;    // answer yet
    std::uint32_t calls = 0;  // not told about
    bool over = false;
};

struct Call {
    std::uint32_t stage = 0;   // once it is over no longer its own
    std::uint32_t server = 0;  // row
    std::uint32_t place = 0;   // among the server's calls
    std::uint32_t document = 0;
    std::uint32_t wanted = 0, answered = 0;
    std::uint32_t may = 0;   // answer yet
    std::uint32_t asks = 0;  // not ended
    Time begun = 0;
    std::uint64_t number = 0;  // of the caller's
    std::uint16_t status = 0;  // that the server answers with; 0: the call has succeeded
    bool over = false, told = false;
    bool open = false;  // it is there, and not over
};

struct Ask {  // one node of a call
    std::uint32_t call = 0, callee = 0, document = 0;
    std::uint32_t tries = 0;
    bool probe = false;
};

struct Calls {
    std::vector<Caller> callers;
    std::vector<Call> calls;
    std::vector<Ask> asks;
    std::vector<CallStage> stages;
    std::vector<std::uint32_t> free_calls, free_asks, free_stages;
    std::vector<std::uint32_t> idle;         // clients without a connection
    std::vector<Ask> made;                   // room: of the call that is being made
    std::vector<std::uint32_t> asked;        // room: the same by their numbers, or places of a stage's calls
    std::vector<std::vector<bool>> entries;  // by workload that has some: for which documents it is made
};

namespace calls {

using namespace otherwise;
using Row = abi::record::calls;
using State = Calls;
inline constexpr FigureKind kFigureKind = FigureKind::calls;
inline constexpr double kMostSaved = 100;

bool is_call(const Cluster& k, std::uint32_t workload);
void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first);
// The request for the document has been served: its calls are made, and web_server::called() tells of their end. False:
// there are none.
bool begin(Cluster& k, const WebServer::Waiting& request, std::uint32_t server, std::uint32_t document);
void timer(Cluster& k, std::uint32_t which, std::uint32_t call_or_ask, Time at);
// A client's transaction has ended, with that status, 0 where it had none.
void finished(Cluster& k, std::uint32_t client, std::optional<FailureCause> failure, std::uint16_t status);
void collect(const Cluster& k, AppStatistics& all, Time now);

}  // namespace calls
}  // namespace app
}  // namespace anml::rt
