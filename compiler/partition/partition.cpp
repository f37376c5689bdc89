// Splits the endpoints off the cluster wherever the delay of their links allows it.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "partition/task_graph.h"
#include "route/network_queries.h"

namespace anml {
namespace {

constexpr double kLeastLookahead = 1;  // ns: the clock's resolution

// Rows of endpoints that must stay in the cluster.
std::vector<char> find_tied(const Network& network, std::vector<std::string>& notes)
{
    const std::vector<ValuePool::Interval> ranges = tunable_ranges(network);
    std::vector<char> tied(network.nodes.size(), 0);
    for (const LinkGroup& link : network.links) {
        double least = network.values.bounds(link.delay[0], ranges).low;
        least = std::min(least, network.values.bounds(link.delay[1], ranges).low);
        if (least >= kLeastLookahead) continue;
        for (const LinkEnd& end : link.end) {
            const NodeGroup& row = network.nodes[end.row.value];
            if (row.kind != abi::NodeKind::endpoint || tied[end.row.value]) continue;
            tied[end.row.value] = 1;
            notes.push_back(fmt::format("endpoint {} stays in the cluster: the delay of link {} can be {}", row.name,
                                        link.name, format_quantity(std::max(least, 0.0), dimension::time)));
        }
    }
    return tied;
}

}  // namespace

std::optional<TaskGraph> partition(const Network& network, const RouteTables&, Diagnostics&)
{
    TaskGraph graph;
    graph.values = network.values;
    const std::vector<char> tied = find_tied(network, graph.notes);

    std::vector<std::uint32_t> task_of_row(network.nodes.size(), 0);
    Task cluster;
    std::vector<Task> real_time;
    const auto separate = [&](std::size_t row) {
        return network.nodes[row].kind == abi::NodeKind::endpoint && !tied[row];
    };
    for (std::size_t row = 0; row < network.nodes.size(); ++row) {
        const TargetRange whole{NodeRowId(row), 0, network.nodes[row].count};
        if (!separate(row)) {
            cluster.nodes.push_back(whole);
        } else {
            real_time.push_back({TaskKind::real_time, {whole}});
        }
    }
    if (!cluster.nodes.empty()) graph.tasks.push_back(std::move(cluster));
    for (Task& task : real_time) {
        task_of_row[task.nodes[0].row.value] = static_cast<std::uint32_t>(graph.tasks.size());
        graph.tasks.push_back(std::move(task));
    }

    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> channels;  // (from, to) to its place
    for (const LinkGroup& link : network.links) {
        for (std::uint32_t direction = 0; direction < 2; ++direction) {
            const std::uint32_t from = task_of_row[link.end[direction].row.value];
            const std::uint32_t to = task_of_row[link.end[1 - direction].row.value];
            if (from == to) continue;
            const ValueExprId delay = link.delay[direction];
            const auto [at, fresh] = channels.try_emplace({from, to}, graph.channels.size());
            if (fresh) graph.channels.push_back({from, to, delay, {}});
            Channel& channel = graph.channels[at->second];
            if (channel.lookahead != delay)
                channel.lookahead = graph.values.make(ValueOp::min, channel.lookahead, delay);
            for (std::uint32_t element = 0; element < link.count; ++element) {
                channel.links.push_back(link.first_link + 2 * element + direction);
            }
        }
    }
    return graph;
}

}  // namespace anml
