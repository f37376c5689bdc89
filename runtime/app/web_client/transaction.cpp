#include "app/web_client/transaction.h"

#include <algorithm>
#include <cmath>

#include "app/cluster.h"
#include "app/content.h"
#include "app/flows/pairing.h"
#include "app/outcome.h"
#include "app/web_client/body_check.h"
#include "app/web_client/request_script.h"
#include "app/web_client/web_connection.h"
#include "app/web_client/web_exchange.h"
#include "app/web_client/web_origins.h"
#include "app/web_client/web_stream.h"
#include "net/documents/specweb99.h"
#include "net/samples.h"
#include "net/web_clients.h"
#include "transport/options/fast_open.h"
#include "transport/tcp.h"

namespace anml::rt::app::transaction {

namespace {

bool is_set(const Cluster& k, const abi::DocumentRow& documents, abi::RecordSchema schema)
{
    return present(schema) && documents.record != kNone && abi::schema_of(k.image, documents.record) == schema;
}

template <class Row>
const Row& row_as(const Cluster& k, const Client& client)
{
    return abi::row_of<Row>(k.image, workload(k, client).record);
}

bool has_pages(const Cluster& k, const Client& client) { return web_clients::has_pages(k.image, workload(k, client)); }

// Number `turn` of the host's own requests, over and over: those of the sequence whose number is the host's, modulo the
// hosts.
std::uint32_t next_of_sequence(const Cluster& k, const Choice& choice, std::uint32_t row, std::uint64_t turn)
{
    const HostPlace host = k.model.documents().place_of(choice.workload, choice.node);
    const std::span<const std::uint32_t> requests = k.model.documents().sequence(row);
    const std::uint64_t place = host.number % requests.size();
    const std::uint64_t own = (requests.size() - 1 - place) / host.of + 1;
    return requests[place + turn % own * host.of];
}

using ListOrder = abi::record::list::ListOrder;

ListOrder order_of(const Cluster& k, std::uint32_t row)
{
    return abi::row_of<abi::record::list>(k.image, k.image.documents[row].record).order;
}

// Of the documents of a file: whether they are asked for one behind the other.
bool in_turn(const Cluster& k, std::uint32_t row)
{
    return present(abi::RecordSchema::list) && k.image.documents[row].file != kNone &&
           order_of(k, row) == ListOrder::in_turn;
}

// Else the number of one, from 0.
std::uint32_t draw_listed(const Cluster& k, std::uint32_t row, Draws& draws)
{
    const std::uint32_t count = k.image.documents[row].count;
    if (order_of(k, row) != ListOrder::by_weight)
        return std::min(static_cast<std::uint32_t>(draws.unit() * count), count - 1);
    const std::span<const double> weights = k.model.documents().weights(row);
    const auto at = std::upper_bound(weights.begin(), weights.end(), draws.unit() * weights.back());
    return static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(at - weights.begin(), count - 1));
}

// What a log says of the transaction; null: it is of no log.
const abi::FileDocument* logged_of(const Cluster& k, const Client& client)
{
    return present(abi::RecordSchema::replay) ? k.model.documents().logged(client.document) : nullptr;
}

const abi::WrittenRequest* written_of(const Cluster& k, const Client& client)
{
    return present(abi::RecordSchema::list) ? k.model.documents().written(client.document) : nullptr;
}

std::uint32_t request_row(const Cluster& k, const Client& client)
{
    const abi::WrittenRequest* const written = written_of(k, client);
    return written ? static_cast<std::uint32_t>(written - k.image.requests) : kNone;
}

void count_request_in_series(Cluster& k, const Client& client, std::optional<FailureCause> failure)
{
    const std::uint32_t row = request_row(k, client);
    const std::size_t second = k.statistics.second_of(k.now);
    if (row == kNone || second >= TransactionGroups::kMostSeconds / k.image.request_count) return;
    RequestSecond& now = k.statistics.groups.second(row, second);
    ++(failure ? now.failed : now.completed);
    if (failure) return;
    now.took += k.now - client.started;
    now.longest.add({k.now - client.started});
}

FirstResponse example_of(const Cluster& k, const Client& client, std::uint64_t what)
{
    FirstResponse first{k.now, client.document, what};
    if (client.exchange == kNone) return first;
    const std::string_view path = k.closed_loop.exchanges[client.exchange].path;
    std::ranges::copy(path.substr(0, first.path.size()), first.path.begin());
    return first;
}

// What the response was, where it came to its end.
void count_response(Cluster& k, Client& client, std::optional<FailureCause> failure)
{
    WorkloadStatistics& statistics = k.statistics.workloads[client.workload];
    const http::Response& response = client.response;
    const std::uint16_t status = response.status();
    if (response.whole()) statistics.count_status(status);
    if (failure == FailureCause::status || failure == FailureCause::grpc_status)
        statistics.first_bad_status.add(example_of(k, client, status));
    if (const abi::FileDocument* logged = logged_of(k, client); logged && status != logged->status) {
        ++statistics.unexpected_status;
        statistics.first_unexpected_status.add(example_of(k, client, status));
        return;
    }
    if (failure || status >= 300 || method(k, client) != http::Method::get) return;
    if (response.body() != k.model.documents().size(client.document) && !written_of(k, client)) {
        ++statistics.unexpected_size;
        statistics.first_unexpected_size.add(example_of(k, client, response.body()));
    }
    if (body_check::wanted(client)) body_check::compare(k, client, statistics);
}

// Bytes of all responses of the transaction.
std::uint64_t responded(const Cluster& k, const Client& client)
{
    const std::uint64_t before = client.memory == kNone ? 0 : k.closed_loop.exchanges[client.exchange].received;
    return before + client.response.length();
}

void count_phases(const Cluster& k, const Client& client, std::uint64_t requested, TransactionStatistics& statistics)
{
    statistics.request_bytes += requested;
    statistics.response_bytes += responded(k, client);
    if (client.handshake != kNever) statistics.connect.record(client.handshake);
    if (client.shaking != kNever) statistics.tls.record(client.shaking);
    statistics.first_byte.record(client.answered - client.asked);
    statistics.transfer.record(k.now - client.answered);
}

void count_groups(Cluster& k, const Client& client, std::optional<FailureCause> failure, std::uint64_t requested)
{
    TransactionGroups& groups = k.statistics.groups;
    const http::Response& response = client.response;
    const std::uint16_t status = response.whole() ? response.status() : std::uint16_t{0};
    for (GroupStatistics* group : {&groups.subnet(k.model.subnets().of_row(k.model.row_of(client.node))),
                                   &groups.size(k.model.documents().size(client.document)), &groups.status(status)})
        group->count(k.now - client.started, failure, requested, responded(k, client));
    if (const std::uint32_t row = request_row(k, client); row != kNone) {
        RequestStatistics& request = groups.request(k.model.documents().request_cell(client.workload, row));
        request.counted.count(k.now - client.started, failure, requested, responded(k, client));
        if (failure && k.now < request.first_failure.at)
            request.first_failure = {k.now, *failure, status, request_scripts::body_begins(k, client),
                                     web_origins::name(k.web_origins, client)};
    }
    for (std::uint32_t row = 0; row < k.image.report_count; ++row)
        groups.report(row, report_group(k.image, row, client.workload, client.node))
            .count(k.now - client.started, failure, requested, responded(k, client));
}

}  // namespace

const abi::WorkloadRow& workload(const Cluster& k, const Client& client) { return k.image.workloads[client.workload]; }

const Values& values(const Cluster& k, const Client& client)
{
    return abi::row_of<Values>(k.image, workload(k, client).record);
}

NodeId server(const Cluster& k, const Client& client)
{
    if (const auto* several = web_origins::several(k.web_origins, client.workload))
        return several->all[client.origin].node;
    return client.peer != kNone ? client.peer : server_of(k.model, k.seed, client.workload, client.node);
}

std::uint32_t draw_document(const Cluster& k, std::uint32_t row, Draws& draws, double* state)
{
    const abi::DocumentRow& documents = k.image.documents[row];
    if (present(abi::RecordSchema::list) && documents.file != kNone)
        return k.model.documents().first(row) + draw_listed(k, row, draws);
    auto number = static_cast<std::uint32_t>(std::llround(sample(k.model, documents.choice, draws, state)));
    if (is_set(k, documents, abi::RecordSchema::specweb99)) {
        const double for_class = draws.unit();
        number = (std::max(number, 1u) - 1) * specweb99::kDirectory + specweb99::choose(for_class, draws.unit()) + 1;
    }
    return k.model.documents().first(row) + std::clamp(number, 1u, documents.count) - 1;
}

std::uint32_t choose_document(Cluster& k, const Choice& choice)
{
    const abi::Slice rows = choice.rows;
    const auto& values = abi::row_of<Values>(k.image, k.image.workloads[choice.workload].record);
    std::uint64_t turn = choice.turn;
    if (rows.count > 1 && values.begin_with == closed_loop::Row::FirstDocument::any)
        turn += random_bits(k.seed, choice.node, Purpose::place, choice.workload, 0) >> 32;
    const std::uint32_t row = rows.first + static_cast<std::uint32_t>(turn % rows.count);
    const abi::DocumentRow& documents = k.image.documents[row];
    if (!documents.set) return k.model.documents().first(row);
    if (in_turn(k, row)) {
        turn = choice.turn / rows.count;
        if (values.begin_with == closed_loop::Row::FirstDocument::any)
            turn += random_bits(k.seed, choice.node, Purpose::place, choice.workload, row + 1) >> 32;
        return k.model.documents().first(row) + static_cast<std::uint32_t>(turn % documents.count);
    }
    if (is_set(k, documents, abi::RecordSchema::prowgen))
        return k.model.documents().first(row) + next_of_sequence(k, choice, row, choice.turn / rows.count);
    double* state = k.sampler_states.data() + choice.state;
    for (std::uint32_t before = rows.first; before < row; ++before)
        state += state_words(k.image.documents[before].choice);
    Draws draws(k.seed, choice.node, Purpose::choice, choice.workload, choice.turn + 1);
    return draw_document(k, row, draws, state);
}

http::Method method(const Cluster& k, const Client& client)
{
    if (client.memory != kNone) return k.closed_loop.exchanges[client.exchange].method;
    if (present(bit_of(abi::RecordSchema::replay) | bit_of(abi::RecordSchema::list)))
        if (const abi::FileDocument* of_file = k.model.documents().asked_as(client.document))
            return static_cast<http::Method>(of_file->method);
    return static_cast<http::Method>(web_clients::method(k.image, workload(k, client)));
}

std::uint32_t request(const Cluster& k, const Client& client, content::Persistence persistence)
{
    return content::request(k.model.documents().request_number(client.workload, client.document), persistence);
}

bool until_close(const Cluster& k, const Client& client)
{
    return !has_pages(k, client) && row_as<LoopValues>(k, client).until == closed_loop::Row::TransactionEnd::closed;
}

const ConnectionValues& connection_values(const abi::Image& image, std::uint32_t row)
{
    const abi::WorkloadRow& workload = image.workloads[row];
    return web_clients::has_pages(image, workload) ? abi::row_of<PageValues>(image, workload.record).each
                                                   : abi::row_of<LoopValues>(image, workload.record).each;
}

MeasuredRequest measured_request(const Cluster& k, const Client& client)
{
    if (!k.model.documents().measures_requests()) return {};
    const abi::WrittenRequest* written = written_of(k, client);
    if (!written) return {};
    return {k.model.documents().measured_request(written->name),
            written->group == abi::kNone ? kNone : k.model.documents().measured_request(written->group)};
}

std::uint64_t requests(const Cluster& k, const Client& client)
{
    return k.model.integer(connection_values(k.image, client.workload).requests);
}

Time idle(const Cluster& k, const Client& client)
{
    return k.model.time(connection_values(k.image, client.workload).idle);
}

void begin(Cluster& k, Client& client)
{
    client.started = k.now;
    client.handshake = client.shaking = kNever;
    client.answered = 0;
    client.open = true;
    client.transactions = ++k.closed_loop.clients[client.first].begun;
    if (client.wanted != kNone)
        client.document = client.wanted;
    else if (client.memory != kNone && k.request_scripts.steer) [[unlikely]]
        client.document = request_scripts::next_step(k, client);
    else
        client.document = choose_document(k, {client.node, client.workload, workload(k, client).documents,
                                              client.transactions - 1, client.choices});
    web_origins::turn_to_document(k, client);
    if (client.memory != kNone) web_exchange::begin(k, client);
    client.response = http::Response(method(k, client) == http::Method::head);
    body_check::begin(k, client);
    ++k.statistics.workloads[client.workload].in_progress;
}

Time deadline(const Cluster& k, const Client& client)
{
    const Time whole = k.model.time(values(k, client).timeout);
    return whole > 0 ? std::max(client.started + whole, k.now) : kNever;
}

bool has_time(Cluster& k, std::uint32_t slot, const Client& client)
{
    const Time whole = deadline(k, client);
    if (tcp::connecting(k.tcp.connections[slot]) || whole <= k.now) return false;
    tcp::set_application_timer(k, slot, whole);
    return true;
}

FailureCause late(const Cluster& k, std::uint32_t slot, const Client& client, Time opened)
{
    const auto over = [&](Time limit) { return limit > 0 && k.now - opened >= limit; };
    const auto& v = values(k, client);
    const bool silent = over(k.model.time(v.connect_timeout)) || over(k.model.time(v.timeout));
    return silent && tcp::connecting(k.tcp.connections[slot]) ? FailureCause::connect : FailureCause::timeout;
}

tcp::Opened connect(Cluster& k, Client& client, std::uint32_t owner, Number as)
{
    const abi::WorkloadRow& row = workload(k, client);
    const Address remote = k.model.address_of_peer(row, server(k, client));
    const auto* several = web_origins::several(k.web_origins, client.workload);
    const auto port = several ? several->all[client.origin].named.port : static_cast<std::uint16_t>(row.port);
    const tcp::Opened opened =
        tcp::connect(k, owner_number(as), client.node, remote, port, static_cast<std::uint8_t>(row.traffic_class));
    client.slot = opened.slot;
    if (k.records_connections) [[unlikely]]
        connection_records::note_begun(k, client.workload, client.node, remote, port, opened);
    if (!opened) return opened;
    const std::uint32_t slot = opened.slot;
    tcp::Connection& c = k.tcp.connections[slot];
    c.owner = owner;
    c.reads = true;
    // Each answer to a SYN has the next socket connect: without one that would have no end.
    if (present(abi::RecordSchema::s_client) && s_client::is_s_client(k, client.workload))
        tcp::fast_open::forgo(k, slot);
    const Time connecting = k.model.time(values(k, client).connect_timeout), whole = deadline(k, client);
    tcp::set_application_timer(k, slot, connecting > 0 ? std::min(k.now + connecting, whole) : whole);
    return opened;
}

void note_opened(Cluster& k, Client& client, std::uint32_t slot)
{
    if (!web_stream::secured(k, slot)) return;
    client.shaking = k.now - web_stream::begun(k, slot);
    WorkloadStatistics& statistics = k.statistics.workloads[client.workload];
    (web_stream::resumed(k, slot) ? statistics.resumed : statistics.handshakes) += k.measuring();
}

void note_broken(Cluster& k, const Client& client, const char* why)
{
    if (k.measuring()) k.statistics.workloads[client.workload].first_broken.add({k.now, why});
}

std::optional<FailureCause> outcome(const http::Response& response, bool cut)
{
    if (response.other() || (response.whole() && response.status() >= 400)) return FailureCause::status;
    if (!response.whole() || (cut && !response.complete())) return FailureCause::truncated;
    return std::nullopt;
}

void expect(const Cluster& k, Client& client, std::uint32_t content)
{
    const std::uint16_t status = content::status(k.model, content);
    const std::uint64_t body = content::body(k.model, content), length = content::length(k.model, content);
    const bool headed = method(k, client) == http::Method::head;
    client.response.expect(status, headed ? length - body : length, headed ? 0 : body,
                           content::persistence(content) != content::Persistence::kept);
}

void finish(Cluster& k, std::uint32_t index, std::optional<FailureCause> failure, std::uint64_t requested)
{
    Client& client = k.closed_loop.clients[index];
    if (const Exchange* e = web_exchange::of(k, client)) {
        requested += e->requested;
        const bool whole = !failure || (failure == FailureCause::status && client.response.whole());
        const auto next = whole ? web_exchange::take_response(k, client, requested) : web_exchange::Next::ends;
        if (next == web_exchange::Next::asks_again) {
            if (k.records_connections) [[unlikely]]
                connection_records::note_response(k, client.slot);
            return closed_loop::ask_again(k, index);
        }
        if (next == web_exchange::Next::goes_in_circles) failure = FailureCause::redirect;
        failure = request_scripts::judge(k, client, failure);
    }
    client.open = false;
    // What the log's server answered is no failure.
    if (const abi::FileDocument* logged = logged_of(k, client);
        logged && failure == FailureCause::status && client.response.status() == logged->status)
        failure.reset();
    if (k.records_connections) [[unlikely]]
        connection_records::note_finished(k, client.slot, failure, requested, responded(k, client));
    // What servers ask of each other is no client's transaction: it is counted with its workload, and nowhere else.
    const bool call = present(abi::RecordSchema::calls) && calls::is_call(k, client.workload);
    if (!call) {
        count_in_series(k, client.started, failure);
        count_request_in_series(k, client, failure);
    }
    count(k, client.workload, client.started, failure);
    if (!failure && !call) k.statistics.second(k.now).bytes += requested + responded(k, client);
    if (k.measuring()) {
        if (!failure || failure == FailureCause::status || failure == FailureCause::grpc_status ||
            failure == FailureCause::check)
            count_response(k, client, failure);
        WorkloadStatistics& statistics = k.statistics.workloads[client.workload];
        if (!failure) count_phases(k, client, requested, statistics);
        const MeasuredRequest asked = measured_request(k, client);
        for (const std::uint32_t measured : {asked.request, asked.group}) {
            if (measured == kNone) continue;
            TransactionStatistics& of_request = statistics.of_request(measured);
            of_request.count(k.now - client.started, k.now - k.counters.begin, failure);
            if (!failure) count_phases(k, client, requested, of_request);
        }
        if (!call) count_groups(k, client, failure, requested);
    }
    body_check::end(k, client);
    if (call) {
        const std::uint16_t status = client.response.whole() ? client.response.status() : std::uint16_t{0};
        calls::finished(k, index, failure, status);
        return;
    }
    if (present(bit_of(abi::RecordSchema::open_loop) | bit_of(abi::RecordSchema::replay)) &&
        open_loop::is_open_loop(k, client.workload))
    {
        open_loop::finished(k, index, !failure);
        return;
    }
    if (has_pages(k, client)) {
        browser::finished(k, index, failure);
        return;
    }
    if (present(abi::RecordSchema::s_client) && s_client::is_s_client(k, client.workload)) {
        s_client::finished(k, index);
        return;
    }
    client.refusals = refusals(client.refusals, failure);
    Time think = draw_time(k.model, abi::row_of<closed_loop::Row>(k.image, workload(k, client).record).think, k.seed,
                           client.node, Purpose::think, client.workload, client.transactions,
                           k.sampler_states.data() + client.state);
    if (const abi::WrittenRequest* const written = written_of(k, client); written && written->thinks) [[unlikely]] {
        Draws draws(k.seed, client.node, Purpose::pause, client.workload, client.transactions);
        const double span = static_cast<double>(written->most_think - written->least_think);
        think = static_cast<Time>(written->least_think) + std::llround(draws.unit() * span);
    }
    const Time next = after_refusals(k.now + think, client.started, client.refusals);
    const bool turns = web_origins::several(k.web_origins, client.workload);
    if (client.connection != kNone) web_connection::rests(k, client.connection, turns ? kNever : next);
    client.due = next;
    k.schedule(client.node, next, timer_of(Number::closed_loop), index);
}

}  // namespace anml::rt::app::transaction
