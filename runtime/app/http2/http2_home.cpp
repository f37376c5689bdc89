#include "app/http2/http2_home.h"

#include <algorithm>
#include <string>
#include <utility>

#include "app/content.h"
#include "app/web_client/grpc_response.h"
#include "app/web_client/web_exchange.h"
#include "app/web_client/web_origins.h"
#include "transport/tcp.h"

namespace anml::rt::app::http2_home {

namespace {

std::uint32_t take(Cluster& k, Line& line) { return std::exchange(line.first, client_at(k, line.first).next); }

bool has_room(Cluster& k, const Connection& c)
{
    if (c.slot == kNone || c.retired) return false;
    const Http2Home& home = home_of(k, c);
    const transaction::ConnectionValues& values = values_of(k, home);
    if (c.given >= k.model.integer(values.requests)) return false;
    const std::uint64_t most = k.model.integer(values.streams);
    return c.streams.size() < (c.established ? std::min<std::uint64_t>(most, http2::most_streams(*c.session)) : most);
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

// No later than this the stream is given up; it has been added.
void watch(Cluster& k, Connection& c, Time deadline)
{
    if (deadline >= c.watched && c.streams.size() > 1) return;
    c.watched = deadline;
    if (!tcp::connecting(k.tcp.connections[c.slot])) tcp::set_application_timer(k, c.slot, deadline);
}

void give(Cluster& k, std::uint32_t at, std::uint32_t index)
{
    Connection& c = connection(k, at);
    Client& client = client_at(k, index);
    client.next = static_cast<std::uint32_t>(c.streams.size());
    client.slot = c.slot;
    c.streams.push_back({index, 0});
    ++c.given;
    if (!c.established) return;
    ask(k, c, c.streams.back());
    watch(k, c, transaction::deadline(k, client));
}

// `slot` is the number of the connection among all.
tcp::Opened open(Cluster& k, std::uint32_t number)
{
    Http2Clients& all = k.http2_client;
    if (all.free.empty()) {
        all.free.push_back(static_cast<std::uint32_t>(all.connections.size()));
        all.connections.emplace_back();
    }
    const std::uint32_t at = all.free.back();
    Http2Home& home = all.homes[number];
    const tcp::Opened opened = transaction::connect(k, client_at(k, home.waiting.first), at, Number::http2_client);
    if (!opened) return opened;
    all.free.pop_back();
    Connection& c = all.connections[at];
    c.home = number;
    c.slot = opened.slot;
    c.opened = k.now;
    c.given = c.answered = 0;
    c.established = c.retired = false;
    c.place = static_cast<std::uint32_t>(home.connections.size());
    home.connections.push_back(at);
    ++home.taking;
    list(k, at);
    return {at};
}

// Whether one that its connection leaves unanswered may be sent again.
bool may_retry(const Cluster& k, const Connection& c, const Client& client)
{
    return c.answered > 0 && client.answered == 0 && client.tries < kMostTries &&
           http::is_idempotent(transaction::method(k, client));
}

}  // namespace

void add(Cluster& k, Line& line, std::uint32_t index)
{
    client_at(k, index).next = kNone;
    (line.first == kNone ? line.first : client_at(k, line.last).next) = index;
    line.last = index;
}

void put_ahead(Cluster& k, Line& ahead, Line& line)
{
    if (ahead.empty()) return;
    client_at(k, ahead.last).next = line.first;
    if (line.empty()) line.last = ahead.last;
    line.first = ahead.first;
}

void list(Cluster& k, std::uint32_t at)
{
    Connection& c = connection(k, at);
    if (c.listed || !has_room(k, c)) return;
    c.listed = true;
    home_of(k, c).roomy.push_back(at);
}

void retire(Cluster& k, Connection& c)
{
    if (std::exchange(c.retired, true)) return;
    --home_of(k, c).taking;
}

void watch_all(Cluster& k, Connection& c)
{
    c.watched = kNever;
    for (const Connection::Stream& stream : c.streams)
        c.watched = std::min(c.watched, transaction::deadline(k, client_at(k, stream.client)));
    if (!tcp::connecting(k.tcp.connections[c.slot])) tcp::set_application_timer(k, c.slot, c.watched);
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
    if (k.records_connections) [[unlikely]]
        connection_records::note_asked(k, client.slot);
    k.statistics.workloads[client.workload].requests += k.measuring();
    const web_exchange::Request request = web_exchange::compose(k, client, content::Persistence::kept);
    const ScriptedRequest* const made = request_scripts::of(k, client);
    if ((made && !made->script->headers.empty()) || grpc_response::call(k, client))
        http2::tell_all_fields(*c.session);
    std::string_view head = request.head;
    if (request.content != kNone) {
        std::string& text = k.http2_client.text;
        text.resize(content::length(k.model, request.content) - request.body);
        content::produce(k.model, request.content, 0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
        head = text;
    }
    stream.id =
        http2::ask(*c.session, head,
                   {request.body_content, request.offset, request.body, std::string(request.text)}, stream.client);
}

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

void place(Cluster& k, std::uint32_t number, bool may_open)
{
    Http2Home& home = k.http2_client.homes[number];
    while (!home.waiting.empty()) {
        tcp::Opened to{find_room(k, home)};
        if (!to) {
            if (home.most != 0 && home.taking >= home.most) return;
            if (!may_open) {
                k.schedule(home.node, k.now, timer_of(Number::http2_client, http2_client::kPlace), number);
                return;
            }
            to = open(k, number);
        }
        const std::uint32_t index = take(k, home.waiting);
        if (!to) {
            transaction::finish(k, index, cause_of(to.failure), 0);
            continue;
        }
        give(k, to.slot, index);
        http2_client::send_soon(k, to.slot);
    }
}

void try_again(Cluster& k, Line& line, std::uint32_t index)
{
    Client& client = client_at(k, index);
    ++client.tries;
    k.statistics.workloads[client.workload].retried += k.measuring();
    add(k, line, index);
}

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

}  // namespace anml::rt::app::http2_home

namespace anml::rt::app::http2_client {

using namespace http2_home;

std::uint32_t make(Cluster& k, NodeId node, std::uint32_t workload, std::uint32_t connections)
{
    std::vector<Http2Home>& homes = k.http2_client.homes;
    const auto first = static_cast<std::uint32_t>(homes.size());
    for (std::uint32_t i = 0; i < web_origins::places(k.web_origins, workload); ++i) {
        Http2Home& home = homes.emplace_back();
        home.node = node;
        home.workload = workload;
        home.most = connections;
    }
    return first;
}

void begin(Cluster& k, std::uint32_t index)
{
    Client& client = client_at(k, index);
    transaction::begin(k, client);
    const std::uint32_t number = client.home;
    client.tries = 0;
    add(k, k.http2_client.homes[number].waiting, index);
    place(k, number, true);
}

void ask_again(Cluster& k, std::uint32_t index)
{
    Line one;
    add(k, one, index);
    const Client& client = client_at(k, index);
    put_ahead(k, one, k.http2_client.homes[client.home].waiting);
    if (web_origins::several(k.web_origins, client.workload))
        k.schedule(client.node, k.now, timer_of(Number::http2_client, kPlace), client.home);
}

}  // namespace anml::rt::app::http2_client
