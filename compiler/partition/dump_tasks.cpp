// --emit=tasks: tasks with their nodes, channels with their lookahead at the tunables' defaults and at its least.
#include <fmt/format.h>

#include "base/json.h"
#include "partition/task_graph.h"
#include "route/network_queries.h"

namespace anml {

std::string dump_tasks(const Network& network, const TaskGraph& graph)
{
    const std::vector<double> defaults = default_tunables(network);
    const std::vector<ValuePool::Interval> ranges = tunable_ranges(network);
    std::string tasks, channels, notes;
    for (const Task& task : graph.tasks) {
        std::string nodes;
        for (const TargetRange& range : task.nodes) {
            nodes += fmt::format("{}\n      {{\"row\": {}, \"first\": {}, \"count\": {}}}", nodes.empty() ? "" : ",",
                                 json_string(network.nodes[range.row.value].name), range.first, range.count);
        }
        tasks += fmt::format("{}\n    {{\"kind\": \"{}\", \"nodes\": [{}]}}", tasks.empty() ? "" : ",",
                             task.kind == TaskKind::cluster ? "cluster" : "real_time", nodes);
    }
    for (const Channel& channel : graph.channels) {
        std::string links;
        for (const std::uint32_t link : channel.links) {
            links += fmt::format("{}{}", links.empty() ? "" : ", ", json_string(link_name(network, link)));
        }
        channels += fmt::format(
            "{}\n    {{\"from\": {}, \"to\": {}, \"lookahead_ns\": {}, \"least_lookahead_ns\": {}, \"links\": [{}]}}",
            channels.empty() ? "" : ",", channel.from, channel.to,
            json_number(graph.values.evaluate(channel.lookahead, defaults)),
            json_number(graph.values.bounds(channel.lookahead, ranges).low), links);
    }
    for (const std::string& note : graph.notes)
        notes += fmt::format("{}\n    {}", notes.empty() ? "" : ",", json_string(note));
    return fmt::format("{{\n  \"tasks\": [{}],\n  \"channels\": [{}],\n  \"notes\": [{}]\n}}\n", tasks, channels,
                       notes);
}

}  // namespace anml
