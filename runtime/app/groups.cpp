#include "app/groups.h"

#include <algorithm>
#include <bit>

namespace anml::rt {

namespace {

constexpr int kFirstBits = 10;  // 1 KB is the least of the second class

template <class T>
T& group_at(std::vector<T>& groups, std::size_t index)
{
    if (index >= groups.size()) groups.resize(index + 1);
    return groups[index];
}

}  // namespace

std::uint64_t GroupStatistics::ended() const
{
    std::uint64_t sum = completed;
    for (const std::uint64_t count : failed) sum += count;
    return sum;
}

void GroupStatistics::count(Time took, std::optional<FailureCause> failure, std::uint64_t request,
                            std::uint64_t response)
{
    if (failure) {
        ++failed[static_cast<std::size_t>(*failure)];
        return;
    }
    ++completed;
    request_bytes += request;
    response_bytes += response;
    response_time.record(took);
}

std::size_t size_class(std::uint64_t bytes)
{
    const int bits = static_cast<int>(std::bit_width(bytes));
    return bits <= kFirstBits ? 0 : std::min<std::size_t>(kSizeClasses - 1, (bits - kFirstBits + 1) / 2);
}

std::uint64_t least_size(std::size_t of_class)
{
    return of_class == 0 ? 0 : std::uint64_t{1} << (kFirstBits + 2 * (of_class - 1));
}

GroupStatistics& TransactionGroups::subnet(std::size_t number) { return group_at(subnets, number); }
GroupStatistics& TransactionGroups::size(std::uint64_t bytes) { return group_at(sizes, size_class(bytes)); }

CheckStatistics& RequestStatistics::check(std::size_t number) { return group_at(checks, number); }
RequestStatistics& TransactionGroups::request(std::size_t cell) { return group_at(requests, cell); }
RequestSecond& TransactionGroups::second(std::size_t row, std::size_t second)
{
    return group_at(group_at(seconds, row), second);
}

GroupStatistics& TransactionGroups::status(std::uint16_t status)
{
    const auto found = std::find_if(statuses.begin(), statuses.end(),
                                    [&](const StatusGroup& group) { return group.status == status; });
    if (found != statuses.end()) return found->counted;
    if (statuses.size() == kMostStatuses) return statuses.back().counted;
    return statuses.emplace_back(StatusGroup{status, {}}).counted;
}

GroupStatistics& TransactionGroups::report(std::size_t row, std::size_t group)
{
    if (row >= reports.size()) reports.resize(row + 1);
    return group_at(reports[row], group);
}

void TransactionGroups::add(const TransactionGroups& other)
{
    add_up(subnets, other.subnets);
    add_up(sizes, other.sizes);
    add_up(requests, other.requests);
    add_up(seconds, other.seconds);
    add_up(reports, other.reports);
    for (const StatusGroup& group : other.statuses) add_up(status(group.status), group.counted);
}

}  // namespace anml::rt
