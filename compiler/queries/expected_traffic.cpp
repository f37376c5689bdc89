// The estimate: what each flow would send alone, then slowed to what the busiest link on its path carries.
#include "queries/expected_traffic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "queries/call_order.h"
#include "queries/network_queries.h"
#include "queries/timed_load.h"

namespace anml {

namespace {

constexpr double kFull = 1500, kLargestUnscaled = 65535;  // bytes

struct Packets {
    double there = 0, back = 0;              // packets per second of one host
    double bytes_there = 0, bytes_back = 0;  // per second
};

class Estimate {
  public:
    Estimate(const Network& network, const std::vector<Flow>& flows, const std::vector<double>& tunables,
             NetworkMoment* moment, std::optional<double> time)
        : network_(network),
          flows_(flows),
          tunables_(tunables),
          moment_(moment),
          timed_(timed_loads(network, tunables, time))
    {
        for (const ServerInfo& server : network.servers)
            servers_.emplace(network.nodes[server.node.value].first_node, &server);
    }

    ExpectedTraffic run()
    {
        find_requests();
        for (const Flow& flow : flows_) loads_.push_back(load(flow));
        for (std::size_t i = 0; i < flows_.size(); ++i) {
            const Flow& flow = flows_[i];
            for (int way = 0; way < 2; ++way) {
                const double bits = 8 * (way == 0 ? loads_[i].bytes_there : loads_[i].bytes_back);
                for (std::size_t step = 0; step < flow.ways[way].size(); ++step)
                    for (const PathLink& link : flow.ways[way][step])
                        busy_[link.link] += bits * timed(flow).hosts * flow.crossing(way, step, link);
            }
        }
        ExpectedTraffic traffic;
        for (std::size_t i = 0; i < flows_.size(); ++i)
            traffic.alone.push_back({8 * loads_[i].bytes_there, 8 * loads_[i].bytes_back, timed(flows_[i]).hosts});
        traffic.at.resize(network_.endpoints.size());
        for (std::size_t i = 0; i < flows_.size(); ++i) {
            const Flow& flow = flows_[i];
            const double left = slowed(flow), share = flow.count * timed(flow).hosts * left;
            for (int way = 0; way < 2; ++way) {
                const double bits = 8 * left * (way == 0 ? loads_[i].bytes_there : loads_[i].bytes_back);
                for (std::size_t step = 0; step < flow.ways[way].size(); ++step)
                    for (const PathLink& link : flow.ways[way][step])
                        traffic.rates[link.link] += bits * timed(flow).hosts * flow.crossing(way, step, link);
            }
            traffic.hops += share * (loads_[i].there * static_cast<double>(flow.there.size()) +
                                     loads_[i].back * static_cast<double>(flow.back.size()));
            const auto asked = static_cast<std::uint32_t>(node_row_of(network_, flow.server));
            for (std::size_t end = 0; end < network_.endpoints.size(); ++end)
                if (network_.endpoints[end].node.value == asked)
                    traffic.at[end] += share * (loads_[i].there + loads_[i].back);
        }
        return traffic;
    }

  private:
    double value(ValueExprId id) const { return network_.values.evaluate(id, tunables_); }
    const TimedLoad& timed(const Flow& flow) const
    {
        return timed_[static_cast<std::size_t>(flow.workload - network_.workloads.data())];
    }
    double link_rate(std::uint32_t link) const
    {
        const std::size_t at = link_row_of(network_, link);
        const LinkGroup& row = network_.links[at];
        return moment_ && moment_->touches(at) ? moment_->rate(link) : value(row.rate[(link - row.first_link) % 2]);
    }
    double link_delay(std::uint32_t link) const
    {
        const std::size_t at = link_row_of(network_, link);
        const LinkGroup& row = network_.links[at];
        return moment_ && moment_->touches(at) ? moment_->delay(link) : value(row.delay[(link - row.first_link) % 2]);
    }
    const ServerInfo* server_of(const Flow& flow) const
    {
        const auto server = servers_.find(flow.server);
        return server != servers_.end() && server->second->port == flow.workload->port ? server->second : nullptr;
    }

    // Calls of each node that a server makes for each request that it has served, over all nodes.
    double each(const WorkloadTraits& traits) const
    {
        return value(traits.share) * std::max(1.0, value(traits.at_once));
    }

    // What servers are asked for: what they call depends on what those are asked for that call them.
    void find_requests()
    {
        std::unordered_map<const WorkloadInfo*, std::vector<const Flow*>> by_workload;
        for (const Flow& flow : flows_) {
            by_workload[flow.workload].push_back(&flow);
            if (flow.workload->traits.load == Load::served) calls_of_[flow.client].push_back(&flow);
        }
        for (const std::uint32_t i : call_order(network_))
            for (const Flow* flow : by_workload[&network_.workloads[i]])
                if (flow->workload->traits.asks_server())
                    transactions_[flow->server] += flow->count * timed(*flow).hosts * rate(*flow);
    }

    // Requests per second that a server can serve; its calls keep its workers busy, too.
    double capacity(std::uint32_t node) const
    {
        const auto at = servers_.find(node);
        if (at == servers_.end()) return std::numeric_limits<double>::infinity();
        const double service = mean_of(network_, *at->second, "service", tunables_) * 1e-9;
        double most = std::numeric_limits<double>::infinity();
        if (const double processors = mean_of(network_, *at->second, "processors", tunables_); processors > 0)
            most = processors / service;
        if (const double workers = mean_of(network_, *at->second, "workers", tunables_); workers > 0)
            most = std::min(most, workers / (service + calling(node) * 1e-9));
        return most;
    }

    // ns that a server waits for its calls with each request, without queueing: one behind the other.
    double calling(std::uint32_t node) const
    {
        const auto calls = calls_of_.find(node);
        if (calls == calls_of_.end()) return 0;
        if (const auto known = calling_.find(node); known != calling_.end()) return known->second;
        double time = 0;
        for (const Flow* flow : calls->second) {
            double once = calling(flow->server);
            for (const auto* path : {&flow->there, &flow->back})
                for (const std::uint32_t link : *path) once += link_delay(link);
            if (const ServerInfo* server = server_of(*flow)) once += mean_of(network_, *server, "service", tunables_);
            once += 8e9 * (mean_reply(*flow) + value(flow->workload->traits.request)) / bottleneck(*flow);
            // A share of the caller's, one server, calls each of the nodes.
            time += flow->count / flow->hosts * value(flow->workload->traits.share) * once;
        }
        return calling_[node] = time;
    }

    double bottleneck(const Flow& flow) const
    {
        double least = std::numeric_limits<double>::infinity();
        for (const std::uint32_t link : flow.there) least = std::min(least, link_rate(link));
        return least;
    }

    double mean_reply(const Flow& flow) const
    {
        const std::vector<DocumentInfo>& documents = flow.workload->documents;
        if (documents.empty()) return value(flow.workload->traits.reply);
        double sum = 0;
        for (const DocumentInfo& document : documents) sum += mean_of(network_, document.size, tunables_);
        return sum / static_cast<double>(documents.size());
    }

    double per_connection(const WorkloadTraits& traits) const { return std::max(1.0, value(traits.per_connection)); }

    // Exchanges per second of one host, were it alone.
    double rate(const Flow& flow) const
    {
        constexpr double kConnection = 2;  // rounds: connect and close
        const WorkloadTraits& traits = flow.workload->traits;
        if (traits.load == Load::served) {
            const auto asked = transactions_.find(flow.client);
            return asked == transactions_.end() ? 0 : std::min(asked->second, capacity(flow.client)) * each(traits);
        }
        if (traits.load == Load::open)
            return 1e9 / std::max(value(traits.interval), 1.0) * value(traits.share) * timed(flow).each;
        double round_trip = 0, bottleneck = 1e18;
        for (const auto* path : {&flow.there, &flow.back}) {
            for (const std::uint32_t link : *path) {
                round_trip += link_delay(link);
                bottleneck = std::min(bottleneck, link_rate(link));
            }
        }
        const ServerInfo* server = server_of(flow);
        double time = value(traits.interval) + round_trip;
        if (traits.transport == Transport::tcp) time += kConnection / per_connection(traits) * round_trip;
        if (server) time += mean_of(network_, *server, "service", tunables_) + calling(flow.server);
        time += 8e9 * (mean_reply(flow) + value(traits.request)) / bottleneck;
        return 1e9 * std::max(1.0, value(traits.at_once)) / std::max(time, 1e3);
    }

    Packets load(const Flow& flow) const
    {
        const double udp_headers = datagram_headers(flow.workload->ipv6), tcp_headers = udp_headers + 12;
        const double segment = kFull - tcp_headers;
        if (flow.there.empty() || flow.back.empty()) return {};
        const WorkloadTraits& traits = flow.workload->traits;
        const bool tcp = traits.transport == Transport::tcp;
        const double request = value(traits.request);
        Packets load;
        if (traits.load == Load::greedy && (!tcp || request == 0)) {
            // As much as the slowest link carries; links that many share slow it.
            load.bytes_there = bottleneck(flow) / 8;
            load.there = load.bytes_there / (tcp ? segment + tcp_headers : udp_headers + std::max(request, 1.0));
            if (tcp) load.back = load.there / 2;
            load.bytes_back = tcp_headers * load.back;
            return load;
        }
        constexpr double kClients = 4, kServers = 3;  // packets that begin and end a connection
        const double each = rate(flow), reply = mean_reply(flow);
        if (!tcp) {
            load.there = value(traits.fluid) != 0 ? 0 : each;  // fluid fills links without a packet
            load.bytes_there = each * (udp_headers + request);
            if (!traits.answers) return load;
            load.back = each;
            load.bytes_back = each * (udp_headers + reply);
            return load;
        }
        const double asking = std::ceil(request / segment), answering = std::ceil(reply / segment);
        const double connections = 1 / per_connection(traits);
        // A transfer that nobody answers is acknowledged every other segment.
        const bool transfer = traits.load == Load::greedy;
        load.there = each * (kClients * connections + asking + (transfer ? 0 : 1 + answering));
        load.back = each * (kServers * connections + (transfer ? asking / 2 : asking + answering));
        load.bytes_there = tcp_headers * load.there + each * request;
        load.bytes_back = tcp_headers * load.back + each * reply;
        return load;
    }

    // The share of its rate that is left to a flow.
    double slowed(const Flow& flow) const
    {
        double most = 1;
        for (const auto& way : flow.ways)
            for (const std::vector<PathLink>& step : way)
                for (const PathLink& link : step) most = std::max(most, busy_.at(link.link) / link_rate(link.link));
        if (!flow.workload->traits.asks_server()) return 1 / most;
        if (server_of(flow)) most = std::max(most, transactions_.at(flow.server) / capacity(flow.server));
        return 1 / most;
    }

    const Network& network_;
    const std::vector<Flow>& flows_;
    const std::vector<double>& tunables_;
    NetworkMoment* moment_;
    std::vector<TimedLoad> timed_;                                          // by workload
    std::unordered_map<std::uint32_t, const ServerInfo*> servers_;          // by node
    std::vector<Packets> loads_;                                            // by flow
    std::unordered_map<std::uint32_t, double> busy_;                        // bit/s by directed link
    std::unordered_map<std::uint32_t, double> transactions_;                // per second, by server
    std::unordered_map<std::uint32_t, std::vector<const Flow*>> calls_of_;  // by the server that makes them
    mutable std::unordered_map<std::uint32_t, double> calling_;             // calling(), by server
};

}  // namespace

ExpectedTraffic expect_rates(const Network& network, const std::vector<Flow>& flows,
                             const std::vector<double>& tunables, NetworkMoment* moment, std::optional<double> time)
{
    return Estimate(network, flows, tunables, moment, time).run();
}

Transfer largest_transfer(const Network& network, const Flow& flow, const std::vector<double>& tunables)
{
    Transfer transfer;
    const WorkloadTraits& traits = flow.workload->traits;
    if (traits.transport != Transport::tcp) return transfer;
    transfer.upwards = !traits.answers;
    transfer.bytes = network.values.evaluate(transfer.upwards ? traits.request : traits.reply, tunables);
    if (traits.load == Load::greedy && transfer.bytes == 0)
        transfer.bytes = std::numeric_limits<double>::infinity();  // it never ends
    for (const DocumentInfo& document : flow.workload->documents)
        transfer.bytes = std::max(transfer.bytes, mean_of(network, document.size, tunables));
    const auto tcp_of = [&](std::uint32_t node) { return network.nodes[node_row_of(network, node)].tcp; };
    const std::uint32_t receiver = tcp_of(transfer.upwards ? flow.server : flow.client);
    const std::uint32_t sender = tcp_of(transfer.upwards ? flow.client : flow.server);
    if (transfer.bytes == 0 || receiver == abi::kNone || sender == abi::kNone) return transfer;
    const auto value = [&](std::uint32_t tcp, std::string_view setting) {
        return network.values.evaluate(record_number(network.records[tcp], setting), tunables);
    };
    transfer.window = transfer.buffer = value(receiver, "receive_buffer");
    // Both have to offer scaling.
    const bool receiver_scales = value(receiver, "window_scaling") != 0;
    const bool sender_scales = value(sender, "window_scaling") != 0;
    if (!receiver_scales || !sender_scales) transfer.window = std::min(transfer.window, kLargestUnscaled);
    transfer.unscaled_sender = transfer.window < transfer.buffer && receiver_scales;
    return transfer;
}

}  // namespace anml
