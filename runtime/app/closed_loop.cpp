#include "app/closed_loop.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cluster.h"
#include "app/content.h"
#include "app/outcome.h"
#include "app/phase.h"
#include "net/samples.h"
#include "transport/tcp.h"

namespace anml::rt::app {

namespace {

const abi::WorkloadRow& workload(const Cluster& k, const Client& client) { return k.image.workloads[client.workload]; }

// What the records of closed and open loops begin with.
struct WebClient {
#define ANML_FIELD(kind, name) abi::field::kind name;
#define ANML_CHOICE(Enumeration, name, ...) closed_loop::Row::Enumeration name;
#include "app/web_client.def"
#undef ANML_CHOICE
#undef ANML_FIELD
};
const WebClient& values(const Cluster& k, const Client& client)
{
    return abi::row_of<WebClient>(k.image, workload(k, client).record);
}

bool until_close(const Cluster& k, const Client& client)
{
    return values(k, client).until == closed_loop::Row::TransactionEnd::closed;
}

// The rows in turn, from the client's own place on; of a set, one that is drawn.
std::uint32_t choose_document(Cluster& k, const Client& client)
{
    const abi::WorkloadRow& w = workload(k, client);
    const abi::Slice rows = w.documents;
    std::uint64_t turn = client.transactions - 1;
    if (rows.count > 1 && values(k, client).begin_with == closed_loop::Row::FirstDocument::any)
        turn += random_bits(k.seed, client.node, Purpose::place, client.workload, 0) >> 32;
    const std::uint32_t row = rows.first + static_cast<std::uint32_t>(turn % rows.count);
    const abi::DocumentRow& documents = k.image.documents[row];
    if (!documents.set) return k.model.first_document(row);
    double* state = k.sampler_states.data() + client.choices;
    for (std::uint32_t before = rows.first; before < row; ++before)
        state += state_words(k.image.documents[before].choice);
    Draws draws(k.seed, client.node, Purpose::choice, client.workload, client.transactions);
    const auto number = static_cast<std::uint32_t>(std::llround(sample(k.model, documents.choice, draws, state)));
    return k.model.first_document(row) + std::clamp(number, 1u, documents.count) - 1;
}

// What the response was, where it came to its end.
void count_response(Cluster& k, const Client& client, std::optional<FailureCause> failure)
{
    WorkloadStatistics& statistics = k.statistics.workloads[client.workload];
    const http::Response& response = client.response;
    const std::uint16_t status = response.status();
    if (response.whole()) statistics.count_status(status);
    if (failure == FailureCause::status) statistics.first_bad_status.add({k.now, client.document, status});
    if (failure || status >= 300 || response.body() == k.model.document_size(client.document)) return;
    ++statistics.unexpected_size;
    statistics.first_unexpected_size.add({k.now, client.document, response.body()});
}

// The client's transaction has ended: counts it and has the next one begin.
void finish(Cluster& k, std::uint32_t index, std::optional<FailureCause> failure, std::uint64_t requested)
{
    Client& client = k.closed_loop[index];
    client.open = false;
    count(k, client.workload, client.started, failure);
    if (!failure) k.statistics.second(k.now).bytes += requested + client.response.length();
    if (k.measuring()) {
        if (!failure || failure == FailureCause::status) count_response(k, client, failure);
        if (!failure) {
            WorkloadStatistics& statistics = k.statistics.workloads[client.workload];
            statistics.request_bytes += requested;
            statistics.response_bytes += client.response.length();
            statistics.connect_sum += static_cast<std::uint64_t>(client.connected - client.started);
            statistics.answer_sum += static_cast<std::uint64_t>(client.answered - client.connected);
            statistics.receive_sum += static_cast<std::uint64_t>(k.now - client.answered);
        }
    }
    if (present(abi::RecordSchema::open_loop) &&
        abi::schema_of(k.image, workload(k, client).record) == abi::RecordSchema::open_loop)
    {
        k.open_loop.idle.push_back(index);
        return;
    }
    client.refusals = refusals(client.refusals, failure);
    const Time think = draw_time(k.model, abi::row_of<closed_loop::Row>(k.image, workload(k, client).record).think,
                                 k.seed, client.node, Purpose::think, client.workload, client.transactions,
                                 k.sampler_states.data() + client.state);
    k.schedule(client.node, after_refusals(k.now + think, client.started, client.refusals),
               timer_of(Number::closed_loop), index);
}

// Ends the transaction of a connection that is still there; what becomes of it is nobody's business any more.
void end(Cluster& k, std::uint32_t slot, std::optional<FailureCause> failure)
{
    tcp::Connection& c = k.tcp.connections[slot];
    const std::uint32_t index = std::exchange(c.owner, kNone);
    if (index == kNone) return;
    tcp::set_application_timer(k, slot, kNever);
    finish(k, index, failure, c.length);
}

// The same, as the response says that has come so far; there will be no more of it.
void end_with_response(Cluster& k, std::uint32_t slot)
{
    const std::uint32_t index = k.tcp.connections[slot].owner;
    if (index == kNone) return;
    const http::Response& response = k.closed_loop[index].response;
    if (response.other() || (response.whole() && response.status() >= 400))
        end(k, slot, FailureCause::status);
    else if (!response.whole())
        end(k, slot, FailureCause::truncated);
    else
        end(k, slot, std::nullopt);
}

void take_simulated(Cluster& k, http::Response& response, std::uint32_t content)
{
    const std::uint16_t status = content::kind(content) == content::Kind::response ? 200 : 404;
    response.expect(status, content::length(k.model, content), content::body(k.model, content));
}

}  // namespace

namespace closed_loop {

void timer(Cluster& k, std::uint32_t, std::uint32_t index, Time)
{
    Client& client = k.closed_loop[index];
    if (k.active(client.workload))
        begin(k, index);
    else
        client.dormant = true;
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
    Client& client = k.closed_loop[index];
    const abi::WorkloadRow& row = workload(k, client);
    client.started = k.now;
    client.answered = 0;
    client.open = true;
    client.response = {};
    ++client.transactions;
    client.document = choose_document(k, client);
    ++k.statistics.workloads[client.workload].in_progress;
    std::uint32_t slot = tcp::connect(k, owner_number(Number::closed_loop), client.node,
                                      k.model.address(k.model.server(row)), static_cast<std::uint16_t>(row.port));
    if (slot == kNone) {  // no way there, or no port left
        finish(k, index, FailureCause::reset, 0);
        return;
    }
    tcp::Connection& c = k.tcp.connections[slot];
    c.owner = index;
    c.reads = true;
    Time connecting = k.model.time(values(k, client).connect_timeout), whole = k.model.time(values(k, client).timeout),
         limit = kNever;
    if (connecting > 0) limit = k.now + connecting;
    if (whole > 0) limit = std::min(limit, k.now + whole);
    tcp::set_application_timer(k, slot, limit);
}

void start(Cluster& k, NodeId node, NodeId, std::uint32_t workload, Time first)
{
    const auto index = static_cast<std::uint32_t>(k.closed_loop.size());
    Client& client = k.closed_loop.emplace_back();
    client.node = node;
    client.workload = workload;
    client.state = k.sampler_state(abi::row_of<Row>(k.image, k.image.workloads[workload].record).think);
    client.choices = k.take_sampler_words(choice_words(k, k.image.workloads[workload]));
    k.schedule(node, first, timer_of(Number::closed_loop), index);
}

void resume(Cluster& k, std::uint32_t workload)
{
    for (std::uint32_t i = 0; i < k.closed_loop.size(); ++i) {
        Client& client = k.closed_loop[i];
        if (client.workload != workload || !std::exchange(client.dormant, false)) continue;
        const Time wait = wait_to_begin(k.model, k.seed, workload, client.node, client.transactions);
        k.schedule(client.node, k.now + wait, timer_of(Number::closed_loop), i);
    }
}

void established(Cluster& k, std::uint32_t slot)
{
    Client& client = k.closed_loop[k.tcp.connections[slot].owner];
    client.connected = k.now;
    Time whole = k.model.time(values(k, client).timeout);
    tcp::set_application_timer(k, slot, whole > 0 ? client.started + whole : kNever);
    std::uint32_t request = content::request(client.document);
    tcp::send(k, slot, {.content = request, .length = content::length(k.model, request)}, false);
}

void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece)
{
    const tcp::Connection& c = k.tcp.connections[slot];
    if (c.owner != kNone) {
        Client& client = k.closed_loop[c.owner];
        if (client.answered == 0) {
            client.answered = k.now;
            if (!piece.real) take_simulated(k, client.response, piece.content);
        }
        if (piece.real) client.response.read(piece.bytes);
    }
    data(k, slot);
}

void data(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    if (c.owner == kNone) {  // the client has closed: its kernel says that nobody reads any more
        tcp::abort(k, slot);
        return;
    }
    Client& client = k.closed_loop[c.owner];
    http::Response& response = client.response;
    // What came before its turn, while nobody was to read it, is in order now.
    if (!response.needs_bytes() && c.received > response.length()) response.skip(c.received - response.length());
    c.reads = response.needs_bytes();
    if (until_close(k, client)) return;
    if (response.complete()) {
        end_with_response(k, slot);
        if (!tcp::closes_next(c)) tcp::close(k, slot);
    } else if (response.broken()) {
        end_with_response(k, slot);
        tcp::abort(k, slot);
    }
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    end_with_response(k, slot);
    tcp::close(k, slot);
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure)
{
    const tcp::Connection& c = k.tcp.connections[slot];
    const FailureCause silence = c.state == tcp::State::syn_sent ? FailureCause::connect : FailureCause::timeout;
    if (c.owner != kNone && k.closed_loop[c.owner].response.complete())
        end_with_response(k, slot);  // behind the response anything may come
    else
        end(k, slot, failure == tcp::Failure::reset ? FailureCause::reset : silence);
}

void connection_timer(Cluster& k, std::uint32_t slot)
{
    const bool connecting = k.tcp.connections[slot].state == tcp::State::syn_sent;
    end(k, slot, connecting ? FailureCause::connect : FailureCause::timeout);
    tcp::abort(k, slot);
}

void collect(const Cluster& k, AppStatistics& all, Time now)
{
    for (const Client& client : k.closed_loop)
        if (client.open) all.workloads[client.workload].open_ages.push_back(now - client.started);
}

}  // namespace closed_loop

}  // namespace anml::rt::app
