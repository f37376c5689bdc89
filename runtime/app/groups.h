// Transactions of the web told apart: by where their hosts stand, by the size of the document and by the response's
// status. Each is in one group of each kind, so that those of a kind add up to the whole. Requests that are written out
// are by their names, too.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/failure_cause.h"
#include "base/fields.h"
#include "base/histogram.h"
#include "base/time.h"

namespace anml::rt {

struct GroupStatistics {  // measured, as WorkloadStatistics
    std::uint64_t completed = 0;
    std::array<std::uint64_t, kFailureCauses> failed{};
    std::uint64_t request_bytes = 0, response_bytes = 0;  // HTTP with headers, of completed transactions
    CoarseHistogram response_time;                        // ns

    std::uint64_t ended() const;
    void count(Time took, std::optional<FailureCause> failure, std::uint64_t request, std::uint64_t response);
};
ANML_FIELDS(GroupStatistics, completed, failed, request_bytes, response_bytes, response_time)

// Of documents: below 1 KB, then by powers of four.
inline constexpr std::size_t kSizeClasses = 12;
std::size_t size_class(std::uint64_t bytes);
std::uint64_t least_size(std::size_t of_class);  // bytes

struct StatusGroup {
    std::uint16_t status = 0;  // of a whole response; 0: there was none
    GroupStatistics counted;
};
ANML_FIELDS(StatusGroup, status, counted)

struct TransactionGroups {
    static constexpr std::size_t kMostStatuses = 64;  // what further ones come to is in the last

    std::vector<GroupStatistics> subnets;               // by number (net/subnets.h); grows to the largest seen
    std::vector<GroupStatistics> sizes;                 // by class; the same
    std::vector<StatusGroup> statuses;                  // in no order
    std::vector<GroupStatistics> requests;              // by row of Image::requests; grows to the largest seen
    std::vector<std::vector<GroupStatistics>> reports;  // by row of Image::reports, then by group; grow as needed

    GroupStatistics& subnet(std::size_t number);
    GroupStatistics& size(std::uint64_t bytes);
    GroupStatistics& status(std::uint16_t status);
    GroupStatistics& request(std::size_t row);
    GroupStatistics& report(std::size_t row, std::size_t group);
    void add(const TransactionGroups& other);
};
ANML_FIELDS(TransactionGroups, subnets, sizes, statuses, requests, reports)

}  // namespace anml::rt
