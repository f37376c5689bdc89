// A flow for every pair of runs of hosts and peers that the row graph keeps together.
#include "analysis/traffic/flows.h"

#include "analysis/network_queries.h"
#include "analysis/traffic/workload_pairs.h"

namespace anml {

namespace {

std::vector<std::uint32_t> one_path(const Network& network, std::uint32_t from,
                                    const std::vector<std::vector<PathLink>>& steps)
{
    std::vector<std::uint32_t> path;
    for (const std::vector<PathLink>& step : steps) {
        for (const PathLink& way : step) {
            if (link_source(network, way.link) != from) continue;
            path.push_back(way.link);
            from = link_target(network, way.link);
            break;
        }
    }
    return path;
}

// Hosts that are alike and talk to each other: the first one's peer is the second. The links of the peers' own, which
// are an element's each, begin with the first one's all the same.
void begin_with_first(const Network& network, Flow& flow)
{
    if (!flow.own || flow.ways[0].empty() || flow.ways[1].empty()) return;
    const std::uint32_t back = 2 * (flow.server - flow.client);
    for (PathLink& link : flow.ways[0].back())
        if (link.link >= back && link_target(network, link.link - back) == flow.client) link.link -= back;
    for (PathLink& link : flow.ways[1].front())
        if (link.link >= back && link_source(network, link.link - back) == flow.client) link.link -= back;
}

}  // namespace

std::vector<Flow> find_flows(const Network& network, const RouteTables& routes)
{
    const RowGraph graph(network);
    const Alike alike = [&](NodeRowId row, std::uint32_t element) {
        const RouteVertex& run = graph.vertices()[graph.vertex_at(row, element)];
        return run.first + run.count - element;
    };
    std::vector<Flow> flows;
    for (const WorkloadInfo& workload : network.workloads) {
        for (const WorkloadPair& pair : workload_pairs(network, workload, alike, nearest_by(network, routes))) {
            Flow flow;
            flow.workload = &workload;
            flow.client = network.nodes[pair.host_row.value].first_node + pair.host;
            flow.server = network.nodes[pair.peer_row.value].first_node + pair.peer;
            flow.count = pair.count;
            flow.hosts = pair.hosts;
            flow.peers = pair.peers;
            flow.own = pair.own;
            flow.group = workload.pairing == abi::Pairing::multicast;
            const PacketMarks marks = marks_of(workload);
            if (!trace_paths(network, routes, flow.client, flow.server, flow.ways[0], nullptr, marks)) continue;
            if (!trace_paths(network, routes, flow.server, flow.client, flow.ways[1], nullptr, marks)) continue;
            flow.there = one_path(network, flow.client, flow.ways[0]);
            flow.back = one_path(network, flow.server, flow.ways[1]);
            begin_with_first(network, flow);
            flows.push_back(std::move(flow));
        }
    }
    return flows;
}

}  // namespace anml
