// Rows for networks whose links lead from tier to tier, such as fat trees and leaf-spine fabrics: a node's row is its
// distance from the nearest host. Rows keep the order of the text; where nodes stand in no instance, the barycenter
// heuristic (Sugiyama, Tagawa, Toda, 1981) orders them if that saves crossings.
#include <algorithm>
#include <cmath>
#include <map>
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

// By node: the longest way from it to what asks nobody; empty if there is a circle.
std::vector<std::uint32_t> depths(const Picture& picture)
{
    std::vector<std::uint32_t> depth(picture.nodes.size(), 0);
    for (std::size_t round = 0; round <= picture.nodes.size(); ++round) {
        bool changed = false;
        for (const PictureEdge& edge : picture.edges) {
            if (depth[edge.a] > depth[edge.b]) continue;
            depth[edge.a] = depth[edge.b] + 1;
            changed = true;
        }
        if (!changed) return depth;
    }
    return {};
}

}  // namespace

std::optional<PictureLayout> lay_out_calls(const Picture& picture)
{
    constexpr std::size_t kMostNodes = 500;
    if (picture.nodes.empty() || picture.nodes.size() > kMostNodes) return std::nullopt;
    // What asks nobody stands a row below the nearest of those that ask it.
    std::vector<std::uint32_t> row = depths(picture);
    if (row.empty()) return std::nullopt;
    std::vector<std::uint32_t> asker(row.size(), Adjacency::kFar);
    for (const PictureEdge& edge : picture.edges) asker[edge.b] = std::min(asker[edge.b], row[edge.a]);
    std::vector<char> asks(row.size(), 0);
    for (const PictureEdge& edge : picture.edges) asks[edge.a] = 1;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (!asks[i] && asker[i] != Adjacency::kFar) row[i] = asker[i] - 1;
    Rows rows(*std::max_element(row.begin(), row.end()) + 1);
    for (std::uint32_t i = 0; i < row.size(); ++i) rows[row[i]].push_back(i);
    order_by_barycenters(Adjacency(picture), rows, row);
    PictureLayout layout;
    layout.kind = LayoutKind::layered;
    layout.at.resize(row.size());
    double widest = 0;
    for (const auto& nodes : rows) widest = std::max(widest, static_cast<double>(nodes.size()));
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t i = 0; i < rows[r].size(); ++i)
            layout.at[rows[r][i]] = {(double(i) + 0.5) * widest / double(rows[r].size()), double(rows.size() - 1 - r)};
    return layout;
}

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
    // Instances stand beside each other, each as wide as its longest row, so that a box around it holds nothing else;
    // so do, as one, nodes of no instance in rows where there are such. Other rows are spread over the whole width.
    struct Band {
        std::vector<std::uint32_t> count;  // by row
        double left = 0, width = 0;
    };
    std::map<std::uint32_t, Band> bands;
    std::vector<std::uint32_t> order;
    std::vector<char> mixed(rows.size(), 0);
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (const std::uint32_t node : rows[r]) mixed[r] |= top(node) != abi::kNone;
    for (std::uint32_t node = 0; node < tier.size(); ++node) {
        if (!mixed[tier[node]]) continue;
        Band& band = bands[top(node)];
        if (band.count.empty()) {
            order.push_back(top(node));
            band.count.assign(rows.size(), 0);
        }
        ++band.count[tier[node]];
    }
    double widest = 0;
    for (const std::uint32_t group : order) {
        Band& band = bands[group];
        band.left = widest;
        band.width = *std::max_element(band.count.begin(), band.count.end());
        widest += band.width + kGap;
    }
    const double banded = std::max(1.0, widest - kGap);
    widest = banded;
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (!mixed[r]) widest = std::max(widest, static_cast<double>(rows[r].size()));
    for (auto& [group, band] : bands) {
        band.left *= widest / banded;
        band.width *= widest / banded;
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::map<std::uint32_t, std::uint32_t> placed;
        for (const std::uint32_t node : rows[r]) {
            const Band* band = mixed[r] ? &bands[top(node)] : nullptr;
            const double count = band ? band->count[r] : static_cast<double>(rows[r].size());
            const double left = band ? band->left : 0, width = band ? band->width : widest;
            layout.at[node] = {left + (placed[mixed[r] ? top(node) : abi::kNone]++ + 0.5) * width / count,
                               static_cast<double>(rows.size() - 1 - r)};
        }
    }
    return layout;
}

}  // namespace anml
