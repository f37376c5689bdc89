// Following the tables, as the runtime's nodes do.
#include <algorithm>
#include <utility>

#include "queries/network_queries.h"
#include "queries/route_tables.h"

namespace anml {

std::vector<WeightedLink> weights_of(const abi::Forwarding& forwarding, const abi::NextHop& hop,
                                     std::uint32_t destination, std::uint32_t element)
{
    std::vector<WeightedLink> links;
    for (std::uint32_t path = 0; path < hop.paths; ++path) {
        const std::uint32_t link = abi::link_of(forwarding, hop, destination, element, path);
        if (!links.empty() && links.back().link == link)
            ++links.back().weight;
        else
            links.push_back({link, 1});
    }
    return links;
}

std::vector<WeightedLink> lookup_weights(const Network& network, const RouteTables& routes, std::uint32_t node,
                                         std::uint32_t address, const RouteState* state)
{
    const std::size_t row = node_row_of(network, node);
    const std::uint32_t element = node - network.nodes[row].first_node;
    const RowTable& place = routes.table_of_row[row];
    abi::Forwarding forwarding = routes.forwarding();
    if (state && !state->codes.empty()) forwarding.codes = state->codes.data();
    const std::vector<abi::RouteTable>& all = state ? state->tables : routes.tables;
    const abi::NextHop* hop = abi::next_hop(forwarding, all[place.table + element * place.stride], address);
    return hop ? weights_of(forwarding, *hop, address, element) : std::vector<WeightedLink>{};
}

std::vector<std::uint32_t> lookup_routes(const Network& network, const RouteTables& routes, std::uint32_t node,
                                         std::uint32_t address, const RouteState* state)
{
    std::vector<std::uint32_t> links;
    for (const WeightedLink& hop : lookup_weights(network, routes, node, address, state)) links.push_back(hop.link);
    return links;
}

bool trace_paths(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to,
                 std::vector<std::vector<PathLink>>& steps, const RouteState* state)
{
    steps.clear();
    const NodeGroup& row = network.nodes[node_row_of(network, to)];
    if (row.address == 0) return false;
    const std::uint32_t address = row.address + (to - row.first_node);
    const std::vector<char>& down = state ? state->down : routes.down;
    struct Reached {
        std::uint32_t node;
        double share;
    };
    std::vector<Reached> at{{from, 1}};
    while (at.front().node != to) {
        std::vector<PathLink> step;
        std::vector<Reached> next;
        for (const Reached& reached : at) {
            const std::vector<WeightedLink> links = lookup_weights(network, routes, reached.node, address, state);
            double weights = 0;
            for (const WeightedLink& hop : links) weights += hop.weight;
            // A path never visits a node twice; a longer one is a loop, which verify_routes reports.
            if (links.empty() || steps.size() >= network.node_count) return steps.clear(), false;
            for (const auto& [link, weight] : links) {
                if (link >= network.directed_links || link_source(network, link) != reached.node)
                    return steps.clear(), false;
                if (!down.empty() && down[link] != 0) return steps.clear(), false;
                const double share = reached.share * weight / weights;
                step.push_back({link, share});
                next.push_back({link_target(network, link), share});
            }
        }
        // Paths of different lengths are as broken as loops, but while routes change.
        const auto arrived = std::count_if(next.begin(), next.end(), [&](const Reached& r) { return r.node == to; });
        if (arrived != 0 && arrived != static_cast<std::ptrdiff_t>(next.size())) {
            if (!state || state->settled) return steps.clear(), false;
            std::erase_if(next, [&](const Reached& r) { return r.node == to; });
        }
        std::sort(step.begin(), step.end(), [](const PathLink& a, const PathLink& b) { return a.link < b.link; });
        steps.push_back(std::move(step));
        std::sort(next.begin(), next.end(), [](const Reached& a, const Reached& b) {
            return std::pair(a.node, a.share) < std::pair(b.node, b.share);
        });
        at.clear();
        for (const Reached& reached : next) {
            if (!at.empty() && at.back().node == reached.node) {
                at.back().share += reached.share;
            } else {
                at.push_back(reached);
            }
        }
    }
    return true;
}

}  // namespace anml
