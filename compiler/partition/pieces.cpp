// Cuts the row graph's vertices where a workload's targets begin and end, and the link groups where the pieces do.
#include "partition/pieces.h"

#include <algorithm>

#include "analysis/network_queries.h"
#include "analysis/routes/row_graph.h"

namespace anml {
namespace {

void cut_rows(const Network& network, PieceGraph& graph)
{
    std::vector<std::vector<std::uint32_t>> cuts(network.nodes.size());
    const RowGraph rows(network);
    for (const RouteVertex& vertex : rows.vertices()) cuts[vertex.row.value].push_back(vertex.first);
    for (const WorkloadInfo& workload : network.workloads) {
        for (const auto* nodes : {&workload.targets, &workload.peers}) {
            for (const TargetRange& range : *nodes) {
                cuts[range.row.value].push_back(range.first);
                cuts[range.row.value].push_back(range.first + range.count);
            }
        }
    }
    for (std::size_t row = 0; row < network.nodes.size(); ++row) {
        std::vector<std::uint32_t>& at = cuts[row];
        std::sort(at.begin(), at.end());
        at.erase(std::unique(at.begin(), at.end()), at.end());
        while (!at.empty() && at.back() >= network.nodes[row].count) at.pop_back();
        at.push_back(network.nodes[row].count);
        graph.first_piece.push_back(static_cast<std::uint32_t>(graph.pieces.size()));
        for (std::size_t i = 0; i + 1 < at.size(); ++i)
            graph.pieces.push_back({NodeRowId(row), at[i], at[i + 1] - at[i], 0});
    }
    graph.first_piece.push_back(static_cast<std::uint32_t>(graph.pieces.size()));
}

void cut_links(const Network& network, PieceGraph& graph)
{
    const std::vector<ValuePool::Interval> ranges = tunable_ranges(network);
    const std::vector<double> defaults = default_tunables(network);
    const std::vector<std::vector<ValueExprId>> changed = timeline_delays(network);
    for (std::uint32_t row = 0; row < network.links.size(); ++row) {
        const LinkArray& link = network.links[row];
        graph.first_link.push_back(static_cast<std::uint32_t>(graph.links.size()));
        PieceLink next{};
        next.row = row;
        next.delay = std::min(network.values.evaluate(link.delay[0], defaults),
                              network.values.evaluate(link.delay[1], defaults));
        next.least = std::min(network.values.bounds(link.delay[0], ranges).low,
                              network.values.bounds(link.delay[1], ranges).low);
        next.on_air = on_air(network, link);
        for (const ValueExprId delay : changed[row])
            next.least = std::min(next.least, network.values.bounds(delay, ranges).low);
        for (std::uint32_t element = 0; element < link.count; element += next.count) {
            next.first = element;
            next.count = link.count - element;
            for (int side = 0; side < 2; ++side) {
                const LinkEnd& end = link.end[side];
                const std::uint32_t at = end.first + element * end.stride;
                next.piece[side] = graph.piece_at(end.row, at);
                const Piece& piece = graph.pieces[next.piece[side]];
                if (end.stride != 0) next.count = std::min(next.count, piece.first + piece.count - at);
            }
            graph.links.push_back(next);
        }
    }
    graph.first_link.push_back(static_cast<std::uint32_t>(graph.links.size()));
}

}  // namespace

std::uint32_t PieceGraph::piece_at(NodeRowId row, std::uint32_t element) const
{
    const auto begin = pieces.begin() + first_piece[row.value], end = pieces.begin() + first_piece[row.value + 1];
    const auto after =
        std::upper_bound(begin, end, element, [](std::uint32_t e, const Piece& p) { return e < p.first; });
    return static_cast<std::uint32_t>(after - pieces.begin() - 1);
}

std::uint32_t PieceGraph::link_at(std::uint32_t directed_link, const Network& network) const
{
    const std::size_t row = link_row_of(network, directed_link);
    const std::uint32_t element = (directed_link - network.links[row].first_link) / 2;
    const auto begin = links.begin() + first_link[row], end = links.begin() + first_link[row + 1];
    const auto after =
        std::upper_bound(begin, end, element, [](std::uint32_t e, const PieceLink& l) { return e < l.first; });
    return static_cast<std::uint32_t>(after - links.begin() - 1);
}

PieceGraph make_pieces(const Network& network)
{
    PieceGraph graph;
    cut_rows(network, graph);
    cut_links(network, graph);
    return graph;
}

}  // namespace anml
