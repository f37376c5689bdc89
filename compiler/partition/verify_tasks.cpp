// Every node is in one task, every link between tasks in the one channel that joins them, and every lookahead positive.
#include <fmt/format.h>

#include <algorithm>

#include "partition/task_graph.h"
#include "route/network_queries.h"

namespace anml {
namespace {

struct Piece {
    std::uint32_t first, count, task;  // node ids
};

std::uint32_t task_of(const std::vector<Piece>& pieces, std::uint32_t node)
{
    const auto after = std::upper_bound(pieces.begin(), pieces.end(), node,
                                        [](std::uint32_t id, const Piece& p) { return id < p.first; });
    return (after - 1)->task;
}

}  // namespace

std::string verify_tasks(const Network& network, const TaskGraph& graph)
{
    std::vector<Piece> pieces;
    for (std::uint32_t task = 0; task < graph.tasks.size(); ++task) {
        for (const TargetRange& range : graph.tasks[task].nodes) {
            pieces.push_back({network.nodes[range.row.value].first_node + range.first, range.count, task});
        }
    }
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
    std::uint32_t next = 0;
    for (const Piece& piece : pieces) {
        if (piece.first != next) return fmt::format("node {} is in no task or in two", std::min(piece.first, next));
        next += piece.count;
    }
    if (next != network.node_count) return "the tasks do not hold every node";

    const std::vector<ValuePool::Interval> ranges = tunable_ranges(network);
    std::vector<char> carried(network.directed_links, 0);
    for (const Channel& channel : graph.channels) {
        if (channel.from == channel.to || channel.from >= graph.tasks.size() || channel.to >= graph.tasks.size()) {
            return "a channel does not join two tasks";
        }
        if (!(graph.values.bounds(channel.lookahead, ranges).low > 0)) {
            return fmt::format("the channel from task {} to {} can have no lookahead", channel.from, channel.to);
        }
        for (const std::uint32_t link : channel.links) {
            const bool joins = link < network.directed_links &&
                               task_of(pieces, link_source(network, link)) == channel.from &&
                               task_of(pieces, link_target(network, link)) == channel.to;
            if (!joins || carried[link]) return fmt::format("directed link {} is in the wrong channel or in two", link);
            carried[link] = 1;
        }
    }
    for (std::uint32_t link = 0; link < network.directed_links; ++link) {
        const bool crosses = task_of(pieces, link_source(network, link)) != task_of(pieces, link_target(network, link));
        if (crosses && !carried[link])
            return fmt::format("directed link {} runs between tasks without a channel", link);
    }
    return "";
}

}  // namespace anml
