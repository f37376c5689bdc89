#include "app/web_server/web_server.h"

#include <algorithm>
#include <span>

#include "app/cluster.h"
#include "app/content.h"
#include "app/web_client/web_stream.h"
#include "app/web_server/web_answer.h"
#include "app/web_server/web_workers.h"
#include "net/web_clients.h"
#include "transport/tcp.h"

namespace anml::rt::app {

namespace {

using CloseMode = abi::record::web_server::CloseMode;
using WorkerHold = abi::record::web_server::WorkerHold;

enum Phase : std::uint8_t {
    kHead,     // a request is to come
    kShaking,  // a handshake of TLS is answered
    kWaiting,
    kServing,
    kCalling,    // others are asked for it
    kBlocked,    // the client acknowledges too little for the next response
    kResponded,  // for the last time
};
enum Timer : std::uint32_t { kProcessors, kIdle };

// Of a client that goes on asking without taking its answers.
constexpr std::size_t kMostPending = 4096, kMostResponses = 4096;

// What a server keeps of a connection.
struct Serving {
    std::uint32_t document = 0;  // of the request that waits or is served
    std::uint32_t session = 0;   // index + 1 in WebServers::sessions; 0: none yet
    std::uint8_t phase = kHead;
    bool worker : 1 = false;   // one of the workers is busy with it
    bool plain : 1 = false;    // the request is of HTTP/1.0
    bool ends : 1 = false;     // no request will follow those that have come
    bool partial : 1 = false;  // one has come in part
    bool left : 1 = false;     // the client has closed, too
    // As WebSession::Request has them, of the request that waits or is served.
    bool has_it : 1 = false;
    bool has_cookie : 1 = false;
    bool elsewhere : 1 = false;
    std::uint16_t refusal : 12 = 0;
    http::Method method : 4 = http::Method::get;
};

Serving& serving(tcp::Connection& c) { return c.of_application<Serving>(); }
const Serving& serving(const tcp::Connection& c) { return c.of_application<Serving>(); }

bool is_http2(const tcp::Connection& c) { return facts.http2 && c.app == owner_number(Number::http2_server); }

WebServer& server_of(Cluster& k, const tcp::Connection& c) { return k.web_server.servers[c.owner]; }

WebSession& session(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    Serving& s = serving(c);
    if (s.session == 0) {
        std::vector<std::uint32_t>& spare = server_of(k, c).sessions;
        if (spare.empty()) {
            s.session = k.web_server.sessions.allocate() + 1;
        } else {
            s.session = spare.back() + 1;
            spare.pop_back();
        }
        k.web_server.sessions[s.session - 1].slot = slot;
    }
    return k.web_server.sessions[s.session - 1];
}

WebSession::Coming& coming(WebSession& session)
{
    if (!session.coming) session.coming = std::make_unique<WebSession::Coming>();
    return *session.coming;
}

void forget_session(Cluster& k, tcp::Connection& c)
{
    Serving& s = serving(c);
    if (s.session == 0) return;
    WebSession& session = k.web_server.sessions[s.session - 1];
    if (WebSession::Coming* const coming = session.coming.get()) {
        coming->head = {};
        coming->fields.clear();
        while (!coming->pending.empty()) coming->pending.pop();
    }
    session.idle_until = kNever;
    server_of(k, c).sessions.push_back(s.session - 1);
    s.session = 0;
}

bool more_pending(const Cluster& k, const tcp::Connection& c)
{
    const std::uint32_t session = serving(c).session;
    if (session == 0) return false;
    const WebSession::Coming* const coming = k.web_server.sessions[session - 1].coming.get();
    return coming && !coming->pending.empty();
}

// `status`: of its failure; 0: there was none.
void respond(Cluster& k, std::uint32_t slot, std::uint16_t status)
{
    tcp::Connection& c = k.tcp.connections[slot];
    Serving& s = serving(c);
    const bool last = s.ends && !more_pending(k, c);
    const content::Persistence persistence = s.plain ? content::Persistence::none
                                             : last  ? content::Persistence::last
                                                     : content::Persistence::kept;
    const WebSession::Request request{s.document,   s.plain,     s.method, s.has_it,
                                      s.has_cookie, s.elsewhere, false,    s.refusal};
    const web_answer::Answer answer = web_answer::answer(k, c.owner, request, persistence, status);
    if (last) {
        s.phase = kResponded;
        forget_session(k, c);
    }
    const bool closes = last && k.web_server.servers[c.owner].values->close == CloseMode::at_once;
    if (answer.head.empty()) {
        web_stream::send(k, slot, {.content = answer.content, .length = answer.offset + answer.body}, closes);
        return;
    }
    web_stream::send_bytes(k, slot, {reinterpret_cast<const std::uint8_t*>(answer.head.data()), answer.head.size()},
                           answer.body == 0 && closes);
    if (answer.body > 0)
        web_stream::send(k, slot, {.content = answer.content, .offset = answer.offset, .length = answer.body}, closes);
}

void take_worker(Cluster& k, WebServer& server, tcp::Connection& c)
{
    if (serving(c).worker) return;
    serving(c).worker = true;
    web_workers::occupy(k, server);
}

// A random time on a processor: of its own, or of those that are shared. finish() comes behind it.
void work(Cluster& k, std::uint32_t slot, const abi::Distribution& random, std::vector<double>& state)
{
    const tcp::Connection& c = k.tcp.connections[slot];
    const Time done = web_workers::work(k, c.owner, {slot, c.generation}, random, state);
    if (done != kNever) tcp::set_application_timer(k, slot, done);
}

bool is_working(const tcp::Connection& c) { return serving(c).phase == kServing || serving(c).phase == kShaking; }

// It is not wanted any more.
void stop_working(Cluster& k, tcp::Connection& c)
{
    if (is_working(c)) web_workers::give_up(k, c.owner);
}

void serve(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    WebServer& server = server_of(k, c);
    serving(c).phase = kServing;
    take_worker(k, server, c);
    server.statistics.requests += k.measuring();
    work(k, slot, server.values->service, server.state);
}

void free_worker(Cluster& k, tcp::Connection& c)
{
    if (!serving(c).worker) return;
    serving(c).worker = false;
    web_workers::vacate(k, server_of(k, c));
}

// Nothing is to be done for the connection any more; with hold = connection its worker waits for the client to close.
void linger(Cluster& k, tcp::Connection& c)
{
    if (serving(c).left || server_of(k, c).values->hold != WorkerHold::connection) free_worker(k, c);
}

// The request is complete.
void enqueue(Cluster& k, std::uint32_t slot, const WebSession::Request& request)
{
    tcp::Connection& c = k.tcp.connections[slot];
    const WebServer& server = server_of(k, c);
    Serving& s = serving(c);
    if (c.timer == tcp::Timer::idle) tcp::stop_timer(c);
    s.document = request.document;
    s.plain = request.plain;
    s.method = request.method;
    s.has_it = request.has_it;
    s.has_cookie = request.has_cookie;
    s.elsewhere = request.elsewhere;
    s.refusal = request.refusal;
    s.phase = kWaiting;
    if (s.worker || (server.values->hold == WorkerHold::request && web_workers::any_free(server)))
        serve(k, slot);
    else if (server.values->hold == WorkerHold::request)
        web_workers::wait(k, c.owner, {slot, c.generation});
}

// A request has come: its turn is now, or behind those before it.
void take(Cluster& k, std::uint32_t slot, WebSession::Request request, bool persistent)
{
    tcp::Connection& c = k.tcp.connections[slot];
    Serving& s = serving(c);
    s.partial = false;
    if (server_of(k, c).keep_alive == 0) {
        request.plain = true;
        persistent = false;
    }
    if (persistent || s.phase != kHead) {
        WebSession& of = session(k, slot);
        if (s.phase != kHead) {
            Ring<WebSession::Request>& pending = coming(of).pending;
            pending.push(request);
            persistent = persistent && pending.size() < kMostPending;
        }
    }
    if (!persistent) {
        s.ends = true;
        web_stream::show(k, slot, false);
    }
    if (s.phase == kHead) enqueue(k, slot, request);
}

void arm_idle(Cluster& k, const WebServer& server, std::uint32_t index)
{
    WebSession& of = k.web_server.sessions[index];
    if (of.idle_until >= of.armed) return;
    of.armed = of.idle_until;
    k.schedule(server.row->node, of.armed, timer_of(Number::web_server, kIdle), index);
}

// keep_alive begins once, as nginx counts it: when the send buffer has all of the response.
void rest(Cluster& k, std::uint32_t slot)
{
    const tcp::Connection& c = k.tcp.connections[slot];
    const Serving& s = serving(c);
    if (s.partial || s.session == 0 || !tcp::buffered(k, c)) return;
    WebSession& of = k.web_server.sessions[s.session - 1];
    if (of.idle_until != kNever) return;
    const WebServer& server = server_of(k, c);
    of.idle_until = k.now + server.keep_alive;
    arm_idle(k, server, s.session - 1);
}

// The response before it has gone to TCP.
void go_on(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    if (!more_pending(k, c)) {
        serving(c).phase = kHead;
        rest(k, slot);
    } else if (web_stream::spans(k, slot) >= kMostResponses) {
        serving(c).phase = kBlocked;
    } else {
        enqueue(k, slot, session(k, slot).coming->pending.pop());
    }
}

void conclude(Cluster& k, std::uint32_t slot, std::uint16_t status)
{
    respond(k, slot, status);
    tcp::Connection& c = k.tcp.connections[slot];
    if (server_of(k, c).values->hold == WorkerHold::request) free_worker(k, c);
    if (serving(c).phase != kResponded) go_on(k, slot);
}

// The request has been served, or the handshake.
void finish(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    Serving& s = serving(c);
    if (s.phase == kShaking) {
        s.phase = kHead;
        return web_stream::go_on(k, slot);
    }
    if (present(abi::RecordSchema::calls) && s.document != kNone &&
        calls::begin(k, {slot, c.generation}, c.owner, s.document))
        s.phase = kCalling;
    else
        conclude(k, slot, 0);
}

void close(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    serving(c).phase = kResponded;
    serving(c).ends = true;
    forget_session(k, c);
    linger(k, c);
    web_stream::close(k, slot);
}

void idle_timer(Cluster& k, std::uint32_t index, Time at)
{
    WebSession& of = k.web_server.sessions[index];
    if (of.armed != at) return;
    of.armed = kNever;
    if (of.idle_until == kNever) return;
    if (of.idle_until > at)
        arm_idle(k, server_of(k, k.tcp.connections[of.slot]), index);
    else
        close(k, of.slot);
}

http::Method method_of(const Cluster& k, Documents::Asked asked)
{
    if (const abi::FileDocument* of_file = k.model.documents().asked_as(asked.document))
        return static_cast<http::Method>(of_file->method);
    if (asked.workload == kNone) return http::Method::get;
    return static_cast<http::Method>(web_clients::method(k.image, k.image.workloads[asked.workload]));
}

void become_http2(Cluster& k, std::uint32_t slot)
{
    const bool worker = serving(k.tcp.connections[slot]).worker;
    http2_server::adopt(k, slot, worker);
}

// What a connection of HTTP/2 begins with, no request of HTTP/1 does. Over TLS ALPN has said it (RFC 9113, 3.2).
bool begins_http2(Cluster& k, std::uint32_t slot, const tcp::Piece& piece)
{
    constexpr std::string_view kFirst = http2::kPreface.substr(0, 4);
    const tcp::Connection& c = k.tcp.connections[slot];
    return facts.http2 && server_of(k, c).http2 && !web_stream::secured(k, slot) &&
           web_stream::received(k, slot) == piece.length && piece.length >= kFirst.size() &&
           std::equal(kFirst.begin(), kFirst.end(), piece.bytes.begin());
}

void read_real(Cluster& k, std::uint32_t slot, std::span<const std::uint8_t> bytes)
{
    Serving& s = serving(k.tcp.connections[slot]);
    const WebServer& server = server_of(k, k.tcp.connections[slot]);
    while (!bytes.empty() && !s.ends) {
        WebSession::Coming& of = coming(session(k, slot));
        http::RequestHead& head = of.head;
        web_answer::expect(server, head, of.fields);
        bytes = bytes.subspan(http::read_request(head, k.web_server.paths(), bytes));
        s.partial = head.begun();
        if (!head.complete()) return;
        const WebSession::Request request = web_answer::understand(k, server, head, of.fields);
        const bool persistent = head.persistent();
        head = {};
        of.fields.clear();
        take(k, slot, request, persistent);
    }
}

}  // namespace

namespace web_server {

void accepted(Cluster& k, std::uint32_t slot)
{
    serving(k.tcp.connections[slot]).phase = kHead;
    ++server_of(k, k.tcp.connections[slot]).opening;
    web_stream::show(k, slot, true);
}

void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece)
{
    Serving& s = serving(k.tcp.connections[slot]);
    if (s.ends) return;
    if (s.session != 0) k.web_server.sessions[s.session - 1].idle_until = kNever;
    if (piece.real && begins_http2(k, slot, piece)) {
        become_http2(k, slot);
        return http2_server::read(k, slot, piece);
    }
    if (piece.real) return read_real(k, slot, piece.bytes);
    s.partial = piece.offset + piece.length < content::length(k.model, piece.content);
    if (s.partial) return;
    const content::Persistence persistence = content::persistence(piece.content);
    const std::uint32_t request = content::request_number(piece.content);
    const Documents::Asked asked =
        request == kNone ? Documents::Asked{kNone, kNone} : k.model.documents().asked(request);
    const http::Method method = request == kNone ? http::Method::get : method_of(k, asked);
    take(k, slot, {asked.document, persistence == content::Persistence::none, method},
         persistence == content::Persistence::kept);
}

void all_acknowledged(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    const Serving& s = serving(c);
    if (s.phase == kResponded) {
        linger(k, c);
        web_stream::close(k, slot);
    } else if (s.phase == kBlocked) {
        go_on(k, slot);
    } else if (s.phase == kHead) {
        rest(k, slot);
    }
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    Serving& s = serving(c);
    s.ends = s.left = true;
    if (s.phase == kHead)
        close(k, slot);
    else if (s.phase == kResponded && c.all_acknowledged())
        free_worker(k, c);
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure)
{
    tcp::Connection& c = k.tcp.connections[slot];
    if (c.state == tcp::State::syn_received) --server_of(k, c).opening;
    stop_working(k, c);
    serving(c).phase = kResponded;
    forget_session(k, c);
    free_worker(k, c);
}

void connection_timer(Cluster& k, std::uint32_t slot) { finish(k, slot); }

bool take_syn(Cluster& k, std::uint32_t index)
{
    WebServer& server = k.web_server.servers[index];
    if (server.syn_cost > 0) web_workers::interrupt(k, server);
    const std::uint64_t opening = server.half_open ? server.opening : 0;
    if (server.backlog == 0 || server.waiting.size() + opening < server.backlog) return true;
    server.statistics.dropped_connections += k.measuring();
    return false;
}

bool admits(Cluster& k, std::uint32_t slot)
{
    const WebServer& server = server_of(k, k.tcp.connections[slot]);
    return server.values->hold == WorkerHold::request || server.backlog == 0 || web_workers::any_free(server) ||
           server.waiting.size() < server.backlog;
}

void established(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    WebServer& server = server_of(k, c);
    --server.opening;
    web_stream::accept(k, slot, c.owner);
    if (server.values->hold == WorkerHold::request) return;
    if (web_workers::any_free(server))
        take_worker(k, server, c);
    else
        web_workers::wait(k, c.owner, {slot, c.generation});
}

void granted(Cluster& k, const WebServer::Waiting& next)
{
    tcp::Connection& c = k.tcp.connections[next.slot];
    if (is_http2(c))
        http2_server::granted(k, next);
    else if (serving(c).phase == kWaiting)
        serve(k, next.slot);
    else
        take_worker(k, server_of(k, c), c);
}

bool in_service(const Cluster& k, const WebServer::Waiting& who)
{
    const tcp::Connection& c = k.tcp.connections[who.slot];
    return is_http2(c) ? http2_server::in_service(k, who) : is_working(c);
}

void served(Cluster& k, const WebServer::Waiting& done)
{
    if (is_http2(k.tcp.connections[done.slot]))
        http2_server::served(k, done);
    else
        finish(k, done.slot);
}

bool calling(const Cluster& k, const WebServer::Waiting& who)
{
    const tcp::Connection& c = k.tcp.connections[who.slot];
    if (c.state == tcp::State::free || c.generation != who.generation) return false;
    return is_http2(c) ? http2_server::calling(k, who) : serving(c).phase == kCalling;
}

void called(Cluster& k, const WebServer::Waiting& who, std::uint16_t status)
{
    if (is_http2(k.tcp.connections[who.slot]))
        http2_server::called(k, who, status);
    else
        conclude(k, who.slot, status);
}

void opened(Cluster& k, std::uint32_t slot)
{
    ServerStatistics& statistics = server_of(k, k.tcp.connections[slot]).statistics;
    (web_stream::resumed(k, slot) ? statistics.resumed : statistics.handshakes) += k.measuring();
    if (facts.http2 && web_stream::protocol(k, slot) == http2::kProtocol) become_http2(k, slot);
}

void broke(Cluster& k, std::uint32_t slot, const char*)
{
    tcp::Connection& c = k.tcp.connections[slot];
    const std::uint8_t phase = serving(c).phase;
    const bool asked = phase == kWaiting || phase == kServing || phase == kCalling || phase == kBlocked;
    stop_working(k, c);
    tcp::set_application_timer(k, slot, kNever);
    free_worker(k, c);
    close(k, slot);
    if (asked) web_stream::abort(k, slot);  // nobody is to serve it any more
}

bool shakes(Cluster& k, std::uint32_t slot)
{
    WebServer& server = server_of(k, k.tcp.connections[slot]);
    const abi::Distribution& takes = server.values->handshake;
    if (takes.kind == abi::DistributionKind::constant && k.model.time(takes.a) == 0) return false;
    serving(k.tcp.connections[slot]).phase = kShaking;
    work(k, slot, takes, server.shaking_state);
    return true;
}

bool listens(const Cluster& k, NodeId node, std::uint16_t port, std::uint32_t& owner)
{
    owner = k.web_server.find(node, port);
    return owner != kNone && k.web_server.servers[owner].row;
}

void timer(Cluster& k, std::uint32_t which, std::uint32_t index, Time at)
{
    if (which == kIdle) return idle_timer(k, index, at);
    web_workers::timer(k, index, at);
}

// Between requests it is keep_alive that says how long.
bool waits_for_peer(const Cluster& k, const tcp::Connection& c)
{
    const Serving& s = serving(c);
    return s.phase == kHead && (s.session == 0 || k.web_server.sessions[s.session - 1].idle_until == kNever);
}

void collect(const Cluster& k, AppStatistics& all, Time now)
{
    all.servers.resize(k.image.server_count);
    for (std::uint32_t row = 0; row < k.image.server_count; ++row)
        add_up(all.servers[row], k.web_server.statistics(row, k.counters, now));
}

}  // namespace web_server

}  // namespace anml::rt::app
