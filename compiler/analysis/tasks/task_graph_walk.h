// Walking links by the tasks of their ends, a run at a time: what makes the channels and what checks them share it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analysis/tasks/task_graph.h"

namespace anml {

// Which task holds a node.
class TaskMap {
  public:
    TaskMap(const Network& network, const std::vector<Task>& tasks)
    {
        for (std::uint32_t task = 0; task < tasks.size(); ++task) {
            for (const TargetRange& range : tasks[task].nodes)
                runs_.push_back({network.nodes[range.row.value].first_node + range.first, range.count, task});
        }
        std::sort(runs_.begin(), runs_.end(),
                  [](const abi::TaskRow& a, const abi::TaskRow& b) { return a.first_node < b.first_node; });
    }

    // Sorted by node.
    const std::vector<abi::TaskRow>& runs() const { return runs_; }
    const abi::TaskRow& run_of(std::uint32_t node) const
    {
        const auto after = std::upper_bound(runs_.begin(), runs_.end(), node,
                                            [](std::uint32_t id, const abi::TaskRow& r) { return id < r.first_node; });
        return *(after - 1);
    }

    // Calls visit(first, count, task of end a, task of end b) for runs of the link's elements.
    template <class Visit>
    void each_run(const Network& network, const LinkArray& link, Visit visit) const
    {
        for (std::uint32_t element = 0, count; element < link.count; element += count) {
            std::uint32_t task[2];
            count = link.count - element;
            for (int side = 0; side < 2; ++side) {
                const LinkEnd& end = link.end[side];
                const std::uint32_t node = network.nodes[end.row.value].first_node + end.first + element * end.stride;
                const abi::TaskRow& run = run_of(node);
                task[side] = run.task;
                if (end.stride != 0) count = std::min(count, run.first_node + run.count - node);
            }
            visit(element, count, task[0], task[1]);
        }
    }

  private:
    std::vector<abi::TaskRow> runs_;
};

}  // namespace anml
