// Deficit round robin (Shreedhar and Varghese, IEEE/ACM Transactions on Networking 4(3), 1996): a queue for each flow.
// Whose turn it is may send `quantum` bytes more than it had left over, in whole packets; who is done with all of its
// packets leaves nothing over. Without room the longest queue loses packets, the paper's "buffer stealing", from its
// head.
#pragma once

#include <cstdint>

#include "net/queue/discipline.h"
#include "net/queue/flow_queues.h"
#include "net/queue/parameters.h"

namespace anml::rt::drr {

struct State {
    flow_queues::Flows flows;
    FlowRound round[1];
    bool begun = false;  // the first one's turn: it has its quantum
};

inline bool admit(State& state, const Parameters& parameters, LinkQueue& link, const Waiting& packet)
{
    FlowTables& tables = link.flows();
    const auto join = [&](std::uint32_t queue) {
        FlowQueue& flow = tables.queues[queue];
        flow.listed = true;
        flow.deficit = 0;
        flow_queues::set_heavy(state.flows, tables, flow, true);
        flow_queues::line_up(state.flows, tables, state.round, 0, queue);
    };
    flow_queues::take_in(state.flows, flow_queues::order_of(parameters), link, state.round, packet, 1, join,
                         [](FlowQueue&, std::uint32_t) {});
    return true;
}

inline Waiting next(State& state, const Parameters& parameters, LinkQueue& link)
{
    FlowTables& tables = link.flows();
    FlowRound& round = state.round[0];
    while (!round.empty()) {
        const std::uint32_t queue = round.front();
        FlowQueue& flow = tables.queues[queue];
        if (!flow.list.empty()) {
            if (!state.begun) flow.deficit += flow_queues::share(state.flows, tables, flow, parameters.quantum);
            state.begun = true;
            if (const std::uint32_t bytes = link.front(flow.list).bytes; bytes <= flow.deficit) {
                flow.deficit -= bytes;
                return link.pop(flow.list);
            }
        }
        state.begun = false;
        round.pop(tables.queues);
        if (flow.list.empty()) {
            flow_queues::leave(state.flows, tables, flow);
        } else {
            flow_queues::line_up(state.flows, tables, state.round, 0, queue);
        }
    }
    return {};
}

template <class Lose>
void abandon(State& state, LinkQueue& link, Lose&& lose)
{
    flow_queues::take_all(state.flows, link, state.round, lose);
}

}  // namespace anml::rt::drr
