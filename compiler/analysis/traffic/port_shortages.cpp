#include "analysis/traffic/port_shortages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/network_queries.h"
#include "analysis/traffic/timed_load.h"
#include "common/figures.h"

namespace anml {

namespace {

constexpr double kReuseAfter = 1e9;  // ns, as the runtime's (transport/ports/local_ports.cpp)

// What a host has for each server, and how long it keeps one behind a connection that it has closed first, ns.
struct LocalPorts {
    double count, wait;
};

// `stamped`: the peer has timestamps.
LocalPorts local_ports(const Network& network, std::uint32_t tcp, bool stamped, const std::vector<double>& tunables)
{
    const auto value = [&](std::string_view setting) {
        return network.values.evaluate(record_number(network.records[tcp], setting), tunables);
    };
    const double wait = value("time_wait");
    const bool reuses = stamped && value("time_wait_reuse") != 0 && value("timestamps") != 0;
    return {value("last_port") - value("first_port") + 1, reuses ? std::min(wait, kReuseAfter) : wait};
}

bool has_timestamps(const Network& network, std::uint32_t tcp, const std::vector<double>& tunables)
{
    return tcp != abi::kNone &&
           network.values.evaluate(record_number(network.records[tcp], "timestamps"), tunables) != 0;
}

// Where the server closes first it has the wait, and takes the port for a new connection in it (RFC 9293, 3.6.1). With
// TLS its `close_notify` meets a client that has closed, and the reset ends the wait. What a real one does is not
// known.
bool client_waits(const Network& network, const Flow& flow)
{
    constexpr std::uint32_t kClosed = 1, kAfterAck = 0, kHttps = 1;  // TransactionEnd, CloseMode, Scheme of std.web
    const std::uint32_t record = flow.workload->record;
    if (!flow.workload->traits.asks_server()) return true;
    if (chooses(network, record, "until", kClosed) || chooses(network, record, "scheme", kHttps)) return false;
    const std::size_t row = node_row_of(network, flow.server);
    return std::any_of(network.servers.begin(), network.servers.end(), [&](const ServerInfo& server) {
        return server.node.value == row && server.port == flow.workload->port &&
               chooses(network, server.record, "close", kAfterAck);
    });
}

// Of a host's connections those to one of its peers.
double share_of_peer(const Network& network, const WorkloadInfo& workload)
{
    constexpr std::uint32_t kEachTime = 0, kInTurn = 1;  // std.traffic.FlowPairing
    if (workload.traits.load != Load::served && !chooses(network, workload.record, "pairing", kEachTime) &&
        !chooses(network, workload.record, "pairing", kInTurn))
        return 1;
    double peers = 0;
    for (const TargetRange& range : workload.peers) peers += range.count;
    return 1 / std::max(1.0, peers);
}

// Connections that a host opens in all, at most.
double most_connections(const Network& network, const WorkloadInfo& workload, const std::vector<double>& tunables)
{
    const RecordInfo& record = network.records[workload.record];
    if (find_value(record, "transfers")) {
        const double transfers = network.values.evaluate(record_number(record, "transfers"), tunables);
        if (transfers > 0) return transfers;
    }
    for (const std::string_view name : {"log", "times"})
        if (const RecordValue* value = find_value(record, name))
            if (const auto* file = std::get_if<RecordFile>(value))
                return static_cast<double>(network.files[file->index]->arrivals.size());
    return std::numeric_limits<double>::infinity();
}

using Rates = std::vector<std::pair<const Flow*, double>>;  // connections per second of each, at its greatest

// What the timeline leaves of rates, in the busiest part of the run that is so long.
class Busiest {
  public:
    Busiest(const Network& network, const std::vector<double>& tunables)
        : network_(network),
          duration_(network.values.evaluate(network.duration, tunables)),
          greatest_(timed_loads(network, tunables))
    {
        const int moments = network.timeline.empty() ? 1 : kMoments;
        for (int i = 0; i < moments; ++i) loads_.push_back(timed_loads(network, tunables, duration_ * i / moments));
    }

    // Together, per second.
    double mean(const Rates& rates, double time) const
    {
        const auto moments = static_cast<double>(loads_.size());
        const auto length = static_cast<std::size_t>(std::clamp(std::round(moments * time / duration_), 1.0, moments));
        double sum = 0, most = 0;
        for (std::size_t i = 0; i < loads_.size(); ++i) {
            sum += at(i, rates);
            if (i >= length) sum -= at(i - length, rates);
            most = std::max(most, sum);
        }
        return most / static_cast<double>(length);
    }

  private:
    static constexpr int kMoments = 256;

    double at(std::size_t moment, const Rates& rates) const
    {
        double sum = 0;
        for (const auto& [flow, rate] : rates) {
            const auto workload = static_cast<std::size_t>(flow->workload - network_.workloads.data());
            const TimedLoad &load = loads_[moment][workload], &most = greatest_[workload];
            if (load.hosts == 0) continue;
            const bool open = flow->workload->traits.load == Load::open;
            sum += open && most.each > 0 ? rate * load.each / most.each : rate;
        }
        return sum;
    }

    const Network& network_;
    double duration_;
    std::vector<TimedLoad> greatest_;
    std::vector<std::vector<TimedLoad>> loads_;  // by moment, then by workload
};

// Whether any host may, without what takes time on the way, and without what timestamps let it use again.
bool may_run_short(const Network& network, const std::vector<double>& tunables)
{
    const auto value = [&](ValueExprId id) { return network.values.evaluate(id, tunables); };
    const double duration = value(network.duration);
    std::map<std::uint32_t, double> used;  // of a host's ports, by row of nodes
    for (const WorkloadInfo& workload : network.workloads) {
        const WorkloadTraits& traits = workload.traits;
        if (traits.transport != Transport::tcp) continue;
        if (traits.load == Load::greedy && value(traits.request) == 0) continue;
        const double most = most_connections(network, workload, tunables);
        if (std::isinf(most) && (traits.load == Load::served || !network.timeline.empty())) return true;
        const double between = std::max(value(traits.interval), 1.0) / std::max(1.0, value(traits.at_once));
        for (const TargetRange& target : workload.targets) {
            const std::uint32_t tcp = network.nodes[target.row.value].tcp;
            if (tcp == abi::kNone) continue;
            const LocalPorts local = local_ports(network, tcp, false, tunables);
            double& sum = used[target.row.value];
            sum += std::min(std::min(local.wait, duration) / between, most) / local.count;
            if (sum > 1) return true;
        }
    }
    return false;
}

}  // namespace

const char* more_ports(const PortShortage& shortage)
{
    return shortage.workload->traits.asks_server()
               ? "let a connection have several requests or its server close it (`close = at_once`), give the hosts a "
                 "`tcp` with `time_wait_reuse = true`, or have more hosts"
               : "give the hosts a `tcp` with `time_wait_reuse = true`, or have more hosts";
}

std::vector<PortShortage> port_shortages(const Network& network, const std::vector<Flow>& flows,
                                         const ExpectedTraffic& traffic, const std::vector<double>& tunables)
{
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Rates> pairs;  // client, server and its port
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const Flow& flow = flows[i];
        const double connections = traffic.alone[i].connections * share_of_peer(network, *flow.workload);
        if (connections > 0 && client_waits(network, flow))
            pairs[{flow.client, flow.server, flow.workload->port}].emplace_back(&flow, connections);
    }
    std::vector<PortShortage> shortages;
    std::optional<Busiest> busiest;
    const double duration = network.values.evaluate(network.duration, tunables);
    for (const auto& [ends, rates] : pairs) {
        const auto& [client, server, port] = ends;
        const std::uint32_t tcp = tcp_of(network, client);
        if (tcp == abi::kNone) continue;
        const LocalPorts local =
            local_ports(network, tcp, has_timestamps(network, tcp_of(network, server), tunables), tunables);
        const double within = std::min(local.wait, duration);
        const auto most = std::max_element(rates.begin(), rates.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        PortShortage shortage{most->first->workload, client, server, 0, 0, local.count, local.wait, within};
        for (const auto& [flow, rate] : rates) {
            shortage.connections += rate;
            shortage.in_all += most_connections(network, *flow->workload, tunables);
        }
        if (shortage.badness() <= 1) continue;
        if (!busiest) busiest.emplace(network, tunables);
        shortage.connections = busiest->mean(rates, within);
        if (shortage.badness() > 1) shortages.push_back(shortage);
    }
    return shortages;
}

std::string describe_shortage(const Network& network, const PortShortage& shortage)
{
    return fmt::format(
        "`{}` runs out of local ports: `{}` opens {} connections per second to port {} of `{}` and closes them "
        "first; each of its {:.0f} ports then stays in TIME_WAIT for {}, and none is left after some {}",
        shortage.workload->name, node_name(network, shortage.client), show(shortage.connections),
        shortage.workload->port, node_name(network, shortage.server), shortage.ports, show_time(shortage.wait),
        show_time(1e9 * shortage.ports / shortage.connections));
}

void warn_of_port_shortages(const Network& network, const RouteTables& routes, Diagnostics& diagnostics)
{
    const std::vector<double> tunables = default_tunables(network);
    if (!may_run_short(network, tunables)) return;
    const std::vector<Flow> flows = find_flows(network, routes);
    std::map<const WorkloadInfo*, PortShortage> worst;
    for (const PortShortage& one : port_shortages(network, flows, expect_rates(network, flows, tunables), tunables)) {
        const auto [at, fresh] = worst.try_emplace(one.workload, one);
        if (!fresh && one.badness() > at->second.badness()) at->second = one;
    }
    for (const auto& [workload, shortage] : worst)
        diagnostics.report(Diag::port_exhaustion, workload->span, describe_shortage(network, shortage))
            .help(more_ports(shortage));
}

}  // namespace anml
