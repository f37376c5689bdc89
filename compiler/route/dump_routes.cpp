// --emit=routes: each table as prefixes, a row of nodes that share one table only once.
#include <fmt/format.h>

#include <bit>

#include "base/json.h"
#include "route/network_queries.h"
#include "route/route_tables.h"

namespace anml {
namespace {

std::string dotted(std::uint32_t a)
{
    return fmt::format("{}.{}.{}.{}", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255);
}

// The least list of prefixes that covers exactly [first, last].
std::vector<std::string> prefixes(std::uint32_t first, std::uint32_t last)
{
    std::vector<std::string> list;
    for (std::uint64_t at = first; at <= last;) {
        const int aligned = at == 0 ? 32 : std::countr_zero(at);
        const int fitting = std::bit_width(std::uint64_t{last} - at + 1) - 1;
        const int bits = std::min(aligned, fitting);
        list.push_back(fmt::format("{}/{}", dotted(static_cast<std::uint32_t>(at)), 32 - bits));
        at += std::uint64_t{1} << bits;
    }
    return list;
}

// With several links behind a range, the row of the nodes or links stands for all: "net[3].client[*]".
std::string row_name(const std::string& name, bool is_array) { return is_array ? name + "[*]" : name; }

std::string next_hop(const Network& network, const abi::RouteRange& range, std::uint32_t element)
{
    const std::uint32_t link = range.link + element * range.by_element;
    std::string to = node_name(network, link_target(network, link)), via = link_name(network, link);
    const bool many = range.by_element != 0 || range.by_destination != 0;
    if (many) {
        const LinkGroup& group = network.links[link_row_of(network, link)];
        via = row_name(group.name, group.is_array);
    }
    if (range.by_destination != 0) {
        const NodeGroup& group = network.nodes[node_row_of(network, link_target(network, link))];
        to = row_name(group.name, group.is_array);
    }
    return fmt::format("{{\"node\": {}, \"link\": {}, \"weight\": 1}}", json_string(to), json_string(via));
}

std::string routes_of(const Network& network, const RouteTables& routes, const abi::Slice& table, std::uint32_t element)
{
    std::string text;
    for (std::uint32_t i = table.first; i < table.first + table.count; ++i) {
        const std::string hop = next_hop(network, routes.ranges[i], element);
        for (const std::string& prefix : prefixes(routes.ranges[i].first, routes.ranges[i].last)) {
            text += fmt::format("{}\n      {{\"prefix\": \"{}\", \"next_hops\": [{}]}}", text.empty() ? "" : ",",
                                prefix, hop);
        }
    }
    return text;
}

}  // namespace

std::string dump_routes(const Network& network, const RouteTables& routes)
{
    const RowGraph graph(network);
    std::string text = "{\"nodes\": [";
    const char* separator = "";
    for (std::size_t row = 0; row < network.nodes.size(); ++row) {
        const NodeGroup& node = network.nodes[row];
        const RowTable& place = routes.table_of_row[row];
        // Elements that are attached alike are one entry: "client", or "client[4..7]" of a row whose elements differ.
        const std::uint32_t begin = graph.first_vertex(row), end = graph.first_vertex(row + 1);
        for (std::uint32_t v = begin; v < end; ++v) {
            const RouteVertex& run = graph.vertices()[v];
            std::string name = node.name;
            if (end - begin > 1)
                name += run.count == 1 ? fmt::format("[{}]", run.first)
                                       : fmt::format("[{}..{}]", run.first, run.first + run.count - 1);
            const abi::Slice& table = routes.tables[place.table + run.first * place.stride];
            text += fmt::format("{}\n    {{\"name\": {}, \"count\": {}, \"routes\": [{}]}}", separator,
                                json_string(name), run.count, routes_of(network, routes, table, run.first));
            separator = ",";
        }
    }
    return text + "\n]}\n";
}

}  // namespace anml
