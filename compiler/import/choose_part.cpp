#include "import/choose_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace anml {

namespace {

// By its id, of an AS also with `AS` before it; else by its label.
std::optional<std::uint32_t> find_node(const ForeignGraph& graph, std::string_view name)
{
    const auto is = [&](const ForeignNode& node) {
        return node.id == name || (graph.format == GraphFormat::caida && "AS" + node.id == name);
    };
    auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(), is);
    for (std::string_view label : {"label", "name", "Label", "Name"}) {
        if (found != graph.nodes.end()) break;
        found = std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](const ForeignNode& node) {
            const ForeignAttribute* a = graph.find(node.attributes, label);
            return a && a->value == name;
        });
    }
    if (found == graph.nodes.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - graph.nodes.begin());
}

// Grows from one node, an edge further each time.
std::vector<char> surroundings(const ForeignGraph& graph, std::uint32_t node, std::uint32_t within)
{
    std::vector<char> kept(graph.nodes.size(), 0);
    kept[node] = 1;
    for (std::uint32_t step = 0; step < within; ++step) {
        std::vector<std::uint32_t> reached;
        for (const ForeignEdge& edge : graph.edges)
            if (kept[edge.from] != kept[edge.to]) reached.push_back(kept[edge.from] ? edge.to : edge.from);
        if (reached.empty()) break;
        for (const std::uint32_t other : reached) kept[other] = 1;
    }
    return kept;
}

void keep_largest(const ForeignGraph& graph, std::uint32_t count, std::vector<char>& kept)
{
    std::vector<std::uint32_t> degree(graph.nodes.size(), 0), order;
    for (const ForeignEdge& edge : graph.edges) {
        if (!kept[edge.from] || !kept[edge.to]) continue;
        ++degree[edge.from];
        ++degree[edge.to];
    }
    for (std::uint32_t i = 0; i < kept.size(); ++i)
        if (kept[i]) order.push_back(i);
    if (order.size() <= count) return;
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return degree[a] != degree[b] ? degree[a] > degree[b] : a < b; });
    for (std::size_t i = count; i < order.size(); ++i) kept[order[i]] = 0;
}

}  // namespace

bool choose_part(ForeignGraph& graph, const GraphPart& part, Diagnostics& diagnostics)
{
    if (part.around.empty() && !part.largest) return true;
    std::vector<char> kept(graph.nodes.size(), 1);
    if (!part.around.empty()) {
        const auto node = find_node(graph, part.around);
        if (!node) {
            diagnostics.report(Diag::malformed_graph, {}, fmt::format("the graph has no node `{}`", part.around))
                .help("--around takes the id or the label of a node");
            return false;
        }
        kept = surroundings(graph, *node, part.within);
    }
    if (part.largest) keep_largest(graph, *part.largest, kept);
    std::vector<std::uint32_t> place(kept.size());
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < kept.size(); ++i) {
        place[i] = count;
        if (!kept[i]) continue;
        if (count != i) graph.nodes[count] = std::move(graph.nodes[i]);
        ++count;
    }
    if (count < kept.size()) graph.left_out["nodes outside of the part that is wanted"] = kept.size() - count;
    graph.nodes.resize(count);
    std::erase_if(graph.edges, [&](const ForeignEdge& edge) { return !kept[edge.from] || !kept[edge.to]; });
    for (ForeignEdge& edge : graph.edges) {
        edge.from = place[edge.from];
        edge.to = place[edge.to];
    }
    return true;
}

}  // namespace anml
