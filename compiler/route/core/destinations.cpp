#include "route/core/destinations.h"

#include <algorithm>

#include "analysis/network_queries.h"
#include "elaborate/workloads/balancers.h"

namespace anml {

std::vector<std::uint32_t> route_destinations(const Network& network, const RowGraph& graph, RouteScope scope)
{
    const bool all = !network.endpoints.empty() || scope == RouteScope::everywhere;
    std::vector<char> wanted(network.nodes.size(), all ? 1 : 0);
    // What comes out of a NAT is answered to its address.
    for (std::size_t row = 0; row < network.nodes.size(); ++row)
        if (network.nodes[row].middlebox != abi::kNone) {
            wanted[row] = 1;
            if (const auto balancer = balancer_of(network, NodeRowId{static_cast<std::uint32_t>(row)}))
                for (const TargetRange& back_end : balancer->back_ends) wanted[back_end.row.value] = 1;
        }
    for (const WorkloadInfo& workload : network.workloads) {
        for (const TargetRange& target : workload.targets) wanted[target.row.value] = 1;
        for (const TargetRange& peer : workload.peers) wanted[peer.row.value] = 1;
    }
    for (const SegmentRoute& route : network.segment_routes)
        for (const Segment& segment : route.segments) wanted[node_row_of(network, segment.node)] = 1;
    for (const PathQuery& query : network.queries) {
        if (query.of_links()) continue;
        wanted[node_row_of(network, query.from)] = 1;
        wanted[node_row_of(network, query.to)] = 1;
        if (query.function == PathFunction::disjoint)
            wanted[node_row_of(network, query.third)] = wanted[node_row_of(network, query.fourth)] = 1;
    }
    std::vector<std::uint32_t> list;
    for (std::size_t row = 0; row < network.nodes.size(); ++row) {
        if (!wanted[row] || network.nodes[row].address == 0) continue;
        for (std::uint32_t v = graph.first_vertex(row); v < graph.first_vertex(row + 1); ++v) list.push_back(v);
    }
    for (std::uint32_t v = 0; v < graph.vertices().size(); ++v)
        if (graph.is_anycast(v)) list.push_back(v);
    const auto address = [&](std::uint32_t v) { return first_address(network, graph.vertices()[v]); };
    std::sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) { return address(a) < address(b); });
    return list;
}

Destinations::Destinations(const Network& network, const RowGraph& graph, const PendantTrees& trees, RouteScope scope)
    : number(graph.vertices().size(), kNone)
{
    std::vector<std::uint32_t> column(graph.vertices().size(), kNone);
    const std::vector<AddressRun> runs = assigned_addresses(network);
    std::size_t run = 0;
    for (const std::uint32_t v : route_destinations(network, graph, scope)) {
        Destination d;
        d.vertex = v;
        d.first = first_address(network, graph.vertices()[v]);
        d.last = last_address(network, graph.vertices()[v]);
        const std::uint32_t root = trees.root[v];
        if (column[root] == kNone) {
            column[root] = static_cast<std::uint32_t>(roots.size());
            roots.push_back(root);
        }
        d.column = column[root];
        const std::size_t before = run;
        while (runs[run].last < d.last) ++run;
        if (list.empty() || run != before) ++blocks;
        d.block = blocks - 1;
        number[v] = static_cast<std::uint32_t>(list.size());
        list.push_back(d);
    }
    for (std::size_t i = list.size(); i-- > 0;) {
        const bool last = i + 1 == list.size() || list[i + 1].block != list[i].block;
        list[i].block_end = last ? static_cast<std::uint32_t>(i) : list[i + 1].block_end;
    }
}

std::vector<abi::RouteColumn> Destinations::columns() const
{
    std::vector<abi::RouteColumn> rows;
    std::uint32_t block = kNone;
    for (const Destination& d : list) {
        if (!rows.empty() && rows.back().column == d.column && block == d.block) {
            rows.back().last = d.last;
        } else {
            rows.push_back({d.first, d.last, d.column});
        }
        block = d.block;
    }
    return rows;
}

}  // namespace anml
