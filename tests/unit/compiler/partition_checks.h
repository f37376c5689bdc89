// A network's partition in one call, and what tests ask of it.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "analysis/tasks/task_graph_walk.h"
#include "network_builder.h"
#include "partition/partition.h"
#include "route/route.h"

namespace anml::test {

inline TaskGraph tasks_of(const Network& network, std::uint32_t tasks = 0)
{
    Diagnostics diagnostics;
    const auto routes = compute_routes(network, diagnostics);
    for (const Diagnostic& d : diagnostics.list()) UNSCOPED_INFO(d.message);
    REQUIRE(routes);
    TaskGraph graph = partition(network, *routes, {tasks});
    REQUIRE(verify_tasks(network, graph) == "");
    return graph;
}

// The heaviest task's weight over a fair share's; a fair share is no less than `indivisible`, what one node weighs.
inline double imbalance(const TaskGraph& graph, double indivisible = 0)
{
    double most = 0, sum = 0;
    for (const Task& task : graph.tasks) {
        most = std::max(most, task.weight);
        sum += task.weight;
    }
    return most / std::max(indivisible, sum / static_cast<double>(graph.tasks.size()));
}

inline std::vector<std::string> cut_links(const Network& network, const TaskGraph& graph)
{
    std::vector<std::string> names;
    for (const Channel& channel : graph.channels) {
        for (const LinkRange& range : channel.links) names.push_back(network.links[range.row].name);
    }
    return names;
}

}  // namespace anml::test
