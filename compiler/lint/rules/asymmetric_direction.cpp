// Links that are slower up than down, laid with their left end towards the core: a host by the right end, or a branch
// of a network that has a core.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/routes/pendant_trees.h"
#include "lint/rules.h"

namespace anml {

void lint_asymmetric_direction(LintContext& context)
{
    const RowGraph graph(context.network);
    const PendantTrees trees(graph, RoutingDomains(context.network, graph));
    const bool has_core = std::count(trees.parent.begin(), trees.parent.end(), PendantTrees::kCore) > 1;
    for (const LinkArray& link : context.network.links) {
        const double up = context.value(link.rate[0]), down = context.value(link.rate[1]);
        if (link.one_way || up >= down) continue;
        const std::uint32_t left = graph.vertex_at(link.end[0].row, link.end[0].first);
        const std::uint32_t right = graph.vertex_at(link.end[1].row, link.end[1].first);
        const bool to_host = graph.vertices()[left].transit && !graph.vertices()[right].transit;
        if (!to_host && !(has_core && trees.parent[right] == left)) continue;
        const auto name = [&](int side) {
            const NodeArray& row = context.network.nodes[link.end[side].row.value];
            return context.node(row.first_node + link.end[side].first);
        };
        context.find(down / up,
                     {Diag::asymmetric_direction,
                      link.span,
                      fmt::format("`{}` is slower up than down, {} and {}, but its left end {} is nearer the core than "
                                  "{}",
                                  link.name, show_rate(up), show_rate(down), name(0), name(1)),
                      "up runs from the left end to the right: exchange the ends",
                      {},
                      {}});
    }
}

}  // namespace anml
