// Joins pieces by the delays between them, gives leaves to their neighbour, and splits heavy arrays into shares.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "partition/division.h"

namespace anml {
namespace {

constexpr std::size_t kMostNotes = 32;
constexpr double kSharesPerTask = 4;  // how finely a heavy array is cut

class Grouping {
  public:
    Grouping(const Network& network, const PieceGraph& pieces, const PartitionOptions& options,
             std::vector<std::string>& notes)
        : network_(network), pieces_(pieces), options_(options), notes_(notes), leader_(pieces.pieces.size())
    {
        std::iota(leader_.begin(), leader_.end(), 0u);
        for (const Piece& piece : pieces.pieces) weight_.push_back(piece.weight);
        tied_.assign(leader_.size(), 0);
        name_.assign(leader_.size(), abi::kNone);
        free_ = std::accumulate(weight_.begin(), weight_.end(), 0.0);
    }

    DivisionGraph run()
    {
        join_without_lookahead();
        const std::uint32_t named = join_named();
        const bool small = options_.tasks == 0 && free_ < 2 * kLeastTaskWeight;
        const std::uint32_t asked = options_.tasks > named ? options_.tasks - named : 1;  // beside the named ones
        if (small || (options_.tasks != 0 && asked == 1)) {
            if (small && named == 0) note("one task: the model is too small to gain from more");
            if (small && named > 0) note("what no task is named for is too small to gain from more than one");
            join_rest();
            graph_.tasks = 1;
            return make_graph(free_);
        }
        if (options_.tasks == 0) join_short_links(least_share());
        const double share = options_.tasks != 0 ? free_ / asked : std::max(least_share(), heaviest() / 2);
        graph_.tasks =
            options_.tasks != 0 ? asked : std::clamp(static_cast<std::uint32_t>(free_ / share), 1u, kMostTasks);
        join_leaves(share / 2);
        return make_graph(share);
    }

  private:
    double least_share() const { return std::max(free_ / kMostTasks, kLeastTaskWeight); }

    std::uint32_t group(std::uint32_t piece)
    {
        while (leader_[piece] != piece) piece = leader_[piece] = leader_[leader_[piece]];
        return piece;
    }

    // Whether they were apart. The lesser number leads.
    bool join(std::uint32_t a, std::uint32_t b)
    {
        a = group(a);
        b = group(b);
        tied_[a] = tied_[b] = 1;
        if (a == b) return false;
        if (b < a) std::swap(a, b);
        leader_[b] = a;
        weight_[a] += weight_[b];
        return true;
    }

    void note(std::string text)
    {
        if (notes_.size() < kMostNotes) {
            notes_.push_back(std::move(text));
        } else {
            ++unsaid_;
        }
    }

    std::string together(const PieceLink& link) const
    {
        const auto name = [&](int side) { return network_.nodes[pieces_.pieces[link.piece[side]].row.value].name; };
        return fmt::format("{} and {} share a task: the delay of link {}", name(0), name(1),
                           network_.links[link.row].name);
    }

    void join_without_lookahead()
    {
        for (const PieceLink& link : pieces_.links) {
            if (link.least >= kLeastLookahead && !link.on_air) continue;
            if (!join(link.piece[0], link.piece[1])) continue;
            if (link.on_air)
                note(fmt::format("{} and {} share a task: they share the air",
                                 network_.nodes[pieces_.pieces[link.piece[0]].row.value].name,
                                 network_.nodes[pieces_.pieces[link.piece[1]].row.value].name));
            else
                note(fmt::format("{} can be {}", together(link),
                                 format_quantity(std::max(link.least, 0.0), dimension::time)));
        }
    }

    // Makes a group of the nodes of each task that the model names; returns how many groups that are.
    std::uint32_t join_named()
    {
        const auto pieces = static_cast<std::uint32_t>(leader_.size());
        const auto wanted = [&](std::uint32_t piece) { return network_.nodes[pieces_.pieces[piece].row.value].task; };
        if (network_.task_names.empty()) return 0;
        if (options_.tasks == 1) {
            note("--tasks 1: the tasks that the model names are not made");
            return 0;
        }
        // Links without lookahead may have joined nodes of different tasks.
        std::vector<std::uint32_t> first(network_.task_names.size(), abi::kNone), seen(pieces, abi::kNone);
        std::set<std::pair<std::uint32_t, std::uint32_t>> said;
        for (std::uint32_t piece = 0; piece < pieces; ++piece) {
            if (wanted(piece) == abi::kNone) continue;
            std::uint32_t& other = seen[group(piece)];
            if (other == abi::kNone) other = wanted(piece);
            if (other != wanted(piece) && said.emplace(other, wanted(piece)).second)
                note(fmt::format("the tasks {} and {} are one: a link that can have no delay, or the air, joins them",
                                 network_.task_names[other], network_.task_names[wanted(piece)]));
        }
        for (std::uint32_t piece = 0; piece < pieces; ++piece) {
            if (wanted(piece) == abi::kNone) continue;
            std::uint32_t& with = first[wanted(piece)];
            if (with == abi::kNone) with = piece;
            join(piece, with);
        }
        std::uint32_t groups = 0;
        for (std::uint32_t task = 0; task < first.size(); ++task) {
            if (first[task] == abi::kNone || name_[group(first[task])] != abi::kNone) continue;
            name_[group(first[task])] = task;
            free_ -= weight_[group(first[task])];
            ++groups;
        }
        return groups;
    }

    bool named(std::uint32_t piece) { return name_[group(piece)] != abi::kNone; }

    // One group of everything that is in no named task.
    void join_rest()
    {
        std::uint32_t first = abi::kNone;
        for (std::uint32_t piece = 0; piece < leader_.size(); ++piece) {
            if (named(piece)) continue;
            if (first == abi::kNone) first = piece;
            join(piece, first);
        }
    }

    // Where the handover alone would cost more than a task has to do.
    void join_short_links(double share)
    {
        for (const PieceLink& link : pieces_.links) {
            if (named(link.piece[0]) || named(link.piece[1])) continue;
            if (handover_cost(pieces_.round_trip, link.delay) <= share || !join(link.piece[0], link.piece[1])) continue;
            note(fmt::format("{}, {}, is too short to gain from a boundary", together(link),
                             format_quantity(link.delay, dimension::time)));
        }
    }

    // The weight of the heaviest group that cannot be cut.
    double heaviest()
    {
        double most = 0;
        for (std::uint32_t piece = 0; piece < leader_.size(); ++piece) {
            if (group(piece) != piece || named(piece)) continue;
            most = std::max(most, tied_[piece] ? weight_[piece] : weight_[piece] / pieces_.pieces[piece].count);
        }
        return most;
    }

    // Hosts and endpoints whose links all lead to one group go along with it as long as it stays lighter than `limit`.
    void join_leaves(double limit)
    {
        constexpr std::uint32_t kNobody = 0xffffffffu, kMany = 0xfffffffeu;
        std::vector<std::uint32_t> neighbour(leader_.size(), kNobody);
        for (const PieceLink& link : pieces_.links) {
            for (int side = 0; side < 2; ++side) {
                std::uint32_t& known = neighbour[link.piece[side]];
                const std::uint32_t other = group(link.piece[1 - side]);
                known = known == kNobody || known == other ? other : kMany;
            }
        }
        for (std::uint32_t piece = 0; piece < leader_.size(); ++piece) {
            const abi::NodeKind kind = network_.nodes[pieces_.pieces[piece].row.value].kind;
            if (kind != abi::NodeKind::host && kind != abi::NodeKind::endpoint) continue;
            if (tied_[piece] || neighbour[piece] >= kMany || named(neighbour[piece])) continue;
            if (weight_[group(neighbour[piece])] + weight_[piece] <= limit) join(piece, neighbour[piece]);
        }
    }

    DivisionGraph make_graph(double share)
    {
        const auto pieces = static_cast<std::uint32_t>(leader_.size());
        graph_.weight = free_;
        graph_.round_trip = pieces_.round_trip;
        std::vector<std::uint32_t> first(pieces), shares(pieces, 1);
        for (std::uint32_t piece = 0; piece < pieces; ++piece) {
            const std::uint32_t leader = group(piece);
            const Piece& run = pieces_.pieces[piece];
            if (leader != piece) {
                first[piece] = first[leader];
                graph_.vertices[first[leader]].shares.push_back({piece, run.count});
                graph_.vertices[first[leader]].weight += run.weight;
                continue;
            }
            const double wanted = tied_[piece] ? 1 : std::ceil(kSharesPerTask * run.weight / share);
            const bool split = wanted > kSharesPerTask;
            shares[piece] = split ? static_cast<std::uint32_t>(std::min<double>(wanted, run.count)) : 1;
            first[piece] = static_cast<std::uint32_t>(graph_.vertices.size());
            for (std::uint32_t i = 0; i < shares[piece]; ++i) {
                const auto begin = static_cast<std::uint32_t>(std::uint64_t{run.count} * i / shares[piece]);
                const auto end = static_cast<std::uint32_t>(std::uint64_t{run.count} * (i + 1) / shares[piece]);
                graph_.vertices.push_back(
                    {run.weight * (end - begin) / run.count, {{piece, end - begin}}, name_[piece]});
            }
        }
        add_edges(first, shares);
        if (unsaid_ > 0) notes_.push_back(fmt::format("{} more pairs of nodes share a task for such reasons", unsaid_));
        return std::move(graph_);
    }

    void add_edges(const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& shares)
    {
        std::vector<DivisionEdge>& edges = graph_.edges;
        for (const PieceLink& link : pieces_.links) {
            const std::uint32_t a = link.piece[0], b = link.piece[1];
            const double portion = 1.0 / shares[a] / shares[b];
            for (std::uint32_t u = first[a]; u < first[a] + shares[a]; ++u) {
                for (std::uint32_t v = first[b]; v < first[b] + shares[b]; ++v) {
                    if (u == v) continue;
                    edges.push_back({std::min(u, v), std::max(u, v), link.traffic * portion, link.delay, portion});
                }
            }
        }
        std::sort(edges.begin(), edges.end(), [](const DivisionEdge& x, const DivisionEdge& y) {
            return std::tie(x.a, x.b, x.traffic, x.delay) < std::tie(y.a, y.b, y.traffic, y.delay);
        });
        std::size_t last = 0;
        for (std::size_t i = 1; i < edges.size(); ++i) {
            if (edges[i].a == edges[last].a && edges[i].b == edges[last].b) {
                edges[last].traffic += edges[i].traffic;
                edges[last].delay = std::min(edges[last].delay, edges[i].delay);
            } else {
                edges[++last] = edges[i];
            }
        }
        if (!edges.empty()) edges.resize(last + 1);
    }

    const Network& network_;
    const PieceGraph& pieces_;
    const PartitionOptions& options_;
    std::vector<std::string>& notes_;
    std::vector<std::uint32_t> leader_;
    std::vector<double> weight_;       // of a leader: its group's
    std::vector<char> tied_;           // of a leader: not to be split
    std::vector<std::uint32_t> name_;  // of a leader: the named task that its group is
    double free_ = 0;                  // weight of what is in no named task
    std::size_t unsaid_ = 0;
    DivisionGraph graph_;
};

}  // namespace

DivisionGraph group_pieces(const Network& network, const PieceGraph& pieces, const PartitionOptions& options,
                           std::vector<std::string>& notes)
{
    return Grouping(network, pieces, options, notes).run();
}

}  // namespace anml
