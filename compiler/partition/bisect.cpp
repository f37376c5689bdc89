// Recursive bisection with METIS. The recursion is here and not METIS's own, so that a side always has at least as many
// vertices as parts, and so that a vertex heavier than a fair share gets a part to itself. Parts are numbered as the
// recursion goes: the first half of them is one side of the first cut, so that a run of neighbours is one side of some
// cut where an emulator joins them for its threads.
#include <metis.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "partition/division.h"

namespace anml {
namespace {

constexpr idx_t kSeed = 1999;
constexpr double kWeightScale = 1 << 24, kCutScale = 1 << 28;  // sums stay within METIS's 32 bits

class Bisection {
  public:
    explicit Bisection(const DivisionGraph& graph) : graph_(graph), part_(graph.vertices.size(), 0), first_edge_(1, 0)
    {
        std::vector<std::uint32_t> degree(graph.vertices.size(), 0);
        double cut = 0;
        for (const DivisionEdge& edge : graph.edges) {
            ++degree[edge.a];
            ++degree[edge.b];
            cut += 2 * cost(edge);
        }
        cut_scale_ = cut > 0 ? kCutScale / cut : 0;
        for (const std::uint32_t d : degree) first_edge_.push_back(first_edge_.back() + d);
        incident_.resize(first_edge_.back());
        std::vector<std::uint32_t> at(first_edge_.begin(), first_edge_.end() - 1);
        for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
            incident_[at[graph.edges[e].a]++] = e;
            incident_[at[graph.edges[e].b]++] = e;
        }
        place_.assign(graph.vertices.size(), -1);
    }

    std::vector<std::uint32_t> run(std::uint32_t parts)
    {
        std::vector<std::uint32_t> all(graph_.vertices.size());
        std::iota(all.begin(), all.end(), 0u);
        divide(std::move(all), std::min<std::uint32_t>(parts, static_cast<std::uint32_t>(part_.size())));
        return std::move(part_);
    }

  private:
    double weight(std::uint32_t v) const { return graph_.vertices[v].weight; }
    double cost(const DivisionEdge& edge) const
    {
        return kCrossing * edge.traffic + edge.portion * handover_cost(graph_.round_trip, edge.delay);
    }

    void divide(std::vector<std::uint32_t> vertices, std::uint32_t parts)
    {
        double total = 0;
        for (const std::uint32_t v : vertices) total += weight(v);
        if (parts > 1) {
            const auto heaviest =
                std::max_element(vertices.begin(), vertices.end(),
                                 [&](std::uint32_t a, std::uint32_t b) { return weight(a) < weight(b); });
            if (weight(*heaviest) >= total / parts) {
                part_[*heaviest] = next_++;
                vertices.erase(heaviest);
                return divide(std::move(vertices), parts - 1);
            }
        }
        if (parts <= 1) {
            for (const std::uint32_t v : vertices) part_[v] = next_;
            ++next_;
            return;
        }
        const std::uint32_t left_parts = (parts + 1) / 2;
        std::vector<char> side = cut_in_two(vertices, static_cast<double>(left_parts) / parts, total);
        std::vector<std::uint32_t> sides[2];
        for (std::size_t i = 0; i < vertices.size(); ++i) sides[side[i] != 0 ? 1 : 0].push_back(vertices[i]);
        for (int poor = 0; poor < 2; ++poor) {
            const std::uint32_t needed = poor == 0 ? left_parts : parts - left_parts;
            while (sides[poor].size() < needed) {
                sides[poor].push_back(sides[1 - poor].back());
                sides[1 - poor].pop_back();
            }
        }
        const std::uint32_t side_parts[] = {left_parts, parts - left_parts};
        const int begins = first_piece(sides[1]) < first_piece(sides[0]) ? 1 : 0;  // as the model's text goes
        divide(std::move(sides[begins]), side_parts[begins]);
        divide(std::move(sides[1 - begins]), side_parts[1 - begins]);
    }

    std::uint32_t first_piece(const std::vector<std::uint32_t>& vertices) const
    {
        std::uint32_t first = abi::kNone;
        for (const std::uint32_t v : vertices) first = std::min(first, graph_.vertices[v].shares[0].piece);
        return first;
    }

    // By place in `vertices`: the side, 0 for about `fraction` of the weight.
    std::vector<char> cut_in_two(const std::vector<std::uint32_t>& vertices, double fraction, double total)
    {
        for (std::size_t i = 0; i < vertices.size(); ++i) place_[vertices[i]] = static_cast<std::int32_t>(i);
        std::vector<idx_t> begin{0}, neighbours, costs, weights;
        for (const std::uint32_t v : vertices) {
            for (std::uint32_t i = first_edge_[v]; i < first_edge_[v + 1]; ++i) {
                const DivisionEdge& edge = graph_.edges[incident_[i]];
                const std::int32_t other = place_[edge.a == v ? edge.b : edge.a];
                if (other < 0) continue;
                neighbours.push_back(other);
                costs.push_back(std::max<idx_t>(1, static_cast<idx_t>(cost(edge) * cut_scale_)));
            }
            begin.push_back(static_cast<idx_t>(neighbours.size()));
            weights.push_back(static_cast<idx_t>(total > 0 ? weight(v) / total * kWeightScale : 1));
        }
        for (const std::uint32_t v : vertices) place_[v] = -1;
        std::vector<char> side;
        if (neighbours.empty() || !ask_metis(begin, neighbours, costs, weights, fraction, side))
            side = fill_up(vertices, fraction, total);
        return side;
    }

    static bool ask_metis(std::vector<idx_t>& begin, std::vector<idx_t>& neighbours, std::vector<idx_t>& costs,
                          std::vector<idx_t>& weights, double fraction, std::vector<char>& side)
    {
        idx_t options[METIS_NOPTIONS];
        METIS_SetDefaultOptions(options);
        options[METIS_OPTION_SEED] = kSeed;
        options[METIS_OPTION_NCUTS] = weights.size() < 1000 ? 16 : 2;
        options[METIS_OPTION_UFACTOR] = 30;
        idx_t vertices = static_cast<idx_t>(weights.size()), constraints = 1, parts = 2, cut = 0;
        real_t shares[2] = {static_cast<real_t>(fraction), static_cast<real_t>(1 - fraction)};
        std::vector<idx_t> result(weights.size(), 0);
        const int status =
            METIS_PartGraphRecursive(&vertices, &constraints, begin.data(), neighbours.data(), weights.data(), nullptr,
                                     costs.data(), &parts, shares, nullptr, options, &cut, result.data());
        side.assign(result.begin(), result.end());
        return status == METIS_OK;
    }

    // Without edges: heaviest first to the side that lacks more.
    std::vector<char> fill_up(const std::vector<std::uint32_t>& vertices, double fraction, double total) const
    {
        std::vector<std::size_t> order(vertices.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(-weight(vertices[a]), a) < std::pair(-weight(vertices[b]), b);
        });
        double lacking[2] = {fraction * total, (1 - fraction) * total};
        std::vector<char> side(vertices.size(), 0);
        for (const std::size_t i : order) {
            side[i] = lacking[1] > lacking[0] ? 1 : 0;
            lacking[side[i] != 0 ? 1 : 0] -= weight(vertices[i]);
        }
        return side;
    }

    const DivisionGraph& graph_;
    std::vector<std::uint32_t> part_;
    std::vector<std::uint32_t> first_edge_, incident_;  // edges by vertex
    std::vector<std::int32_t> place_;                   // of a vertex within the current side, or -1
    std::uint32_t next_ = 0;
    double cut_scale_ = 0;
};

}  // namespace

std::vector<std::uint32_t> bisect(const DivisionGraph& graph, std::uint32_t parts)
{
    return Bisection(graph).run(parts);
}

}  // namespace anml
