// A static estimate: one element of each piece with targets stands for the piece, and its packets follow the routes,
// shared evenly where several links are equally short. A closed loop goes round as often as its path allows: near
// clients move most of the packets. Bulk data fills its path, datagrams come at their rate. Where a link cannot carry
// all that, its flows share it.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/network_queries.h"
#include "analysis/traffic/call_order.h"
#include "analysis/traffic/workload_pairs.h"
#include "elaborate/workloads/call_entries.h"
#include "partition/pieces.h"

namespace anml {
namespace {

constexpr double kHeaders = 40;       // bytes of a packet without data
constexpr double kLeastRate = 1e-15;  // per ns, of exchanges
constexpr double kLeastTime = 1000;   // ns that an exchange takes

class TrafficEstimate {
  public:
    TrafficEstimate(const Network& network, const RouteTables& routes, PieceGraph& graph)
        : network_(network), routes_(routes), graph_(graph), defaults_(default_tunables(network))
    {
        for (const ServerInfo& server : network.servers) servers_.emplace(server.node.value, &server);
    }

    void from_workloads()
    {
        const Alike alike = [&](NodeRowId row, std::uint32_t element) {
            const Piece& run = graph_.pieces[graph_.piece_at(row, element)];
            return run.first + run.count - element;
        };
        const Nearest nearest = nearest_by(network_, routes_);
        for (const std::uint32_t i : call_order(network_))
            for (const WorkloadPair& pair : workload_pairs(network_, network_.workloads[i], alike, nearest))
                add_exchange(network_.workloads[i], pair);
        share_links();
        for (const Exchange& exchange : exchanges_) carry(exchange);
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
    double mean(const DistributionValue& d) const { return mean_of(network_, d, defaults_); }

    // What a host sends and gets, per ns: packets, and bits.
    struct Rates {
        double there, back, bits_there, bits_back;
        double exchanges = 0;
    };
    Rates packets_per_ns(const WorkloadInfo& workload, double round_trip, double bottleneck, double served) const
    {
        constexpr double kSegmentBits = 8 * 1500, kAcknowledged = 0.5;  // ACKs per segment
        const WorkloadTraits& traits = workload.traits;
        const bool endless = traits.transport != Transport::tcp || value(traits.request) == 0;
        if (traits.load == Load::greedy && endless) {
            // As much as the slowest link of the way carries, shared where many send to few.
            double hosts = 0, peers = 0;
            for (const TargetRange& range : workload.targets) hosts += range.count;
            for (const TargetRange& range : workload.peers) peers += range.count;
            const bool tcp = traits.transport == Transport::tcp;
            const double bits = tcp ? kSegmentBits : 8 * (std::max(value(traits.request), 1.0) + kHeaders);
            const double packets = bottleneck / 1e9 / bits * std::min(1.0, peers / hosts);
            const double acks = tcp ? kAcknowledged * packets : 0;
            return {packets, acks, bits * packets, 8 * kHeaders * acks};
        }
        if (traits.transport == Transport::tcp) return transactions(workload, round_trip, bottleneck, served);
        const double request = value(traits.request), reply = value(traits.reply);
        const double time = value(traits.interval) + round_trip + 8e9 * (request + reply) / bottleneck;
        const double packets = traits.load == Load::open ? value(traits.share) / std::max(value(traits.interval), 1.0)
                               : traits.load == Load::served ? served * value(traits.at_once)
                                                             : 1 / std::max(time, kLeastTime);
        const double back = traits.answers ? packets : 0;
        return {packets, back, 8 * (request + kHeaders) * packets, 8 * (reply + kHeaders) * back, packets};
    }

    // Packets of a transaction over TCP, each way, over the time it takes.
    // `served`: requests of a server that calls, per ns.
    Rates transactions(const WorkloadInfo& workload, double round_trip, double bottleneck, double served) const
    {
        constexpr double kControl = 3, kSegment = 1448, kInitialWindow = 10, kDelayedAcks = 0.75;
        const WorkloadTraits& traits = workload.traits;
        double bytes = workload.documents.empty() ? value(traits.reply) : 0, wait = value(traits.interval);
        for (const DocumentInfo& document : workload.documents)
            bytes += mean(document.size) / static_cast<double>(workload.documents.size());
        const auto server = servers_.find(workload.peers[0].row.value);
        if (server != servers_.end() && server->second->port == workload.port)
            wait += mean_of(network_, server->second->record, "service", defaults_);
        const double sent = value(traits.request), segments = std::max(1.0, (bytes + sent) / kSegment);
        const double requests = std::max(1.0, value(traits.per_connection));
        const double windows = std::log2(1 + segments / kInitialWindow);
        const double asked = served * value(traits.share);
        const double time = traits.load == Load::open ? value(traits.interval) / value(traits.share)
                            : traits.load == Load::served
                                ? 1 / std::max(asked, kLeastRate)
                                : (1 + 1 / requests + windows) * round_trip + 8e9 * (bytes + sent) / bottleneck + wait;
        const double at_once = traits.load == Load::open ? 1 : std::max(1.0, value(traits.at_once));
        const double each = std::max(time, kLeastTime) / at_once;
        const double packets = (1 + kControl / requests + kDelayedAcks * segments) / each;
        return {packets, packets, 8 * kHeaders * packets + 8 * sent / each, 8 * kHeaders * packets + 8 * bytes / each,
                1 / each};
    }

    // A link on a way: of the graph of pieces, and of its two ends the one from which it is crossed.
    struct Crossed {
        std::uint32_t link, from;
        double share;  // of the packets
    };

    // What a pair would send and get if it had the network to itself.
    struct Exchange {
        WorkloadPair pair;
        Rates rates;                    // of one host
        std::vector<Crossed> ways[2];   // there, back
        std::size_t forwarded[2] = {};  // how many of these lead to another link
        double share = 1;               // of that, which the links leave it
    };

    void add_exchange(const WorkloadInfo& workload, const WorkloadPair& pair)
    {
        Exchange exchange{pair, {}, {}};
        const std::uint32_t host = network_.nodes[pair.host_row.value].first_node + pair.host;
        const std::uint32_t peer = network_.nodes[pair.peer_row.value].first_node + pair.peer;
        double round_trip = 0, bottleneck = INFINITY;
        for (int direction = 0; direction < 2; ++direction) {
            const bool there = direction == 0;
            if (!trace_paths(network_, routes_, there ? host : peer, there ? peer : host, steps_, nullptr,
                             marks_of(workload)))
                return;
            for (const std::vector<PathLink>& step : steps_) {
                exchange.forwarded[direction] = exchange.ways[direction].size();
                for (const PathLink& way : step) {
                    const std::uint32_t at = graph_.link_at(way.link, network_);
                    const PieceLink& link = graph_.links[at];
                    const std::uint32_t from = (way.link - network_.links[link.row].first_link) % 2;
                    exchange.ways[direction].push_back({at, from, way.share});
                    round_trip += way.share * link.delay;
                    bottleneck = std::min(bottleneck, rate_of(link, from));
                }
            }
        }
        double served = 0;
        if (workload.traits.load == Load::served)
            for (const auto& [by, rate] : requests_[pair.host_row.value])
                served += rate * share_made(network_, workload, *by);
        exchange.rates = packets_per_ns(workload, round_trip, bottleneck, served);
        if (workload.traits.asks_server() || relayed_if_any(workload)) {
            auto& requests = requests_[pair.peer_row.value];
            if (requests.empty() || requests.back().first != &workload) requests.emplace_back(&workload, 0);
            requests.back().second += pair.count * exchange.rates.exchanges;
        }
        exchanges_.push_back(std::move(exchange));
    }

    static bool relayed_if_any(const WorkloadInfo& workload)
    {
        return workload.traits.transport == Transport::udp && !workload.traits.answers;
    }

    double rate_of(const PieceLink& link, std::uint32_t from) const
    {
        return value(network_.links[link.row].rate[from]);
    }

    // Bits per ns that a host wants of a link.
    static double wanted(const Exchange& exchange, int direction)
    {
        return direction == 0 ? exchange.rates.bits_there : exchange.rates.bits_back;
    }

    // Hosts that want more than a link carries get equal shares of it, those that want less get that: a flow has what
    // the tightest of its links leaves it.
    void share_links()
    {
        struct Demand {
            double wanted, hosts;
        };
        std::vector<std::vector<Demand>> demands(2 * graph_.links.size());  // by link and end
        for (const Exchange& exchange : exchanges_)
            for (int direction = 0; direction < 2; ++direction)
                for (const Crossed& way : exchange.ways[direction]) {
                    std::vector<Demand>& list = demands[2 * way.link + way.from];
                    const double each = wanted(exchange, direction), hosts = exchange.pair.count * way.share;
                    if (!list.empty() && list.back().wanted == each)
                        list.back().hosts += hosts;
                    else
                        list.push_back({each, hosts});
                }
        std::vector<double> fair(demands.size(), INFINITY);  // bits per ns of a host that wants more
        for (std::size_t place = 0; place < demands.size(); ++place) {
            std::vector<Demand>& list = demands[place];
            const PieceLink& link = graph_.links[place / 2];
            double room = rate_of(link, place % 2) * link.count / 1e9, hosts = 0;  // bits per ns
            for (const Demand& demand : list) hosts += demand.hosts;
            std::sort(list.begin(), list.end(), [](const Demand& a, const Demand& b) { return a.wanted < b.wanted; });
            for (const Demand& demand : list) {
                if (demand.wanted > room / hosts) {
                    fair[place] = room / hosts;
                    break;
                }
                room -= demand.wanted * demand.hosts;
                hosts -= demand.hosts;
            }
        }
        for (Exchange& exchange : exchanges_)
            for (int direction = 0; direction < 2; ++direction)
                for (const Crossed& way : exchange.ways[direction])
                    if (const double each = wanted(exchange, direction); each > fair[2 * way.link + way.from])
                        exchange.share = std::min(exchange.share, fair[2 * way.link + way.from] / each);
    }

    void carry(const Exchange& exchange)
    {
        const WorkloadPair& pair = exchange.pair;
        const double packets[2] = {pair.count * exchange.share * exchange.rates.there,
                                   pair.count * exchange.share * exchange.rates.back};
        targets_ += pair.count;
        rate_ += (packets[0] + packets[1]) / 2;
        const std::uint32_t ends[] = {graph_.piece_at(pair.host_row, pair.host),
                                      graph_.piece_at(pair.peer_row, pair.peer)};
        for (int direction = 0; direction < 2; ++direction) {
            for (std::size_t i = 0; i < exchange.ways[direction].size(); ++i) {
                const Crossed& way = exchange.ways[direction][i];
                PieceLink& link = graph_.links[way.link];
                link.traffic += packets[direction] * way.share;
                if (i < exchange.forwarded[direction])
                    graph_.pieces[link.piece[1 - way.from]].weight += packets[direction] * way.share;
            }
            for (const std::uint32_t piece : ends) graph_.pieces[piece].weight += kEndCost * packets[direction];
        }
    }

    const Network& network_;
    const RouteTables& routes_;
    PieceGraph& graph_;
    std::vector<double> defaults_;                        // of the tunables
    std::map<std::uint32_t, const ServerInfo*> servers_;  // by row of nodes
    // By row of nodes: what asks its servers, and how often per ns.
    std::map<std::uint32_t, std::vector<std::pair<const WorkloadInfo*, double>>> requests_;
    std::vector<Exchange> exchanges_;
    std::vector<std::vector<PathLink>> steps_;  // of one way
    double targets_ = 0, rate_ = 0;  // packets per ns, of all targets
};

}  // namespace

void expect_traffic(const Network& network, const RouteTables& routes, PieceGraph& graph)
{
    TrafficEstimate estimate(network, routes, graph);
    network.workloads.empty() ? estimate.from_shape() : estimate.from_workloads();
}

}  // namespace anml
