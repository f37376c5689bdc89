#include "app/web_server/calls.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "abi/entry_path.h"
#include "abi/targets.h"
#include "app/cluster.h"
#include "app/web_client/transaction.h"
#include "app/web_client/web_connection.h"
#include "app/web_client/web_exchange.h"
#include "app/web_server/callees.h"
#include "net/samples.h"

namespace anml::rt::app::calls {

namespace {

enum Timer : std::uint32_t { kMake, kTry, kOver };

constexpr std::uint16_t kBadGateway = 502, kUnavailable = 503, kGatewayTimeout = 504;

std::uint32_t caller_of(const Cluster& k, const Call& call)
{
    return k.web_server.servers[call.server].callers[call.place];
}

template <class T>
std::uint32_t take_free(std::vector<std::uint32_t>& free, std::vector<T>& all)
{
    if (free.empty()) {
        all.emplace_back();
        return static_cast<std::uint32_t>(all.size() - 1);
    }
    const std::uint32_t at = free.back();
    free.pop_back();
    all[at] = {};
    return at;
}

// --- tries

bool rests(const Cluster& k, const Client& client)
{
    return client.connection != kNone && web_connection::open(k.closed_loop.connections[client.connection]);
}

// One on a connection to the node; else one without. Those whose connection has been closed since are without.
std::uint32_t take_client(Cluster& k, Callee& callee)
{
    while (callee.resting != kNone) {
        const std::uint32_t at = callee.resting;
        callee.resting = k.closed_loop.clients[at].next;
        if (rests(k, k.closed_loop.clients[at])) return at;
        k.calls.idle.push_back(at);
    }
    if (k.calls.idle.empty()) {
        k.closed_loop.clients.emplace_back();
        return static_cast<std::uint32_t>(k.closed_loop.clients.size() - 1);
    }
    const std::uint32_t at = k.calls.idle.back();
    k.calls.idle.pop_back();
    return at;
}

void begin_try(Cluster& k, std::uint32_t index)
{
    Ask& ask = k.calls.asks[index];
    const Call& call = k.calls.calls[ask.call];
    Caller& caller = k.calls.callers[caller_of(k, call)];
    Callee& callee = caller.to[ask.callee];
    ask.probe = callee.circuit_open;
    callee.probing |= ask.probe;
    ++callee.open;
    ++ask.tries;
    const std::uint32_t at = take_client(k, callee);
    Client& client = k.closed_loop.clients[at];
    client.node = caller.node;
    client.peer = callee.node;
    client.workload = caller.workload;
    client.first = at;
    client.begun = static_cast<std::uint32_t>(caller.tries++);
    client.wanted = ask.document;
    client.state = index;
    client.choices = caller.choices;
    client.memory = caller.memory;
    client.home = callee.home;
    if (callee.home != kNone || transaction::requests(k, client) == 1)
        client.connection = kNone;
    else if (client.connection == kNone)
        client.connection = web_connection::make(k, at);
    closed_loop::begin(k, at);
}

// --- calls

void free_call(Cluster& k, std::uint32_t index)
{
    const Call& call = k.calls.calls[index];
    if (call.told && call.asks == 0) k.calls.free_calls.push_back(index);
}

// Nobody waits for it any more, or for its request.
bool unwanted(const Cluster& k, const Call& call)
{
    return call.over || k.calls.stages[call.stage].over ||
           !web_server::calling(k, k.calls.stages[call.stage].request);
}

void end_call(Cluster& k, std::uint32_t index, std::uint16_t status)
{
    Call& call = k.calls.calls[index];
    const Caller& caller = k.calls.callers[caller_of(k, call)];
    call.over = true;
    call.open = false;
    call.status = status;
    if (k.measuring()) {
        CallStatistics& statistics = callees::counted(k, caller);
        const bool left = k.calls.stages[call.stage].over;
        ++(left ? statistics.left : status == 0 ? statistics.completed : statistics.failed);
        if (status == 0 && !left) statistics.time.record(k.now - call.begun);
    }
    k.schedule(caller.node, k.now, timer_of(Number::calls, kOver), index);
}

// It brings no answer any more. `status`: that the server answers with, if it was needed.
void give_up_ask(Cluster& k, std::uint32_t index, std::uint16_t status)
{
    const std::uint32_t at = k.calls.asks[index].call;
    Call& call = k.calls.calls[at];
    k.calls.free_asks.push_back(index);
    --call.asks;
    --call.may;
    if (call.over)
        free_call(k, at);
    else if (call.answered + call.may < call.wanted)
        end_call(k, at, status);
}

void take_answer(Cluster& k, std::uint32_t index)
{
    const std::uint32_t at = k.calls.asks[index].call;
    Call& call = k.calls.calls[at];
    k.calls.free_asks.push_back(index);
    --call.asks;
    --call.may;
    if (call.over) {
        callees::counted(k, k.calls.callers[caller_of(k, call)]).unread += k.measuring();
        return free_call(k, at);
    }
    if (++call.answered == call.wanted) end_call(k, at, 0);
}

std::uint16_t status_for(FailureCause cause)
{
    return cause == FailureCause::connect || cause == FailureCause::timeout ? kGatewayTimeout : kBadGateway;
}

// Whether it is tried again, and when.
void fail_try(Cluster& k, std::uint32_t index, FailureCause cause, bool final)
{
    const Ask& ask = k.calls.asks[index];
    const Call& call = k.calls.calls[ask.call];
    Caller& caller = k.calls.callers[caller_of(k, call)];
    const Row& values = callees::values(k, caller);
    if (final || ask.tries > k.model.integer(values.retries) || !k.active(caller.workload) || unwanted(k, call))
        return give_up_ask(k, index, status_for(cause));
    if (k.model.value(values.budget) > 0) {
        if (caller.saved < 1) {
            callees::counted(k, caller).over_budget += k.measuring();
            return give_up_ask(k, index, status_for(cause));
        }
        caller.saved -= 1;
    }
    constexpr double kLongest = 3600e9;
    const Time drawn = draw_time(k.model, values.backoff, k.seed, caller.node, Purpose::backoff, caller.workload,
                                 caller.draws++, k.sampler_states.data() + caller.state);
    const double wait = static_cast<double>(drawn) * std::pow(k.model.value(values.growth), ask.tries - 1.0);
    k.schedule(caller.node, k.now + std::llround(std::min(wait, kLongest)), timer_of(Number::calls, kTry), index);
}

// The retry is counted, and has cost what it takes of the budget, only if it is made.
void try_again(Cluster& k, std::uint32_t index)
{
    Ask& ask = k.calls.asks[index];
    Call& call = k.calls.calls[ask.call];
    Caller& caller = k.calls.callers[caller_of(k, call)];
    const Row& values = callees::values(k, caller);
    const auto give_back = [&] { caller.saved = std::min(caller.saved + 1, kMostSaved); };
    if (!k.active(caller.workload) || unwanted(k, call)) {
        give_back();
        return give_up_ask(k, index, kBadGateway);
    }
    if (k.model.integer(values.fan_out) == 1)
        ask.callee = callees::pick(k, caller, callees::kNoCall);
    else if (!callees::available(k, caller.to[ask.callee]))
        ask.callee = kNone;
    if (ask.callee != kNone) {
        callees::counted(k, caller).retried += k.measuring();
        return begin_try(k, index);
    }
    give_back();
    callees::counted(k, caller).refused += k.measuring();
    give_up_ask(k, index, kUnavailable);
}

// Chooses nodes for one more document of the call that is being made.
void choose_nodes(Cluster& k, Caller& caller, std::uint32_t call, std::uint32_t document, std::uint32_t most)
{
    const std::uint64_t number = ++caller.picks;
    for (std::uint32_t i = 0; i < most; ++i) {
        const std::uint32_t callee = callees::pick(k, caller, number);
        if (callee == kNone) return;
        caller.to[callee].chosen = number;
        k.calls.made.push_back({call, callee, document});
    }
}

void make(Cluster& k, std::uint32_t index)
{
    Call& call = k.calls.calls[index];
    Caller& caller = k.calls.callers[caller_of(k, call)];
    const Row& values = callees::values(k, caller);
    const abi::Slice documents = k.image.workloads[caller.workload].documents;
    const std::uint64_t all = caller.to.size(), fan_out = k.model.integer(values.fan_out),
                        wait_for = k.model.integer(values.wait_for);
    const auto most = static_cast<std::uint32_t>(fan_out == 0 ? all : std::min(fan_out, all));
    std::vector<Ask>& made = k.calls.made;
    made.clear();
    std::uint32_t most_answers = most;
    if (k.model.integer(values.all_documents) == 0) {
        choose_nodes(k, caller, index, call.document, most);
    } else {
        std::uint32_t choices = caller.choices;
        most_answers *= documents.count;
        for (std::uint32_t row = documents.first; row < documents.first + documents.count; ++row) {
            const transaction::Choice choice{caller.node, caller.workload, {row, 1}, call.number - 1, choices};
            choose_nodes(k, caller, index, transaction::choose_document(k, choice), most);
            choices += state_words(k.image.documents[row].choice);
        }
    }
    call.wanted = wait_for == 0 ? most_answers
                                : static_cast<std::uint32_t>(std::min<std::uint64_t>(wait_for, most_answers));
    if (made.size() < call.wanted) {
        callees::counted(k, caller).refused += k.measuring();
        return end_call(k, index, kUnavailable);
    }
    call.may = call.asks = static_cast<std::uint32_t>(made.size());
    caller.saved = std::min(caller.saved + k.model.value(values.budget) * static_cast<double>(made.size()), kMostSaved);
    std::vector<std::uint32_t>& asked = k.calls.asked;
    asked.clear();
    for (const Ask& ask : made) {
        asked.push_back(take_free(k.calls.free_asks, k.calls.asks));
        k.calls.asks[asked.back()] = ask;
    }
    for (const std::uint32_t ask : asked) begin_try(k, ask);
}

bool hit(const Cluster& k, const Caller& caller)
{
    const double share = k.model.value(callees::values(k, caller).hits);
    return share > 0 && Draws(k.seed, caller.node, Purpose::hit, caller.workload, caller.calls).unit() < share;
}

void make_call(Cluster& k, std::uint32_t stage, std::uint32_t place)
{
    const std::uint32_t index = take_free(k.calls.free_calls, k.calls.calls);
    Call& call = k.calls.calls[index];
    call.stage = stage;
    call.server = k.calls.stages[stage].server;
    call.place = place;
    const Caller& caller = k.calls.callers[caller_of(k, call)];
    call.number = caller.calls;
    call.begun = k.now;
    call.open = true;
    if (k.model.integer(callees::values(k, caller).all_documents) == 0)
        call.document =
            transaction::choose_document(k, {caller.node, caller.workload, k.image.workloads[caller.workload].documents,
                                             caller.calls - 1, caller.choices});
    k.schedule(caller.node, k.now, timer_of(Number::calls, kMake), index);
}

bool is_for(const Cluster& k, const Caller& caller, std::uint32_t document)
{
    return caller.entries == kNone || k.calls.entries[caller.entries][document];
}

// The next stage of the server's calls from `from.next` on. False: there is none.
bool make_next(Cluster& k, CallStage from)
{
    const std::vector<std::uint32_t>& callers = k.web_server.servers[from.server].callers;
    const auto number = [&](std::uint32_t place) {
        return k.model.integer(callees::values(k, k.calls.callers[callers[place]]).stage);
    };
    std::vector<std::uint32_t>& made = k.calls.asked;
    while (from.next < callers.size()) {
        std::uint32_t place = from.next++;
        while (number(place) != 0 && from.next < callers.size() && number(from.next) == number(place)) ++from.next;
        std::uint64_t hits = 0, wanted = 0;
        made.clear();
        for (; place < from.next; ++place) {
            Caller& caller = k.calls.callers[callers[place]];
            if (!k.active(caller.workload) || !is_for(k, caller, from.document)) continue;
            ++caller.calls;
            wanted = std::max(wanted, k.model.integer(callees::values(k, caller).stage_wait_for));
            if (!hit(k, caller)) {
                made.push_back(place);
                continue;
            }
            callees::counted(k, caller).hits += k.measuring();
            ++hits;
        }
        const std::uint64_t all = hits + made.size();
        wanted = wanted == 0 ? all : std::min(wanted, all);
        if (hits >= wanted) continue;
        from.wanted = static_cast<std::uint32_t>(wanted - hits);
        from.calls = from.may = static_cast<std::uint32_t>(made.size());
        const std::uint32_t index = take_free(k.calls.free_stages, k.calls.stages);
        k.calls.stages[index] = from;
        for (const std::uint32_t at : made) make_call(k, index, at);
        return true;
    }
    return false;
}

// The call has ended, and with it perhaps its stage.
void go_on(Cluster& k, std::uint32_t index)
{
    Call& call = k.calls.calls[index];
    const std::uint16_t status = call.status;
    const std::uint32_t at = call.stage;
    call.told = true;
    free_call(k, index);
    CallStage& stage = k.calls.stages[at];
    const bool was_over = stage.over;
    --stage.may;
    stage.answered += status == 0;
    const bool answered = stage.answered >= stage.wanted;
    stage.over |= answered || stage.answered + stage.may < stage.wanted;
    const CallStage now = stage;
    if (--stage.calls == 0) k.calls.free_stages.push_back(at);
    if (was_over || !now.over) return;
    if (!web_server::calling(k, now.request)) return;  // it has been given up
    if (answered && make_next(k, {now.request, now.server, now.document, now.next})) return;
    web_server::called(k, now.request, answered ? 0 : status);
}

std::uint32_t find_entries(Cluster& k, std::uint32_t workload)
{
    const Row& row = abi::row_of<Row>(k.image, k.image.workloads[workload].record);
    if (row.entry == abi::kNone) return kNone;
    for (const Caller& other : k.calls.callers)
        if (other.workload == workload && other.entries != kNone) return other.entries;
    std::vector<bool>& made_for = k.calls.entries.emplace_back(k.model.documents().count());
    for (std::uint32_t document = 0; document < made_for.size(); ++document) {
        const std::string path = k.model.documents().path(document);
        for (std::string_view lines = k.model.text(row.entry); !lines.empty() && !made_for[document];) {
            const std::size_t end = std::min(lines.find('\n'), lines.size());
            made_for[document] = abi::entry_has(lines.substr(0, end), path);
            lines.remove_prefix(std::min(end + 1, lines.size()));
        }
    }
    return static_cast<std::uint32_t>(k.calls.entries.size() - 1);
}

}  // namespace

bool is_call(const Cluster& k, std::uint32_t workload)
{
    return abi::schema_of(k.image, k.image.workloads[workload].record) == Row::kSchema;
}

void start(Cluster& k, NodeId node, NodeId, std::uint32_t workload, Time)
{
    const abi::WorkloadRow& row = k.image.workloads[workload];
    const auto index = static_cast<std::uint32_t>(k.calls.callers.size());
    Caller& caller = k.calls.callers.emplace_back();
    caller.node = node;
    caller.workload = workload;
    caller.state = k.sampler_state(callees::values(k, caller).backoff);
    caller.choices = k.take_sampler_words(closed_loop::choice_words(k, row));
    caller.memory = web_exchange::make_memory(k, workload);
    const bool http2 = http2_client::speaks(k.model, workload);
    abi::each_node(k.image, row.peers, [&](NodeId peer) {
        Callee& callee = caller.to.emplace_back();
        callee.node = peer;
        if (http2) callee.home = http2_client::make(k, node, workload, 0);
    });
    caller.entries = find_entries(k, workload);
    const auto stage = [&](std::uint32_t at) { return k.model.integer(callees::values(k, k.calls.callers[at]).stage); };
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return stage(a) < stage(b); };
    for (WebServer& server : k.web_server.servers)
        if (server.row && server.row->node == node)
            server.callers.insert(std::ranges::upper_bound(server.callers, index, earlier), index);
}

bool begin(Cluster& k, const WebServer::Waiting& request, std::uint32_t server, std::uint32_t document)
{
    return make_next(k, {request, server, document});
}

void timer(Cluster& k, std::uint32_t which, std::uint32_t index, Time)
{
    if (which == kMake) return make(k, index);
    if (which == kTry) return try_again(k, index);
    go_on(k, index);
}

void finished(Cluster& k, std::uint32_t index, std::optional<FailureCause> failure, std::uint16_t status)
{
    constexpr std::uint16_t kServerError = 500;  // from here on; below it is the caller's
    Client& client = k.closed_loop.clients[index];
    const std::uint32_t at = client.state;
    const Ask& ask = k.calls.asks[at];
    Caller& caller = k.calls.callers[caller_of(k, k.calls.calls[ask.call])];
    Callee& callee = caller.to[ask.callee];
    --callee.open;
    const bool final = failure == FailureCause::status && status != 0 && status < kServerError;
    callees::judge(k, caller, ask, failure && !final);
    if (rests(k, client)) {
        client.next = callee.resting;
        callee.resting = index;
        web_connection::rests(k, client.connection, kNever);
    } else {
        k.calls.idle.push_back(index);
    }
    if (failure)
        fail_try(k, at, *failure, final);
    else
        take_answer(k, at);
}

void collect(const Cluster& k, AppStatistics& all, Time)
{
    for (const Call& call : k.calls.calls)
        if (call.open) ++all.workloads[k.calls.callers[caller_of(k, call)].workload].calls.in_progress;
}

}  // namespace anml::rt::app::calls
