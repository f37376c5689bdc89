#include "app/web_server.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/cluster.h"
#include "app/content.h"
#include "app/response_text.h"
#include "app/web_stream.h"
#include "net/samples.h"
#include "net/web_clients.h"
#include "transport/tcp.h"

namespace anml::rt::app {

namespace {

using CloseMode = abi::record::web_server::CloseMode;
using WorkerHold = abi::record::web_server::WorkerHold;

enum Phase : std::uint8_t {
    kHead,  // a request is to come
    kShaking,  // a handshake of TLS is answered
    kWaiting,
    kServing,
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
    // As WebSession::Request has them, of the request that waits or is served.
    bool has_it : 1 = false;
    bool has_cookie : 1 = false;
    bool elsewhere : 1 = false;
    http::Method method = http::Method::get;
};

Serving& serving(tcp::Connection& c) { return c.of_application<Serving>(); }
const Serving& serving(const tcp::Connection& c) { return c.of_application<Serving>(); }

std::uint64_t listener_key(NodeId node, std::uint32_t port) { return static_cast<std::uint64_t>(node) << 16 | port; }

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

void forget_session(Cluster& k, tcp::Connection& c)
{
    Serving& s = serving(c);
    if (s.session == 0) return;
    WebSession& session = k.web_server.sessions[s.session - 1];
    session.head = {};
    session.fields.clear();
    while (!session.pending.empty()) session.pending.pop();
    session.idle_until = kNever;
    server_of(k, c).sessions.push_back(s.session - 1);
    s.session = 0;
}

bool more_pending(const Cluster& k, const tcp::Connection& c)
{
    const std::uint32_t session = serving(c).session;
    return session != 0 && !k.web_server.sessions[session - 1].pending.empty();
}

bool says_more(const WebServer& server) { return server.etags || server.cookie || server.moved; }

void respond(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    Serving& s = serving(c);
    const bool last = s.ends && !more_pending(k, c);
    const content::Persistence persistence = s.plain ? content::Persistence::none
                                             : last  ? content::Persistence::last
                                                     : content::Persistence::kept;
    const bool given = (s.method == http::Method::post || s.method == http::Method::put) && s.document != kNone &&
                       !k.model.logged(s.document);
    const std::uint32_t response = s.document == kNone ? content::not_found(persistence)
                                   : given             ? content::reply(c.owner, persistence)
                                                       : content::response(s.document, persistence);
    std::uint64_t length = content::length(k.model, response);
    if (s.method == http::Method::head) length -= content::body(k.model, response);
    if (last) {
        s.phase = kResponded;
        forget_session(k, c);
    }
    WebServer& server = k.web_server.servers[c.owner];
    const bool at_once = server.values->close == CloseMode::at_once;
    if (says_more(server) && s.document != kNone && !given && !k.model.logged(s.document)) {
        const content::Answer answer = server.moved && !s.elsewhere ? content::Answer::moved
                                       : s.has_it                            ? content::Answer::not_modified
                                                                             : content::Answer::document;
        const std::uint64_t cookie = server.cookie && !s.has_cookie ? ++server.cookies : 0;
        const std::string head = content::response_head(
            k.model, {answer, s.document, persistence, server.etags, cookie});
        const std::uint64_t body = content::body(k.model, response);
        const bool bare = answer != content::Answer::document || s.method == http::Method::head || body == 0;
        web_stream::send_bytes(k, slot, {reinterpret_cast<const std::uint8_t*>(head.data()), head.size()},
                               bare && last && at_once);
        if (bare) return;
        web_stream::send(k, slot, {.content = response, .offset = length - body, .length = body}, last && at_once);
        return;
    }
    web_stream::send(k, slot, {.content = response, .length = length}, last && at_once);
}

// Counts what was busy and waiting until now: before either changes.
void note(Cluster& k, WebServer& server)
{
    server.statistics.count(server.busy, server.waiting.size(), std::max(server.counted, k.counters.begin),
                            std::min(k.now, k.counters.end));
    server.counted = k.now;
}

bool has_worker(const WebServer& server) { return server.workers == 0 || server.busy < server.workers; }

void take_worker(Cluster& k, WebServer& server, tcp::Connection& c)
{
    if (serving(c).worker) return;
    note(k, server);
    serving(c).worker = true;
    ++server.busy;
}

// --- processors that are shared

double speed(const WebServer& server, std::uint64_t processors)
{
    return server.in_service <= processors ? 1
                                           : static_cast<double>(processors) / static_cast<double>(server.in_service);
}

double speed(const WebServer& server) { return speed(server, server.processors); }
double interrupted_speed(const WebServer& server) { return speed(server, server.processors - 1); }

void advance(Cluster& k, WebServer& server)
{
    const Time passed = k.now - server.progressed;
    const Time interrupted = std::min(passed, server.interrupted);
    if (server.in_service == 0) {
        server.progress = 0;
        server.jobs.clear();  // none of them is wanted any more
    } else {
        server.progress += static_cast<double>(interrupted) * interrupted_speed(server) +
                           static_cast<double>(passed - interrupted) * speed(server);
    }
    server.interrupted -= interrupted;
    server.progressed = k.now;
}

bool later(const WebServer::Job& a, const WebServer::Job& b)
{
    return a.end != b.end ? a.end > b.end : a.number > b.number;
}

// From now, of what was advanced to now, until `work` more of progress.
double time_for(const WebServer& server, double work)
{
    const auto interrupted = static_cast<double>(server.interrupted);
    const double slow = interrupted_speed(server);
    if (work < interrupted * slow) return work / slow;
    return interrupted + (work - interrupted * slow) / speed(server);
}

// An event for the first that will be done, unless one is pending that comes no later.
void arm(Cluster& k, std::uint32_t index)
{
    WebServer& server = k.web_server.servers[index];
    if (server.in_service == 0) return;
    const double left = time_for(server, std::max(0.0, server.jobs.front().end - server.progress));
    const Time at = k.now + std::llround(std::ceil(left));
    if (at >= server.armed) return;
    server.armed = at;
    k.schedule(server.row->node, at, timer_of(Number::web_server), index);
}

// A random time on a processor: of its own, or of those that are shared. finish() comes behind it.
void work(Cluster& k, std::uint32_t slot, const abi::Distribution& random, std::vector<double>& state)
{
    const tcp::Connection& c = k.tcp.connections[slot];
    WebServer& server = server_of(k, c);
    const std::uint64_t number = server.requests++;
    const Time takes =
        draw_time(k.model, random, k.seed, server.row->node, Purpose::service, c.owner, number, state.data());
    if (server.processors == 0) {
        tcp::set_application_timer(k, slot, k.now + takes);
        return;
    }
    advance(k, server);
    server.jobs.push_back({server.progress + static_cast<double>(takes), number, {slot, c.generation}});
    std::push_heap(server.jobs.begin(), server.jobs.end(), later);
    ++server.in_service;
    arm(k, c.owner);
}

bool is_working(const tcp::Connection& c) { return serving(c).phase == kServing || serving(c).phase == kShaking; }

// It is not wanted any more.
void stop_working(Cluster& k, tcp::Connection& c)
{
    WebServer& server = server_of(k, c);
    if (!is_working(c) || server.processors == 0) return;
    advance(k, server);
    --server.in_service;
    arm(k, c.owner);
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

// A worker is free: the next takes it.
void free_worker(Cluster& k, tcp::Connection& c)
{
    if (!serving(c).worker) return;
    WebServer& server = server_of(k, c);
    note(k, server);
    serving(c).worker = false;
    --server.busy;
    while (!server.waiting.empty() && has_worker(server)) {
        WebServer::Waiting next = server.waiting.pop();
        tcp::Connection& other = k.tcp.connections[next.slot];
        if (other.state == tcp::State::free || other.generation != next.generation) continue;
        if (serving(other).phase == kWaiting)
            serve(k, next.slot);
        else
            take_worker(k, server, other);
    }
}

void wait(Cluster& k, std::uint32_t slot)
{
    const tcp::Connection& c = k.tcp.connections[slot];
    WebServer& server = server_of(k, c);
    note(k, server);
    server.waiting.push({slot, c.generation});
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
    s.phase = kWaiting;
    if (s.worker || (server.values->hold == WorkerHold::request && has_worker(server)))
        serve(k, slot);
    else if (server.values->hold == WorkerHold::request)
        wait(k, slot);
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
        if (s.phase != kHead) of.pending.push(request);
        persistent = persistent && of.pending.size() < kMostPending;
    }
    if (!persistent) {
        s.ends = true;
        web_stream::show(k, slot, false);
    }
    if (s.phase == kHead) enqueue(k, slot, request);
}

// The response before it has gone to TCP.
void go_on(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    if (!more_pending(k, c))
        serving(c).phase = kHead;
    else if (web_stream::spans(k, slot) >= kMostResponses)
        serving(c).phase = kBlocked;
    else
        enqueue(k, slot, session(k, slot).pending.pop());
}

// The request has been served, or the handshake.
void finish(Cluster& k, std::uint32_t slot)
{
    if (serving(k.tcp.connections[slot]).phase == kShaking) {
        serving(k.tcp.connections[slot]).phase = kHead;
        return web_stream::go_on(k, slot);
    }
    respond(k, slot);
    tcp::Connection& c = k.tcp.connections[slot];
    if (server_of(k, c).values->hold == WorkerHold::request) free_worker(k, c);
    if (serving(c).phase != kResponded) go_on(k, slot);
}

void close(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    serving(c).phase = kResponded;
    serving(c).ends = true;
    forget_session(k, c);
    free_worker(k, c);
    web_stream::close(k, slot);
}

void arm_idle(Cluster& k, const WebServer& server, std::uint32_t index)
{
    WebSession& of = k.web_server.sessions[index];
    if (of.idle_until >= of.armed) return;
    of.armed = of.idle_until;
    k.schedule(server.row->node, of.armed, timer_of(Number::web_server, kIdle), index);
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

http::Method method_of(const Cluster& k, Model::Asked asked)
{
    if (const abi::FileDocument* logged = k.model.logged(asked.document))
        return static_cast<http::Method>(logged->method);
    if (asked.workload == kNone) return http::Method::get;
    return static_cast<http::Method>(web_clients::method(k.image, k.image.workloads[asked.workload]));
}

// Of what the field If-None-Match says.
bool has_document(const Cluster& k, const WebSession& of, std::uint32_t document)
{
    const std::string tag = content::etag(k.model, document);
    bool found = false;
    of.fields.each(http::Fields::if_none_match,
                   [&](std::string_view tags) { found |= tags == "*" || tags.find(tag) != std::string_view::npos; });
    return found;
}

void read_real(Cluster& k, std::uint32_t slot, std::span<const std::uint8_t> bytes)
{
    Serving& s = serving(k.tcp.connections[slot]);
    const WebServer& server = server_of(k, k.tcp.connections[slot]);
    while (!bytes.empty() && !s.ends) {
        WebSession& of = session(k, slot);
        http::RequestHead& head = of.head;
        head.fields = says_more(server) ? &of.fields : nullptr;
        if (server.moved) head.moved = content::kMoved;
        bytes = bytes.subspan(http::read_request(head, k.web_server.paths(), bytes));
        s.partial = head.begun();
        if (!head.complete()) return;
        const std::uint32_t document = head.wanted.first;
        const WebSession::Request request{document,
                                          !head.version_1_1 && !head.keep_alive,
                                          head.method,
                                          server.etags && document != kNone && has_document(k, of, document),
                                          !of.fields.value(http::Fields::cookie).empty(),
                                          head.elsewhere};
        const bool persistent = head.persistent();
        head = {};
        of.fields.clear();
        take(k, slot, request, persistent);
    }
}

}  // namespace

WebServers::WebServers(const Model& model, bool real) : model_(model)
{
    const abi::Image& image = model.image();
    servers.resize(image.server_count);
    for (std::uint32_t i = 0; i < image.server_count; ++i) {
        const abi::ServerRow& row = image.servers[i];
        if (abi::schema_of(image, row.record) != abi::record::web_server::kSchema) continue;
        const auto& values = abi::row_of<abi::record::web_server>(image, row.record);
        WebServer& server = servers[i];
        server.row = &row;
        server.values = &values;
        server.workers = model.integer(values.workers);
        server.processors = model.integer(values.processors);
        server.backlog = model.integer(values.backlog);
        server.syn_cost = model.time(values.syn_cost);
        server.keep_alive = model.time(values.keep_alive);
        server.etags = model.value(values.etags) != 0;
        server.cookie = model.value(values.cookie) != 0;
        server.moved = model.value(values.moved) != 0;
        server.state.resize(state_words(values.service));
        server.shaking_state.resize(state_words(values.handshake));
        listeners.emplace_back(listener_key(row.node, row.port), i);
    }
    std::sort(listeners.begin(), listeners.end());
    if (real) paths_.emplace(model);
}

const PathIndex& WebServers::paths()
{
    if (!paths_) paths_.emplace(model_);
    return *paths_;
}

std::uint32_t WebServers::find(NodeId node, std::uint16_t port) const
{
    auto key = std::make_pair(listener_key(node, port), 0u);
    auto found = std::lower_bound(listeners.begin(), listeners.end(), key);
    return found != listeners.end() && found->first == key.first ? found->second : kNone;
}

ServerStatistics WebServers::statistics(std::uint32_t row, const NetCounters& all, Time now) const
{
    const WebServer& server = servers[row];
    ServerStatistics counted = server.statistics;
    counted.count(server.busy, server.waiting.size(), std::max(server.counted, all.begin), std::min(now, all.end));
    return counted;
}

namespace web_server {

void accepted(Cluster& k, std::uint32_t slot)
{
    serving(k.tcp.connections[slot]).phase = kHead;
    web_stream::show(k, slot, true);
}

void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece)
{
    Serving& s = serving(k.tcp.connections[slot]);
    if (s.ends) return;
    if (s.session != 0) k.web_server.sessions[s.session - 1].idle_until = kNever;
    if (piece.real) return read_real(k, slot, piece.bytes);
    s.partial = piece.offset + piece.length < content::length(k.model, piece.content);
    if (s.partial) return;
    const content::Persistence persistence = content::persistence(piece.content);
    const std::uint32_t request = content::request_number(piece.content);
    const Model::Asked asked = request == kNone ? Model::Asked{kNone, kNone} : k.model.asked(request);
    const http::Method method = request == kNone ? http::Method::get : method_of(k, asked);
    take(k, slot, {asked.document, persistence == content::Persistence::none, method},
         persistence == content::Persistence::kept);
}

void all_acknowledged(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    const Serving& s = serving(c);
    if (s.phase == kResponded) {
        free_worker(k, c);
        web_stream::close(k, slot);
    } else if (s.phase == kBlocked) {
        go_on(k, slot);
    } else if (s.phase == kHead && !s.partial && s.session != 0) {
        const WebServer& server = server_of(k, c);
        session(k, slot).idle_until = k.now + server.keep_alive;
        arm_idle(k, server, s.session - 1);
    }
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    Serving& s = serving(k.tcp.connections[slot]);
    s.ends = true;
    if (s.phase == kHead) close(k, slot);
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure)
{
    tcp::Connection& c = k.tcp.connections[slot];
    stop_working(k, c);
    serving(c).phase = kResponded;
    forget_session(k, c);
    free_worker(k, c);
}

void connection_timer(Cluster& k, std::uint32_t slot) { finish(k, slot); }

bool take_syn(Cluster& k, std::uint32_t index)
{
    WebServer& server = k.web_server.servers[index];
    if (server.syn_cost > 0) {
        advance(k, server);
        server.interrupted += server.syn_cost;
    }
    if (server.backlog == 0 || server.waiting.size() < server.backlog) return true;
    server.statistics.dropped += k.measuring();
    return false;
}

void established(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    WebServer& server = server_of(k, c);
    web_stream::accept(k, slot, c.owner);
    if (server.values->hold != WorkerHold::connection) return;
    if (has_worker(server))
        take_worker(k, server, c);
    else
        wait(k, slot);
}

void opened(Cluster& k, std::uint32_t slot)
{
    ServerStatistics& statistics = server_of(k, k.tcp.connections[slot]).statistics;
    (web_stream::resumed(k, slot) ? statistics.resumed : statistics.handshakes) += k.measuring();
}

void broke(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    const bool asked = serving(c).phase == kWaiting || serving(c).phase == kServing || serving(c).phase == kBlocked;
    stop_working(k, c);
    tcp::set_application_timer(k, slot, kNever);
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
    return owner != kNone;
}

void timer(Cluster& k, std::uint32_t which, std::uint32_t index, Time at)
{
    if (which == kIdle) return idle_timer(k, index, at);
    WebServer& server = k.web_server.servers[index];
    if (server.armed != at) return;  // an earlier one was set behind it
    server.armed = kNever;
    advance(k, server);
    constexpr double kRounding = 1e-3;  // ns
    while (!server.jobs.empty() && server.jobs.front().end <= server.progress + kRounding) {
        const WebServer::Waiting done = server.jobs.front().request;
        std::pop_heap(server.jobs.begin(), server.jobs.end(), later);
        server.jobs.pop_back();
        const tcp::Connection& c = k.tcp.connections[done.slot];
        if (c.state == tcp::State::free || c.generation != done.generation || !is_working(c)) continue;
        --server.in_service;
        finish(k, done.slot);
    }
    arm(k, index);
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
        all.servers[row].add(k.web_server.statistics(row, k.counters, now));
}

}  // namespace web_server

}  // namespace anml::rt::app
