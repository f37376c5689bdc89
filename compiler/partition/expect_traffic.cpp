// A static estimate: one element of each piece with targets stands for the piece, and its packets follow the routes.
#include <algorithm>

#include "partition/pieces.h"
#include "route/network_queries.h"

namespace anml {
namespace {

class TrafficEstimate {
  public:
    TrafficEstimate(const Network& network, const RouteTables& routes, PieceGraph& graph)
        : network_(network), routes_(routes), graph_(graph)
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
                    send(client, piece, server, graph_.piece_at(workload.server, workload.server_element),
                         last - element);
                    element = last;
                }
            }
        }
        graph_.round_trip = targets_ > 0 ? delays_ / targets_ : 0;
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

    void send(std::uint32_t client, std::uint32_t client_piece, std::uint32_t server, std::uint32_t server_piece,
              double packets)
    {
        targets_ += packets;
        for (const bool back : {false, true}) {
            if (!trace_path(network_, routes_, back ? server : client, back ? client : server, path_)) continue;
            for (std::size_t hop = 0; hop < path_.size(); ++hop) {
                PieceLink& link = graph_.links[graph_.link_at(path_[hop], network_)];
                link.traffic += packets;
                delays_ += packets * link.delay;
                if (hop + 1 == path_.size()) break;
                const std::uint32_t direction = (path_[hop] - network_.links[link.row].first_link) % 2;
                graph_.pieces[link.piece[1 - direction]].weight += packets;
            }
            for (const std::uint32_t piece : {client_piece, server_piece})
                graph_.pieces[piece].weight += kEndCost * packets;
        }
    }

    const Network& network_;
    const RouteTables& routes_;
    PieceGraph& graph_;
    std::vector<std::uint32_t> path_;
    double targets_ = 0, delays_ = 0;
};

}  // namespace

void expect_traffic(const Network& network, const RouteTables& routes, PieceGraph& graph)
{
    TrafficEstimate estimate(network, routes, graph);
    network.workloads.empty() ? estimate.from_shape() : estimate.from_workloads();
}

}  // namespace anml
