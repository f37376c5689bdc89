#include "net/address/subnets.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace anml::rt {

namespace {

constexpr std::string_view kOthers = "others";

// Instances that the host is in.
std::size_t depth_of(std::string_view host) { return static_cast<std::size_t>(std::count(host.begin(), host.end(), '.')); }

}  // namespace

std::string place_of_host(std::string_view host, std::size_t parts)
{
    if (depth_of(host) == 0) return std::string(host.substr(0, host.find('[')));
    std::size_t end = 0;
    for (std::size_t part = 0; part < std::min(std::max<std::size_t>(parts, 1), depth_of(host)); ++part)
        end = host.find('.', end + (part > 0));
    return std::string(host.substr(0, end));
}

namespace {

// The nodes of web workloads as spans that are apart from each other, in order: first and behind the last.
std::vector<std::pair<NodeId, NodeId>> web_hosts(const abi::Image& image)
{
    std::vector<std::pair<NodeId, NodeId>> spans, apart;
    for (std::uint32_t i = 0; i < image.workload_count; ++i) {
        const abi::WorkloadRow& workload = image.workloads[i];
        if (workload.documents.count == 0) continue;
        for (std::uint32_t t = workload.targets.first; t < workload.targets.first + workload.targets.count; ++t)
            spans.emplace_back(image.targets[t].first_node, image.targets[t].first_node + image.targets[t].count);
    }
    std::sort(spans.begin(), spans.end());
    for (const auto& [first, behind] : spans) {
        if (!apart.empty() && first <= apart.back().second)
            apart.back().second = std::max(apart.back().second, behind);
        else
            apart.emplace_back(first, behind);
    }
    return apart;
}

// Rows of nodes that are among them.
std::vector<std::uint32_t> web_rows(const abi::Image& image)
{
    const auto hosts = web_hosts(image);
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < image.node_row_count; ++row) {
        const abi::NodeRow& node = image.node_rows[row];
        const auto from = std::upper_bound(hosts.begin(), hosts.end(), node.first_node,
                                           [](NodeId id, const auto& span) { return id < span.second; });
        if (from != hosts.end() && from->first < node.first_node + node.count) rows.push_back(row);
    }
    return rows;
}

}  // namespace

// The innermost instances, unless there are too many: then those around them, as long as these are several. What is
// still too many is one group, behind the first ones.
Subnets::Subnets(const abi::Image& image) : by_row_(image.node_row_count, kNone)
{
    const std::vector<std::uint32_t> rows = web_rows(image);
    const auto name = [&](std::uint32_t row) { return std::string_view(image.strings + image.node_rows[row].name); };
    const auto groups = [&](std::size_t parts) {
        std::set<std::string> found;
        for (const std::uint32_t row : rows) found.insert(place_of_host(name(row), parts));
        return found.size();
    };
    std::size_t parts = 1;
    for (const std::uint32_t row : rows) parts = std::max(parts, depth_of(name(row)));
    while (parts > 1 && groups(parts) > kMost && groups(parts - 1) > 1) --parts;
    std::map<std::string, std::uint32_t> numbers;
    for (const std::uint32_t row : rows) {
        const std::string place = place_of_host(name(row), parts);
        const auto [at, fresh] = numbers.try_emplace(place, static_cast<std::uint32_t>(names_.size()));
        if (fresh && names_.size() < kMost) {
            names_.push_back(place);
        } else if (fresh) {
            names_.back() = kOthers;
            at->second = kMost - 1;
        }
        by_row_[row] = at->second;
    }
    std::replace(by_row_.begin(), by_row_.end(), kNone, static_cast<std::uint32_t>(names_.size()));
}

}  // namespace anml::rt
