// Transactions of the web told apart: by where their hosts stand, by the size of the document and by the response's
// status. Each is in one group of each kind, so that those of a kind add up to the whole. Requests that are written out
// are by workload and request, too, and each by second.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "abi/image.h"
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

// Of a request the first that failed: how, the status of its response, 0: there was none, and how its body began, where
// somebody looks at it; of a scenario with several origins, which one that was.
struct FirstFailure {
    static constexpr std::size_t kMostSeen = 64;

    Time at = kNever;
    FailureCause cause{};
    std::uint16_t status = 0;
    std::array<char, kMostSeen> body{};
    abi::StringRef origin = abi::kNone;

    auto operator<=>(const FirstFailure&) const = default;
    void add(const FirstFailure& other) { *this = std::min(*this, other); }
};
ANML_FIELDS(FirstFailure, at, cause, status, body, origin)

struct CheckStatistics {  // of responses that were looked at
    std::uint64_t passed = 0, failed = 0;
};
ANML_FIELDS(CheckStatistics, passed, failed)

struct RequestStatistics {  // measured
    GroupStatistics counted;
    FirstFailure first_failure;
    std::vector<CheckStatistics> checks;  // by number (name_of in request_script.h); grows to the largest seen

    CheckStatistics& check(std::size_t number);
};
ANML_FIELDS(RequestStatistics, counted, first_failure, checks)

struct RequestSecond {  // as Second, of one request
    std::uint32_t completed = 0, failed = 0;
    Time took = 0;         // the completed ones, together
    Highest<Time> longest;  // of those
};
ANML_FIELDS(RequestSecond, completed, failed, took, longest)

struct TransactionGroups {
    static constexpr std::size_t kMostStatuses = 64;  // what further ones come to is in the last
    // Of all requests: further seconds have none, which lie hours off.
    static constexpr std::size_t kMostSeconds = 1 << 20;

    std::vector<GroupStatistics> subnets;               // by number (net/address/subnets.h); grows to the largest seen
    std::vector<GroupStatistics> sizes;                 // by class; the same
    std::vector<StatusGroup> statuses;                  // in no order
    std::vector<RequestStatistics> requests;            // by Model::request_cell; grows to the largest seen
    std::vector<std::vector<RequestSecond>> seconds;    // by row of Image::requests, then by second; grow as needed
    std::vector<std::vector<GroupStatistics>> reports;  // by row of Image::reports, then by group; grow as needed

    GroupStatistics& subnet(std::size_t number);
    GroupStatistics& size(std::uint64_t bytes);
    GroupStatistics& status(std::uint16_t status);
    RequestStatistics& request(std::size_t cell);
    RequestSecond& second(std::size_t row, std::size_t second);
    GroupStatistics& report(std::size_t row, std::size_t group);
    void add(const TransactionGroups& other);
};
ANML_FIELDS(TransactionGroups, subnets, sizes, statuses, requests, seconds, reports)

}  // namespace anml::rt
