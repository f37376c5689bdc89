// --emit=routes: each table as prefixes, a row of nodes that share one table only once.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "analysis/network_queries.h"
#include "base/address.h"
#include "base/json.h"
#include "route/route.h"

namespace anml {
namespace {

int width(std::uint64_t bits) { return std::bit_width(bits); }
int zeros(AddressBits bits)
{
    const auto low = static_cast<std::uint64_t>(bits), high = static_cast<std::uint64_t>(bits >> 64);
    return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
}

// The least list of prefixes that covers exactly `count` addresses from `first` on.
void add_prefixes(AddressBits first, std::uint64_t count, bool ipv6, std::vector<std::string>& list)
{
    while (count > 0) {
        const int bits = std::min(first == 0 ? static_cast<int>(address_length(ipv6)) : zeros(first), width(count) - 1);
        list.push_back(format_prefix(first, address_length(ipv6) - static_cast<std::uint32_t>(bits), ipv6));
        first += AddressBits{1} << bits;
        count -= std::uint64_t{1} << bits;
    }
}

// Of nodes that have both families both, as tables know the nodes.
std::vector<std::string> prefixes(const Network& network, std::uint32_t first, std::uint32_t last)
{
    std::vector<std::string> list;
    if (first < abi::kIpv6Handles)
        add_prefixes(first, std::uint64_t{std::min(last, abi::kIpv6Handles - 1)} - first + 1, false, list);
    for (const NodeArray& row : network.nodes) {
        if (!row.has_ipv6 || row.address > last || row.address + (row.count - 1) < first) continue;
        const std::uint32_t from = std::max(row.address, first), to = std::min(row.address + (row.count - 1), last);
        add_prefixes(row.ipv6 + (from - row.address), to - from + 1, true, list);
    }
    for (const NodeArray& row : network.nodes) {
        if (row.anycast_ipv6 == 0 || row.anycast < first || row.anycast > last) continue;
        const std::string one = format_prefix(row.anycast_ipv6, 128, true);
        if (std::ranges::find(list, one) == list.end()) list.push_back(one);
    }
    return list;
}

// With several links behind a range, the row of the nodes or links stands for all: "net[3].client[*]".
std::string row_name(const std::string& name, bool is_array) { return is_array ? name + "[*]" : name; }

// Several links with their weights, over their greatest common divisor.
std::string next_hops(const Network& network, const RouteTables& routes, const abi::NextHop& hop, std::uint32_t first,
                      std::uint32_t element)
{
    std::string list;
    for (const auto& [link, weight] : weights_of(routes.forwarding(), hop, first, element)) {
        std::string to = node_name(network, link_target(network, link)), via = link_name(network, link);
        const bool many = hop.by_element != 0 || hop.by_destination != 0;
        if (many) {
            const LinkArray& group = network.links[link_row_of(network, link)];
            via = row_name(group.name, group.is_array);
        }
        if (hop.by_destination != 0) {
            const NodeArray& group = network.nodes[node_row_of(network, link_target(network, link))];
            to = row_name(group.name, group.is_array);
        }
        list += fmt::format("{}{{\"node\": {}, \"link\": {}, \"weight\": {}}}", list.empty() ? "" : ", ",
                            json_string(to), json_string(via), weight);
    }
    return list;
}

// Whatever form the table has, as ranges: its own, and between them the columns that lead somewhere.
std::vector<abi::RouteRange> ranges_of(const RouteTables& routes, const abi::RouteTable& table)
{
    const abi::Forwarding forwarding = routes.forwarding();
    std::vector<abi::RouteRange> own(routes.ranges.begin() + table.ranges.first,
                                     routes.ranges.begin() + table.ranges.first + table.ranges.count);
    if (table.hops.count == 0) return own;
    std::vector<abi::RouteRange> list;
    std::size_t next = 0;
    for (const abi::RouteColumn& column : routes.columns) {
        while (next < own.size() && own[next].last < column.first) list.push_back(own[next++]);
        for (std::uint64_t at = column.first; at <= column.last;) {
            if (next < own.size() && own[next].first <= at) {
                at = std::uint64_t{own[next].last} + 1;
                list.push_back(own[next++]);
                continue;
            }
            const auto begin = static_cast<std::uint32_t>(at);
            const std::uint32_t end = next < own.size() ? std::min(column.last, own[next].first - 1) : column.last;
            if (const abi::NextHop* hop = abi::next_hop(forwarding, table, begin)) list.push_back({begin, end, *hop});
            at = std::uint64_t{end} + 1;
        }
    }
    list.insert(list.end(), own.begin() + static_cast<std::ptrdiff_t>(next), own.end());
    return list;
}

// Links that rise with the address may belong to several declarations: a range for each address then.
std::vector<abi::RouteRange> by_declaration(const Network& network, const std::vector<abi::RouteRange>& ranges)
{
    std::vector<abi::RouteRange> list;
    for (const abi::RouteRange& range : ranges) {
        const std::uint32_t link = range.hop.link + 2 * range.first;
        const bool one = range.hop.by_destination == 0 || range.hop.paths > 1 ||
                         link_row_of(network, link) == link_row_of(network, link + 2 * (range.last - range.first));
        if (one) {
            list.push_back(range);
            continue;
        }
        for (std::uint32_t address = range.first; address <= range.last; ++address)
            list.push_back({address, address, {range.hop.link + 2 * address, 1, 0, range.hop.by_element}});
    }
    return list;
}

std::string routes_of(const Network& network, const RouteTables& routes, const abi::RouteTable& table,
                      std::uint32_t element)
{
    std::string text;
    for (const abi::RouteRange& range : by_declaration(network, ranges_of(routes, table))) {
        const std::string hops = next_hops(network, routes, range.hop, range.first, element);
        for (const std::string& prefix : prefixes(network, range.first, range.last)) {
            text += fmt::format("{}\n      {{\"prefix\": \"{}\", \"next_hops\": [{}]}}", text.empty() ? "" : ",",
                                prefix, hops);
        }
    }
    return text;
}

// The routers and links of a list, from the row of its first segment on.
std::string list_of(const Network& network, const RouteTables& routes, std::uint32_t segment)
{
    std::string list;
    for (; segment != 0; segment = routes.segments[segment].next) {
        const abi::SegmentRow& row = routes.segments[segment];
        list += fmt::format(
            "{}{}", list.empty() ? "" : ", ",
            json_string(row.link == abi::kNone ? node_name(network, row.node) : link_name(network, row.link)));
    }
    return list;
}

// What routers give packets of which sources: lists that can be followed now, none, or that they are dropped.
std::string segments_of(const Network& network, const RouteTables& routes)
{
    std::string text;
    for (const abi::SteeringRow& row : routes.steering) {
        const abi::RouteTable& table = routes.tables[row.table];
        for (std::uint32_t i = table.ranges.first; i < table.ranges.first + table.ranges.count; ++i) {
            const abi::RouteRange& range = routes.ranges[i];
            std::string lists;
            bool drop = false;
            for (const auto& [segment, weight] : weights_of(routes.forwarding(), range.hop, range.first, 0)) {
                drop = segment == abi::kDropped;
                if (segment == 0 || drop) continue;
                lists += fmt::format("{}{{\"segments\": [{}], \"weight\": {}}}", lists.empty() ? "" : ", ",
                                     list_of(network, routes, segment), weight);
            }
            const std::string sources =
                row.first_source == 0 ? "null"
                                      : fmt::format("[{}, {}]", json_string(address_text(network, row.first_source)),
                                                    json_string(address_text(network, row.last_source)));
            std::string marks;
            if (row.dscp != abi::kNone) marks += fmt::format(", \"dscp\": {}", row.dscp);
            if (row.protocol != abi::kNone)
                marks += fmt::format(", \"protocol\": \"{}\"", routed_protocol_name(row.protocol));
            if (row.port != abi::kNone) marks += fmt::format(", \"port\": {}", row.port);
            for (const std::string& prefix : prefixes(network, range.first, range.last))
                text += fmt::format(
                    "{}\n    {{\"node\": {}, \"sources\": {}{}, \"prefix\": \"{}\", \"drop\": {}, \"lists\": [{}]}}",
                    text.empty() ? "" : ",", json_string(node_name(network, row.node)), sources, marks, prefix, drop,
                    lists);
        }
    }
    return text.empty() ? "" : ", \"segments\": [" + text + "\n]";
}

}  // namespace

std::string dump_routes(const Network& network, const RouteTables& routes)
{
    const RowGraph graph(network);
    std::string text = "{\"nodes\": [";
    const char* separator = "";
    for (std::size_t row = 0; row < network.nodes.size(); ++row) {
        const NodeArray& node = network.nodes[row];
        const RowTable& place = routes.table_of_row[row];
        // Elements that are attached alike are one entry: "client", or "client[4..7]" of a row whose elements differ.
        const std::uint32_t begin = graph.first_vertex(row), end = graph.first_vertex(row + 1);
        for (std::uint32_t v = begin; v < end; ++v) {
            const RouteVertex& run = graph.vertices()[v];
            std::string name = node.name;
            if (end - begin > 1)
                name += elements_of_array(node.keys.get(), run.first, run.count, "..");
            const abi::RouteTable& table = routes.tables[place.table + run.first * place.stride];
            text += fmt::format("{}\n    {{\"name\": {}, \"count\": {}, \"routes\": [{}]}}", separator,
                                json_string(name), run.count, routes_of(network, routes, table, run.first));
            separator = ",";
        }
    }
    return text + "\n]" + segments_of(network, routes) + "}\n";
}

}  // namespace anml
