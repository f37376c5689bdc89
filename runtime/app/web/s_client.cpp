#include "app/web/s_client.h"

#include <algorithm>
#include <utility>

#include "app/cluster.h"
#include "app/of_workload.h"
#include "app/phase.h"
#include "app/web_client/web_exchange.h"

namespace anml::rt::app::s_client {

static const Row& values(const Cluster& k, std::uint32_t workload) { return workload_row<Row>(k.image, workload); }

bool is_s_client(const Cluster& k, std::uint32_t workload)
{
    return abi::schema_of(k.image, k.image.workloads[workload].record) == Row::kSchema;
}

static void connect_at(Cluster& k, std::uint32_t host, Time at)
{
    k.schedule(k.s_client.hosts[host].node, at, timer_of(Number::s_client), host);
}

// Sockets begin evenly spread over the time-out.
static void spread(Cluster& k, std::uint32_t host, std::uint32_t sockets, Time first)
{
    const Time round = k.model.time(values(k, k.s_client.hosts[host].workload).connect_timeout);
    for (std::uint32_t i = 0; i < sockets; ++i) connect_at(k, host, first + round * i / sockets);
}

void start(Cluster& k, NodeId node, NodeId, std::uint32_t workload, Time first)
{
    const auto index = static_cast<std::uint32_t>(k.s_client.hosts.size());
    SClientHost& host = k.s_client.hosts.emplace_back();
    host.node = node;
    host.workload = workload;
    host.choices = k.take_sampler_words(closed_loop::choice_words(k, k.image.workloads[workload]));
    host.memory = web_exchange::make_memory(k, workload);
    spread(k, index, static_cast<std::uint32_t>(k.model.integer(values(k, workload).sockets)), first);
}

static std::uint32_t take_client(Cluster& k)
{
    std::vector<std::uint32_t>& idle = k.s_client.idle;
    if (idle.empty()) {
        k.closed_loop.clients.emplace_back();
        return static_cast<std::uint32_t>(k.closed_loop.clients.size() - 1);
    }
    const std::uint32_t at = idle.back();
    idle.pop_back();
    return at;
}

void timer(Cluster& k, std::uint32_t, std::uint32_t index, Time)
{
    SClientHost& host = k.s_client.hosts[index];
    if (!k.active(host.workload, host.node)) {
        ++host.dormant;
        return;
    }
    const std::uint32_t at = take_client(k);
    Client& client = k.closed_loop.clients[at];
    client.node = host.node;
    client.workload = host.workload;
    client.first = at;
    client.begun = host.transactions++;
    client.state = index;
    client.choices = host.choices;
    client.memory = host.memory;
    closed_loop::begin(k, at);
}

void connected(Cluster& k, std::uint32_t client) { connect_at(k, k.closed_loop.clients[client].state, k.now); }

void finished(Cluster& k, std::uint32_t index)
{
    const Client& client = k.closed_loop.clients[index];
    k.s_client.idle.push_back(index);
    if (client.handshake != kNever) return;
    const Time round = k.model.time(values(k, client.workload).connect_timeout);
    connect_at(k, client.state, std::max(k.now, client.started + round));
}

void resume(Cluster& k, const Hosts& hosts)
{
    const std::uint32_t workload = hosts.workload;
    for (std::uint32_t i = 0; i < k.s_client.hosts.size(); ++i) {
        SClientHost& host = k.s_client.hosts[i];
        if (host.workload != workload || host.dormant == 0 || !hosts.have(k.model, host.node)) continue;
        const Time wait = wait_to_begin(k.model, k.seed, workload, host.node, host.transactions, k.passed());
        spread(k, i, std::exchange(host.dormant, 0), k.now + wait);
    }
}

}  // namespace anml::rt::app::s_client
