// Every node is in one task, every link between tasks in the one channel that joins them, and every lookahead positive
// and no longer than the delays that it stands for.
#include <fmt/format.h>

#include <map>

#include "analysis/network_queries.h"
#include "analysis/tasks/task_graph_walk.h"
#include "partition/partition.h"
#include "partition/pieces.h"

namespace anml {
namespace {

std::string check_nodes(const Network& network, const TaskGraph& graph, const TaskMap& map)
{
    std::uint32_t next = 0;
    for (const abi::TaskRow& run : map.runs()) {
        if (run.first_node != next) {
            return fmt::format("node {} is in no task or in two", std::min(run.first_node, next));
        }
        next += run.count;
    }
    if (next != network.node_count) return "the tasks do not hold every node";
    std::vector<char> held(network.endpoints.size(), 0);
    for (std::uint32_t task = 0; task < graph.tasks.size(); ++task) {
        if (graph.tasks[task].nodes.empty()) return fmt::format("task {} has no node", task);
        for (const std::uint32_t endpoint : graph.tasks[task].endpoints) {
            const std::uint32_t node = network.nodes[network.endpoints[endpoint].node.value].first_node;
            if (map.run_of(node).task != task || held[endpoint])
                return fmt::format("endpoint {} is in another task", network.endpoints[endpoint].name);
            held[endpoint] = 1;
        }
    }
    for (std::size_t i = 0; i < held.size(); ++i)
        if (!held[i]) return fmt::format("no task says that it carries endpoint {}", network.endpoints[i].name);
    return "";
}

}  // namespace

std::string verify_tasks(const Network& network, const TaskGraph& graph)
{
    const TaskMap map(network, graph.tasks);
    if (std::string broken = check_nodes(network, graph, map); !broken.empty()) return broken;

    const std::vector<ValuePool::Interval> ranges = tunable_ranges(network);
    const std::vector<double> defaults = default_tunables(network);
    std::map<std::pair<std::uint32_t, std::uint32_t>, const Channel*> channels;
    std::uint64_t carried = 0;
    for (const Channel& channel : graph.channels) {
        if (channel.from == channel.to || channel.from >= graph.tasks.size() || channel.to >= graph.tasks.size()) {
            return "a channel does not join two tasks";
        }
        if (!(graph.values.bounds(channel.lookahead, ranges).low >= kLeastLookahead)) {
            return fmt::format("the channel from task {} to {} can have no lookahead", channel.from, channel.to);
        }
        if (!channels.try_emplace({channel.from, channel.to}, &channel).second) {
            return fmt::format("two channels run from task {} to {}", channel.from, channel.to);
        }
        for (const LinkRange& range : channel.links) carried += range.count;
    }

    std::string broken;
    std::uint64_t crossing = 0;
    for (std::uint32_t row = 0; row < network.links.size(); ++row) {
        const LinkArray& link = network.links[row];
        map.each_run(network, link, [&](std::uint32_t first, std::uint32_t count, std::uint32_t a, std::uint32_t b) {
            if (a == b) return;
            const std::uint32_t directions = link.one_way ? 1 : 2;
            crossing += directions * std::uint64_t{count};
            for (std::uint32_t direction = 0; direction < directions; ++direction) {
                const auto at = channels.find(direction == 0 ? std::pair(a, b) : std::pair(b, a));
                const auto within = [&](const LinkRange& range) {
                    return range.row == row && range.direction == direction && range.first <= first &&
                           first + count <= range.first + range.count;
                };
                const auto less = [&](const LinkRange& range, std::pair<std::uint32_t, std::uint32_t> place) {
                    return std::pair(range.row, range.first + range.count - 1) < place;
                };
                if (at == channels.end()) {
                    broken = fmt::format("link {} runs between tasks without a channel", link.name);
                    return;
                }
                const std::vector<LinkRange>& links = at->second->links;
                auto range = std::lower_bound(links.begin(), links.end(), std::pair(row, first), less);
                while (range != links.end() && range->row == row && !within(*range)) ++range;
                if (range == links.end() || !within(*range)) {
                    broken = fmt::format("link {} is not in the channel of its tasks", link.name);
                } else if (graph.values.evaluate(at->second->lookahead, defaults) >
                           network.values.evaluate(link.delay[direction], defaults))
                {
                    broken = fmt::format("the delay of link {} is less than its channel's lookahead", link.name);
                }
            }
        });
        if (!broken.empty()) return broken;
    }
    // Every crossing link is in its channel; as many as there are in all: nothing else is in one.
    if (carried != crossing) return "a channel carries a link twice, or one that does not join its tasks";
    return "";
}

}  // namespace anml
