#include "simulator/join_tasks.h"

#include <algorithm>

namespace anml::rt {

std::vector<std::uint32_t> join_tasks(std::span<const abi::TaskRow> rows, std::uint32_t tasks, std::uint32_t count)
{
    std::vector<std::uint64_t> weights(tasks, 1);
    for (const abi::TaskRow& row : rows) weights[row.task] = row.weight;
    std::uint64_t most = 1, sum = 0;  // the least that the heaviest run can weigh lies between these
    for (const std::uint64_t weight : weights) {
        most = std::max(most, weight);
        sum += weight;
    }
    const auto runs = [&](std::uint64_t limit) {
        std::uint32_t found = 1;
        std::uint64_t run = 0;
        for (const std::uint64_t weight : weights) {
            if (run + weight > limit) {
                ++found;
                run = 0;
            }
            run += weight;
        }
        return found;
    };
    while (most < sum) {
        const std::uint64_t middle = most + (sum - most) / 2;
        if (runs(middle) <= count)
            sum = middle;
        else
            most = middle + 1;
    }
    std::vector<std::uint32_t> joined(tasks);
    std::uint32_t number = 0;
    std::uint64_t run = 0;
    for (std::uint32_t task = 0; task < tasks; ++task) {
        // A new run where the limit says so, or where as many tasks are left as runs.
        if (task > 0 && (run + weights[task] > most || tasks - task == count - number - 1)) {
            ++number;
            run = 0;
        }
        run += weights[task];
        joined[task] = number;
    }
    return joined;
}

Division::Division(const Model& model, std::uint32_t tasks_each, std::uint32_t rank, std::uint32_t ranks)
    : count(static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{tasks_each} * ranks, model.task_count()))),
      joined(join_tasks(model.task_rows(), model.task_count(), count)),
      rank_of(count)
{
    const auto begin = [&](std::uint32_t of) { return static_cast<std::uint32_t>(std::uint64_t{count} * of / ranks); };
    for (std::uint32_t of = 0; of < ranks; ++of) std::fill(&rank_of[0] + begin(of), &rank_of[0] + begin(of + 1), of);
    first = begin(rank);
    own = begin(rank + 1) - first;
    if (own == 0) first = count, own = 1;
}

}  // namespace anml::rt
