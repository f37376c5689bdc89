// Links that are slower up than down, laid with their left end towards the core: a host by the right end, a branch of a
// network that has a core, or hosts alone where endpoints stand on the left.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/routes/pendant_trees.h"
#include "lint/rules.h"

namespace anml {

namespace {

// Whether what hangs on the link's right end has hosts and no endpoint, which stands on the left: subscribers.
bool serves_subscribers(const Network& network, const RowGraph& graph, std::uint32_t left, std::uint32_t right)
{
    bool hosts = false, endpoint = false;
    const auto is = [&](std::uint32_t vertex, abi::NodeKind kind) {
        return network.nodes[graph.vertices()[vertex].row.value].kind == kind;
    };
    std::vector<bool> seen(graph.vertices().size());
    std::vector<std::uint32_t> todo{right};
    seen[right] = true;
    while (!todo.empty()) {
        const std::uint32_t at = todo.back();
        todo.pop_back();
        hosts = hosts || is(at, abi::NodeKind::host);
        if (is(at, abi::NodeKind::endpoint)) return false;
        for (std::uint32_t e = graph.first_edge(at); e < graph.end_edge(at); ++e) {
            const std::uint32_t next = graph.edges()[e].to;
            if (next == left && at != right) return false;  // it does not hang on the link alone
            if (next == left || seen[next]) continue;
            seen[next] = true;
            todo.push_back(next);
        }
    }
    for (std::uint32_t v = 0; v < seen.size(); ++v) endpoint = endpoint || is(v, abi::NodeKind::endpoint);
    return hosts && endpoint;
}

}  // namespace

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
        if (!to_host && !(has_core && trees.parent[right] == left) &&
            !serves_subscribers(context.network, graph, left, right))
            continue;
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
