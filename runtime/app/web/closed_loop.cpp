#include "app/web/closed_loop.h"

#include <utility>

#include "app/cluster.h"
#include "app/content.h"
#include "app/outcome.h"
#include "app/phase.h"
#include "app/web_client/transaction.h"
#include "app/web_client/web_connection.h"
#include "app/web_client/web_exchange.h"
#include "app/web_client/web_stream.h"
#include "net/samples.h"
#include "transport/tcp.h"

namespace anml::rt::app {

namespace {

bool persistent(const Cluster& k, std::uint32_t slot)
{
    return k.tcp.connections[slot].of_application<Carried>().persistent;
}

// Ends the transaction of a connection that is still there; what becomes of it is nobody's business any more.
void end(Cluster& k, std::uint32_t slot, std::optional<FailureCause> failure)
{
    const std::uint32_t index = std::exchange(k.tcp.connections[slot].owner, kNone);
    if (index == kNone) return;
    tcp::set_application_timer(k, slot, kNever);
    transaction::finish(k, index, failure, k.closed_loop.clients[index].requested);
}

void open_connection(Cluster& k, std::uint32_t index)
{
    if (const tcp::Opened opened = transaction::connect(k, k.closed_loop.clients[index], index); !opened)
        transaction::finish(k, index, cause_of(opened.failure), 0);
}

// The same as end(), as the response says that has come so far; there will be no more of it.
void end_with_response(Cluster& k, std::uint32_t slot)
{
    const std::uint32_t index = k.tcp.connections[slot].owner;
    if (index == kNone) return;
    end(k, slot, transaction::outcome(k.closed_loop.clients[index].response, web_stream::cut(k, slot)));
}

}  // namespace

namespace closed_loop {

void timer(Cluster& k, std::uint32_t which, std::uint32_t index, Time at)
{
    if (which == kReconnect) return web_connection::reconnect(k, index);
    if (which == kAskAgain) return open_connection(k, index);
    Client& client = k.closed_loop.clients[index];
    if (overtaken(at, client.due)) return;
    client.due = kNever;
    if (k.active(client.workload, client.node)) return begin(k, index);
    client.dormant = true;
    if (client.connection != kNone) web_connection::rests(k, client.connection, kNever);
}

std::uint32_t choice_words(const Cluster& k, const abi::WorkloadRow& workload)
{
    std::uint32_t words = 0;
    for (std::uint32_t i = 0; i < workload.documents.count; ++i)
        words += state_words(k.image.documents[workload.documents.first + i].choice);
    return words;
}

void begin(Cluster& k, std::uint32_t index)
{
    Client& client = k.closed_loop.clients[index];
    if (facts.http2 && client.home != kNone) return http2_client::begin(k, index);
    if (client.connection != kNone) return web_connection::begin(k, index);
    transaction::begin(k, client);
    open_connection(k, index);
}

void ask_again(Cluster& k, std::uint32_t index)
{
    const Client& client = k.closed_loop.clients[index];
    if (facts.http2 && client.home != kNone) return http2_client::ask_again(k, index);
    if (client.connection != kNone) return web_connection::ask_again(k, index);
    k.schedule(client.node, k.now, timer_of(Number::closed_loop, kAskAgain), index);
}

void start(Cluster& k, NodeId node, NodeId, std::uint32_t workload, Time first)
{
    const abi::WorkloadRow& given = k.image.workloads[workload];
    const Row& row = abi::row_of<Row>(k.image, given.record);
    const bool http2 = http2_client::speaks(k.model, workload);
    const std::uint64_t at_once = k.model.integer(http2 ? row.streams : row.pipeline);  // on a connection
    const std::uint64_t count = at_once * k.model.integer(row.connections);
    const bool several = !http2 && k.model.integer(row.requests) > 1;
    const auto first_client = static_cast<std::uint32_t>(k.closed_loop.clients.size());
    const std::uint32_t memory = web_exchange::make_memory(k, workload);
    const std::uint32_t state = k.sampler_state(row.think), choices = k.take_sampler_words(choice_words(k, given));
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto index = static_cast<std::uint32_t>(k.closed_loop.clients.size());
        Client& client = k.closed_loop.clients.emplace_back();
        client.node = node;
        client.workload = workload;
        client.first = first_client;
        client.state = state;
        client.choices = choices;
        client.memory = memory;
        const bool first_of_connection = i % at_once == 0;
        if (several)
            client.connection =
                first_of_connection ? web_connection::make(k, index) : k.closed_loop.clients[index - 1].connection;
        if (http2)
            client.home =
                first_of_connection ? http2_client::make(k, node, workload, 1) : k.closed_loop.clients[index - 1].home;
        client.due = first;
        k.schedule(node, first, timer_of(Number::closed_loop), index);
    }
}

void resume(Cluster& k, const Hosts& hosts)
{
    const std::uint32_t workload = hosts.workload;
    for (std::uint32_t i = 0; i < k.closed_loop.clients.size(); ++i) {
        Client& client = k.closed_loop.clients[i];
        if (client.workload != workload || !hosts.have(k.model, client.node)) continue;
        if (!std::exchange(client.dormant, false) && client.due == kNever) continue;  // a transaction is under way
        client.due = k.now + wait_to_begin(k.model, k.seed, workload, client.node, client.transactions, k.passed());
        if (client.connection != kNone) web_connection::rests(k, client.connection, client.due);
        k.schedule(client.node, client.due, timer_of(Number::closed_loop), i);
    }
}

void established(Cluster& k, std::uint32_t slot)
{
    if (k.records_connections) [[unlikely]]
        connection_records::note_connected(k, slot);
    if (persistent(k, slot)) return web_connection::established(k, slot);
    Client& client = k.closed_loop.clients[k.tcp.connections[slot].owner];
    const bool first = client.handshake == kNever;  // of the transaction's connections
    if (first) client.handshake = k.now - client.started;
    k.statistics.workloads[client.workload].connections += k.measuring();
    if (!tcp::connecting(k.tcp.connections[slot]))
        tcp::set_application_timer(k, slot, transaction::deadline(k, client));
    if (!web_stream::begin(k, slot, client)) opened(k, slot);
    if (first && present(abi::RecordSchema::s_client) && s_client::is_s_client(k, client.workload))
        s_client::connected(k, k.tcp.connections[slot].owner);
}

void opened(Cluster& k, std::uint32_t slot)
{
    if (k.tcp.connections[slot].owner == kNone) return;  // it was hung up during the handshake
    if (persistent(k, slot)) return web_connection::opened(k, slot);
    Client& client = k.closed_loop.clients[k.tcp.connections[slot].owner];
    transaction::note_opened(k, client, slot);
    client.asked = k.now;
    k.statistics.workloads[client.workload].requests += k.measuring();
    if (k.records_connections) [[unlikely]]
        connection_records::note_asked(k, slot);
    client.requested = static_cast<std::uint32_t>(web_exchange::send(k, client, slot, content::Persistence::none));
}

void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece)
{
    if (persistent(k, slot)) return web_connection::read(k, slot, piece);
    const tcp::Connection& c = k.tcp.connections[slot];
    if (c.owner != kNone) {
        Client& client = k.closed_loop.clients[c.owner];
        if (client.answered == 0) {
            client.answered = k.now;
            if (k.records_connections) [[unlikely]]
                connection_records::note_answered(k, slot);
            if (!piece.real) transaction::expect(k, client, piece.content);
        }
        if (piece.real)
            client.response.read(piece.bytes, web_exchange::fields(k, client), web_exchange::body_taker(k, client));
    }
    data(k, slot);
}

void broke(Cluster& k, std::uint32_t slot, const char* why)
{
    if (persistent(k, slot)) return web_connection::broke(k, slot, why);
    const std::uint32_t index = k.tcp.connections[slot].owner;
    if (index == kNone) return;
    if (k.closed_loop.clients[index].response.complete()) return end_with_response(k, slot);
    transaction::note_broken(k, k.closed_loop.clients[index], why);
    end(k, slot, FailureCause::tls);
}

void data(Cluster& k, std::uint32_t slot)
{
    if (persistent(k, slot)) return web_connection::data(k, slot);
    tcp::Connection& c = k.tcp.connections[slot];
    if (c.owner == kNone) {  // the client has closed: its kernel says that nobody reads any more
        web_stream::abort(k, slot);
        return;
    }
    Client& client = k.closed_loop.clients[c.owner];
    http::Response& response = client.response;
    // What came before its turn, while nobody was to read it, is in order now.
    const std::uint64_t came = web_stream::received(k, slot);
    if (!response.needs_bytes() && came > response.length()) response.skip(came - response.length());
    web_stream::show(k, slot, response.needs_bytes() || web_exchange::reads_body(k, client));
    if (transaction::until_close(k, client)) return;
    if (response.complete()) {
        end_with_response(k, slot);
        if (!tcp::closes_next(c)) web_stream::close(k, slot);
    } else if (response.broken() || response.other()) {
        end_with_response(k, slot);
        web_stream::abort(k, slot);
    }
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    if (persistent(k, slot)) return web_connection::peer_closed(k, slot);
    end_with_response(k, slot);
    web_stream::close(k, slot);
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure)
{
    if (persistent(k, slot)) return web_connection::failed(k, slot, failure);
    const tcp::Connection& c = k.tcp.connections[slot];
    if (c.owner != kNone && k.closed_loop.clients[c.owner].response.complete())
        end_with_response(k, slot);  // behind the response anything may come
    else
        end(k, slot, cause_of(c, failure));
}

void connection_timer(Cluster& k, std::uint32_t slot)
{
    if (persistent(k, slot)) return web_connection::connection_timer(k, slot);
    const tcp::Connection& c = k.tcp.connections[slot];
    const bool connecting = tcp::connecting(c);
    if (c.owner != kNone && transaction::has_time(k, slot, k.closed_loop.clients[c.owner])) return;
    end(k, slot, connecting ? FailureCause::connect : FailureCause::timeout);
    web_stream::abort(k, slot);
}

void collect(const Cluster& k, AppStatistics& all, Time now)
{
    for (const Client& client : k.closed_loop.clients) {
        if (!client.open) continue;
        WorkloadStatistics& statistics = all.workloads[client.workload];
        statistics.open_ages.push_back(now - client.started);
        const transaction::MeasuredRequest asked = transaction::measured_request(k, client);
        for (const std::uint32_t measured : {asked.request, asked.group})
            if (measured != kNone) statistics.of_request(measured).open_ages.push_back(now - client.started);
    }
}

}  // namespace closed_loop

}  // namespace anml::rt::app
