#include "app/closed_loop.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/application.h"
#include "app/content.h"
#include "app/http_head.h"
#include "app/outcome.h"
#include "app/payload.h"
#include "kernel/random.h"

namespace anml::rt::app {

namespace {

constexpr Time kAfterRefusal = kMillisecond;  // least time between the SYNs of a client that is refused

const abi::WorkloadRow& workload(const Cluster& k, const Client& client) { return k.image.workloads[client.workload]; }

// The rows in turn; of a set, one that is drawn.
std::uint32_t choose_document(Cluster& k, const Client& client)
{
    const abi::Slice rows = workload(k, client).documents;
    const std::uint32_t row = rows.first + (client.transactions - 1) % rows.count;
    const abi::DocumentRow& documents = k.image.documents[row];
    if (!documents.set) return k.model.first_document(row);
    double* state = k.sampler_states.data() + client.choices;
    for (std::uint32_t before = rows.first; before < row; ++before)
        state += state_words(k.image.documents[before].choice);
    Draws draws(k.seed, client.node, Purpose::choice, client.workload, client.transactions);
    const auto number = static_cast<std::uint32_t>(std::llround(sample(k.model, documents.choice, draws, state)));
    return k.model.first_document(row) + std::clamp(number, 1u, documents.count) - 1;
}

// Keeps what the first bad response was, for the message about it.
void note_status(Cluster& k, const Client& client, const tcp::Connection& c)
{
    WorkloadStatistics& statistics = k.statistics.workloads[client.workload];
    if (!k.measuring() || statistics.failed_status != 0) return;
    bool known = http::status_known(c) && c.status != http::kNotHttp;
    statistics.first_status = known ? c.status : std::uint16_t{0};
    statistics.first_status_document = client.document;
    statistics.first_status_at = k.now;
}

// The client's transaction has ended: counts it and has the next one begin.
void end(Cluster& k, std::uint32_t index, Outcome outcome, std::uint64_t requested = 0, std::uint64_t received = 0)
{
    const Client& client = k.clients[index];
    count(k, client.workload, client.started, outcome);
    if (outcome == Outcome::completed) {
        k.statistics.second(k.now).bytes += requested + received;
        if (k.measuring()) {
            WorkloadStatistics& statistics = k.statistics.workloads[client.workload];
            statistics.request_bytes += requested;
            statistics.response_bytes += received;
            statistics.connect_sum += client.connected - client.started;
            statistics.answer_sum += client.answered - client.connected;
            statistics.receive_sum += k.now - client.answered;
        }
    }
    if (workload(k, client).kind == abi::WorkloadKind::open_loop) {
        k.open_loops.idle.push_back(index);
        return;
    }
    Time next = k.now;
    if (outcome == Outcome::completed || outcome == Outcome::status)
        next += draw_time(k.model, workload(k, client).think, k.seed, client.node, Purpose::think, client.workload,
                          client.transactions, k.sampler_states.data() + client.state);
    else if (outcome == Outcome::reset)
        next = std::max(next, client.started + kAfterRefusal);
    k.schedule(client.node, next, TimerKind::client, index);
}

// Ends the transaction of a connection that is still open; what becomes of it is nobody's business any more.
void end(Cluster& k, tcp::Connection& c, Outcome outcome)
{
    std::uint32_t index = std::exchange(c.owner, kNone);
    if (index != kNone) end(k, index, outcome, c.length, c.received);
}

}  // namespace

void client_timer(Cluster& k, std::uint32_t index)
{
    Client& client = k.clients[index];
    if (k.active(client.workload))
        client::begin(k, index);
    else
        client.dormant = true;
}

namespace client {

std::uint32_t choice_words(const Cluster& k, const abi::WorkloadRow& workload)
{
    std::uint32_t words = 0;
    for (std::uint32_t i = 0; i < workload.documents.count; ++i)
        words += state_words(k.image.documents[workload.documents.first + i].choice);
    return words;
}

void begin(Cluster& k, std::uint32_t index)
{
    Client& client = k.clients[index];
    const abi::WorkloadRow& row = workload(k, client);
    client.started = k.now;
    client.answered = 0;
    ++client.transactions;
    client.document = choose_document(k, client);
    ++k.statistics.workloads[client.workload].in_progress;
    std::uint32_t slot = tcp::connect(k, tcp::Role::web_client, client.node, k.model.address(k.model.server(row)),
                                      static_cast<std::uint16_t>(row.port));
    if (slot == kNone) {  // no way there, or no port left
        end(k, index, Outcome::reset);
        return;
    }
    tcp::Connection& c = k.tcp.connections[slot];
    c.owner = index;
    c.in_order_only = true;
    Time connecting = k.model.time(row.connect_timeout), whole = k.model.time(row.timeout), limit = kNever;
    if (connecting > 0) limit = k.now + connecting;
    if (whole > 0) limit = std::min(limit, k.now + whole);
    tcp::set_application_timer(k, slot, limit);
}

void start(Cluster& k, NodeId node, std::uint32_t workload, Time first)
{
    const auto index = static_cast<std::uint32_t>(k.clients.size());
    Client& client = k.clients.emplace_back();
    client.node = node;
    client.workload = workload;
    client.state = k.sampler_state(k.image.workloads[workload].think);
    client.choices = k.take_sampler_words(choice_words(k, k.image.workloads[workload]));
    k.schedule(node, first, TimerKind::client, index);
}

void resume(Cluster& k, std::uint32_t workload)
{
    for (std::uint32_t i = 0; i < k.clients.size(); ++i) {
        Client& client = k.clients[i];
        if (client.workload == workload && std::exchange(client.dormant, false))
            k.schedule(client.node, k.now, TimerKind::client, i);
    }
}

void established(Cluster& k, std::uint32_t slot)
{
    Client& client = k.clients[k.tcp.connections[slot].owner];
    client.connected = k.now;
    Time whole = k.model.time(workload(k, client).timeout);
    tcp::set_application_timer(k, slot, whole > 0 ? client.started + whole : kNever);
    std::uint32_t request = content::request(client.document);
    tcp::send(k, slot, request, content::length(k.model, request), false);
}

void data(Cluster& k, std::uint32_t slot, const Packet& packet, std::uint32_t skip, std::uint32_t count)
{
    tcp::Connection& c = k.tcp.connections[slot];
    if (http::status_known(c)) return;
    if (c.owner != kNone && k.clients[c.owner].answered == 0) k.clients[c.owner].answered = k.now;
    if (packet.buffer != kNone)
        http::read_status(c, payload(k.buffers, packet, skip, count));
    else
        http::take_status(c, packet.content);
    c.in_order_only = !http::status_known(c);
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    tcp::set_application_timer(k, slot, kNever);
    bool good = http::status_known(c) && c.status < 400;
    if (!good && c.owner != kNone) note_status(k, k.clients[c.owner], c);
    end(k, c, good ? Outcome::completed : Outcome::status);
    tcp::close(k, slot);
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure)
{
    tcp::Connection& c = k.tcp.connections[slot];
    const Outcome silence = c.state == tcp::State::syn_sent ? Outcome::connect : Outcome::timeout;
    end(k, c, failure == tcp::Failure::reset ? Outcome::reset : silence);
}

void timer(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    end(k, c, c.state == tcp::State::syn_sent ? Outcome::connect : Outcome::timeout);
    tcp::abort(k, slot);
}

}  // namespace client

}  // namespace anml::rt::app
