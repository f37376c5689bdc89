// The elements of arrays of workloads together: exact, of merged histograms and of the ages of what is open.
#include <map>
#include <utility>

#include "abi/records.h"
#include "common/array_name.h"
#include "net/model.h"
#include "report/figures.h"

namespace anml::rt {

std::vector<SumFigures> sum_arrays(const Model& model, const std::vector<WorkloadStatistics>& counted, double seconds)
{
    const abi::Image& image = model.image();
    std::vector<SumFigures> sums;
    std::map<std::pair<std::string, abi::RecordSchema>, std::size_t> arrays;
    for (std::uint32_t i = 0; i < counted.size(); ++i) {
        const abi::WorkloadRow& row = image.workloads[i];
        std::string name = without_indices(model.text(row.name));
        if (name == model.text(row.name)) continue;
        const auto [at, is_new] = arrays.try_emplace({std::move(name), abi::schema_of(image, row.record)}, sums.size());
        if (is_new) {
            sums.emplace_back();
            sums.back().all.name = at->first.first;
        }
        sums[at->second].members.push_back(i);
    }
    for (SumFigures& sum : sums) {
        WorkloadStatistics all;
        for (const std::uint32_t member : sum.members) add_up(all, counted[member]);
        std::string name = std::move(sum.all.name);
        sum.all = figures_of_workload(model, sum.members.front(), all, seconds);
        sum.all.name = std::move(name);
        for (const std::uint32_t member : sum.members)
            if (image.workloads[member].ipv6 != image.workloads[sum.members.front()].ipv6) sum.all.ipv6.reset();
    }
    return sums;
}

}  // namespace anml::rt
