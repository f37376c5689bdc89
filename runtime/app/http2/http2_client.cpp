#include "app/http2/http2_client.h"

#include <algorithm>
#include <utility>

#include "app/cluster.h"
#include "app/http2/http2_home.h"
#include "app/outcome.h"
#include "app/web_client/grpc_response.h"
#include "app/web_client/transaction.h"
#include "app/web_client/web_exchange.h"
#include "app/web_client/web_stream.h"
#include "transport/tcp.h"

namespace anml::rt::app::http2_client {

using namespace http2_home;

namespace {

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
    if (client.answered == 0) client.answered = k.now;
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
                ScriptedRequest* const call = grpc_response::call(k, client);
                if (client.answered == 0) {
                    if (!call) client.answered = k.now;
                    if (k.records_connections) [[unlikely]]
                        connection_records::note_answered(k, client.slot);
                }
                client.response.read({reinterpret_cast<const std::uint8_t*>(head.data()), head.size()},
                                     web_exchange::fields(k, client));
                if (call) grpc_response::read_fields(*call, head, nullptr);
                break;
            }
            case http2::Event::Kind::body:
                client.response.skip(event.length);
                if (ScriptedRequest* const call = grpc_response::call(k, client))
                    grpc_response::read(k, client, *call, {event.bytes, event.length});
                else
                    web_exchange::body_taker(k, client).add({event.bytes, event.length});
                break;
            case http2::Event::Kind::trailers:
                if (ScriptedRequest* const call = grpc_response::call(k, client))
                    grpc_response::read_fields(*call, http2::head(session, event), web_exchange::fields(k, client));
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
bool update_connection(Cluster& k, std::uint32_t at)
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
    update_connection(k, at);
}

bool wants_to_send(const Connection& c) { return c.session && !c.arranged && http2::wants_to_send(*c.session); }

void arrange(Cluster& k, std::uint32_t at)
{
    Connection& c = connection(k, at);
    c.arranged = true;
    k.schedule(home_of(k, c).node, k.now, timer_of(Number::http2_client, kSend), at);
}

}  // namespace

void send_soon(Cluster& k, std::uint32_t at)
{
    const Connection& c = connection(k, at);
    if (!wants_to_send(c)) return;
    if (k.model.integer(values_of(k, home_of(k, c)).streams) == 1) return send_now(k, at);
    arrange(k, at);
}

bool speaks(const Model& model, std::uint32_t workload)
{
    const abi::Image& image = model.image();
    const std::uint32_t record = image.workloads[workload].record;
    if (!facts.http2 || record == kNone) return false;
    const abi::RecordSchema schema = abi::schema_of(image, record);
    if (schema != Row::kSchema && !(kActsFor & bit_of(schema))) return false;
    return transaction::connection_values(image, workload).version == Row::Version::HTTP_2;
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
    if (k.records_connections) [[unlikely]]
        connection_records::note_connected(k, slot);
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
    if (update_connection(k, at)) send_soon(k, at);
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
    const Connection& c = connection(k, at);
    if (wants_to_send(c)) arrange(k, at);
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
    lose(k, at, cause_of(k.tcp.connections[slot], failure), failure == tcp::Failure::reset);
}

void connection_timer(Cluster& k, std::uint32_t slot)
{
    const std::uint32_t at = k.tcp.connections[slot].owner;
    if (at == kNone) return;
    Connection& c = connection(k, at);
    if (!c.established || tcp::connecting(k.tcp.connections[slot])) {
        lose(k, at, silence(k.tcp.connections[slot]), false);
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
