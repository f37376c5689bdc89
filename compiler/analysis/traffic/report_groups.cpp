#include "analysis/traffic/report_groups.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "elaborate/topology/label_table.h"

namespace anml {

namespace {

// Labels of each key, one after the other, of a run of elements.
struct KeyedRun {
    std::uint32_t first = 0, count = 0;
    std::vector<std::string_view> values;
    std::vector<bool> taken_away;  // of each: by the host itself, whatever its workload is called
};

// Cut wherever one of the keys has another label.
std::vector<KeyedRun> by_all_keys(const std::vector<Labels>& keys, std::size_t row, std::uint32_t count)
{
    std::vector<KeyedRun> result{{0, count, {}, {}}};
    for (const Labels& key : keys) {
        const std::vector<LabelRun> runs = key.of_nodes(row);
        std::vector<KeyedRun> finer;
        auto run = runs.begin();
        for (const KeyedRun& part : result)
            for (std::uint32_t at = part.first; at < part.first + part.count;) {
                while (run->first + run->count <= at) ++run;
                const std::uint32_t behind = std::min(part.first + part.count, run->first + run->count);
                finer.push_back({at, behind - at, part.values, part.taken_away});
                finer.back().values.push_back(run->value);
                finer.back().taken_away.push_back(run->taken_away);
                at = behind;
            }
        result = std::move(finer);
    }
    return result;
}

}  // namespace

// In the order in which workloads and their hosts come to them; what is too many is one group, behind the others.
ReportGroups report_groups(const Network& network, const ReportInfo& report)
{
    ReportGroups result;
    std::vector<Labels> keys;
    for (const std::string& key : report.keys) keys.emplace_back(network, key);
    std::map<std::vector<std::string>, std::uint32_t> numbers;
    std::map<std::uint32_t, std::vector<KeyedRun>> rows;  // of nodes
    for (std::size_t w = 0; w < network.workloads.size(); ++w) {
        auto& hosts = result.hosts.emplace_back();
        const WorkloadInfo& workload = network.workloads[w];
        if (workload.documents.empty() || workload.traits.load == Load::served) continue;
        std::vector<std::string_view> own;
        for (const Labels& key : keys) own.push_back(key.of_workload(w));
        for (const TargetRange& target : workload.targets) {
            const auto row = static_cast<std::uint32_t>(target.row.value);
            const NodeArray& nodes = network.nodes[row];
            const auto [runs, fresh] = rows.try_emplace(row);
            if (fresh) runs->second = by_all_keys(keys, row, nodes.count);
            auto run = std::partition_point(runs->second.begin(), runs->second.end(),
                                            [&](const KeyedRun& r) { return r.first + r.count <= target.first; });
            for (; run != runs->second.end() && run->first < target.first + target.count; ++run) {
                const std::uint32_t first = std::max(run->first, target.first),
                                    behind = std::min(run->first + run->count, target.first + target.count);
                std::vector<std::string> name;
                for (std::size_t k = 0; k < keys.size(); ++k) {
                    const bool of_workload = run->values[k].empty() && !run->taken_away[k];
                    const std::string_view value = of_workload ? own[k] : run->values[k];
                    name.emplace_back(value.empty() ? "-" : value);
                }
                const auto [number, is_new] =
                    numbers.try_emplace(name, static_cast<std::uint32_t>(result.groups.size()));
                if (is_new && result.groups.size() < ReportGroups::kMost) {
                    result.groups.push_back(std::move(name));
                } else if (is_new) {
                    result.groups.back().clear();
                    number->second = ReportGroups::kMost - 1;
                }
                hosts.push_back({nodes.first_node + first, behind - first, number->second});
            }
        }
        std::sort(hosts.begin(), hosts.end(), [](const auto& a, const auto& b) { return a.first_node < b.first_node; });
    }
    return result;
}

}  // namespace anml
