// Stage 6: which node belongs to which task, and the channels between tasks with their lookahead.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "elaborate/network.h"
#include "route/route_tables.h"

namespace anml {

enum class TaskKind : std::uint8_t { cluster, real_time };

struct Task {
    TaskKind kind = TaskKind::cluster;
    std::vector<TargetRange> nodes;      // elements of node rows
};

struct Channel {
    std::uint32_t from = 0, to = 0;      // tasks
    ValueExprId lookahead = 0;           // ns; least delay of the links that it carries
    std::vector<std::uint32_t> links;    // directed links
};

struct TaskGraph {
    std::vector<Task> tasks;
    std::vector<Channel> channels;
};

std::optional<TaskGraph> partition(const Network& network, const RouteTables& routes, Diagnostics& diagnostics);
std::string dump_tasks(const Network& network, const TaskGraph& tasks);    // --emit=tasks: JSON
std::string verify_tasks(const Network& network, const TaskGraph& tasks);

}  // namespace anml
