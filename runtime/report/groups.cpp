// Transactions by where their hosts stand, by the size of the document and by status.
#include <fmt/format.h>

#include <algorithm>

#include "abi/image.h"
#include "net/model.h"
#include "report/figures.h"
#include "report/quantity.h"

namespace anml::rt {

namespace {

GroupFigures figures_of_group(std::string name, const GroupStatistics& counted, double seconds)
{
    GroupFigures f;
    f.name = std::move(name);
    f.completed = counted.completed;
    f.failed = counted.ended() - counted.completed;
    f.failed_by_cause = counted.failed;
    f.request_bytes = counted.request_bytes;
    f.response_bytes = counted.response_bytes;
    if (seconds > 0) {
        f.per_second = static_cast<double>(f.completed) / seconds;
        f.throughput_bps = 8 * static_cast<double>(f.request_bytes + f.response_bytes) / seconds;
    }
    f.response = response_times(counted.response_time);
    return f;
}

std::string size_name(std::size_t of_class)
{
    const auto shown = [](std::size_t c) {
        return format_quantity(static_cast<double>(least_size(c)), abi::Unit::size);
    };
    if (of_class == 0) return "below " + shown(1);
    if (of_class + 1 == kSizeClasses) return shown(of_class) + " and more";
    return fmt::format("{} to {}", shown(of_class), shown(of_class + 1));
}

}  // namespace

Groupings group_figures(const Model& model, const TransactionGroups& counted, double seconds)
{
    Groupings all;
    const std::vector<std::string>& names = model.subnets().names();
    for (std::size_t i = 0; i < std::max(names.size(), counted.subnets.size()); ++i)
        all.subnets.push_back(
            figures_of_group(i < names.size() ? names[i] : "others",
                             i < counted.subnets.size() ? counted.subnets[i] : GroupStatistics{}, seconds));
    for (std::size_t i = 0; i < counted.sizes.size(); ++i)
        if (counted.sizes[i].ended() != 0)
            all.sizes.push_back(figures_of_group(size_name(i), counted.sizes[i], seconds));
    std::vector<StatusGroup> statuses = counted.statuses;
    std::sort(statuses.begin(), statuses.end(),
              [](const StatusGroup& a, const StatusGroup& b) { return a.status < b.status; });
    for (const StatusGroup& group : statuses)
        all.statuses.push_back(figures_of_group(group.status == 0 ? "none" : fmt::to_string(group.status),
                                                group.counted, seconds));
    return all;
}

}  // namespace anml::rt
