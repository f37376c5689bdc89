#include "app/open_loop.h"

#include <utility>

#include "app/cluster.h"
#include "app/phase.h"
#include "app/web_connection.h"
#include "net/samples.h"

namespace anml::rt::app::open_loop {

static const Row& values(const Cluster& k, std::uint32_t workload)
{
    return abi::row_of<Row>(k.image, k.image.workloads[workload].record);
}

void start(Cluster& k, NodeId node, NodeId, std::uint32_t workload, Time first)
{
    const abi::WorkloadRow& row = k.image.workloads[workload];
    const auto index = static_cast<std::uint32_t>(k.open_loop.sources.size());
    OpenSource& source = k.open_loop.sources.emplace_back();
    source.node = node;
    source.workload = workload;
    source.state = k.sampler_state(values(k, workload).interval);
    source.choices = k.take_sampler_words(closed_loop::choice_words(k, row));
    k.schedule(node, first, timer_of(Number::open_loop), index);
}

static bool rests(const Cluster& k, const Client& client)
{
    return client.connection != kNone && web_connection::open(k.closed_loop.connections[client.connection]);
}

// One on a connection; else one without. Those whose connection has been closed since are without.
static std::uint32_t take_client(Cluster& k, OpenSource& source)
{
    while (source.resting != kNone) {
        const std::uint32_t at = source.resting;
        source.resting = k.closed_loop.clients[at].next;
        if (rests(k, k.closed_loop.clients[at])) return at;
        k.open_loop.idle.push_back(at);
    }
    if (k.open_loop.idle.empty()) {
        k.closed_loop.clients.emplace_back();
        return static_cast<std::uint32_t>(k.closed_loop.clients.size() - 1);
    }
    const std::uint32_t at = k.open_loop.idle.back();
    k.open_loop.idle.pop_back();
    return at;
}

void finished(Cluster& k, std::uint32_t index)
{
    Client& client = k.closed_loop.clients[index];
    if (!rests(k, client)) {
        k.open_loop.idle.push_back(index);
        return;
    }
    OpenSource& source = k.open_loop.sources[client.state];
    client.next = source.resting;
    source.resting = index;
    web_connection::rests(k, client.connection, kNever);
}

void timer(Cluster& k, std::uint32_t, std::uint32_t index, Time)
{
    OpenSource& source = k.open_loop.sources[index];
    if (!k.active(source.workload)) {
        source.dormant = true;
        return;
    }
    const std::uint32_t at = take_client(k, source);
    Client& client = k.closed_loop.clients[at];
    client.node = source.node;
    client.workload = source.workload;
    client.first = at;
    client.begun = source.transactions++;
    client.state = index;
    client.choices = source.choices;
    if (k.model.integer(values(k, source.workload).requests) == 1)
        client.connection = kNone;
    else if (client.connection == kNone)
        client.connection = web_connection::make(k, at);
    closed_loop::begin(k, at);
    const Time next =
        k.now + draw_time(k.model, values(k, source.workload).interval, k.seed, source.node, Purpose::think,
                          source.workload, source.transactions, k.sampler_states.data() + source.state);
    k.schedule(source.node, next, timer_of(Number::open_loop), index);
}

void resume(Cluster& k, std::uint32_t workload)
{
    for (std::uint32_t i = 0; i < k.open_loop.sources.size(); ++i) {
        OpenSource& source = k.open_loop.sources[i];
        if (source.workload != workload || !std::exchange(source.dormant, false)) continue;
        const Time wait = wait_to_begin(k.model, k.seed, workload, source.node, source.transactions);
        k.schedule(source.node, k.now + wait, timer_of(Number::open_loop), i);
    }
}

}  // namespace anml::rt::app::open_loop
