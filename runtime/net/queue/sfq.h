// Stochastic fairness queueing (McKenney, INFOCOM 1990), as Linux's sch_sfq.c has it: a queue for each place of a hash
// over flows, served in turn. Whose turn it is sends until it has sent `quantum` bytes; what it sent too much counts in
// the next round. Each `perturbation` the hash is another one, so that flows that share a queue don't for ever: what
// waits is sorted anew, by the next packet that comes. Without room the queue of most packets loses its last one
// (`sfq_drop` without `headdrop`).
#pragma once

#include <cstdint>

#include "net/queue/discipline.h"
#include "net/queue/flow_queues.h"
#include "net/queue/parameters.h"

namespace anml::rt::sfq {

struct State {
    flow_queues::Flows flows;
    FlowRound round[1];
};

inline bool admit(State& state, const Parameters& parameters, LinkQueue& link, const Waiting& packet)
{
    FlowTables& tables = link.flows();
    const auto join = [&](std::uint32_t queue) {
        FlowQueue& flow = tables.queues[queue];
        flow.listed = true;
        flow_queues::set_heavy(state.flows, tables, flow, true);
        flow.deficit = flow_queues::share(state.flows, tables, flow, parameters.quantum);
        state.round[0].push(tables.queues, queue);
    };
    const auto lost = [&](FlowQueue& flow, std::uint32_t) {
        if (!flow.list.empty()) return;
        state.round[0].pop(tables.queues);  // nobody has two packets, and it was the first
        flow_queues::leave(state.flows, tables, flow);
    };
    const Time period = parameters.perturbation;
    const auto salt = static_cast<std::uint64_t>(period == 0 ? 0 : link.now() / period);
    flow_queues::take_in<flow_queues::ByPackets>(state.flows, flow_queues::order_of(parameters, salt), link,
                                                 state.round, packet, 1, join, lost);
    return true;
}

inline Waiting next(State& state, const Parameters& parameters, LinkQueue& link)
{
    FlowTables& tables = link.flows();
    FlowRound& round = state.round[0];
    while (!round.empty()) {
        const std::uint32_t queue = round.front();
        FlowQueue& flow = tables.queues[queue];
        if (flow.deficit <= 0) {
            flow.deficit += flow_queues::share(state.flows, tables, flow, parameters.quantum);
            round.pop(tables.queues);
            round.push(tables.queues, queue);
            continue;
        }
        const Waiting packet = link.pop(flow.list);
        flow.deficit -= packet.bytes;
        flow_queues::changed<flow_queues::ByPackets>(state.flows, tables, state.round, flow);
        if (flow.list.empty()) {
            round.pop(tables.queues);
            flow_queues::leave(state.flows, tables, flow);
        }
        return packet;
    }
    return {};
}

template <class Lose>
void abandon(State& state, LinkQueue& link, Lose&& lose)
{
    flow_queues::take_all(state.flows, link, state.round, lose);
}

}  // namespace anml::rt::sfq
