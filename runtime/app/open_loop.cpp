#include "app/open_loop.h"

#include <utility>

#include "app/cluster.h"
#include "app/phase.h"
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

void timer(Cluster& k, std::uint32_t, std::uint32_t index, Time)
{
    OpenSource& source = k.open_loop.sources[index];
    if (!k.active(source.workload)) {
        source.dormant = true;
        return;
    }
    auto at = static_cast<std::uint32_t>(k.closed_loop.size());
    if (k.open_loop.idle.empty()) {
        k.closed_loop.emplace_back();
    } else {
        at = k.open_loop.idle.back();
        k.open_loop.idle.pop_back();
    }
    Client& client = k.closed_loop[at];
    client.node = source.node;
    client.workload = source.workload;
    client.transactions = source.transactions++;
    client.choices = source.choices;
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
