#include "app/web_server/calls.h"

#include <algorithm>
#include <cmath>
#include <utility>

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
    client.wanted = call.document;
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

void end_call(Cluster& k, std::uint32_t index, std::uint16_t status)
{
    Call& call = k.calls.calls[index];
    const Caller& caller = k.calls.callers[caller_of(k, call)];
    call.over = true;
    call.open = false;
    call.status = status;
    if (k.measuring()) {
        CallStatistics& statistics = callees::counted(k, caller);
        ++(status == 0 ? statistics.completed : statistics.failed);
        if (status == 0) statistics.time.record(k.now - call.begun);
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
    if (call.over) return free_call(k, at);
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
    if (final || call.over || ask.tries > k.model.integer(values.retries) || !k.active(caller.workload) ||
        !web_server::calling(k, call.request))
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
    if (call.over || !k.active(caller.workload) || !web_server::calling(k, call.request)) {
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

void make(Cluster& k, std::uint32_t index)
{
    Call& call = k.calls.calls[index];
    Caller& caller = k.calls.callers[caller_of(k, call)];
    const Row& values = callees::values(k, caller);
    const std::uint64_t all = caller.to.size(), fan_out = k.model.integer(values.fan_out),
                        wait_for = k.model.integer(values.wait_for);
    const auto most = static_cast<std::uint32_t>(fan_out == 0 ? all : std::min(fan_out, all));
    call.wanted = static_cast<std::uint32_t>(wait_for == 0 ? most : std::min<std::uint64_t>(wait_for, most));
    std::vector<std::uint32_t>& made = k.calls.made;
    made.clear();
    for (std::uint32_t i = 0; i < most; ++i) {
        const std::uint32_t callee = callees::pick(k, caller, call.number);
        if (callee == kNone) break;
        caller.to[callee].chosen = call.number;
        made.push_back(callee);
    }
    if (made.size() < call.wanted) {
        callees::counted(k, caller).refused += k.measuring();
        return end_call(k, index, kUnavailable);
    }
    call.may = call.asks = static_cast<std::uint32_t>(made.size());
    caller.saved = std::min(caller.saved + k.model.value(values.budget) * static_cast<double>(made.size()), kMostSaved);
    for (std::uint32_t& callee : made) {
        const std::uint32_t at = take_free(k.calls.free_asks, k.calls.asks);
        k.calls.asks[at].call = index;
        k.calls.asks[at].callee = std::exchange(callee, at);
    }
    for (const std::uint32_t ask : made) begin_try(k, ask);
}

bool hit(const Cluster& k, const Caller& caller)
{
    const double share = k.model.value(callees::values(k, caller).hits);
    return share > 0 && Draws(k.seed, caller.node, Purpose::hit, caller.workload, caller.calls).unit() < share;
}

// The next call of the server's from that place on. False: there is none.
bool make_next(Cluster& k, const WebServer::Waiting& request, std::uint32_t server, std::uint32_t place)
{
    const std::vector<std::uint32_t>& callers = k.web_server.servers[server].callers;
    for (; place < callers.size(); ++place) {
        Caller& caller = k.calls.callers[callers[place]];
        if (!k.active(caller.workload)) continue;
        ++caller.calls;
        if (hit(k, caller)) {
            callees::counted(k, caller).hits += k.measuring();
            continue;
        }
        const std::uint32_t index = take_free(k.calls.free_calls, k.calls.calls);
        Call& call = k.calls.calls[index];
        call.request = request;
        call.server = server;
        call.place = place;
        call.number = caller.calls;
        call.begun = k.now;
        call.open = true;
        call.document =
            transaction::choose_document(k, {caller.node, caller.workload, k.image.workloads[caller.workload].documents,
                                             caller.calls - 1, caller.choices});
        k.schedule(caller.node, k.now, timer_of(Number::calls, kMake), index);
        return true;
    }
    return false;
}

void go_on(Cluster& k, std::uint32_t index)
{
    Call& call = k.calls.calls[index];
    const Call ended = call;
    call.told = true;
    free_call(k, index);
    if (!web_server::calling(k, ended.request)) return;  // it has been given up
    if (ended.status == 0 && make_next(k, ended.request, ended.server, ended.place + 1)) return;
    web_server::called(k, ended.request, ended.status);
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
    for (std::uint32_t i = 0; i < row.peers.count; ++i) {
        const abi::TargetRow& peers = k.image.targets[row.peers.first + i];
        for (std::uint32_t element = 0; element < peers.count; ++element) {
            Callee& callee = caller.to.emplace_back();
            callee.node = peers.first_node + element;
            if (http2) callee.home = http2_client::make(k, node, workload, 0);
        }
    }
    for (WebServer& server : k.web_server.servers)
        if (server.row && server.row->node == node) server.callers.push_back(index);
}

bool begin(Cluster& k, const WebServer::Waiting& request, std::uint32_t server)
{
    return make_next(k, request, server, 0);
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
