#include "app/http2/http2_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "app/cluster.h"
#include "app/content.h"
#include "app/http/http_request.h"
#include "app/web_client/web_stream.h"
#include "app/web_server/web_answer.h"
#include "app/web_server/web_workers.h"
#include "transport/tcp.h"

namespace anml::rt::app::http2_server {

namespace {

using Link = Http2Link;
using Request = Http2Request;
using Progress = Http2Request::State;
using WorkerHold = abi::record::web_server::WorkerHold;

enum Timer : std::uint32_t { kServed, kIdle, kSend };

// What the connection keeps.
struct Kept {
    std::uint32_t link = 0;
};

std::uint32_t place_of(const tcp::Connection& c) { return c.of_application<Kept>().link; }
Link& link_of(Cluster& k, std::uint32_t slot) { return k.http2_server.links[place_of(k.tcp.connections[slot])]; }

WebServer& server_of(Cluster& k, const Link& link) { return k.web_server.servers[k.tcp.connections[link.slot].owner]; }

bool by_connection(const WebServer& server) { return server.values->hold != WorkerHold::request; }

template <class Index>
std::uint32_t take_free(std::vector<std::uint32_t>& free, std::vector<Index>& all)
{
    if (free.empty()) {
        all.emplace_back();
        return static_cast<std::uint32_t>(all.size() - 1);
    }
    const std::uint32_t at = free.back();
    free.pop_back();
    return at;
}

// kNone: it is not to be answered.
std::uint32_t find(const Cluster& k, const Link& link, std::uint32_t stream)
{
    for (const std::uint32_t at : link.requests)
        if (k.http2_server.requests[at].stream == stream) return at;
    return kNone;
}

WebServer::Waiting name_of(const Cluster& k, const Link& link, const Request& request)
{
    return {link.slot, k.tcp.connections[link.slot].generation, request.stream};
}

// --- its turn

void serve(Cluster& k, std::uint32_t at)
{
    Request& request = k.http2_server.requests[at];
    const Link& link = k.http2_server.links[request.link];
    request.state = Progress::serving;
    const std::uint32_t server = k.tcp.connections[link.slot].owner;
    request.done = web_workers::serve(k, server, name_of(k, link, request));
    if (request.done == kNever) return;
    k.schedule(k.web_server.servers[server].row->node, request.done, timer_of(Number::http2_server, kServed), at);
}

// By the connection's worker: those that have come whole, one after another.
void serve_next(Cluster& k, const Link& link)
{
    if (!link.worker) return;
    std::uint32_t next = kNone;
    for (const std::uint32_t at : link.requests) {
        const Progress state = k.http2_server.requests[at].state;
        if (state == Progress::serving || state == Progress::calling) return;
        if (state == Progress::waiting && next == kNone) next = at;
    }
    if (next != kNone) serve(k, next);
}

// The request is complete.
void enqueue(Cluster& k, std::uint32_t at)
{
    Request& request = k.http2_server.requests[at];
    const Link& link = k.http2_server.links[request.link];
    WebServer& server = server_of(k, link);
    request.state = Progress::waiting;
    if (by_connection(server)) return serve_next(k, link);
    if (!web_workers::any_free(server))
        return web_workers::wait(k, k.tcp.connections[link.slot].owner, name_of(k, link, request));
    request.worker = true;
    web_workers::occupy(k, server);
    serve(k, at);
}

// It is no longer to be answered, and its worker is free.
void forget(Cluster& k, std::uint32_t at)
{
    Request& request = k.http2_server.requests[at];
    Link& link = k.http2_server.links[request.link];
    link.requests.erase(std::find(link.requests.begin(), link.requests.end(), at));
    request.state = Progress::free;
    k.http2_server.free_requests.push_back(at);
    if (std::exchange(request.worker, false))
        web_workers::vacate(k, server_of(k, link));
    else
        serve_next(k, link);
}

void give_up(Cluster& k, std::uint32_t at)
{
    const Request& request = k.http2_server.requests[at];
    if (request.state == Progress::serving)
        web_workers::give_up(k, k.tcp.connections[k.http2_server.links[request.link].slot].owner);
    forget(k, at);
}

// --- what a session tells

void take_head(Cluster& k, std::uint32_t number, const http2::Event& event)
{
    Http2Servers& all = k.http2_server;
    const std::uint32_t at = take_free(all.free_requests, all.requests);
    Link& link = all.links[number];
    const std::string_view text = http2::head(*link.session, event);
    const WebServer& server = server_of(k, link);
    http::RequestHead head;
    all.fields.clear();
    web_answer::expect(server, head, all.fields);
    http::read_request(head, k.web_server.paths(), {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    head.hosted = true;  // :authority may be left out (RFC 9113, 8.3.1)
    all.requests[at] = {.link = number,
                        .stream = event.stream,
                        .asked = web_answer::understand(k, server, head, all.fields),
                        .state = Progress::coming};
    all.requests[at].asked.grpc = text.find("\r\ncontent-type: application/grpc") != text.npos;
    link.requests.push_back(at);
    link.idle_until = kNever;
}

void take_events(Cluster& k, std::uint32_t number)
{
    const Link& link = k.http2_server.links[number];
    for (const http2::Event& event : http2::events(*link.session)) {
        if (event.kind == http2::Event::Kind::body) continue;
        if (event.kind == http2::Event::Kind::head) {
            take_head(k, number, event);
            continue;
        }
        const std::uint32_t at = find(k, link, event.stream);
        if (at == kNone) continue;
        if (event.kind == http2::Event::Kind::end)
            enqueue(k, at);
        else
            give_up(k, at);
    }
}

// --- the connection

void release(Cluster& k, std::uint32_t slot)
{
    const std::uint32_t number = place_of(k.tcp.connections[slot]);
    Link& link = k.http2_server.links[number];
    if (std::exchange(link.worker, false)) web_workers::vacate(k, server_of(k, link));
    while (!link.requests.empty()) give_up(k, link.requests.back());
    link.session.reset();
    link.idle_until = kNever;
    link.slot = kNone;
    k.http2_server.free_links.push_back(number);
}

// What is still sent is what the session has said.
void close(Cluster& k, std::uint32_t slot)
{
    Link& link = link_of(k, slot);
    if (!http2::told_to_leave(*link.session)) http2::leave(*link.session, http2::kNoError);
    http2::send(k, slot, *link.session, k.http2_server.sending);
    release(k, slot);
    web_stream::close(k, slot);
}

bool gone(const Cluster& k, std::uint32_t slot)
{
    return k.http2_server.links[place_of(k.tcp.connections[slot])].slot != slot;
}

// What is answered at one instant goes together.
void send_soon(Cluster& k, std::uint32_t number)
{
    Link& link = k.http2_server.links[number];
    if (link.arranged || !http2::wants_to_send(*link.session)) return;
    link.arranged = true;
    k.schedule(server_of(k, link).row->node, k.now, timer_of(Number::http2_server, kSend), number);
}

void arm_idle(Cluster& k, std::uint32_t number)
{
    Link& link = k.http2_server.links[number];
    if (link.idle_until >= link.armed) return;
    link.armed = link.idle_until;
    k.schedule(server_of(k, link).row->node, link.armed, timer_of(Number::http2_server, kIdle), number);
}

// keep_alive begins once, as nginx counts it: when the send buffer has all of the responses.
void rest(Cluster& k, std::uint32_t number)
{
    Link& link = k.http2_server.links[number];
    if (!link.requests.empty() || link.ends || http2::wants_to_send(*link.session)) return;
    if (link.idle_until != kNever || !tcp::buffered(k, k.tcp.connections[link.slot])) return;
    const Time keep = server_of(k, link).keep_alive;
    link.idle_until = k.now + (link.answered ? keep : std::max(keep, tcp::kIdleLimit));
    arm_idle(k, number);
}

void send_now(Cluster& k, std::uint32_t slot)
{
    const std::uint32_t number = place_of(k.tcp.connections[slot]);
    Link& link = k.http2_server.links[number];
    http2::send(k, slot, *link.session, k.http2_server.sending);
    take_events(k, number);
    if (http2::over(*link.session))
        close(k, slot);
    else if (link.answered)
        rest(k, number);
}

void idle_timer(Cluster& k, std::uint32_t number, Time at)
{
    Link& link = k.http2_server.links[number];
    if (link.armed != at) return;
    link.armed = kNever;
    if (link.idle_until == kNever) return;
    if (link.idle_until > at)
        arm_idle(k, number);
    else
        close(k, link.slot);
}

// A call of gRPC is answered with one message, or a status alone. Of any type: its bytes are a field 15, which is
// printable, and which whoever does not know it leaves out.
void answer_call(http2::Session& session, const Request& request, const web_answer::Answer& answer,
                 std::uint16_t failed)
{
    const bool known = failed == 0 && request.asked.document != kNone;
    http2::Body body{answer.content, answer.offset, 0};
    std::string head = "HTTP/1.1 200 \r\ncontent-type: application/grpc\r\n";
    if (known) {
        std::string field;
        constexpr char kField = 15 << 3 | 2;
        std::uint64_t left = 0;
        for (std::uint64_t count = 1; answer.body > count; ++count) {
            left = answer.body - 1 - count;
            if (count < 9 && left >> (7 * count) != 0) continue;
            field = kField;
            for (std::uint64_t i = 0; i < count; ++i)  // as many bytes as are wanted, whatever the number needs
                field += static_cast<char>((left >> (7 * i) & 0x7f) | (i + 1 < count ? 0x80 : 0));
            break;
        }
        const std::uint64_t length = field.size() + left;
        body.text.assign(1, '\0');
        for (int shift = 24; shift >= 0; shift -= 8) body.text += static_cast<char>(length >> shift);
        body.text += field;
        body.left = body.text.size() + left;
        body.grpc_trailers = true;
    } else {
        head += fmt::format("grpc-status: {}\r\n", failed == 0 ? 12 : 14);  // UNIMPLEMENTED, UNAVAILABLE
    }
    http2::answer(session, request.stream, head + "\r\n", body);
}

// The response goes to the session, and its worker to the next.
// `status`: with that failure, 0: without one.
void respond(Cluster& k, std::uint32_t at, std::uint16_t status)
{
    const Request request = k.http2_server.requests[at];
    Link& link = k.http2_server.links[request.link];
    const std::uint32_t owner = k.tcp.connections[link.slot].owner;
    const web_answer::Answer answer = web_answer::answer(k, owner, request.asked, content::Persistence::kept, status);
    std::string& text = k.http2_server.text;
    if (request.asked.grpc) {
        answer_call(*link.session, request, answer, status);
    } else {
        if (answer.head.empty()) {
            text.resize(answer.offset);
            content::produce(k.model, answer.content, 0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
        }
        http2::answer(*link.session, request.stream, answer.head.empty() ? text : answer.head,
                      {answer.content, answer.offset, answer.body});
    }
    link.answered = true;
    forget(k, at);
    send_soon(k, request.link);
}

// It has been served.
void go_on(Cluster& k, std::uint32_t at)
{
    Request& request = k.http2_server.requests[at];
    const Link& link = k.http2_server.links[request.link];
    const std::uint32_t owner = k.tcp.connections[link.slot].owner;
    if (present(abi::RecordSchema::calls) && request.asked.document != kNone &&
        calls::begin(k, name_of(k, link, request), owner, request.asked.document))
        request.state = Progress::calling;
    else
        respond(k, at, 0);
}

}  // namespace

void adopt(Cluster& k, std::uint32_t slot, bool worker)
{
    Http2Servers& all = k.http2_server;
    const std::uint32_t number = take_free(all.free_links, all.links);
    Link& link = all.links[number];
    tcp::Connection& c = k.tcp.connections[slot];
    c.app = owner_number(Number::http2_server);
    c.of_application<Kept>() = {number};
    c.reads = true;
    link.session.reset(http2::make(http2::Role::server, {}));
    link.slot = slot;
    link.worker = worker;
    link.answered = link.ends = false;
}

void granted(Cluster& k, const WebServer::Waiting& next)
{
    if (gone(k, next.slot)) return;
    Link& link = link_of(k, next.slot);
    const std::uint32_t at = next.stream == 0 ? kNone : find(k, link, next.stream);
    if (next.stream != 0 && at == kNone) return;
    web_workers::occupy(k, server_of(k, link));
    if (at == kNone) {
        link.worker = true;
        return serve_next(k, link);
    }
    k.http2_server.requests[at].worker = true;
    serve(k, at);
}

bool in_service(const Cluster& k, const WebServer::Waiting& who)
{
    if (gone(k, who.slot)) return false;
    const std::uint32_t at = find(k, k.http2_server.links[place_of(k.tcp.connections[who.slot])], who.stream);
    return at != kNone && k.http2_server.requests[at].state == Progress::serving;
}

void served(Cluster& k, const WebServer::Waiting& done) { go_on(k, find(k, link_of(k, done.slot), done.stream)); }

bool calling(const Cluster& k, const WebServer::Waiting& who)
{
    if (gone(k, who.slot)) return false;
    const std::uint32_t at = find(k, k.http2_server.links[place_of(k.tcp.connections[who.slot])], who.stream);
    return at != kNone && k.http2_server.requests[at].state == Progress::calling;
}

void called(Cluster& k, const WebServer::Waiting& who, std::uint16_t status)
{
    respond(k, find(k, link_of(k, who.slot), who.stream), status);
}

void timer(Cluster& k, std::uint32_t which, std::uint32_t index, Time at)
{
    if (which == kIdle) return idle_timer(k, index, at);
    if (which == kSend) {
        Link& link = k.http2_server.links[index];
        link.arranged = false;
        if (link.slot != kNone) send_now(k, link.slot);
        return;
    }
    const Request& request = k.http2_server.requests[index];
    if (request.state == Progress::serving && request.done == at) go_on(k, index);
}

void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece)
{
    if (gone(k, slot)) return;
    const std::uint32_t number = place_of(k.tcp.connections[slot]);
    Link& link = k.http2_server.links[number];
    http2::receive(*link.session, piece, [&] { take_events(k, number); });
    if (http2::over(*link.session))
        close(k, slot);
    else
        send_soon(k, number);
}

void acknowledged(Cluster& k, std::uint32_t slot, std::uint64_t)
{
    if (!gone(k, slot)) send_soon(k, place_of(k.tcp.connections[slot]));
}

void all_acknowledged(Cluster& k, std::uint32_t slot)
{
    if (gone(k, slot)) return;
    const std::uint32_t number = place_of(k.tcp.connections[slot]);
    const Link& link = k.http2_server.links[number];
    if (!link.requests.empty() || http2::wants_to_send(*link.session)) return;
    if (link.ends) return close(k, slot);
    rest(k, number);
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    if (gone(k, slot)) return;
    Link& link = link_of(k, slot);
    link.ends = true;
    for (std::size_t i = link.requests.size(); i-- > 0;)
        if (k.http2_server.requests[link.requests[i]].state == Progress::coming) give_up(k, link.requests[i]);
    if (link.requests.empty() && !http2::wants_to_send(*link.session)) close(k, slot);
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure)
{
    if (!gone(k, slot)) release(k, slot);
}

void broke(Cluster& k, std::uint32_t slot, const char*)
{
    if (gone(k, slot)) return;
    const bool asked = !link_of(k, slot).requests.empty();
    release(k, slot);
    if (asked) web_stream::abort(k, slot);  // nobody is to serve them any more
}

// A request is to go on; between requests it is keep_alive that says how long.
bool waits_for_peer(const Cluster& k, const tcp::Connection& c)
{
    const Link& link = k.http2_server.links[place_of(c)];
    return !link.requests.empty() && std::all_of(link.requests.begin(), link.requests.end(), [&](std::uint32_t at) {
        return k.http2_server.requests[at].state == Progress::coming;
    });
}

}  // namespace anml::rt::app::http2_server
