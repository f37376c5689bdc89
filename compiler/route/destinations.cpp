#include "route/destinations.h"

#include "route/network_queries.h"

namespace anml {

Destinations::Destinations(const Network& network, const RowGraph& graph, const HangingTrees& trees)
    : number(graph.vertices().size(), kNone)
{
    std::vector<std::uint32_t> column(graph.vertices().size(), kNone);
    const std::vector<AddressRun> runs = assigned_addresses(network);
    std::size_t run = 0;
    for (const std::uint32_t v : route_destinations(network, graph)) {
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
