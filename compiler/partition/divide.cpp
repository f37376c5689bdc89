// Tries several numbers of parts, evens out what the bisection left uneven, and keeps the fewest that are estimated to
// be about as fast as the best.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "partition/division.h"

namespace anml {
namespace {

constexpr double kTolerance = 1.1;  // of a fair share: parts up to there are left alone
constexpr double kThreads = 8;      // more tasks than threads must not cost more than they bring
constexpr double kWorthIt = 1.05;   // more parts must save as much
constexpr std::size_t kMostMoves = 256;

std::vector<double> loads_of(const DivisionGraph& graph, const std::vector<std::uint32_t>& part)
{
    std::vector<double> loads(1 + *std::max_element(part.begin(), part.end()), 0);
    for (std::size_t v = 0; v < part.size(); ++v) loads[part[v]] += graph.vertices[v].weight;
    return loads;
}

// How long the parts take side by side, in packets. The busiest counts most, but not alone: the weights are a guess,
// and what goes on beside it may be more than that. Nor can all take less than they would on kThreads.
double estimate(const DivisionGraph& graph, const std::vector<std::uint32_t>& part)
{
    std::vector<double> busy = loads_of(graph, part);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> lookahead;
    for (const DivisionEdge& edge : graph.edges) {
        const auto [p, q] = std::minmax(part[edge.a], part[edge.b]);
        if (p == q) continue;
        busy[p] += kCrossing * edge.traffic / 2;
        busy[q] += kCrossing * edge.traffic / 2;
        const auto [at, fresh] = lookahead.try_emplace({p, q}, edge.delay);
        at->second = std::min(at->second, edge.delay);
    }
    for (const auto& [pair, delay] : lookahead) {
        busy[pair.first] += handover_cost(graph.round_trip, delay);
        busy[pair.second] += handover_cost(graph.round_trip, delay);
    }
    double fourth = 0, sum = 0;
    for (const double b : busy) {
        fourth += b * b * b * b;
        sum += b;
    }
    return std::max(std::sqrt(std::sqrt(fourth)), sum / kThreads);
}

// Moves vertices from the heaviest part to a lighter one beside it while that makes the heavier of the two lighter.
void even_out(const DivisionGraph& graph, std::vector<std::uint32_t>& part)
{
    std::vector<double> loads = loads_of(graph, part);
    std::vector<std::uint32_t> members(loads.size(), 0);
    for (const std::uint32_t p : part) ++members[p];
    const double fair = graph.weight / static_cast<double>(loads.size());
    for (std::size_t moves = 0; moves < kMostMoves; ++moves) {
        const auto heavy = static_cast<std::uint32_t>(std::max_element(loads.begin(), loads.end()) - loads.begin());
        if (loads[heavy] <= kTolerance * fair || members[heavy] < 2) return;
        double best = loads[heavy];
        std::uint32_t vertex = 0, target = heavy;
        const auto consider = [&](std::uint32_t v, std::uint32_t to) {
            const double w = graph.vertices[v].weight, after = std::max(loads[heavy] - w, loads[to] + w);
            if (part[v] != heavy || to == heavy || !(after < best)) return;
            best = after;
            vertex = v;
            target = to;
        };
        for (const DivisionEdge& edge : graph.edges) {
            consider(edge.a, part[edge.b]);
            consider(edge.b, part[edge.a]);
        }
        if (target == heavy) return;
        loads[heavy] -= graph.vertices[vertex].weight;
        loads[target] += graph.vertices[vertex].weight;
        --members[heavy];
        ++members[target];
        part[vertex] = target;
    }
}

}  // namespace

std::vector<std::uint32_t> divide(const DivisionGraph& graph, bool exact)
{
    struct Candidate {
        std::vector<std::uint32_t> part;
        double time;
    };
    std::vector<Candidate> candidates;
    const std::size_t vertices = graph.vertices.size();
    if (graph.tasks > 1 && vertices > 1) {
        // Powers of two, which can be joined to any smaller one without loss.
        for (std::uint32_t parts = exact ? graph.tasks : std::bit_floor(graph.tasks); parts > 1; parts /= 2) {
            std::vector<std::uint32_t> part = bisect(graph, parts);
            even_out(graph, part);
            if (exact) return part;
            const double time = estimate(graph, part);
            candidates.push_back({std::move(part), time});
        }
    }
    std::vector<std::uint32_t> whole(vertices, 0);
    const double time = estimate(graph, whole);
    candidates.push_back({std::move(whole), time});

    double least = time;
    for (const Candidate& candidate : candidates) least = std::min(least, candidate.time);
    auto best = candidates.end() - 1;  // the fewest parts that are about as fast as the fastest
    while (best->time > kWorthIt * least) --best;
    return std::move(best->part);
}

}  // namespace anml
