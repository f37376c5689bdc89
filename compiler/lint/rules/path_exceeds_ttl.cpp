// Paths with so many routers that packets die on the way.
#include <fmt/format.h>

#include <algorithm>

#include "lint/rules.h"

namespace anml {

namespace {

constexpr long kTimeToLive = 64;  // of what simulated hosts and Linux send; a router that would forward at 1 drops

}  // namespace

void lint_path_exceeds_ttl(LintContext& context)
{
    const auto is_router = [&](std::uint32_t link) {
        const std::uint32_t node = link_target(context.network, link);
        return context.network.nodes[node_row_of(context.network, node)].kind == abi::NodeKind::router;
    };
    for (const Flow& flow : context.flows) {
        const long routers = std::count_if(flow.there.begin(), flow.there.end(), is_router);
        if (routers < kTimeToLive) continue;
        context.find(static_cast<double>(routers),
                     {Diag::path_exceeds_ttl,
                      flow.workload->span,
                      fmt::format("{} routers lie between {} and {}, but packets set out with a time to live of {}",
                                  routers, context.node(flow.client), context.node(flow.server), kTimeToLive),
                      "no packet arrives: shorten the path, or use switches, which decrement nothing",
                      {},
                      {}});
    }
}

}  // namespace anml
