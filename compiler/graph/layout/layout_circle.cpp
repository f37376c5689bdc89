// Networks with a dense core, such as a full mesh or a dragonfly: the core stands on a circle in the order of the text,
// so that those of a group are neighbours there, and what hangs on it in rings around it. The core is the innermost of
// the k-cores (Seidman, 1983).
#include <algorithm>
#include <cmath>
#include <numbers>

#include "graph/adjacency.h"
#include "graph/layout/layout.h"

namespace anml {

namespace {

constexpr std::uint32_t kDense = 6;          // links of each to others of the core, at least
constexpr std::size_t kLeast = 8, kMost = 160;  // nodes of a core
constexpr double kPitch = 0.8, kRing = 1.2;  // between neighbours on the circle, and from ring to ring

// The core number of each node: peeled off by the least number of links that are left (Matula and Beck, 1983).
std::vector<std::uint32_t> core_numbers(const Adjacency& graph, const std::vector<std::uint32_t>& members)
{
    std::vector<std::uint32_t> left(graph.size(), 0), core(graph.size(), 0);
    std::vector<std::vector<std::uint32_t>> by_links;
    std::vector<char> done(graph.size(), 0);
    const auto put = [&](std::uint32_t node) {
        if (by_links.size() <= left[node]) by_links.resize(left[node] + 1);
        by_links[left[node]].push_back(node);
    };
    for (const std::uint32_t m : members) {
        left[m] = static_cast<std::uint32_t>(graph.degree(m));
        put(m);
    }
    std::uint32_t number = 0;
    for (std::size_t links = 0; links < by_links.size();) {
        if (by_links[links].empty()) {
            ++links;
            continue;
        }
        const std::uint32_t node = by_links[links].back();
        by_links[links].pop_back();
        if (done[node] || left[node] != links) continue;
        number = std::max(number, static_cast<std::uint32_t>(links));
        core[node] = number;
        done[node] = 1;
        for (const std::uint32_t to : graph.of(node)) {
            if (done[to]) continue;
            --left[to];
            put(to);
            links = std::min<std::size_t>(links, left[to]);
        }
    }
    return core;
}

}  // namespace

bool lay_out_star(const Adjacency& graph, const std::vector<std::uint32_t>& members, std::vector<Point>& at)
{
    const std::uint32_t hub = *std::max_element(members.begin(), members.end(), [&](std::uint32_t a, std::uint32_t b) {
        return graph.degree(a) < graph.degree(b);
    });
    const auto leaves = static_cast<double>(members.size() - 1);
    if (leaves < 3 || graph.degree(hub) + 1 != members.size()) return false;
    for (const std::uint32_t m : members)
        if (m != hub && graph.degree(m) != 1) return false;
    const double radius = std::max(1.2, 0.75 * leaves / (2 * std::numbers::pi));
    double place = 0;
    for (const std::uint32_t m : members) {
        if (m == hub) continue;
        const double angle = 2 * std::numbers::pi * (place++ / leaves - 0.25);
        at[m] = {1.25 * radius * std::cos(angle), radius * std::sin(angle)};  // wider than high, as labels are
    }
    at[hub] = {};
    return true;
}

bool lay_out_circle(const Adjacency& graph, const std::vector<std::uint32_t>& members, std::vector<Point>& at)
{
    const std::vector<std::uint32_t> core = core_numbers(graph, members);
    std::uint32_t most = 0;
    for (const std::uint32_t m : members) most = std::max(most, core[m]);
    std::vector<std::uint32_t> ring;
    std::size_t inner = 0;  // that are no leaves
    for (const std::uint32_t m : members) {
        if (core[m] == most) ring.push_back(m);
        inner += graph.degree(m) > 1;
    }
    if (most < kDense || ring.size() < kLeast || ring.size() > kMost || 5 * ring.size() < 2 * inner) return false;

    std::vector<std::uint32_t> distance;
    graph.distances(ring, distance);
    double radius = kPitch * static_cast<double>(ring.size()) / (2 * std::numbers::pi);
    std::vector<double> angle(graph.size(), 0);
    const auto put = [&](std::uint32_t node) {
        at[node] = {radius * std::cos(angle[node]), radius * std::sin(angle[node])};
    };
    for (std::size_t i = 0; i < ring.size(); ++i) {
        angle[ring[i]] = 2 * std::numbers::pi * (double(i) / double(ring.size()) - 0.25);
        put(ring[i]);
    }
    for (std::uint32_t far = 1; !ring.empty(); ++far) {
        ring.clear();
        for (const std::uint32_t m : members)
            if (distance[m] == far) ring.push_back(m);
        if (ring.empty()) break;
        for (const std::uint32_t node : ring) {  // towards those that it hangs on; below, where these are all around
            Point sum;
            for (const std::uint32_t to : graph.of(node))
                if (distance[to] + 1 == far) sum = sum + Point{std::cos(angle[to]), std::sin(angle[to])};
            angle[node] = std::hypot(sum.x, sum.y) < 0.3 ? std::numbers::pi / 2 : std::atan2(sum.y, sum.x);
        }
        std::sort(ring.begin(), ring.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(angle[a], a) < std::pair(angle[b], b);
        });
        const auto count = static_cast<double>(ring.size());
        radius = std::max(radius + kRing, kPitch * count / (2 * std::numbers::pi));
        // As far apart as nodes are, each as near to where it belongs as that lets it be.
        const double apart = std::min(0.7 / radius, 2 * std::numbers::pi / count);
        for (int round = 0; round < 60; ++round) {
            bool moved = false;
            for (std::size_t i = 0; i < ring.size() && ring.size() > 1; ++i) {
                const bool last = i + 1 == ring.size();
                double &here = angle[ring[i]], &next = angle[ring[last ? 0 : i + 1]];
                const double gap = next - here + (last ? 2 * std::numbers::pi : 0);
                if (gap >= apart - 1e-9) continue;
                here -= (apart - gap) / 2;
                next += (apart - gap) / 2;
                moved = true;
            }
            if (!moved) break;
        }
        for (const std::uint32_t node : ring) put(node);
    }
    return true;
}

}  // namespace anml
