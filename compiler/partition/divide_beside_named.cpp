// The tasks that the model names are parts already; what is left is divided by itself.
#include <algorithm>

#include "partition/division.h"

namespace anml {

std::vector<std::uint32_t> divide_beside_named(const DivisionGraph& graph, bool exact)
{
    DivisionGraph rest;
    std::vector<std::uint32_t> place(graph.vertices.size(), abi::kNone);  // in `rest`
    for (std::size_t v = 0; v < place.size(); ++v) {
        if (graph.vertices[v].name != abi::kNone) continue;
        place[v] = static_cast<std::uint32_t>(rest.vertices.size());
        rest.vertices.push_back(graph.vertices[v]);
        rest.weight += graph.vertices[v].weight;
    }
    if (rest.vertices.size() == place.size()) return divide(graph, exact);
    for (const DivisionEdge& edge : graph.edges) {
        if (place[edge.a] == abi::kNone || place[edge.b] == abi::kNone) continue;
        rest.edges.push_back(edge);
        rest.edges.back().a = place[edge.a];
        rest.edges.back().b = place[edge.b];
    }
    rest.round_trip = graph.round_trip;
    rest.tasks = graph.tasks;

    std::vector<std::uint32_t> part(place.size()), parts;
    if (!rest.vertices.empty()) parts = divide(rest, exact);
    std::uint32_t next = 0;
    for (const std::uint32_t p : parts) next = std::max(next, p + 1);
    for (std::size_t v = 0; v < place.size(); ++v) part[v] = place[v] != abi::kNone ? parts[place[v]] : next++;
    return part;
}

}  // namespace anml
