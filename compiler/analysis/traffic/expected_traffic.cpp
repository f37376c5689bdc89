// The estimate: what each flow would send alone, then slowed to what the busiest link on its path carries.
#include "analysis/traffic/expected_traffic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>

#include "analysis/network_queries.h"
#include "analysis/traffic/call_order.h"
#include "analysis/traffic/timed_load.h"
#include "elaborate/workloads/call_entries.h"

namespace anml {

namespace {

constexpr double kFull = 1500, kTcpHeader = 52, kLargestUnscaled = 65535;  // bytes
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// How a host receives over TCP.
struct Receiver {
    double buffer = 0, window = 0;  // bytes; window: what it announces at most
    double read_rate = 0;           // bit/s; 0: it reads everything at once
    bool unscaled_sender = false;
};

std::optional<Receiver> receiver_of(const Network& network, std::uint32_t host, std::uint32_t sender,
                                    const std::vector<double>& tunables)
{
    const std::uint32_t own = tcp_of(network, host), other = tcp_of(network, sender);
    if (own == abi::kNone || other == abi::kNone) return std::nullopt;
    const auto value = [&](std::uint32_t tcp, std::string_view setting) {
        return network.values.evaluate(record_number(network.records[tcp], setting), tunables);
    };
    Receiver receiver;
    receiver.window = receiver.buffer = value(own, "receive_buffer");
    receiver.read_rate = value(own, "read_rate");
    // Both have to offer scaling.
    const bool scales = value(own, "window_scaling") != 0, sender_scales = value(other, "window_scaling") != 0;
    if (!scales || !sender_scales) receiver.window = std::min(receiver.window, kLargestUnscaled);
    receiver.unscaled_sender = receiver.window < receiver.buffer && scales;
    return receiver;
}

struct Packets {
    double there = 0, back = 0;              // packets per second of one host
    double bytes_there = 0, bytes_back = 0;  // per second
    double connections = 0;                  // per second
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
        ExpectedTraffic traffic;
        for (std::size_t i = 0; i < flows_.size(); ++i)
            traffic.alone.push_back({.there = 8 * loads_[i].bytes_there,
                                     .back = 8 * loads_[i].bytes_back,
                                     .hosts = timed(flows_[i]).hosts,
                                     .packets = {loads_[i].there, loads_[i].back}});
        Crossings alone;
        for (std::size_t i = 0; i < flows_.size(); ++i) {
            const Flow& flow = flows_[i];
            for (int way = 0; way < 2; ++way)
                for (std::size_t step = 0; step < flow.ways[way].size(); ++step)
                    for (const PathLink& link : flow.ways[way][step])
                        busy_[link.link] += traffic.alone[i].bits(way, link_overhead(link.link)) *
                                            timed(flow).hosts * alone.add(flow, way, step, link);
        }
        Crossings together;
        traffic.at.resize(network_.endpoints.size());
        for (std::size_t i = 0; i < flows_.size(); ++i) {
            const Flow& flow = flows_[i];
            const double left = slowed(flow), share = flow.count * timed(flow).hosts * left;
            traffic.alone[i].connections = loads_[i].connections * left;
            traffic.alone[i].left = left;
            for (int way = 0; way < 2; ++way) {
                for (std::size_t step = 0; step < flow.ways[way].size(); ++step)
                    for (const PathLink& link : flow.ways[way][step]) {
                        const double crossing = together.add(flow, way, step, link);
                        traffic.rates[link.link] += left * traffic.alone[i].bits(way, link_overhead(link.link)) *
                                                    timed(flow).hosts * crossing;
                        // Each of the peers has a last link.
                        const double alike = step + 1 == flow.ways[way].size() ? flow.peers : 1;
                        if (flow.group && way == 0)
                            traffic.hops += left * timed(flow).hosts * loads_[i].there * crossing * alike;
                    }
            }
            if (!flow.group)
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
        const LinkArray& row = network_.links[at];
        return moment_ && moment_->touches(at) ? moment_->rate(link) : value(row.rate[(link - row.first_link) % 2]);
    }
    double link_overhead(std::uint32_t link) const
    {
        return value(network_.links[link_row_of(network_, link)].overhead);
    }
    double link_delay(std::uint32_t link) const
    {
        const std::size_t at = link_row_of(network_, link);
        const LinkArray& row = network_.links[at];
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
            const WorkloadTraits& traits = flow.workload->traits;
            if (traits.load == Load::served && traits.transport == Transport::tcp)
                calls_of_[flow.client].push_back(&flow);
        }
        for (const std::uint32_t i : call_order(network_))
            for (const Flow* flow : by_workload[&network_.workloads[i]])
                if (flow->workload->traits.asks_server()) {
                    const double rate_here = flow->count * timed(*flow).hosts * rate(*flow);
                    transactions_[flow->server] += rate_here;
                    asked_by_[flow->server].push_back({flow->workload, rate_here});
                } else if (flow->workload->traits.transport == Transport::udp && !flow->workload->traits.answers) {
                    relayed_[flow->server].push_back(
                        {flow->workload, flow->count * timed(*flow).hosts * rate(*flow), payload(*flow)});
                }
    }

    // What reaches a host over UDP, which its relays may send on.
    struct Relayed {
        const WorkloadInfo* by = nullptr;
        double rate = 0;     // datagrams per second
        double payload = 0;  // bytes
    };
    template <class Visit>
    void each_relayed(const Flow& flow, Visit&& visit) const
    {
        if (const auto there = relayed_.find(flow.client); there != relayed_.end())
            for (const Relayed& came : there->second)
                if (is_made_for(network_, *flow.workload, *came.by)) visit(came);
    }

    // Datagrams that a relay sends for each that comes: to all, but where it came from one of them.
    double subscribers(const Flow& flow, const WorkloadInfo& by) const
    {
        const WorkloadInfo& relay = *flow.workload;
        const bool echo = value(record_number(network_.records[relay.record], "echo")) != 0;
        const bool one_of_them = std::any_of(relay.peers.begin(), relay.peers.end(), [&](const TargetRange& peer) {
            return std::any_of(by.targets.begin(), by.targets.end(),
                               [&](const TargetRange& target) { return target.row == peer.row; });
        });
        return value(relay.traits.at_once) - (one_of_them && !echo);
    }

    double payload(const Flow& flow) const
    {
        if (flow.workload->traits.load != Load::served) return value(flow.workload->traits.request);
        double bytes = 0, rates = 0;
        each_relayed(flow, [&](const Relayed& came) {
            bytes += came.rate * came.payload;
            rates += came.rate;
        });
        return rates > 0 ? bytes / rates : 0;
    }

    // Requests per second that a server can serve; its calls keep its workers busy, too.
    double capacity(std::uint32_t node) const
    {
        const auto at = servers_.find(node);
        if (at == servers_.end()) return std::numeric_limits<double>::infinity();
        const double service = mean_of(network_, at->second->record, "service", tunables_) * 1e-9;
        double most = std::numeric_limits<double>::infinity();
        if (const double processors = mean_of(network_, at->second->record, "processors", tunables_); processors > 0)
            most = processors / service;
        if (const double workers = mean_of(network_, at->second->record, "workers", tunables_); workers > 0)
            most = std::min(most, workers / (service + calling(node) * 1e-9));
        return most;
    }

    // The same over all that is asked of it.
    double calling(std::uint32_t node) const
    {
        const auto asked = asked_by_.find(node);
        if (asked == asked_by_.end()) return 0;
        double time = 0, rates = 0;
        for (const auto& [by, rate] : asked->second) {
            time += rate * calling(node, *by);
            rates += rate;
        }
        return rates > 0 ? time / rates : 0;
    }

    // ns that a server waits for its calls with each request of a workload, without queueing: stage behind stage, of
    // each the last call that it waits for, at their mean times.
    double calling(std::uint32_t node, const WorkloadInfo& by) const
    {
        if (!calls_of_.contains(node)) return 0;
        const auto [known, fresh] = calling_.try_emplace({node, &by}, 0);
        if (!fresh) return known->second;
        double time = 0;
        static const DocumentInfo kAny{};
        const std::size_t documents = std::max<std::size_t>(by.documents.size(), 1);
        for (std::size_t i = 0; i < documents; ++i)
            time += calling(node, by, by.documents.empty() ? kAny : by.documents[i]);
        return calling_[{node, &by}] = time / static_cast<double>(documents);
    }

    double calling(std::uint32_t node, const WorkloadInfo& by, const DocumentInfo& document) const
    {
        struct Made {
            double time = 0, share = 0;  // of one that is made; of the requests
        };
        std::map<const WorkloadInfo*, Made> made;
        for (const Flow* flow : calls_of_.at(node)) {
            const WorkloadInfo& call = *flow->workload;
            const double for_it =
                by.documents.empty() ? 1 : share_of_entries(network_, entries_of(network_, call), document);
            if (for_it == 0) continue;
            double once = calling(flow->server, call);
            for (const auto* path : {&flow->there, &flow->back})
                for (const std::uint32_t link : *path) once += link_delay(link);
            if (const ServerInfo* server = server_of(*flow))
                once += mean_of(network_, server->record, "service", tunables_);
            once += 8e9 * (mean_reply(*flow) + value(call.traits.request)) / bottleneck(*flow);
            // A share of the caller's, one server, calls each of the nodes.
            made[&call].time += flow->count / flow->hosts * once;
            made[&call].share = for_it * value(call.traits.share);
        }
        double time = 0;
        std::map<double, std::vector<Made>> stages;
        std::map<double, double> wanted;
        for (const auto& [call, is] : made) {
            const RecordInfo& record = network_.records[call->record];
            const double stage = value(record_number(record, "stage"));
            if (stage == 0) {
                time += is.share * is.time;
                continue;
            }
            stages[stage].push_back(is);
            wanted[stage] = std::max(wanted[stage], value(record_number(record, "stage_wait_for")));
        }
        for (auto& [stage, calls] : stages) {
            std::sort(calls.begin(), calls.end(), [](const Made& a, const Made& b) { return a.time < b.time; });
            const double all = static_cast<double>(calls.size()), most = wanted[stage] == 0 ? all : wanted[stage];
            const Made& last = calls[static_cast<std::size_t>(std::min(most, all)) - 1];
            time += last.share * last.time;
        }
        return time;
    }

    double bottleneck(const Flow& flow) const
    {
        double least = std::numeric_limits<double>::infinity();
        for (const std::uint32_t link : flow.there) least = std::min(least, link_rate(link));
        return least;
    }

    double mean_reply(const Flow& flow) const
    {
        constexpr std::uint32_t kHead = 1;  // Method of std.web
        const WorkloadInfo& workload = *flow.workload;
        if (workload.documents.empty()) return value(workload.traits.reply);
        if (chooses(network_, workload.record, "method", kHead)) return 0;
        const std::size_t pages = workload.documents.size() - workload.parts;
        double of_pages = 0, of_parts = 0;
        for (std::size_t i = 0; i < workload.documents.size(); ++i)
            (i < pages ? of_pages : of_parts) += mean_of(network_, workload.documents[i].size, tunables_);
        of_pages /= static_cast<double>(pages);
        if (workload.parts == 0) return of_pages;
        const double parts = mean_of(network_, workload.record, "parts_per_page", tunables_);
        return (of_pages + parts * of_parts / workload.parts) / (1 + parts);
    }

    // A server of HTTP/1.0 closes each connection with its first response.
    double per_connection(const Flow& flow) const
    {
        const ServerInfo* server = flow.workload->traits.asks_server() ? server_of(flow) : nullptr;
        if (server && mean_of(network_, server->record, "keep_alive", tunables_) == 0) return 1;
        return std::max(1.0, value(flow.workload->traits.per_connection));
    }

    // Round trips of a connection beside those of its exchanges: SYN, TLS, and the client's wait for the server's FIN.
    double rounds(const Flow& flow) const
    {
        constexpr std::uint32_t kClosed = 1, kAfterAck = 0, kHttps = 1;  // TransactionEnd, CloseMode, Scheme of std.web
        const std::uint32_t record = flow.workload->record;
        const ServerInfo* server = server_of(flow);
        const bool waits = chooses(network_, record, "until", kClosed) &&
                           (!server || chooses(network_, server->record, "close", kAfterAck));
        return 1.0 + chooses(network_, record, "scheme", kHttps) + waits;
    }

    // ns of an exchange in which the applications make room for it; each connection begins with empty buffers.
    double reading(const Flow& flow, double request, double reply) const
    {
        const auto time = [&](std::uint32_t host, std::uint32_t sender, double bytes) {
            const auto receiver = receiver_of(network_, host, sender, tunables_);
            if (!receiver || receiver->read_rate == 0) return 0.0;
            return 8e9 * std::max(0.0, bytes - receiver->window / per_connection(flow)) / receiver->read_rate;
        };
        return time(flow.server, flow.client, request) + time(flow.client, flow.server, reply);
    }

    // ns between the exchanges of an open load. Sockets of SClient begin the next one once they are connected.
    double between(const Flow& flow) const
    {
        const double interval = value(flow.workload->traits.interval);
        const RecordInfo& record = network_.records[flow.workload->record];
        if (!is_a(record, abi::RecordSchema::s_client)) return interval;
        double round_trip = 0;
        for (const auto* path : {&flow.there, &flow.back})
            for (const std::uint32_t link : *path) round_trip += link_delay(link) + 8e9 * kTcpHeader / link_rate(link);
        return std::min(interval, round_trip / value(record_number(record, "sockets")));
    }

    // Exchanges per second of one host, were it alone.
    double rate(const Flow& flow) const
    {
        const WorkloadTraits& traits = flow.workload->traits;
        if (traits.load == Load::served && traits.transport == Transport::udp) {
            double sent = 0;
            each_relayed(flow, [&](const Relayed& came) { sent += came.rate * subscribers(flow, *came.by); });
            return sent / flow.hosts;
        }
        if (traits.load == Load::served) {
            const auto asked = transactions_.find(flow.client);
            if (asked == transactions_.end() || asked->second == 0) return 0;
            double made = 0;
            for (const auto& [by, rate] : asked_by_.at(flow.client))
                made += rate * share_made(network_, *flow.workload, *by);
            return std::min(1.0, capacity(flow.client) / asked->second) * made * each(traits);
        }
        if (traits.load == Load::open)
            return 1e9 / std::max(between(flow), 1.0) * value(traits.share) * timed(flow).each;
        const bool tcp = traits.transport == Transport::tcp;
        const double request = value(traits.request), reply = mean_reply(flow);
        const double header = tcp ? kTcpHeader : 0;
        double round_trip = 0, bottleneck = 1e18, time = value(traits.interval);
        // Each link has to have a packet before the next one: the last of what is sent, and what is without data.
        const auto pass = [&](const std::vector<std::uint32_t>& path, double bytes) {
            for (const std::uint32_t link : path) {
                const double byte_time = 8e9 / link_rate(link);
                round_trip += link_delay(link) + header * byte_time;
                time += std::min(bytes, kFull) * byte_time;
                bottleneck = std::min(bottleneck, link_rate(link));
            }
        };
        pass(flow.there, request);
        pass(flow.back, reply);
        time += std::max(8e9 * (std::max(0.0, request - kFull) + std::max(0.0, reply - kFull)) / bottleneck,
                         tcp ? reading(flow, request, reply) : 0);
        time += (1 + (tcp ? rounds(flow) / per_connection(flow) : 0)) * round_trip;
        if (const ServerInfo* server = server_of(flow))
            time += mean_of(network_, server->record, "service", tunables_) + calling(flow.server, *flow.workload);
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
            // As much as the slowest link carries, or the receiver reads; links that many share slow it.
            const auto receiver = tcp ? receiver_of(network_, flow.server, flow.client, tunables_) : std::nullopt;
            const bool reads = receiver && receiver->read_rate > 0;
            load.bytes_there = std::min(bottleneck(flow), reads ? receiver->read_rate : kUnbounded) / 8;
            load.there = load.bytes_there / (tcp ? segment + tcp_headers : udp_headers + std::max(request, 1.0));
            if (tcp) load.back = load.there / 2;
            load.bytes_back = tcp_headers * load.back;
            return load;
        }
        constexpr double kClients = 4, kServers = 3;  // packets that begin and end a connection
        constexpr double kRequestHead = 75, kResponseHead = 120;  // bytes, of HTTP
        const double each = rate(flow), reply = mean_reply(flow);
        if (!tcp) {
            load.there = value(traits.fluid) != 0 ? 0 : each;  // fluid fills links without a packet
            load.bytes_there = each * (udp_headers + payload(flow));
            if (!traits.answers) return load;
            load.back = each;
            load.bytes_back = each * (udp_headers + reply);
            return load;
        }
        const bool web = traits.asks_server();
        const double asking = std::ceil(request / segment);
        const double answering = std::max(std::ceil(reply / segment), web ? 1.0 : 0.0);
        const double connections = 1 / per_connection(flow);
        load.connections = each * connections;
        // A transfer that nobody answers is acknowledged every other segment.
        const bool transfer = traits.load == Load::greedy;
        load.there = each * (kClients * connections + asking + (transfer ? 0 : 1 + answering));
        load.back = each * (kServers * connections + (transfer ? asking / 2 : asking + answering));
        load.bytes_there = tcp_headers * load.there + each * (request + (web ? kRequestHead : 0));
        load.bytes_back = tcp_headers * load.back + each * (reply + (web ? kResponseHead : 0));
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
    std::unordered_map<std::uint32_t, std::vector<Relayed>> relayed_;  // by host that gets it
    // By server: what asks it, and how often per second.
    std::unordered_map<std::uint32_t, std::vector<std::pair<const WorkloadInfo*, double>>> asked_by_;
    mutable std::map<std::pair<std::uint32_t, const WorkloadInfo*>, double> calling_;  // by server, and who asks
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
    if (transfer.bytes == 0) return transfer;
    const auto receiver = transfer.upwards ? receiver_of(network, flow.server, flow.client, tunables)
                                           : receiver_of(network, flow.client, flow.server, tunables);
    if (!receiver) return transfer;
    transfer.window = receiver->window;
    transfer.buffer = receiver->buffer;
    transfer.unscaled_sender = receiver->unscaled_sender;
    transfer.read_rate = receiver->read_rate;
    return transfer;
}

}  // namespace anml
