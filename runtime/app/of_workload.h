// Of a workload: its row, and what an application keeps of it. That is in the order of workloads, as start.cpp begins
// them: those of one lie together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "abi/records.h"

namespace anml::rt::app {

template <class Row>
const Row& workload_row(const abi::Image& image, std::uint32_t workload)
{
    return abi::row_of<Row>(image, image.workloads[workload].record);
}

// Indices [first, second) of what belongs to a workload. `workload_of`: of one.
template <class One, class WorkloadOf>
std::pair<std::uint32_t, std::uint32_t> of_workload(const std::vector<One>& all, std::uint32_t workload,
                                                    WorkloadOf&& workload_of)
{
    const auto first =
        std::partition_point(all.begin(), all.end(), [&](const One& one) { return workload_of(one) < workload; });
    const auto end =
        std::partition_point(first, all.end(), [&](const One& one) { return workload_of(one) == workload; });
    return {static_cast<std::uint32_t>(first - all.begin()), static_cast<std::uint32_t>(end - all.begin())};
}

}  // namespace anml::rt::app
