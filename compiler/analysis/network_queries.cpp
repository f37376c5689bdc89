// Answers from the rows: every dense id is found by binary search in the rows' first ids.
#include "analysis/network_queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace anml {

std::uint32_t first_address(const Network& network, const RouteVertex& vertex)
{
    return vertex.anycast != 0 ? vertex.anycast : network.nodes[vertex.row.value].address + vertex.first;
}

std::uint32_t last_address(const Network& network, const RouteVertex& vertex)
{
    return first_address(network, vertex) + vertex.count - 1;
}

std::vector<AddressRun> assigned_addresses(const Network& network)
{
    std::vector<AddressRun> runs, merged;
    for (const NodeArray& row : network.nodes) {
        if (row.address != 0) runs.push_back({row.address, row.address + row.count - 1});
    }
    for (const AnycastGroup& group : anycast_groups(network)) runs.push_back({group.address, group.address});
    std::sort(runs.begin(), runs.end(), [](const AddressRun& a, const AddressRun& b) { return a.first < b.first; });
    for (const AddressRun& run : runs) {
        if (!merged.empty() && merged.back().last + 1 == run.first) {
            merged.back().last = run.last;
        } else {
            merged.push_back(run);
        }
    }
    return merged;
}

std::vector<AnycastGroup> anycast_groups(const Network& network)
{
    std::map<std::uint32_t, std::vector<std::uint32_t>> rows;
    for (std::uint32_t row = 0; row < network.nodes.size(); ++row)
        if (network.nodes[row].anycast != 0) rows[network.nodes[row].anycast].push_back(row);
    std::vector<AnycastGroup> groups;
    for (auto& [address, of] : rows) groups.push_back({address, std::move(of)});
    return groups;
}

EdgeWeights edge_weights(const Network& network, const RowGraph& graph, const RoutingDomains& domains,
                         const std::vector<double>& tunables)
{
    EdgeWeights weights(graph.edges().size(), 0);
    std::vector<std::int64_t> delays;
    for (std::uint32_t e = 0; e < weights.size(); ++e) {
        const std::uint32_t lane = graph.edges()[e].lane;
        switch (domains.metric(e)) {
            case RouteMetric::hops:
                weights[e] = !domains.plain() && domains.roles()[e] == LinkRole::inside ? 1 : 0;
                break;
            case RouteMetric::cost:
                weights[e] = cost_weight(network.links[lane / 2].cost[lane % 2]);
                break;
            case RouteMetric::delay:
                if (delays.empty()) delays = lane_weights(network, tunables);
                weights[e] = delays[lane];
                break;
        }
    }
    return weights;
}

std::int64_t cost_weight(double cost) { return std::llround(cost * 1000); }

std::vector<std::vector<ValueExprId>> timeline_delays(const Network& network)
{
    std::vector<std::vector<ValueExprId>> delays(network.links.size());
    for (const TimelineInfo& t : network.timeline) {
        if (t.attribute != abi::TimelineAttribute::delay) continue;
        for (const LinkSlice& links : t.links) {
            std::vector<ValueExprId>& list = delays[links.row.value];
            list.insert(list.end(), {t.value, t.value_to});
        }
    }
    return delays;
}

std::vector<std::int64_t> lane_weights(const Network& network, const std::vector<double>& tunables)
{
    std::vector<std::int64_t> weights;
    weights.reserve(2 * network.links.size());
    for (const LinkArray& link : network.links) {
        for (const ValueExprId delay : link.delay) {
            weights.push_back(std::max<std::int64_t>(0, std::llround(network.values.evaluate(delay, tunables))));
        }
    }
    return weights;
}

std::vector<double> default_tunables(const Network& network)
{
    std::vector<double> values;
    for (const TunableInfo& tunable : network.tunables) values.push_back(tunable.value);
    return values;
}

double mean_of(const Network& network, std::uint32_t record, std::string_view attribute,
               const std::vector<double>& tunables)
{
    const RecordValue* value = find_value(network.records[record], attribute);
    if (!value) return 0;
    if (const auto* drawn = std::get_if<DistributionValue>(value)) return mean_of(network, *drawn, tunables);
    return network.values.evaluate(std::get<ValueExprId>(*value), tunables);
}

bool chooses(const Network& network, std::uint32_t record, std::string_view attribute, std::uint32_t ordinal)
{
    const RecordValue* value = find_value(network.records[record], attribute);
    const auto* choice = value ? std::get_if<RecordChoice>(value) : nullptr;
    return choice && choice->ordinal == ordinal;
}

std::vector<ValuePool::Interval> tunable_ranges(const Network& network)
{
    std::vector<ValuePool::Interval> ranges;
    for (const TunableInfo& tunable : network.tunables) ranges.push_back({tunable.minimum, tunable.maximum});
    return ranges;
}

std::size_t node_row_of(const Network& network, std::uint32_t node)
{
    const auto after = std::upper_bound(network.nodes.begin(), network.nodes.end(), node,
                                        [](std::uint32_t id, const NodeArray& row) { return id < row.first_node; });
    return static_cast<std::size_t>(after - network.nodes.begin() - 1);
}

std::uint32_t tcp_of(const Network& network, std::uint32_t node)
{
    return network.nodes[node_row_of(network, node)].tcp;
}

std::size_t link_row_of(const Network& network, std::uint32_t link)
{
    const auto after = std::upper_bound(network.links.begin(), network.links.end(), link,
                                        [](std::uint32_t id, const LinkArray& row) { return id < row.first_link; });
    return static_cast<std::size_t>(after - network.links.begin() - 1);
}

LinkNodes link_nodes(const Network& network, std::uint32_t link)
{
    const LinkArray& row = network.links[link_row_of(network, link)];
    const std::uint32_t element = (link - row.first_link) / 2, from = (link - row.first_link) % 2;
    const auto node = [&](const LinkEnd& end) {
        return network.nodes[end.row.value].first_node + end.first + element * end.stride;
    };
    return {node(row.end[from]), node(row.end[1 - from])};
}

std::uint32_t link_source(const Network& network, std::uint32_t link) { return link_nodes(network, link).source; }
std::uint32_t link_target(const Network& network, std::uint32_t link) { return link_nodes(network, link).target; }

std::string node_name(const Network& network, std::uint32_t node)
{
    const NodeArray& row = network.nodes[node_row_of(network, node)];
    return row.element_name(node - row.first_node);
}

std::string link_name(const Network& network, std::uint32_t link)
{
    const LinkArray& row = network.links[link_row_of(network, link)];
    return row.element_name((link - row.first_link) / 2);
}

}  // namespace anml
