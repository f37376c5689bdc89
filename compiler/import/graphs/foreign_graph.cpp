// Building a foreign graph within bounds.
#include "import/graphs/foreign_graph.h"

#include <fmt/format.h>

#include <algorithm>

namespace anml {

std::string_view graph_format_name(GraphFormat format)
{
    switch (format) {
        case GraphFormat::graphml:
            return "GraphML";
        case GraphFormat::gml:
            return "GML";
        case GraphFormat::json:
            return "node-link JSON";
        case GraphFormat::dot:
            return "DOT";
        case GraphFormat::caida:
            return "AS relationships";
        case GraphFormat::har:
            return "HAR";
        case GraphFormat::openapi:
            return "OpenAPI";
        case GraphFormat::containerlab:
            return "containerlab YAML";
        case GraphFormat::netlab:
            return "netlab YAML";
        case GraphFormat::mahimahi:
            return "Mahimahi trace";
    }
    return "";
}

const ForeignAttribute* ForeignGraph::find(const ForeignAttributes& list, std::string_view name) const
{
    for (const ForeignAttribute& attribute : list)
        if (names[attribute.name] == name) return &attribute;
    return nullptr;
}

bool GraphBuilder::fail(std::size_t offset, std::string message, std::string help)
{
    if (failed_) return false;
    failed_ = true;
    auto report =
        diagnostics_.report(Diag::malformed_graph, graph_.span(static_cast<std::uint32_t>(offset)), std::move(message));
    if (!help.empty()) report.help(std::move(help));
    return false;
}

std::optional<std::uint32_t> GraphBuilder::find(std::string_view id) const
{
    const auto it = by_id_.find(id);
    return it == by_id_.end() ? std::nullopt : std::optional(it->second);
}

bool GraphBuilder::node(std::string_view id, std::size_t offset, std::uint32_t& index)
{
    if (id.size() > kLongestGraphValue) return fail(offset, "the id of a node is longer than 4096 bytes");
    if (const auto known = find(id)) {
        index = *known;
        return true;
    }
    if (graph_.nodes.size() == kMostGraphNodes)
        return fail(offset, fmt::format("the graph has more than {} nodes", kMostGraphNodes));
    index = static_cast<std::uint32_t>(graph_.nodes.size());
    graph_.nodes.push_back({std::string(id), {}, static_cast<std::uint32_t>(offset), false});
    by_id_.emplace(id, index);
    return true;
}

bool GraphBuilder::declare(std::string_view id, std::size_t offset, std::uint32_t& index)
{
    if (!node(id, offset, index)) return false;
    ForeignNode& found = graph_.nodes[index];
    if (found.declared) leave_out("earlier declarations of nodes that are declared again");
    found.declared = true;
    found.offset = static_cast<std::uint32_t>(offset);
    return true;
}

bool GraphBuilder::edge(std::string_view from, std::string_view to, bool directed, std::size_t offset,
                        std::uint32_t& index)
{
    ForeignEdge edge;
    if (!node(from, offset, edge.from) || !node(to, offset, edge.to)) return false;
    const std::size_t most = graph_.format == GraphFormat::caida ? kMostRelations : kMostGraphEdges;
    if (graph_.edges.size() == most) return fail(offset, fmt::format("the graph has more than {} edges", most));
    edge.directed = directed;
    edge.offset = static_cast<std::uint32_t>(offset);
    index = static_cast<std::uint32_t>(graph_.edges.size());
    graph_.edges.push_back(std::move(edge));
    return true;
}

bool GraphBuilder::set(ForeignAttributes& attributes, std::string_view name, ForeignKind kind, std::string_view value,
                       std::size_t offset)
{
    if (++values_ > kMostGraphValues)
        return fail(offset, fmt::format("the graph has more than {} attributes", kMostGraphValues));
    name = name.substr(0, kLongestGraphValue);
    auto index = name_index_.find(name);
    if (index == name_index_.end()) {
        index = name_index_.emplace(name, static_cast<std::uint32_t>(graph_.names.size())).first;
        graph_.names.emplace_back(name);
    }
    value = value.substr(0, &attributes == &graph_.attributes ? kLongestGraphText : kLongestGraphValue);
    const auto same = std::find_if(attributes.begin(), attributes.end(),
                                   [&](const ForeignAttribute& a) { return a.name == index->second; });
    if (attributes.size() == kMostGraphAttributes)
        return fail(offset, fmt::format("this has more than {} attributes", kMostGraphAttributes));
    if (same != attributes.end()) {  // the last one counts, as in NetworkX
        same->kind = kind;
        same->value = value;
        same->offset = static_cast<std::uint32_t>(offset);
    } else {
        attributes.push_back({index->second, kind, std::string(value), static_cast<std::uint32_t>(offset)});
    }
    return true;
}

}  // namespace anml
