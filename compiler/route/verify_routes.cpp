// What must hold of forwarding tables: well formed, no address routed that nobody has, and every walk that starts ends.
#include <fmt/format.h>

#include <algorithm>

#include "route/network_queries.h"
#include "route/route_tables.h"

namespace anml {
namespace {

struct AddressRun {
    std::uint32_t first, last;
};

// All addresses of the network, as maximal runs.
std::vector<AddressRun> assigned(const Network& network)
{
    std::vector<AddressRun> runs, merged;
    for (const NodeGroup& row : network.nodes) {
        if (row.address != 0) runs.push_back({row.address, row.address + row.count - 1});
    }
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

std::string check_shape(const Network& network, const RouteTables& routes)
{
    if (routes.table_of_row.size() != network.nodes.size()) return "not every row has a table";
    const std::vector<AddressRun> runs = assigned(network);
    for (std::size_t row = 0; row < network.nodes.size(); ++row) {
        const NodeGroup& node = network.nodes[row];
        const RowTable& place = routes.table_of_row[row];
        if (place.table + (node.count - 1) * place.stride >= routes.tables.size())
            return fmt::format("{}: table out of bounds", node.name);
        for (std::uint32_t element = 0; element < node.count; element += place.stride != 0 ? 1 : node.count) {
            const abi::Slice& table = routes.tables[place.table + element * place.stride];
            if (std::size_t{table.first} + table.count > routes.ranges.size())
                return fmt::format("{}: ranges out of bounds", node.name);
            for (std::uint32_t i = table.first; i < table.first + table.count; ++i) {
                const abi::RouteRange& r = routes.ranges[i];
                if (r.last < r.first || (i > table.first && routes.ranges[i - 1].last >= r.first)) {
                    return fmt::format("{}: ranges overlap or are out of order", node.name);
                }
                const bool known = std::any_of(runs.begin(), runs.end(), [&](const AddressRun& run) {
                    return run.first <= r.first && r.last <= run.last;
                });
                if (!known) return fmt::format("{}: a route covers addresses that no node has", node.name);
                if (r.by_destination > 2 || r.by_destination == 1 || r.by_element > 2 || r.by_element == 1) {
                    return fmt::format("{}: strides are 0 or 2", node.name);
                }
            }
        }
    }
    return "";
}

// A walk may find no route at its first node, never later.
std::string check_walk(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to)
{
    const NodeGroup& target = network.nodes[node_row_of(network, to)];
    if (from == to || lookup_route(network, routes, from, target.address + (to - target.first_node)) == abi::kNone)
        return "";
    std::vector<std::uint32_t> links;
    if (trace_path(network, routes, from, to, links)) return "";
    return fmt::format("the walk from {} to {} does not arrive", node_name(network, from), node_name(network, to));
}

}  // namespace

std::string verify_routes(const Network& network, const RouteTables& routes)
{
    if (std::string broken = check_shape(network, routes); !broken.empty()) return broken;
    // Every row with every row, each by its first and last element; of very many rows, an even sample as sources.
    constexpr std::size_t kMostSources = 256;
    const std::size_t step = 1 + network.nodes.size() / kMostSources;
    for (std::size_t row = 0; row < network.nodes.size(); row += step) {
        const NodeGroup& source = network.nodes[row];
        for (const NodeGroup& target : network.nodes) {
            if (target.address == 0) continue;
            for (const std::uint32_t from : {0u, source.count - 1}) {
                for (const std::uint32_t to : {0u, target.count - 1}) {
                    std::string broken = check_walk(network, routes, source.first_node + from, target.first_node + to);
                    if (!broken.empty()) return broken;
                }
            }
        }
    }
    return "";
}

}  // namespace anml
