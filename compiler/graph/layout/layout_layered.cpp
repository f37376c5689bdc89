// Rows for networks whose links lead from tier to tier, such as fat trees and leaf-spine fabrics: a node's row is its
// distance from the nearest host. Rows keep the order of the text; where nodes stand in no instance, the barycenter
// heuristic (Sugiyama, Tagawa, Toda, 1981) orders them if that saves crossings.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/adjacency.h"
#include "graph/layout/layout.h"

namespace anml {

namespace {

constexpr std::size_t kMostInRow = 300, kMostRows = 8;

using Rows = std::vector<std::vector<std::uint32_t>>;

// By node; empty if links lead along a row or past one.
std::vector<std::uint32_t> tiers(const Picture& picture, const Adjacency& graph)
{
    std::vector<std::uint32_t> ends, tier;
    for (std::uint32_t i = 0; i < picture.nodes.size(); ++i)
        if (picture.nodes[i].role == Role::host || picture.nodes[i].role == Role::endpoint) ends.push_back(i);
    if (ends.empty()) return {};
    graph.distances(ends, tier);
    for (const std::uint32_t t : tier)
        if (t >= kMostRows) return {};
    for (const PictureEdge& edge : picture.edges)
        if (std::max(tier[edge.a], tier[edge.b]) != std::min(tier[edge.a], tier[edge.b]) + 1) return {};
    return tier;
}

// Pairs of links between two rows that cross, by a Fenwick tree over the lower row.
std::size_t crossings(const Adjacency& graph, const Rows& rows, const std::vector<std::uint32_t>& tier)
{
    std::size_t count = 0;
    std::vector<std::uint32_t> place(graph.size());
    for (const auto& row : rows)
        for (std::uint32_t i = 0; i < row.size(); ++i) place[row[i]] = i;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        std::vector<std::size_t> tree(rows[r - 1].size() + 1, 0);
        std::size_t seen = 0;
        for (const std::uint32_t node : rows[r]) {
            std::vector<std::uint32_t> below;
            for (const std::uint32_t to : graph.of(node))
                if (tier[to] + 1 == tier[node]) below.push_back(place[to]);
            for (const std::uint32_t p : below) {
                std::size_t upto = 0;
                for (std::size_t i = p + 1; i > 0; i -= i & (~i + 1)) upto += tree[i];
                count += seen - upto;
            }
            for (const std::uint32_t p : below)
                for (std::size_t i = p + 1; i < tree.size(); i += i & (~i + 1)) ++tree[i];
            seen += below.size();
        }
    }
    return count;
}

void order_by_barycenters(const Adjacency& graph, Rows& rows, const std::vector<std::uint32_t>& tier)
{
    Rows best = rows;
    std::size_t least = crossings(graph, rows, tier);
    std::vector<double> place(graph.size());
    const auto number = [&](const std::vector<std::uint32_t>& row) {
        for (std::size_t i = 0; i < row.size(); ++i) place[row[i]] = (double(i) + 0.5) / double(row.size());
    };
    for (const auto& row : rows) number(row);
    for (int sweep = 0; sweep < 12 && least > 0; ++sweep) {
        const bool up = sweep % 2 == 0;
        for (std::size_t step = 1; step < rows.size(); ++step) {
            auto& row = rows[up ? step : rows.size() - 1 - step];
            std::vector<double> centre(graph.size(), 0);
            for (const std::uint32_t node : row) {
                double sum = 0, count = 0;
                for (const std::uint32_t to : graph.of(node)) {
                    if ((tier[to] < tier[node]) != up) continue;
                    sum += place[to];
                    ++count;
                }
                centre[node] = count > 0 ? sum / count : place[node];
            }
            std::sort(row.begin(), row.end(), [&](std::uint32_t a, std::uint32_t b) {
                return std::pair(centre[a], place[a]) < std::pair(centre[b], place[b]);
            });
            number(row);
        }
        const std::size_t now = crossings(graph, rows, tier);
        if (now < least) {
            least = now;
            best = rows;
        }
    }
    rows = std::move(best);
}

}  // namespace

std::optional<PictureLayout> lay_out_layered(const Picture& picture)
{
    constexpr double kGap = 1;  // of a column, between instances
    constexpr std::size_t kFewEdges = 20000;
    const Adjacency graph(picture);
    const std::vector<std::uint32_t> tier = tiers(picture, graph);
    if (tier.empty()) return std::nullopt;
    Rows rows(*std::max_element(tier.begin(), tier.end()) + 1);
    for (std::uint32_t i = 0; i < tier.size(); ++i) rows[tier[i]].push_back(i);
    for (const auto& row : rows)
        if (row.size() > kMostInRow) return std::nullopt;
    if (rows.size() < 2) return std::nullopt;
    if (picture.groups.empty() && graph.edges() <= kFewEdges) order_by_barycenters(graph, rows, tier);

    PictureLayout layout;
    layout.kind = LayoutKind::layered;
    layout.at.resize(picture.nodes.size());
    const auto top = [&](std::uint32_t node) {  // the outermost instance around it
        std::uint32_t group = picture.nodes[node].group;
        while (group != abi::kNone && picture.groups[group].parent != abi::kNone) group = picture.groups[group].parent;
        return group;
    };
    double widest = 0;
    std::vector<double> widths;
    for (const auto& row : rows) {
        double x = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) x += top(row[i]) == top(row[i - 1]) ? 1 : 1 + kGap;
            layout.at[row[i]].x = x;
        }
        widths.push_back(x);
        widest = std::max(widest, x);
    }
    // Every row is spread over the whole width, as far as that leaves nodes together that belong together.
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const double cell = (widest + 1) / (widths[r] + 1);
        for (const std::uint32_t node : rows[r]) {
            layout.at[node].x = (layout.at[node].x + 0.5) * cell;
            layout.at[node].y = static_cast<double>(rows.size() - 1 - r);
        }
    }
    return layout;
}

}  // namespace anml
