// Stage 6: which node belongs to which task, and the channels between tasks with their lookahead.
//
// A task is a small sequential simulator; an endpoint is in one like any node. A channel's lookahead is the least
// propagation delay of its links and is positive wherever the tunables stand: nodes with a link between them that may
// have no delay share a task, and a note says so. How many tasks there are follows from the model alone, never from the
// machine. Arrays stay whole where that leaves the tasks balanced, and are cut into ranges of elements where not. The
// nodes that @task names together are a task of their own, whatever it weighs.
#pragma once

#include <string>

#include "analysis/routes/route_tables.h"
#include "analysis/tasks/task_graph.h"

namespace anml {

inline constexpr std::uint32_t kMostTasks = 16;         // by themselves: enough for 8 threads to share evenly
inline constexpr std::uint32_t kMostTasksAsked = 1024;  // by --tasks: for ranks on many machines

struct PartitionOptions {
    std::uint32_t tasks = 0;  // as many as that where lookahead allows it; 0: as the model's size suggests
};

TaskGraph partition(const Network& network, const RouteTables& routes, const PartitionOptions& options = {});
std::string dump_tasks(const Network& network, const TaskGraph& tasks);  // --emit=tasks: JSON
std::string verify_tasks(const Network& network, const TaskGraph& tasks);

}  // namespace anml
