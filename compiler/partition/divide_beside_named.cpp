// The tasks that the model names are parts already; what is left is divided by itself.
#include <algorithm>
#include <numeric>

#include "partition/division.h"

namespace anml {
namespace {

// Parts by the first node that comes into them, so that tasks are numbered as the text goes.
std::vector<std::uint32_t> number_parts(const DivisionGraph& graph, std::vector<std::uint32_t> part)
{
    std::vector<std::uint32_t> order(part.size()), number(part.size(), abi::kNone);
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(graph.vertices[a].shares[0].piece, a) < std::pair(graph.vertices[b].shares[0].piece, b);
    });
    std::uint32_t next = 0;
    for (const std::uint32_t v : order) {
        if (number[part[v]] == abi::kNone) number[part[v]] = next++;
    }
    for (std::uint32_t& p : part) p = number[p];
    return part;
}

}  // namespace

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
    return number_parts(graph, std::move(part));
}

}  // namespace anml
