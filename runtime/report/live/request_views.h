// What a live run shows of requests that are written out, by workload and name, while it goes on. Its loop looks once a
// second; others read.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "app/groups.h"
#include "base/published.h"
#include "base/time.h"

namespace anml::rt {

struct RequestView {  // measured, as RequestStatistics
    static constexpr std::array<double, 3> kQuantiles = {0.5, 0.95, 0.99};

    std::uint64_t completed = 0, failed = 0;
    double response_seconds = 0;                     // of the completed ones together
    std::uint64_t recent = 0;                        // completed in the last 10 to 20 s
    std::array<double, kQuantiles.size()> took{};    // those of them, seconds
};

struct RequestName {
    std::string workload, request;
    auto operator<=>(const RequestName&) const = default;
};

class RequestViews {
  public:
    // By workload and name, in the order of the files; of further ones those of a workload together, as "others".
    static constexpr std::size_t kMost = 100;
    struct Series {
        RequestName name;
        Published<RequestView> shown;
    };

    explicit RequestViews(const std::vector<RequestName>& names);  // by Model::request_cell
    // `last`: whenever it has looked before.
    void look(Time now, std::span<const TransactionGroups* const> clusters, bool last);
    const std::deque<Series>& all() const { return all_; }

  private:
    static constexpr Time kInterval = kSecond, kWindow = 10 * kSecond;

    std::deque<Series> all_;                        // they stay where they are
    std::vector<std::uint32_t> of_cell_;
    std::vector<CoarseHistogram> earlier_, later_;  // how their times were when each window began
    Time next_look_ = 0, next_window_ = 0;
};

}  // namespace anml::rt
