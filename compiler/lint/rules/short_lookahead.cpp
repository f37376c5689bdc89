// Channels between tasks that look so little ahead that handing over costs more than running in parallel gains.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lint/rules.h"

namespace anml {

namespace {

constexpr double kLeastEvents = 4;  // in one lookahead, per task: about what one handover costs

}  // namespace

void lint_short_lookahead(LintContext& context)
{
    const TaskGraph& graph = context.input.tasks;
    if (graph.tasks.size() < 2 || context.traffic.hops == 0) return;
    const double events = context.traffic.hops / static_cast<double>(graph.tasks.size());
    for (const Channel& channel : graph.channels) {
        const double lookahead = graph.values.evaluate(channel.lookahead, context.tunables);
        if (events * lookahead * 1e-9 >= kLeastEvents) continue;
        const LinkRange* shortest = nullptr;
        double least = std::numeric_limits<double>::infinity();
        for (const LinkRange& range : channel.links) {
            const double delay = context.value(context.network.links[range.row].delay[range.direction]);
            if (delay < least) least = delay, shortest = &range;
        }
        if (!shortest) continue;
        const LinkArray& link = context.network.links[shortest->row];
        context.find(1 / (lookahead + 1),
                     {Diag::short_lookahead,
                      link.span,
                      fmt::format("tasks {} and {} can run {} ahead of each other, by the delay of `{}`: {} of the {} "
                                  "events per second that a task expects",
                                  channel.from, channel.to, show_time(lookahead), link.name,
                                  show(events * lookahead * 1e-9), show(events)),
                      "let the tasks meet at links with more delay, or ask for fewer tasks with --tasks",
                      {},
                      {}});
    }
}

}  // namespace anml
