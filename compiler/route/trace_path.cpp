// Following the tables, as the runtime's nodes do.
#include <algorithm>

#include "route/network_queries.h"
#include "route/route_tables.h"

namespace anml {

std::uint32_t lookup_route(const Network& network, const RouteTables& routes, std::uint32_t node, std::uint32_t address)
{
    const std::size_t row = node_row_of(network, node);
    const std::uint32_t element = node - network.nodes[row].first_node;
    const RowTable& place = routes.table_of_row[row];
    const abi::Slice& table = routes.tables[place.table + element * place.stride];
    const auto begin = routes.ranges.begin() + table.first, end = begin + table.count;
    const auto range =
        std::lower_bound(begin, end, address, [](const abi::RouteRange& r, std::uint32_t a) { return r.last < a; });
    if (range == end || address < range->first) return abi::kNone;
    return range->link + (address - range->first) * range->by_destination + element * range->by_element;
}

bool trace_path(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to,
                std::vector<std::uint32_t>& links)
{
    links.clear();
    const NodeGroup& row = network.nodes[node_row_of(network, to)];
    if (row.address == 0) return false;
    const std::uint32_t address = row.address + (to - row.first_node);
    for (std::uint32_t at = from; at != to;) {
        const std::uint32_t link = lookup_route(network, routes, at, address);
        // A path never visits a node twice; a longer one is a loop, which verify_routes reports.
        if (link >= network.directed_links || links.size() >= network.node_count || link_source(network, link) != at) {
            links.clear();
            return false;
        }
        links.push_back(link);
        at = link_target(network, link);
    }
    return true;
}

}  // namespace anml
