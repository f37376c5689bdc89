// Hosts, endpoints and routers on an island of their own: links lead to some nodes, but to none of the most.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lint/rules.h"

namespace anml {

namespace {

// Islands of the row graph. Hosts and endpoints pass nothing on, so they belong to the island of their first link.
class Islands {
  public:
    explicit Islands(const RowGraph& graph) : leader_(graph.vertices().size()), size_(leader_.size())
    {
        std::iota(leader_.begin(), leader_.end(), 0u);
        const auto vertices = graph.vertices();
        for (std::uint32_t v = 0; v < vertices.size(); ++v) {
            for (std::uint32_t e = graph.first_edge(v); e < graph.end_edge(v); ++e) {
                const std::uint32_t to = graph.edges()[e].to;
                const bool first = e == graph.first_edge(v);
                if ((vertices[v].transit && vertices[to].transit) || (!vertices[v].transit && first)) join(v, to);
            }
        }
        for (std::uint32_t v = 0; v < vertices.size(); ++v) size_[find(v)] += vertices[v].count;
    }
    std::uint32_t find(std::uint32_t v)
    {
        while (leader_[v] != v) v = leader_[v] = leader_[leader_[v]];
        return v;
    }
    std::uint64_t size(std::uint32_t v) { return size_[find(v)]; }

  private:
    void join(std::uint32_t a, std::uint32_t b) { leader_[find(a)] = find(b); }
    std::vector<std::uint32_t> leader_;
    std::vector<std::uint64_t> size_;
};

// Such a wire is joined with nothing, and so are its ends.
bool at_transparent_link(const Network& network, NodeRowId row)
{
    return std::ranges::any_of(network.links, [&](const LinkArray& link) {
        return link.transparent && (link.end[0].row == row || link.end[1].row == row);
    });
}

}  // namespace

void lint_unreachable_host(LintContext& context)
{
    const RowGraph graph(context.network);
    Islands islands(graph);
    const auto vertices = graph.vertices();
    std::uint32_t mainland = 0;
    for (std::uint32_t v = 0; v < vertices.size(); ++v)
        if (islands.size(v) > islands.size(mainland)) mainland = v;
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
        const NodeArray& row = context.network.nodes[vertices[v].row.value];
        const bool linked = graph.first_edge(v) != graph.end_edge(v);  // otherwise: unconnected-node
        if (!linked || row.address == 0 || at_transparent_link(context.network, vertices[v].row) || islands.find(v) == islands.find(mainland)) continue;
        const std::uint64_t apart = islands.size(v), rest = context.network.node_count - apart;
        context.find(1,
                     {Diag::unreachable_host,
                      row.span,
                      fmt::format("{} is on an island of {} node{}: the other {} cannot reach it",
                                  context.node(row.first_node + vertices[v].first), apart, apart == 1 ? "" : "s", rest),
                      "join the island to the rest with a link between routers or switches",
                      {},
                      {}});
    }
}

}  // namespace anml
