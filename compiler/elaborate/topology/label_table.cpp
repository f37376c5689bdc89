#include "elaborate/topology/label_table.h"

#include <iterator>
#include <set>

namespace anml {

Labels::Labels(const Network& network, std::string_view key) : network_(network)
{
    for (const LabelInfo& label : network.labels) {
        if (label.key != key) continue;
        for (const TargetRange& r : label.nodes) nodes_[r.row.value][r.first] = {r.first, r.count, label.value, false};
        for (const LinkSlice& r : label.links) links_[r.row.value][r.first] = {r.first, r.count, label.value, false};
        for (const std::uint32_t w : label.workloads) workloads_[w] = label.value;
        for (const std::string& path : label.instances) instances_[path] = label.value;
    }
}

std::string_view Labels::of_instance(std::string_view path) const
{
    if (instances_.empty()) return {};
    while (!path.empty()) {
        if (const auto found = instances_.find(path); found != instances_.end()) return found->second;
        const std::size_t dot = path.rfind('.');
        path = dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
    }
    return {};
}

// Of the instance that something of this name stands in.
std::string_view Labels::around(std::string_view name) const
{
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : of_instance(name.substr(0, dot));
}

std::vector<LabelRun> Labels::runs(const Own* own, std::uint32_t count, std::string_view around)
{
    std::vector<LabelRun> result;
    std::uint32_t at = 0;
    const auto add = [&](std::uint32_t behind, std::string_view value, bool taken_away = false) {
        if (behind == at) return;
        if (!result.empty() && result.back().value == value && result.back().taken_away == taken_away)
            result.back().count += behind - at;
        else
            result.push_back({at, behind - at, value, taken_away});
        at = behind;
    };
    if (own)
        for (const auto& [first, run] : *own) {
            add(first, around);
            add(first + run.count, run.value, run.value.empty());
        }
    add(count, around);
    return result;
}

std::vector<LabelRun> Labels::of_nodes(std::size_t row) const
{
    const auto own = nodes_.find(row);
    return runs(own == nodes_.end() ? nullptr : &own->second, network_.nodes[row].count,
                around(network_.nodes[row].name));
}

std::vector<LabelRun> Labels::of_links(std::size_t row) const
{
    const auto own = links_.find(row);
    return runs(own == links_.end() ? nullptr : &own->second, network_.links[row].count,
                around(network_.links[row].name));
}

std::string_view Labels::of_workload(std::size_t workload) const
{
    const auto own = workloads_.find(static_cast<std::uint32_t>(workload));
    return own == workloads_.end() ? around(network_.workloads[workload].name) : own->second;
}

std::string_view Labels::at(const std::map<std::size_t, Own>& rows, std::size_t row, std::uint32_t element)
{
    const auto own = rows.find(row);
    if (own == rows.end()) return {};
    const auto behind = own->second.upper_bound(element);
    if (behind == own->second.begin()) return {};
    const LabelRun& run = std::prev(behind)->second;
    return element - run.first < run.count ? run.value : std::string_view{};
}

std::vector<LabelRun> Labels::own_runs(const std::map<std::size_t, Own>& rows, std::size_t row)
{
    std::vector<LabelRun> result;
    if (const auto own = rows.find(row); own != rows.end())
        for (const auto& [first, run] : own->second)
            if (!run.value.empty()) result.push_back(run);
    return result;
}

std::string_view Labels::own_of_link(std::size_t row, std::uint32_t element) const { return at(links_, row, element); }

std::string_view Labels::own_of_instance(std::string_view path) const
{
    const auto found = instances_.find(path);
    return found == instances_.end() ? std::string_view{} : found->second;
}

std::vector<std::string_view> label_keys(const Network& network)
{
    std::set<std::string_view> keys;
    for (const LabelInfo& label : network.labels) keys.insert(label.key);
    return {keys.begin(), keys.end()};
}

}  // namespace anml
