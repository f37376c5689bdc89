#include "app/web_client/web_connection.h"

#include <algorithm>
#include <utility>

#include "app/cluster.h"
#include "app/content.h"
#include "app/outcome.h"
#include "app/web_client/transaction.h"
#include "app/web_client/web_exchange.h"
#include "app/web_client/web_origins.h"
#include "app/web_client/web_stream.h"
#include "transport/tcp.h"

namespace anml::rt::app::web_connection {

namespace {

Client& client_of(Cluster& k, std::uint32_t index) { return k.closed_loop.clients[index]; }
WebConnection& of(Cluster& k, std::uint32_t slot) { return k.closed_loop.connections[k.tcp.connections[slot].owner]; }
WorkloadStatistics& statistics_of(Cluster& k, const Client& client) { return k.statistics.workloads[client.workload]; }

// --- lines of clients, by Client::next

void push(Cluster& k, WebConnection::Line& line, std::uint32_t index)
{
    client_of(k, index).next = kNone;
    (line.first == kNone ? line.first : client_of(k, line.last).next) = index;
    line.last = index;
}

std::uint32_t pop(Cluster& k, WebConnection::Line& line)
{
    const std::uint32_t index = line.first;
    line.first = client_of(k, index).next;
    return index;
}

void put_before(Cluster& k, WebConnection::Line& before, WebConnection::Line& line)
{
    if (before.empty()) return;
    client_of(k, before.last).next = line.first;
    if (line.empty()) line.last = before.last;
    line.first = before.first;
    before = {};
}

// ---

void watch_first(Cluster& k, const WebConnection& w)
{
    if (tcp::connecting(k.tcp.connections[w.slot])) return;  // that has its own time
    const Time limit = w.unanswered.empty() ? kNever : transaction::deadline(k, client_of(k, w.unanswered.first));
    tcp::set_application_timer(k, w.slot, limit);
}

// It stands at the end of those that are unanswered.
void send(Cluster& k, WebConnection& w, std::uint32_t index)
{
    Client& client = client_of(k, index);
    client.asked = k.now;
    client.slot = w.slot;
    if (k.records_connections) [[unlikely]]
        connection_records::note_asked(k, w.slot);
    ++w.sent;
    statistics_of(k, client).requests += k.measuring();
    if (w.unanswered.first == index) watch_first(k, w);
    const bool last = w.sent >= transaction::requests(k, client);
    client.requested = static_cast<std::uint32_t>(
        web_exchange::send(k, client, w.slot, last ? content::Persistence::last : content::Persistence::kept));
}

// The next that waits and is not switched off, its transaction begun; kNone: nobody does.
std::uint32_t take_waiting(Cluster& k, WebConnection& w)
{
    while (!w.waiting.empty()) {
        const std::uint32_t index = pop(k, w.waiting);
        Client& client = client_of(k, index);
        if (client.open) return index;  // sent again
        if (k.active(client.workload, client.node)) {
            transaction::begin(k, client);
            return index;
        }
        client.dormant = true;
    }
    return kNone;
}

bool has_room(const Cluster& k, const WebConnection& w)
{
    if (!open(w) || !w.established || (w.alone && !w.unanswered.empty())) return false;
    return !w.waiting.empty() && w.sent < transaction::requests(k, k.closed_loop.clients[w.waiting.first]);
}

void put_first(Cluster& k, WebConnection& w, std::uint32_t index)
{
    WebConnection::Line one;
    push(k, one, index);
    put_before(k, one, w.waiting);
}

// A POST or PATCH is not pipelined: it has the connection for itself until its response is there (RFC 9112, 9.3.2).
bool fits_behind(Cluster& k, const WebConnection& w, std::uint32_t index)
{
    const auto may = [&](std::uint32_t at) { return http::is_idempotent(transaction::method(k, client_of(k, at))); };
    return w.unanswered.empty() || (may(index) && may(w.unanswered.last));
}

void send_waiting(Cluster& k, WebConnection& w)
{
    while (has_room(k, w)) {
        const std::uint32_t index = take_waiting(k, w);
        if (index == kNone) return;
        if (!fits_behind(k, w, index)) return put_first(k, w, index);
        push(k, w.unanswered, index);
        send(k, w, index);
    }
}

// A new connection begins with an event of its own (transport/upcalls.h).
void want_connection(Cluster& k, const WebConnection& w)
{
    if (w.waiting.empty()) return;
    const auto number = static_cast<std::uint32_t>(&w - k.closed_loop.connections.data());
    k.schedule(client_of(k, w.waiting.first).node, k.now, timer_of(Number::closed_loop, closed_loop::kReconnect),
               number);
}

// From now on the TCP connection is nobody's. What is unanswered waits for the next one, at the head of the line.
// `alone`: as behind one that has failed.
void detach(Cluster& k, WebConnection& w, bool alone)
{
    tcp::set_application_timer(k, w.slot, kNever);
    k.tcp.connections[w.slot].owner = kNone;
    WebConnection::Line again = std::exchange(w.unanswered, {});
    for (std::uint32_t i = again.first; i != kNone; i = client_of(k, i).next)
        statistics_of(k, client_of(k, i)).retried += k.measuring();
    put_before(k, again, w.waiting);
    w.slot = kNone;
    w.alone = alone;
    want_connection(k, w);
}

// The first transaction of those that are unanswered has ended, with the connection.
void lose_first(Cluster& k, WebConnection& w, std::optional<FailureCause> failure)
{
    const std::uint32_t index = pop(k, w.unanswered);
    detach(k, w, true);
    transaction::finish(k, index, failure, client_of(k, index).requested);
}

// Whether those that are unanswered may all be sent again. Nobody knows what has become of a POST (RFC 9110, 9.2.2).
bool may_retry(Cluster& k, const WebConnection& w)
{
    if (w.unanswered.empty()) return true;
    const Client& first = client_of(k, w.unanswered.first);
    return w.answered > 0 && first.answered == 0 && http::is_idempotent(transaction::method(k, first));
}

// The first response is complete. False: the connection has ended with it.
bool take_response(Cluster& k, std::uint32_t slot, WebConnection& w)
{
    const std::uint32_t index = pop(k, w.unanswered);
    Client& client = client_of(k, index);
    w.taken += client.response.length();
    ++w.answered;
    w.alone = false;
    const bool over = w.sent >= transaction::requests(k, client) && w.unanswered.empty();
    const bool ends = over || client.response.closes();
    if (ends)
        detach(k, w, false);
    else
        watch_first(k, w);
    transaction::finish(k, index, transaction::outcome(client.response), client.requested);
    if (!ends) {
        send_waiting(k, w);
    } else if (!tcp::closes_next(k.tcp.connections[slot])) {
        web_stream::close(k, slot);
    }
    return !ends;
}

// What comes next is shown only where a response may end in it, or has to be read, or compared.
void choose_reading(Cluster& k, std::uint32_t slot, const Client& client)
{
    const http::Response& response = client.response;
    web_stream::show(k, slot,
                     response.needs_bytes() || response.left() <= k.tcp.connections[slot].receive_window ||
                         web_exchange::reads_body(k, client));
}

// Gives it what came and was not shown, which is its body's.
void skip_unshown(const WebConnection& w, Client& client, std::uint64_t came)
{
    const std::uint64_t taken = w.taken + client.response.length();
    if (came > taken) client.response.skip(came - taken);
}

}  // namespace

std::uint32_t make(Cluster& k, std::uint32_t client)
{
    const auto first = static_cast<std::uint32_t>(k.closed_loop.connections.size());
    const std::uint32_t places = web_origins::places(k.web_origins, client_of(k, client).workload);
    for (std::uint32_t i = 0; i < places; ++i) k.closed_loop.connections.emplace_back().user = client;
    client_of(k, client).places = static_cast<std::uint16_t>(places);
    return first;
}

bool any_open(const Cluster& k, const Client& client)
{
    const auto first = k.closed_loop.connections.begin() + (client.connection - client.origin);
    return std::any_of(first, first + client.places, open);
}

void begin(Cluster& k, std::uint32_t index)
{
    Client& client = client_of(k, index);
    // Which connection it is for, the request says.
    if (web_origins::several(k.web_origins, client.workload)) transaction::begin(k, client);
    const std::uint32_t number = client.connection;
    WebConnection& w = k.closed_loop.connections[number];
    push(k, w.waiting, index);
    if (open(w))
        send_waiting(k, w);
    else
        reconnect(k, number);
}

void ask_again(Cluster& k, std::uint32_t index)
{
    WebConnection& w = k.closed_loop.connections[client_of(k, index).connection];
    put_first(k, w, index);
    if (!open(w) || web_origins::several(k.web_origins, client_of(k, index).workload)) want_connection(k, w);
}

void reconnect(Cluster& k, std::uint32_t number)
{
    WebConnection& w = k.closed_loop.connections[number];
    if (open(w)) {  // a redirection has led here, or who waited has come by
        if (web_origins::several(k.web_origins, client_of(k, w.user).workload)) send_waiting(k, w);
        return;
    }
    const std::uint32_t index = take_waiting(k, w);
    if (index == kNone) return;
    const tcp::Opened opened = transaction::connect(k, client_of(k, index), number);
    const std::uint32_t slot = opened.slot;
    if (!opened) {
        transaction::finish(k, index, cause_of(opened.failure), 0);
        want_connection(k, w);
        return;
    }
    k.tcp.connections[slot].of_application<Carried>().persistent = true;
    w.slot = slot;
    w.established = false;
    w.opened = k.now;
    w.sent = w.answered = 0;
    w.taken = 0;
    push(k, w.unanswered, index);
}

void hang_up(Cluster& k, std::uint32_t number)
{
    WebConnection& w = k.closed_loop.connections[number];
    if (!open(w)) return;
    const std::uint32_t slot = w.slot;
    detach(k, w, false);
    web_stream::close(k, slot);
}

void rests(Cluster& k, std::uint32_t number, Time until)
{
    const WebConnection& w = k.closed_loop.connections[number];
    if (!open(w) || !w.established || !w.unanswered.empty()) return;
    const Client& client = client_of(k, w.user);
    const Time idle = transaction::idle(k, client);
    if (idle > 0 && until - k.now > idle) tcp::set_application_timer(k, w.slot, k.now + idle);
}

void established(Cluster& k, std::uint32_t slot)
{
    WebConnection& w = of(k, slot);
    Client& opener = client_of(k, w.unanswered.first);
    opener.handshake = k.now - w.opened;
    statistics_of(k, opener).connections += k.measuring();
    if (web_stream::begin(k, slot, opener))
        watch_first(k, w);
    else
        opened(k, slot);
}

void opened(Cluster& k, std::uint32_t slot)
{
    WebConnection& w = of(k, slot);
    transaction::note_opened(k, client_of(k, w.unanswered.first), slot);
    w.established = true;
    send(k, w, w.unanswered.first);
    send_waiting(k, w);
}

void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece)
{
    tcp::Connection& c = k.tcp.connections[slot];
    const std::uint64_t end = web_stream::received(k, slot);
    std::uint64_t at = end - piece.length;
    while (at < end) {
        if (c.owner == kNone) {  // the client has closed: its kernel says that nobody reads any more
            web_stream::abort(k, slot);
            return;
        }
        WebConnection& w = of(k, slot);
        if (w.unanswered.empty()) {  // nobody has asked
            detach(k, w, true);
            continue;
        }
        Client& client = client_of(k, w.unanswered.first);
        skip_unshown(w, client, at);
        const std::uint64_t before = client.response.length();
        if (client.answered == 0) {
            client.answered = k.now;
            if (k.records_connections) [[unlikely]]
                connection_records::note_answered(k, slot);
            if (!piece.real) transaction::expect(k, client, piece.content);
        }
        if (piece.real)
            client.response.read(piece.bytes.subspan(piece.bytes.size() - (end - at)), web_exchange::fields(k, client),
                                 web_exchange::body_taker(k, client));
        else
            client.response.skip(end - at);
        at += client.response.length() - before;
        if (client.response.complete()) {
            if (!take_response(k, slot, w)) return;
        } else if (client.response.broken() || client.response.other()) {
            lose_first(k, w, client.response.other() ? FailureCause::status : FailureCause::truncated);
            web_stream::abort(k, slot);
            return;
        }
    }
    if (const WebConnection& w = of(k, slot); !w.unanswered.empty())
        choose_reading(k, slot, client_of(k, w.unanswered.first));
}

void broke(Cluster& k, std::uint32_t slot, const char* why)
{
    if (k.tcp.connections[slot].owner == kNone) return;
    WebConnection& w = of(k, slot);
    if (w.unanswered.empty()) return detach(k, w, true);
    transaction::note_broken(k, client_of(k, w.unanswered.first), why);
    lose_first(k, w, FailureCause::tls);
}

void data(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    if (c.owner == kNone) {
        web_stream::abort(k, slot);
        return;
    }
    const WebConnection& w = of(k, slot);
    if (w.unanswered.empty()) return;
    Client& client = client_of(k, w.unanswered.first);
    skip_unshown(w, client, web_stream::received(k, slot));
    choose_reading(k, slot, client);
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    if (k.tcp.connections[slot].owner != kNone) {
        WebConnection& w = of(k, slot);
        if (may_retry(k, w))
            detach(k, w, !w.unanswered.empty());
        else
            lose_first(k, w, transaction::outcome(client_of(k, w.unanswered.first).response, web_stream::cut(k, slot)));
    }
    web_stream::close(k, slot);
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure)
{
    const tcp::Connection& c = k.tcp.connections[slot];
    if (c.owner == kNone) return;
    WebConnection& w = of(k, slot);
    const bool reset = failure == tcp::Failure::reset;
    if (reset && may_retry(k, w))
        detach(k, w, !w.unanswered.empty());
    else if (w.unanswered.empty())
        detach(k, w, false);
    else
        lose_first(k, w, cause_of(c, failure));
}

void connection_timer(Cluster& k, std::uint32_t slot)
{
    if (k.tcp.connections[slot].owner == kNone) return;
    WebConnection& w = of(k, slot);
    if (w.unanswered.empty()) {  // it has rested long enough
        detach(k, w, false);
        web_stream::close(k, slot);
        return;
    }
    if (transaction::has_time(k, slot, client_of(k, w.unanswered.first))) return;
    lose_first(k, w, transaction::late(k, slot, client_of(k, w.unanswered.first), w.opened));
    web_stream::abort(k, slot);
}

}  // namespace anml::rt::app::web_connection
