// A static estimate: one element of each piece with targets stands for the piece, and its packets follow the routes,
// shared evenly where several links are equally short. A closed loop goes round as often as its path allows: near
// clients move most of the packets.
#include <algorithm>
#include <cmath>

#include "partition/pieces.h"
#include "route/network_queries.h"

namespace anml {
namespace {

class TrafficEstimate {
  public:
    TrafficEstimate(const Network& network, const RouteTables& routes, PieceGraph& graph)
        : network_(network), routes_(routes), graph_(graph), defaults_(default_tunables(network))
    {
    }

    void from_workloads()
    {
        for (const WorkloadInfo& workload : network_.workloads) {
            const std::uint32_t server = network_.nodes[workload.server.value].first_node + workload.server_element;
            for (const TargetRange& target : workload.targets) {
                for (std::uint32_t element = target.first; element < target.first + target.count;) {
                    const std::uint32_t piece = graph_.piece_at(target.row, element);
                    const Piece& run = graph_.pieces[piece];
                    const std::uint32_t last = std::min(run.first + run.count, target.first + target.count);
                    const std::uint32_t client = network_.nodes[target.row.value].first_node + element;
                    exchange(workload, client, piece, server, graph_.piece_at(workload.server, workload.server_element),
                             last - element);
                    element = last;
                }
            }
        }
        // From packets per ns to the unit of traffic.
        graph_.round_trip = rate_ > 0 ? targets_ / rate_ : 0;
        for (Piece& piece : graph_.pieces) piece.weight *= graph_.round_trip;
        for (PieceLink& link : graph_.links) link.traffic *= graph_.round_trip;
    }

    void from_shape()
    {
        constexpr double kHopsThere = 5;
        double delays = 0, links = 0;
        for (PieceLink& link : graph_.links) {
            link.traffic = link.count;
            delays += link.delay * link.count;
            links += link.count;
            for (const std::uint32_t piece : link.piece) {
                if (forwards(piece)) graph_.pieces[piece].weight += link.count;
            }
        }
        for (std::uint32_t piece = 0; piece < graph_.pieces.size(); ++piece) {
            if (!forwards(piece)) graph_.pieces[piece].weight = graph_.pieces[piece].count;
        }
        graph_.round_trip = links > 0 ? 2 * kHopsThere * delays / links : 0;
    }

  private:
    bool forwards(std::uint32_t piece) const
    {
        const abi::NodeKind kind = network_.nodes[graph_.pieces[piece].row.value].kind;
        return kind == abi::NodeKind::router || kind == abi::NodeKind::switch_;
    }

    double value(ValueExprId id) const { return network_.values.evaluate(id, defaults_); }
    double mean(const DistributionValue& d) const
    {
        return d.kind == abi::DistributionKind::uniform ? (value(d.a) + value(d.b)) / 2 : value(d.a);
    }

    // What a client sends, or gets, per ns: packets of a transaction over the time it takes.
    double packets_per_ns(const WorkloadInfo& workload, double round_trip, double bottleneck) const
    {
        constexpr double kControl = 4, kSegment = 1448, kInitialWindow = 10, kDelayedAcks = 0.75, kLeastTime = 1000;
        double bytes = 0, wait = mean(workload.think);
        for (const DocumentInfo& document : workload.documents)
            bytes += value(document.size) / static_cast<double>(workload.documents.size());
        for (const ServerInfo& server : network_.servers)
            if (server.node == workload.server && server.port == workload.port) wait += mean(server.service);
        const double segments = std::max(1.0, bytes / kSegment);
        const double windows = std::log2(1 + segments / kInitialWindow);
        const double time = (2 + windows) * round_trip + 8e9 * bytes / bottleneck + wait;
        return (kControl + kDelayedAcks * segments) / std::max(time, kLeastTime);
    }

    void exchange(const WorkloadInfo& workload, std::uint32_t client, std::uint32_t client_piece, std::uint32_t server,
                  std::uint32_t server_piece, double clients)
    {
        std::vector<std::vector<PathLink>> ways[2];
        if (!trace_paths(network_, routes_, client, server, ways[0])) return;
        if (!trace_paths(network_, routes_, server, client, ways[1])) return;
        double round_trip = 0, bottleneck = INFINITY;
        for (const auto& steps : ways) {
            for (const std::vector<PathLink>& step : steps) {
                for (const PathLink& way : step) {
                    const PieceLink& hop = graph_.links[graph_.link_at(way.link, network_)];
                    const LinkGroup& row = network_.links[hop.row];
                    round_trip += way.share * hop.delay;
                    bottleneck = std::min(bottleneck, value(row.rate[(way.link - row.first_link) % 2]));
                }
            }
        }
        const double packets = clients * packets_per_ns(workload, round_trip, bottleneck);
        targets_ += clients;
        rate_ += packets;
        for (const auto& steps : ways) {
            for (std::size_t step = 0; step < steps.size(); ++step) {
                for (const PathLink& way : steps[step]) {
                    PieceLink& link = graph_.links[graph_.link_at(way.link, network_)];
                    link.traffic += packets * way.share;
                    if (step + 1 == steps.size()) continue;
                    const std::uint32_t direction = (way.link - network_.links[link.row].first_link) % 2;
                    graph_.pieces[link.piece[1 - direction]].weight += packets * way.share;
                }
            }
            for (const std::uint32_t piece : {client_piece, server_piece})
                graph_.pieces[piece].weight += kEndCost * packets;
        }
    }

    const Network& network_;
    const RouteTables& routes_;
    PieceGraph& graph_;
    std::vector<double> defaults_;   // of the tunables
    double targets_ = 0, rate_ = 0;  // packets per ns, of all targets
};

}  // namespace

void expect_traffic(const Network& network, const RouteTables& routes, PieceGraph& graph)
{
    TrafficEstimate estimate(network, routes, graph);
    network.workloads.empty() ? estimate.from_shape() : estimate.from_workloads();
}

}  // namespace anml
