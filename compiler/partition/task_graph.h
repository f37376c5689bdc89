// Stage 6: which node belongs to which task, and the channels between tasks with their lookahead.
//
// A task is a small sequential simulator; an endpoint is in one like any node. A channel's lookahead is the least
// propagation delay of its links and is positive wherever the tunables stand: nodes with a link between them that may
// have no delay share a task, and a note says so. How many tasks there are follows from the model alone, never from the
// machine. Arrays stay whole where that leaves the tasks balanced, and are cut into ranges of elements where not. The
// nodes that @task names together are a task of their own, whatever it weighs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "elaborate/network.h"
#include "route/route_tables.h"

namespace anml {

inline constexpr std::uint32_t kMostTasks = 16;  // enough for 8 threads to share evenly

struct Task {
    std::vector<TargetRange> nodes;        // elements of node rows, in order
    std::vector<std::uint32_t> endpoints;  // of Network::endpoints: those whose node it has
    double weight = 0;                     // expected events, see pieces.h
    std::string name;                      // that @task gives; "": none
};

// Elements [first, first + count) of a link row, in one direction (0 runs from end a to end b).
struct LinkRange {
    std::uint32_t row = 0, direction = 0;
    std::uint32_t first = 0, count = 0;
};

struct Channel {
    std::uint32_t from = 0, to = 0;  // tasks
    ValueExprId lookahead = 0;       // in TaskGraph::values, ns; least delay of the links that it carries
    std::vector<LinkRange> links;    // by row, then element
};

struct TaskGraph {
    std::vector<Task> tasks;
    std::vector<Channel> channels;   // by sender, then receiver
    ValuePool values;                // network.values plus what the lookaheads needed
    std::vector<std::string> notes;  // why nodes share a task
};

struct PartitionOptions {
    std::uint32_t tasks = 0;  // as many as that where lookahead allows it; 0: as the model's size suggests
};

std::optional<TaskGraph> partition(const Network& network, const RouteTables& routes, Diagnostics& diagnostics,
                                   const PartitionOptions& options = {});
std::string dump_tasks(const Network& network, const TaskGraph& tasks);  // --emit=tasks: JSON
std::string verify_tasks(const Network& network, const TaskGraph& tasks);

}  // namespace anml
