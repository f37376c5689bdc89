// --emit=tasks: tasks with their nodes, channels with their lookahead at the tunables' defaults and at its least.
#include <fmt/format.h>

#include <cmath>

#include "analysis/network_queries.h"
#include "base/json.h"
#include "partition/partition.h"

namespace anml {
namespace {

// "net[3].edge[0..99]": elements inclusive, as the language writes ranges.
std::string describe(const Network& network, const LinkRange& range)
{
    const LinkArray& link = network.links[range.row];
    std::string elements;
    if (link.is_array && range.count > 0)
        elements = elements_of_array(link.keys.get(), range.first, range.count, "..");
    return fmt::format("{}{}", link.name, elements);
}

}  // namespace

std::string dump_tasks(const Network& network, const TaskGraph& graph)
{
    const std::vector<double> defaults = default_tunables(network);
    const std::vector<ValuePool::Interval> ranges = tunable_ranges(network);
    std::string tasks, channels, notes;
    for (const Task& task : graph.tasks) {
        std::string nodes, endpoints;
        for (const TargetRange& range : task.nodes) {
            nodes += fmt::format("{}\n      {{\"row\": {}, \"first\": {}, \"count\": {}}}", nodes.empty() ? "" : ",",
                                 json_string(network.nodes[range.row.value].name), range.first, range.count);
        }
        for (const std::uint32_t endpoint : task.endpoints) {
            endpoints +=
                fmt::format("{}{}", endpoints.empty() ? "" : ", ", json_string(network.endpoints[endpoint].name));
        }
        const std::string name = task.name.empty() ? "" : fmt::format("\"name\": {}, ", json_string(task.name));
        tasks += fmt::format("{}\n    {{{}\"weight\": {}, \"endpoints\": [{}], \"nodes\": [{}]}}",
                             tasks.empty() ? "" : ",", name, json_number(std::round(task.weight)), endpoints, nodes);
    }
    for (const Channel& channel : graph.channels) {
        std::string links;
        for (const LinkRange& link : channel.links)
            links += fmt::format("{}{}", links.empty() ? "" : ", ", json_string(describe(network, link)));
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
