#include "app/http2_client.h"

#include <algorithm>
#include <utility>

#include "app/body_check.h"
#include "app/cluster.h"
#include "app/content.h"
#include "app/transaction.h"
#include "app/web_exchange.h"
#include "app/web_stream.h"
#include "transport/tcp.h"

namespace anml::rt::app::http2_client {

namespace {

enum Timer : std::uint32_t { kPlace, kSend };

constexpr std::uint8_t kMostTries = 5;

using Connection = Http2Connection;
using Line = WebConnection::Line;

Client& client_at(Cluster& k, std::uint32_t index) { return k.closed_loop.clients[index]; }
Connection& connection(Cluster& k, std::uint32_t at) { return k.http2_client.connections[at]; }
Http2Home& home_of(Cluster& k, const Connection& c) { return k.http2_client.homes[c.home]; }

const transaction::ConnectionValues& values_of(const Cluster& k, const Http2Home& home)
{
    return transaction::connection_values(k.image, home.workload);
}

void send_soon(Cluster& k, std::uint32_t at);

std::uint64_t streams(Cluster& k, const Connection& c) { return k.model.integer(values_of(k, home_of(k, c)).streams); }

void add(Cluster& k, Line& line, std::uint32_t index)
{
    client_at(k, index).next = kNone;
    (line.first == kNone ? line.first : client_at(k, line.last).next) = index;
    line.last = index;
}

std::uint32_t take(Cluster& k, Line& line) { return std::exchange(line.first, client_at(k, line.first).next); }

void put_ahead(Cluster& k, Line& ahead, Line& line)
{
    if (ahead.empty()) return;
    client_at(k, ahead.last).next = line.first;
    if (line.empty()) line.last = ahead.last;
    line.first = ahead.first;
}

// --- room on connections

bool has_room(Cluster& k, const Connection& c)
{
    if (c.slot == kNone || c.retired) return false;
    const Http2Home& home = home_of(k, c);
    const transaction::ConnectionValues& values = values_of(k, home);
    if (c.given >= k.model.integer(values.requests)) return false;
    const std::uint64_t most = k.model.integer(values.streams);
    return c.streams.size() < (c.established ? std::min<std::uint64_t>(most, http2::most_streams(*c.session)) : most);
}

void list(Cluster& k, std::uint32_t at)
{
    Connection& c = connection(k, at);
    if (c.listed || !has_room(k, c)) return;
    c.listed = true;
    home_of(k, c).roomy.push_back(at);
}

std::uint32_t find_room(Cluster& k, Http2Home& home)
{
    while (!home.roomy.empty()) {
        const std::uint32_t at = home.roomy.back();
        if (has_room(k, connection(k, at))) return at;
        connection(k, at).listed = false;
        home.roomy.pop_back();
    }
    return kNone;
}

void retire(Cluster& k, Connection& c)
{
    if (std::exchange(c.retired, true)) return;
    --home_of(k, c).taking;
}

// --- streams

// No later than this the stream is given up; it has been added.
void watch(Cluster& k, Connection& c, Time deadline)
{
    if (deadline >= c.watched && c.streams.size() > 1) return;
    c.watched = deadline;
    tcp::set_application_timer(k, c.slot, deadline);
}

void watch_all(Cluster& k, Connection& c)
{
    c.watched = kNever;
    for (const Connection::Stream& stream : c.streams)
        c.watched = std::min(c.watched, transaction::deadline(k, client_at(k, stream.client)));
    tcp::set_application_timer(k, c.slot, c.watched);
}

void remove(Cluster& k, Connection& c, std::uint32_t index)
{
    const std::uint32_t place = client_at(k, index).next;
    c.streams[place] = c.streams.back();
    client_at(k, c.streams[place].client).next = place;
    c.streams.pop_back();
}

void ask(Cluster& k, Connection& c, Connection::Stream& stream)
{
    Client& client = client_at(k, stream.client);
    client.asked = k.now;
    k.statistics.workloads[client.workload].requests += k.measuring();
    const web_exchange::Request request = web_exchange::compose(k, client, content::Persistence::kept);
    std::string_view head = request.head;
    if (request.content != kNone) {
        std::string& text = k.http2_client.text;
        text.resize(content::length(k.model, request.content) - request.body);
        content::produce(k.model, request.content, 0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
        head = text;
    }
    stream.id = http2::ask(*c.session, head, request.body, stream.client);
}

void give(Cluster& k, std::uint32_t at, std::uint32_t index)
{
    Connection& c = connection(k, at);
    Client& client = client_at(k, index);
    client.next = static_cast<std::uint32_t>(c.streams.size());
    c.streams.push_back({index, 0});
    ++c.given;
    if (!c.established) return;
    ask(k, c, c.streams.back());
    watch(k, c, transaction::deadline(k, client));
}

// --- connections

// kNone: there is no way.
std::uint32_t open(Cluster& k, std::uint32_t number)
{
    Http2Clients& all = k.http2_client;
    if (all.free.empty()) {
        all.free.push_back(static_cast<std::uint32_t>(all.connections.size()));
        all.connections.emplace_back();
    }
    const std::uint32_t at = all.free.back();
    Http2Home& home = all.homes[number];
    const std::uint32_t slot =
        transaction::connect(k, client_at(k, home.waiting.first), at, Number::http2_client);
    if (slot == kNone) return kNone;
    all.free.pop_back();
    Connection& c = all.connections[at];
    c.home = number;
    c.slot = slot;
    c.opened = k.now;
    c.given = c.answered = 0;
    c.established = c.retired = false;
    c.place = static_cast<std::uint32_t>(home.connections.size());
    home.connections.push_back(at);
    ++home.taking;
    list(k, at);
    return at;
}

// From now on the TCP connection is nobody's, and its streams' clients are the caller's.
void detach(Cluster& k, std::uint32_t at)
{
    Connection& c = connection(k, at);
    tcp::set_application_timer(k, c.slot, kNever);
    k.tcp.connections[c.slot].owner = kNone;
    retire(k, c);
    Http2Home& home = home_of(k, c);
    if (std::exchange(c.listed, false)) home.roomy.erase(std::find(home.roomy.begin(), home.roomy.end(), at));
    connection(k, home.connections.back()).place = c.place;
    home.connections[c.place] = home.connections.back();
    home.connections.pop_back();
    c.session.reset();
    c.streams.clear();
    c.slot = kNone;
    k.http2_client.free.push_back(at);
}

// Gives those that wait to connections, as far as they have room. Others may be opened in events of their own alone.
void place(Cluster& k, std::uint32_t number, bool may_open)
{
    Http2Home& home = k.http2_client.homes[number];
    while (!home.waiting.empty()) {
        std::uint32_t at = find_room(k, home);
        if (at == kNone) {
            if (home.most != 0 && home.taking >= home.most) return;
            if (!may_open) {
                k.schedule(home.node, k.now, timer_of(Number::http2_client, kPlace), number);
                return;
            }
            at = open(k, number);
        }
        const std::uint32_t index = take(k, home.waiting);
        if (at == kNone)
            transaction::finish(k, index, FailureCause::reset, 0);
        else
            give(k, at, index);
        if (at != kNone) send_soon(k, at);
    }
}

void try_again(Cluster& k, Line& line, std::uint32_t index)
{
    Client& client = client_at(k, index);
    ++client.tries;
    k.statistics.workloads[client.workload].retried += k.measuring();
    add(k, line, index);
}

// Whether one that its connection leaves unanswered may be sent again.
bool may_retry(const Cluster& k, const Connection& c, const Client& client)
{
    return c.answered > 0 && client.answered == 0 && client.tries < kMostTries &&
           transaction::method(k, client) != http::Method::post;
}

// The connection is no more, and so are its streams.
void lose(Cluster& k, std::uint32_t at, FailureCause cause, bool again)
{
    Connection& c = connection(k, at);
    const std::uint32_t number = c.home;
    std::vector<Connection::Stream> lost;
    lost.swap(c.streams);
    Line retried;
    for (Connection::Stream& stream : lost) {
        if (!again || !may_retry(k, c, client_at(k, stream.client))) continue;
        try_again(k, retried, stream.client);
        stream.client = kNone;
    }
    detach(k, at);
    for (const Connection::Stream& stream : lost)
        if (stream.client != kNone) transaction::finish(k, stream.client, cause, 0);
    put_ahead(k, retried, k.http2_client.homes[number].waiting);
    place(k, number, false);
}

FailureCause silence(const Cluster& k, std::uint32_t slot)
{
    return k.tcp.connections[slot].state == tcp::State::syn_sent ? FailureCause::connect : FailureCause::timeout;
}

// All that wait for it have waited for its handshake, or a part of it.
void note_secured(Cluster& k, const Connection& c, std::uint32_t slot)
{
    transaction::note_opened(k, client_at(k, c.streams.front().client), slot);
    for (const Connection::Stream& stream : c.streams) {
        Client& client = client_at(k, stream.client);
        client.shaking = k.now - std::max(client.started, web_stream::begun(k, slot));
    }
}

// It has done what it was to do.
void part(Cluster& k, std::uint32_t at)
{
    Connection& c = connection(k, at);
    const std::uint32_t slot = c.slot, number = c.home;
    if (c.established && http2::takes_requests(*c.session)) {
        http2::leave(*c.session, http2::kNoError);
        http2::send(k, slot, *c.session, k.http2_client.sending);
    }
    detach(k, at);
    if (!tcp::closes_next(k.tcp.connections[slot])) web_stream::close(k, slot);
    place(k, number, false);
}

// --- what a session tells

void end_stream(Cluster& k, std::uint32_t at, const http2::Event& event)
{
    Connection& c = connection(k, at);
    Client& client = client_at(k, event.user);
    ++c.answered;
    remove(k, c, event.user);
    client.response.came_as(event.received);
    client.requested = static_cast<std::uint32_t>(event.sent);
    transaction::finish(k, event.user, transaction::outcome(client.response), event.sent);
}

void lose_stream(Cluster& k, std::uint32_t at, const http2::Event& event)
{
    Connection& c = connection(k, at);
    const Client& client = client_at(k, event.user);
    remove(k, c, event.user);
    const bool unseen = event.error == http2::kRefusedStream && !event.ours && client.answered == 0;
    if (!unseen || client.tries >= kMostTries) {
        transaction::finish(k, event.user, event.ours ? FailureCause::truncated : FailureCause::reset, 0);
        return;
    }
    Line again;
    try_again(k, again, event.user);
    put_ahead(k, again, home_of(k, c).waiting);
}

void take_events(Cluster& k, std::uint32_t at)
{
    const http2::Session& session = *connection(k, at).session;
    for (const http2::Event& event : http2::events(session)) {
        Client& client = client_at(k, event.user);
        switch (event.kind) {
            case http2::Event::Kind::head: {
                const std::string_view head = http2::head(session, event);
                if (client.answered == 0) client.answered = k.now;
                client.response.read({reinterpret_cast<const std::uint8_t*>(head.data()), head.size()},
                                     web_exchange::fields(k, client));
                break;
            }
            case http2::Event::Kind::body:
                client.response.skip(event.length);
                if (tls::Hash* const hash = body_check::hash(k, client)) hash->add({event.bytes, event.length});
                break;
            case http2::Event::Kind::end:
                end_stream(k, at, event);
                break;
            case http2::Event::Kind::lost:
                lose_stream(k, at, event);
                break;
        }
    }
}

// Behind everything that may have ended streams, or the connection. False: it is gone.
bool settle(Cluster& k, std::uint32_t at)
{
    Connection& c = connection(k, at);
    const std::uint32_t slot = c.slot;
    if (http2::over(*c.session)) {
        if (!http2::broken(*c.session)) {
            part(k, at);
            return false;
        }
        lose(k, at, http2::spoken(*c.session) ? FailureCause::truncated : FailureCause::status, false);
        web_stream::abort(k, slot);
        return false;
    }
    if (!http2::takes_requests(*c.session)) retire(k, c);
    const transaction::ConnectionValues& values = values_of(k, home_of(k, c));
    if (c.streams.empty()) {
        if (c.retired || c.given >= k.model.integer(values.requests)) {
            part(k, at);
            return false;
        }
        const Time idle = k.model.time(values.idle);
        c.watched = kNever;
        tcp::set_application_timer(k, slot, idle > 0 ? k.now + idle : kNever);
    }
    list(k, at);
    place(k, c.home, false);
    return true;
}

void send_now(Cluster& k, std::uint32_t at)
{
    http2::send(k, connection(k, at).slot, *connection(k, at).session, k.http2_client.sending);
    take_events(k, at);
    settle(k, at);
}

// Of several streams requests that are due at one instant go together.
void send_soon(Cluster& k, std::uint32_t at)
{
    Connection& c = connection(k, at);
    if (!c.session || c.arranged || !http2::wants_to_send(*c.session)) return;
    if (streams(k, c) == 1) return send_now(k, at);
    c.arranged = true;
    k.schedule(home_of(k, c).node, k.now, timer_of(Number::http2_client, kSend), at);
}

}  // namespace

bool speaks(const Model& model, std::uint32_t workload)
{
    const abi::Image& image = model.image();
    const std::uint32_t record = image.workloads[workload].record;
    if (!facts.http2 || record == kNone) return false;
    const abi::RecordSchema schema = abi::schema_of(image, record);
    if (schema != Row::kSchema && !(kActsFor & bit_of(schema))) return false;
    return transaction::connection_values(image, workload).version == Row::Version::HTTP_2;
}

std::uint32_t make(Cluster& k, NodeId node, std::uint32_t workload, std::uint32_t connections)
{
    std::vector<Http2Home>& homes = k.http2_client.homes;
    Http2Home& home = homes.emplace_back();
    home.node = node;
    home.workload = workload;
    home.most = connections;
    return static_cast<std::uint32_t>(homes.size() - 1);
}

void begin(Cluster& k, std::uint32_t index)
{
    Client& client = client_at(k, index);
    const std::uint32_t number = client.home;
    transaction::begin(k, client);
    client.tries = 0;
    add(k, k.http2_client.homes[number].waiting, index);
    place(k, number, true);
}

void ask_again(Cluster& k, std::uint32_t index)
{
    Line one;
    add(k, one, index);
    put_ahead(k, one, k.http2_client.homes[client_at(k, index).home].waiting);
}

void hang_up(Cluster& k, std::uint32_t number)
{
    while (!k.http2_client.homes[number].connections.empty()) part(k, k.http2_client.homes[number].connections.back());
}

void timer(Cluster& k, std::uint32_t which, std::uint32_t number, Time)
{
    if (which == kPlace) return place(k, number, true);
    Connection& c = connection(k, number);
    c.arranged = false;
    if (c.slot != kNone && c.established) send_now(k, number);
}

void established(Cluster& k, std::uint32_t slot)
{
    Connection& c = connection(k, k.tcp.connections[slot].owner);
    k.statistics.workloads[home_of(k, c).workload].connections += k.measuring();
    for (const Connection::Stream& stream : c.streams) {
        Client& client = client_at(k, stream.client);
        client.handshake = k.now - std::max(client.started, c.opened);
    }
    if (web_stream::begin(k, slot, client_at(k, c.streams.front().client)))
        watch_all(k, c);
    else
        opened(k, slot);
}

void opened(Cluster& k, std::uint32_t slot)
{
    const std::uint32_t at = k.tcp.connections[slot].owner;
    if (at == kNone) return;  // it was given up during the handshake
    Connection& c = connection(k, at);
    const bool secured = web_stream::secured(k, slot);
    if (secured) {
        note_secured(k, c, slot);
        if (web_stream::protocol(k, slot) != http2::kProtocol) {
            broke(k, slot, "the server does not choose h2 by ALPN");
            return web_stream::close(k, slot);
        }
    }
    c.session.reset(http2::make(http2::Role::client, secured ? "https" : "http"));
    c.established = true;
    for (Connection::Stream& stream : c.streams) ask(k, c, stream);
    watch_all(k, c);
    send_now(k, at);
}

void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece)
{
    const std::uint32_t at = k.tcp.connections[slot].owner;
    if (at == kNone) {  // the client has closed: its kernel says that nobody reads any more
        web_stream::abort(k, slot);
        return;
    }
    Connection& c = connection(k, at);
    c.heard = k.now;
    http2::receive(*c.session, piece, [&] { take_events(k, at); });
    if (settle(k, at)) send_soon(k, at);
}

void broke(Cluster& k, std::uint32_t slot, const char* why)
{
    const std::uint32_t at = k.tcp.connections[slot].owner;
    if (at == kNone) return;
    const Connection& c = connection(k, at);
    if (!c.streams.empty()) transaction::note_broken(k, client_at(k, c.streams.front().client), why);
    lose(k, at, FailureCause::tls, false);
}

void acknowledged(Cluster& k, std::uint32_t slot, std::uint64_t)
{
    const std::uint32_t at = k.tcp.connections[slot].owner;
    if (at == kNone) return;
    Connection& c = connection(k, at);
    if (!c.established || c.arranged || !http2::wants_to_send(*c.session)) return;
    c.arranged = true;
    k.schedule(home_of(k, c).node, k.now, timer_of(Number::http2_client, kSend), at);
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    const std::uint32_t at = k.tcp.connections[slot].owner;
    if (at != kNone) lose(k, at, FailureCause::truncated, true);
    web_stream::close(k, slot);
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure)
{
    const std::uint32_t at = k.tcp.connections[slot].owner;
    if (at == kNone) return;
    const bool reset = failure == tcp::Failure::reset;
    lose(k, at, reset ? FailureCause::reset : silence(k, slot), reset);
}

void connection_timer(Cluster& k, std::uint32_t slot)
{
    const std::uint32_t at = k.tcp.connections[slot].owner;
    if (at == kNone) return;
    Connection& c = connection(k, at);
    if (!c.established) {
        lose(k, at, silence(k, slot), false);
        web_stream::abort(k, slot);
        return;
    }
    if (c.streams.empty()) return part(k, at);  // it has rested long enough
    bool heard = true;
    for (std::size_t i = c.streams.size(); i-- > 0;) {
        const auto [index, id] = c.streams[i];
        Client& client = client_at(k, index);
        if (transaction::deadline(k, client) > k.now) continue;
        heard = heard && c.heard > client.asked;
        remove(k, c, index);
        http2::reset(*c.session, id, http2::kCancel);
        transaction::finish(k, index, FailureCause::timeout, 0);
    }
    if (!heard) {  // nobody is there, for the others neither
        lose(k, at, FailureCause::timeout, false);
        web_stream::abort(k, slot);
        return;
    }
    watch_all(k, c);
    send_now(k, at);
}

}  // namespace anml::rt::app::http2_client
