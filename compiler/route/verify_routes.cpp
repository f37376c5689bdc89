// What must hold of forwarding tables: well formed, no address routed that nobody has, and every walk that starts ends.
#include <fmt/format.h>

#include <algorithm>

#include "route/network_queries.h"
#include "route/route_tables.h"

namespace anml {
namespace {

constexpr const char* kUnsound = "a next hop has no link, or other strides than 0 and 2";

bool sound(const RouteTables& routes, const abi::NextHop& hop)
{
    if ((hop.by_destination | hop.by_element | 2) != 2 || hop.paths == 0) return false;
    return hop.paths == 1 || std::size_t{hop.link} + hop.paths <= routes.alternatives.size();
}

bool assigned(const std::vector<AddressRun>& runs, std::uint32_t first, std::uint32_t last)
{
    const auto after =
        std::upper_bound(runs.begin(), runs.end(), first,
                         [](std::uint32_t address, const AddressRun& run) { return address < run.first; });
    return after != runs.begin() && last <= (after - 1)->last;
}

std::string check_shape(const Network& network, const RouteTables& routes)
{
    if (routes.table_of_row.size() != network.nodes.size()) return "not every row has a table";
    const std::vector<AddressRun> runs = assigned_addresses(network);
    std::size_t columns = 0;
    for (std::size_t i = 0; i < routes.columns.size(); ++i) {
        const abi::RouteColumn& column = routes.columns[i];
        columns = std::max<std::size_t>(columns, column.column + 1);
        if (column.last < column.first || (i > 0 && routes.columns[i - 1].last >= column.first))
            return "columns overlap or are out of order";
        if (!assigned(runs, column.first, column.last)) return "a column covers addresses that no node has";
    }
    for (std::size_t row = 0; row < network.nodes.size(); ++row) {
        const NodeGroup& node = network.nodes[row];
        const RowTable& place = routes.table_of_row[row];
        if (place.table + (node.count - 1) * place.stride >= routes.tables.size())
            return fmt::format("{}: table out of bounds", node.name);
        for (std::uint32_t element = 0; element < node.count; element += place.stride != 0 ? 1 : node.count) {
            const abi::RouteTable& table = routes.tables[place.table + element * place.stride];
            if (std::size_t{table.ranges.first} + table.ranges.count > routes.ranges.size() ||
                std::size_t{table.hops.first} + table.hops.count > routes.hops.size())
                return fmt::format("{}: ranges or next hops out of bounds", node.name);
            const std::size_t codes = table.bits == 0 ? 0 : (columns * table.bits + 7) / 8 + abi::kCodePadding;
            if (table.bits > 32 || table.first_code + codes > routes.codes.size())
                return fmt::format("{}: codes out of bounds", node.name);
            for (std::uint32_t column = 0; table.bits != 0 && column < columns; ++column) {
                if (abi::code_at(routes.codes.data() + table.first_code, column, table.bits) > table.hops.count)
                    return fmt::format("{}: a code stands for no next hop", node.name);
            }
            for (std::uint32_t i = 0; i < table.hops.count; ++i) {
                if (!sound(routes, routes.hops[table.hops.first + i]))
                    return fmt::format("{}: {}", node.name, kUnsound);
            }
            for (std::uint32_t i = table.ranges.first; i < table.ranges.first + table.ranges.count; ++i) {
                const abi::RouteRange& r = routes.ranges[i];
                if (r.last < r.first || (i > table.ranges.first && routes.ranges[i - 1].last >= r.first))
                    return fmt::format("{}: ranges overlap or are out of order", node.name);
                if (!assigned(runs, r.first, r.last))
                    return fmt::format("{}: a route covers addresses that no node has", node.name);
                if (!sound(routes, r.hop)) return fmt::format("{}: {}", node.name, kUnsound);
            }
        }
    }
    return "";
}

// A walk may find no route at its first node, never later. Where links go one way, what hangs on the core may send into
// it what finds no route there.
std::string check_walk(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to)
{
    const NodeGroup& target = network.nodes[node_row_of(network, to)];
    if (from == to || lookup_routes(network, routes, from, target.address + (to - target.first_node)).empty())
        return "";
    std::vector<std::vector<PathLink>> steps;
    if (trace_paths(network, routes, from, to, steps)) return "";
    if (std::any_of(network.links.begin(), network.links.end(), [](const LinkGroup& l) { return l.one_way; }))
        return "";
    return fmt::format("the walk from {} to {} does not arrive", node_name(network, from), node_name(network, to));
}

}  // namespace

std::string verify_routes(const Network& network, const RouteTables& routes)
{
    if (std::string broken = check_shape(network, routes); !broken.empty()) return broken;
    // Every row to every destination, each by its first and last element; of very many an even sample.
    constexpr std::size_t kMostSources = 256, kMostWalks = 1'000'000;
    const RowGraph graph(network);
    const std::vector<std::uint32_t> destinations = route_destinations(network, graph);
    const std::size_t step = 1 + network.nodes.size() / kMostSources;
    const std::size_t stride = 1 + network.nodes.size() / step * destinations.size() / kMostWalks;
    for (std::size_t row = 0; row < network.nodes.size(); row += step) {
        const NodeGroup& source = network.nodes[row];
        for (std::size_t i = 0; i < destinations.size(); i += stride) {
            const RouteVertex& target = graph.vertices()[destinations[i]];
            const std::uint32_t first = network.nodes[target.row.value].first_node + target.first;
            for (const std::uint32_t from : {0u, source.count - 1}) {
                for (const std::uint32_t to : {0u, target.count - 1}) {
                    std::string broken = check_walk(network, routes, source.first_node + from, first + to);
                    if (!broken.empty()) return broken;
                }
            }
        }
    }
    return "";
}

}  // namespace anml
