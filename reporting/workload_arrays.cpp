// In which order workloads are shown: of an array the sum of its elements stands before them.
#include <map>
#include <utility>

#include "common/array_name.h"
#include "reporting/table.h"

namespace anml {

std::vector<ShownWorkload> shown_workloads(const Json& results)
{
    constexpr std::size_t kFew = 12;
    std::map<std::pair<std::string, std::string>, const Json*> sums;  // by name and kind
    const auto empty = Json::array();
    const Json& all = results.contains("sums") ? results["sums"] : empty;
    for (const Json& sum : all)
        if (sum["workloads"].get<std::size_t>() > 1) sums[{sum["name"], sum["kind"]}] = &sum;
    std::vector<ShownWorkload> shown;
    std::map<const Json*, bool> stands;
    for (const Json& workload : results["workloads"]) {
        const auto at = sums.find({without_indices(workload["name"].get_ref<const std::string&>()), workload["kind"]});
        const Json* sum = at == sums.end() ? nullptr : at->second;
        if (sum && !std::exchange(stands[sum], true)) shown.push_back({sum, false});
        shown.push_back({&workload, sum && (*sum)["workloads"].get<std::size_t>() > kFew});
    }
    return shown;
}

}  // namespace anml
