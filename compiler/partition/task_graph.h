// Stage 6: which node belongs to which task, and the channels between tasks with their lookahead.
//
// One cluster holds the network; each endpoint is a real-time task of its own, since its clock is the wall clock. A
// channel's lookahead is the least propagation delay of its links and must be positive wherever the tunables stand: an
// endpoint with a link that may have no delay stays in the cluster, and a note says so.
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
    std::vector<TargetRange> nodes;  // elements of node rows
};

struct Channel {
    std::uint32_t from = 0, to = 0;    // tasks
    ValueExprId lookahead = 0;         // in TaskGraph::values, ns; least delay of the links that it carries
    std::vector<std::uint32_t> links;  // directed links
};

struct TaskGraph {
    std::vector<Task> tasks;
    std::vector<Channel> channels;
    ValuePool values;                // network.values plus what the lookaheads needed
    std::vector<std::string> notes;  // why an endpoint has no task of its own
};

std::optional<TaskGraph> partition(const Network& network, const RouteTables& routes, Diagnostics& diagnostics);
std::string dump_tasks(const Network& network, const TaskGraph& tasks);  // --emit=tasks: JSON
std::string verify_tasks(const Network& network, const TaskGraph& tasks);

}  // namespace anml
