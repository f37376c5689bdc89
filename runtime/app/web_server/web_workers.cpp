#include "app/web_server/web_workers.h"

#include <algorithm>
#include <cmath>

#include "app/cluster.h"
#include "net/samples.h"

namespace anml::rt::app::web_workers {

namespace {

// Counts what was busy and waiting until now: before either changes.
void note(Cluster& k, WebServer& server)
{
    server.statistics.count(server.busy, server.waiting.size(), std::max(server.counted, k.counters.begin),
                            std::min(k.now, k.counters.end));
    server.counted = k.now;
}

// --- processors that are shared

double speed(const WebServer& server, std::uint64_t processors)
{
    return server.in_service <= processors ? 1
                                           : static_cast<double>(processors) / static_cast<double>(server.in_service);
}

double speed(const WebServer& server) { return speed(server, server.processors); }
double interrupted_speed(const WebServer& server) { return speed(server, server.processors - 1); }

void advance(Cluster& k, WebServer& server)
{
    const Time passed = k.now - server.progressed;
    const Time interrupted = std::min(passed, server.interrupted);
    if (server.in_service == 0) {
        server.progress = 0;
        server.jobs.clear();  // none of them is wanted any more
    } else {
        server.progress += static_cast<double>(interrupted) * interrupted_speed(server) +
                           static_cast<double>(passed - interrupted) * speed(server);
    }
    server.interrupted -= interrupted;
    server.progressed = k.now;
}

bool later(const WebServer::Job& a, const WebServer::Job& b)
{
    return a.end != b.end ? a.end > b.end : a.number > b.number;
}

// From now, of what was advanced to now, until `work` more of progress.
double time_for(const WebServer& server, double work)
{
    const auto interrupted = static_cast<double>(server.interrupted);
    const double slow = interrupted_speed(server);
    if (work < interrupted * slow) return work / slow;
    return interrupted + (work - interrupted * slow) / speed(server);
}

// An event for the first that will be done, unless one is pending that comes no later.
void arm(Cluster& k, std::uint32_t index)
{
    WebServer& server = k.web_server.servers[index];
    if (server.in_service == 0) return;
    const double left = time_for(server, std::max(0.0, server.jobs.front().end - server.progress));
    const Time at = k.now + std::llround(std::ceil(left));
    if (at >= server.armed) return;
    server.armed = at;
    k.schedule(server.row->node, at, timer_of(Number::web_server), index);
}

// Its connection is there, and it has not been given up.
bool wanted(const Cluster& k, const WebServer::Waiting& who)
{
    const tcp::Connection& c = k.tcp.connections[who.slot];
    return c.state != tcp::State::free && c.generation == who.generation;
}

}  // namespace

void occupy(Cluster& k, WebServer& server)
{
    note(k, server);
    ++server.busy;
}

void vacate(Cluster& k, WebServer& server)
{
    note(k, server);
    --server.busy;
    while (!server.waiting.empty() && any_free(server)) {
        const WebServer::Waiting next = server.waiting.pop();
        if (wanted(k, next)) web_server::granted(k, next);
    }
}

void wait(Cluster& k, std::uint32_t index, const WebServer::Waiting& who)
{
    WebServer& server = k.web_server.servers[index];
    note(k, server);
    server.waiting.push(who);
}

Time work(Cluster& k, std::uint32_t index, const WebServer::Waiting& who, const abi::Distribution& random,
          std::vector<double>& state)
{
    WebServer& server = k.web_server.servers[index];
    const std::uint64_t number = server.requests++;
    const Time takes =
        draw_time(k.model, random, k.seed, server.row->node, Purpose::service, index, number, state.data());
    if (server.processors == 0) return k.now + takes;
    advance(k, server);
    server.jobs.push_back({server.progress + static_cast<double>(takes), number, who});
    std::push_heap(server.jobs.begin(), server.jobs.end(), later);
    ++server.in_service;
    arm(k, index);
    return kNever;
}

Time serve(Cluster& k, std::uint32_t index, const WebServer::Waiting& who)
{
    WebServer& server = k.web_server.servers[index];
    server.statistics.requests += k.measuring();
    return work(k, index, who, server.values->service, server.state);
}

void give_up(Cluster& k, std::uint32_t index)
{
    WebServer& server = k.web_server.servers[index];
    if (server.processors == 0) return;
    advance(k, server);
    --server.in_service;
    arm(k, index);
}

void interrupt(Cluster& k, WebServer& server)
{
    advance(k, server);
    server.interrupted += server.syn_cost;
}

void timer(Cluster& k, std::uint32_t index, Time at)
{
    WebServer& server = k.web_server.servers[index];
    if (server.armed != at) return;  // an earlier one was set behind it
    server.armed = kNever;
    advance(k, server);
    constexpr double kRounding = 1e-3;  // ns
    while (!server.jobs.empty() && server.jobs.front().end <= server.progress + kRounding) {
        const WebServer::Waiting done = server.jobs.front().request;
        std::pop_heap(server.jobs.begin(), server.jobs.end(), later);
        server.jobs.pop_back();
        if (!wanted(k, done) || !web_server::in_service(k, done)) continue;
        --server.in_service;
        web_server::served(k, done);
    }
    arm(k, index);
}

}  // namespace anml::rt::app::web_workers
