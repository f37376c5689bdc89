// FQ-CoDel (RFC 8290), as Linux's sch_fq_codel.c has it: a queue for each flow, each with CoDel's control, served in
// turn by the bytes that they may send. Queues that have just come go before the others, once: a flow that sends less
// than a quantum in a round waits for nobody. A link that becomes idle asks for a packet, and who has none leaves.
//
// CoDel's exception for a backlog of one packet looks at all that waits for the link, as Linux does. Without room the
// longest queue loses half of its packets from the head, at most `drop_batch`, and its control counts them as drops.
#pragma once

#include <cstdint>

#include "net/queue/codel.h"
#include "net/queue/discipline.h"
#include "net/queue/flow_queues.h"
#include "net/queue/parameters.h"

namespace anml::rt::fq_codel {

static_assert(static_cast<std::uint32_t>(Parameters::Fairness::flow_by_both) ==
              static_cast<std::uint32_t>(flow_queues::Fairness::flow_by_both));

struct State {
    flow_queues::Flows flows;
    FlowRound rounds[2];  // the new ones, the old ones

    FlowRound& fresh() { return rounds[0]; }
    FlowRound& old() { return rounds[1]; }
};

inline Waiting next(State& state, const Parameters& parameters, LinkQueue& link)
{
    FlowTables& tables = link.flows();
    for (;;) {
        const bool fresh = !state.fresh().empty();
        FlowRound& round = fresh ? state.fresh() : state.old();
        if (round.empty()) return {};
        const std::uint32_t queue = round.front();
        FlowQueue& flow = tables.queues[queue];
        const auto to_the_end = [&] {
            round.pop(tables.queues);
            flow_queues::line_up(state.flows, tables, state.rounds, 1, queue);
        };
        if (flow.deficit <= 0) {
            flow_queues::set_heavy(state.flows, tables, flow, true);
            flow.deficit += flow_queues::share(state.flows, tables, flow, parameters.quantum);
            to_the_end();
            continue;
        }
        const Waiting chosen = codel::Controlled<Parameters>{flow.list, flow.control, parameters, link}.next();
        if (chosen.packet != kNone) {
            flow.deficit -= chosen.bytes;
            return chosen;
        }
        if (fresh && !state.old().empty()) {  // else one that comes again at once would always be new
            to_the_end();
            continue;
        }
        round.pop(tables.queues);
        flow_queues::leave(state.flows, tables, flow);
    }
}

inline bool admit(State& state, const Parameters& parameters, LinkQueue& link, const Waiting& packet)
{
    FlowTables& tables = link.flows();
    if (link.idle()) next(state, parameters, link);  // that it asked in vain is made up for
    const auto join = [&](std::uint32_t queue) {
        FlowQueue& flow = tables.queues[queue];
        flow.listed = true;
        flow.deficit = flow_queues::share(state.flows, tables, flow, parameters.quantum);
        flow_queues::line_up(state.flows, tables, state.rounds, 0, queue);
    };
    flow_queues::take_in(state.flows, flow_queues::order_of(parameters), link, state.rounds, packet,
                         parameters.drop_batch, join,
                         [](FlowQueue& flow, std::uint32_t packets) { flow.control.drops += packets; });
    return true;
}

template <class Lose>
void abandon(State& state, LinkQueue& link, Lose&& lose)
{
    flow_queues::take_all(state.flows, link, state.rounds, lose);
}

}  // namespace anml::rt::fq_codel
