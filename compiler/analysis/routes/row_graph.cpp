// Builds the row graph: cuts the rows, then lays the link groups over the pieces.
#include "analysis/routes/row_graph.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "analysis/network_queries.h"

namespace anml {

RowGraph::RowGraph(const Network& network, Anycast anycast) : lanes_(2 * network.links.size())
{
    cut_rows(network);
    if (anycast == Anycast::as_vertices) add_anycast(network);
    add_links(network);
}

void RowGraph::add_anycast(const Network& network)
{
    const std::vector<AnycastGroup> groups = anycast_groups(network);
    if (groups.empty()) return;
    anycast_of_.assign(vertices_.size() + groups.size(), kNoEdge);
    for (const AnycastGroup& group : groups) {
        for (const std::uint32_t row : group.rows)
            for (std::uint32_t v = first_vertex_[row]; v < first_vertex_[row + 1]; ++v)
                anycast_of_[v] = static_cast<std::uint32_t>(vertices_.size());
        vertices_.push_back({NodeRowId{group.rows.front()}, 0, 1, false, group.address});
    }
}

void RowGraph::cut_rows(const Network& network)
{
    std::vector<std::vector<std::uint32_t>> cuts(network.nodes.size());
    const auto cut = [&](NodeRowId row, std::uint32_t at) {
        if (at > 0 && at < network.nodes[row.value].count) cuts[row.value].push_back(at);
    };
    for (const LinkArray& link : network.links) {
        const bool paired = link.end[0].stride != 0 && link.end[1].stride != 0;
        for (const LinkEnd& end : link.end) {
            const std::uint32_t width = end.stride != 0 ? std::max(link.count, 1u) : 1;
            const std::uint32_t step = paired ? 1 : width;
            for (std::uint32_t at = 0; at <= width; at += step) cut(end.row, end.first + at);
        }
    }
    // Each is a member by itself.
    for (std::uint32_t row = 0; row < network.nodes.size(); ++row)
        for (std::uint32_t at = 1; network.nodes[row].anycast != 0 && at < network.nodes[row].count; ++at)
            cut(NodeRowId{row}, at);
    cut_for_statements(network, cuts);
    for (std::size_t row = 0; row < network.nodes.size(); ++row) {
        const NodeArray& node = network.nodes[row];
        std::vector<std::uint32_t>& at = cuts[row];
        at.push_back(0);
        std::sort(at.begin(), at.end());
        at.erase(std::unique(at.begin(), at.end()), at.end());
        at.push_back(node.count);
        first_vertex_.push_back(static_cast<std::uint32_t>(vertices_.size()));
        const bool transit = node.kind == abi::NodeKind::router || node.kind == abi::NodeKind::switch_;
        for (std::size_t i = 0; i + 1 < at.size(); ++i) {
            vertices_.push_back({NodeRowId(row), at[i], at[i + 1] - at[i], transit});
        }
    }
    first_vertex_.push_back(static_cast<std::uint32_t>(vertices_.size()));
}

void RowGraph::cut_for_statements(const Network& network, std::vector<std::vector<std::uint32_t>>& cuts)
{
    const auto cut = [&](NodeRowId row, std::uint32_t first, std::uint32_t count) {
        for (const std::uint32_t at : {first, first + count})
            if (at > 0 && at < network.nodes[row.value].count) cuts[row.value].push_back(at);
    };
    const auto cut_node = [&](std::uint32_t node) {
        const std::size_t row = node_row_of(network, node);
        cut(NodeRowId{row}, node - network.nodes[row].first_node, 1);
    };
    for (const StaticRoute& route : network.static_routes) {
        cut_node(route.source);
        cut_node(route.via);
    }
    for (const SegmentRoute& route : network.segment_routes) {
        cut_node(route.to.source);
        for (const TargetRange& sources : route.sources) cut(sources.row, sources.first, sources.count);
        for (std::uint32_t row = 0; row < network.nodes.size(); ++row) {
            const NodeArray& node = network.nodes[row];
            if (node.address == 0 || route.to.last < node.address || route.to.first > node.address + (node.count - 1))
                continue;
            const std::uint32_t first = std::max(route.to.first, node.address) - node.address;
            cut(NodeRowId{row}, first, std::min(route.to.last - node.address, node.count - 1) - first + 1);
        }
    }
    for (const RoutingRegion& region : network.regions)
        for (const TargetRange& nodes : region.nodes) cut(nodes.row, nodes.first, nodes.count);
    const bool followed = follows_delays(network);
    for (const TimelineInfo& t : network.timeline) {
        if (!acts_on_routes(t.attribute) && !(followed && t.attribute == abi::TimelineAttribute::delay)) continue;
        for (const TargetRange& nodes : t.nodes) cut(nodes.row, nodes.first, nodes.count);
        for (const LinkSlice& links : t.links)
            for (const LinkEnd& end : network.links[links.row.value].end)
                if (end.stride != 0) cut(end.row, end.first + links.first, links.count);
    }
}

std::uint32_t RowGraph::vertex_at(NodeRowId row, std::uint32_t element) const
{
    const auto begin = vertices_.begin() + first_vertex_[row.value];
    const auto end = vertices_.begin() + first_vertex_[row.value + 1];
    const auto after =
        std::upper_bound(begin, end, element, [](std::uint32_t e, const RouteVertex& v) { return e < v.first; });
    return static_cast<std::uint32_t>(after - vertices_.begin() - 1);
}

std::uint32_t vertex_of(const Network& network, const RowGraph& graph, std::uint32_t node)
{
    const std::size_t row = node_row_of(network, node);
    return graph.vertex_at(NodeRowId{row}, node - network.nodes[row].first_node);
}

std::uint32_t RowGraph::reverse(std::uint32_t edge) const
{
    // A vertex's edges are in the order of their links' ids; the two directions' ids differ in the lowest bit.
    const std::uint32_t vertex = edges_[edge].to, wanted = edges_[edge].lowest ^ 1u;
    const auto begin = edges_.begin() + first_edge_[vertex], end = edges_.begin() + first_edge_[vertex + 1];
    const auto found = std::lower_bound(begin, end, wanted,
                                        [](const RouteEdge& e, std::uint32_t lowest) { return e.lowest < lowest; });
    auto edge_back = static_cast<std::uint32_t>(found - edges_.begin());
    while (edges_[edge_back].to != source_[edge]) ++edge_back;  // a copy stands behind what it is one of
    return edge_back;
}

std::uint32_t RowGraph::original(std::uint32_t edge) const
{
    if (anycast_of_.empty()) return edge;
    if (is_anycast(edges_[edge].to)) return edge - 1;
    return is_anycast(source_[edge]) ? reverse(reverse(edge) - 1) : edge;
}

std::uint32_t RowGraph::copy(std::uint32_t edge) const
{
    const bool has_one = !anycast_of_.empty() && anycast_of_[edges_[edge].to] != kNoEdge;
    return has_one ? edge + 1 : kNoEdge;
}

void RowGraph::add_links(const Network& network)
{
    struct Draft {
        std::uint32_t source;
        RouteEdge edge;
    };
    std::vector<Draft> drafts;
    for (std::uint32_t row = 0; row < network.links.size(); ++row) {
        const LinkArray& link = network.links[row];
        // Parallel links of one group (no end moves) are edges of their own: they may share a destination's flows.
        const bool parallel = link.end[0].stride == 0 && link.end[1].stride == 0;
        for (std::uint32_t element = 0; element < link.count;) {
            std::uint32_t vertex[2], run = parallel ? 1 : link.count - element;
            for (int side = 0; side < 2; ++side) {
                const LinkEnd& end = link.end[side];
                const std::uint32_t at = end.first + element * end.stride;
                vertex[side] = vertex_at(end.row, at);
                const RouteVertex& v = vertices_[vertex[side]];
                if (end.stride != 0) run = std::min(run, v.first + v.count - at);
            }
            for (std::uint32_t direction = 0; direction < 2; ++direction) {
                const LinkEnd& from = link.end[direction];
                const bool many_from = vertices_[vertex[direction]].count > 1;
                const bool many_to = vertices_[vertex[1 - direction]].count > 1;
                RouteEdge edge;
                edge.to = vertex[1 - direction];
                edge.lane = 2 * row + direction;
                edge.lowest = link.first_link + 2 * element + direction;
                edge.closed = link.one_way && direction == 1;
                edge.by_element = many_from ? 2 : 0;
                edge.by_destination = many_to ? 2 : 0;
                edge.base = many_from ? link.first_link + direction - 2 * from.first : edge.lowest;
                drafts.push_back({vertex[direction], edge});
                if (anycast_of_.empty()) continue;
                // Nothing is sent from an address.
                for (const std::uint32_t side : {direction, 1 - direction}) {
                    const std::uint32_t address = anycast_of_[vertex[side]];
                    if (address == kNoEdge) continue;
                    RouteEdge copy = edge;
                    if (side != direction) copy.to = address;
                    copy.closed = copy.closed || side == direction;
                    drafts.push_back({side == direction ? address : vertex[direction], copy});
                }
            }
            element += run;
        }
    }
    std::sort(drafts.begin(), drafts.end(), [](const Draft& a, const Draft& b) {
        return std::tuple(a.source, a.edge.lowest, a.edge.to) < std::tuple(b.source, b.edge.lowest, b.edge.to);
    });
    first_edge_.assign(vertices_.size() + 1, 0);
    for (const Draft& draft : drafts) {
        ++first_edge_[draft.source + 1];
        source_.push_back(draft.source);
        edges_.push_back(draft.edge);
    }
    for (std::size_t v = 0; v < vertices_.size(); ++v) first_edge_[v + 1] += first_edge_[v];
}

}  // namespace anml
