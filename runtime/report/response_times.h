// Percentiles as results have them: those alone that mean something.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "app/statistics.h"
#include "base/histogram.h"
#include "base/time.h"

namespace anml::rt {

// A percentile is present only where enough samples lie beyond it to mean something: kBeyond of them.
struct ResponseTimes {
    static constexpr double kBeyond = 5;
    std::uint64_t samples = 0;
    std::optional<double> mean, median, p95, p99, max;  // seconds
    // In their place where so many are open that it lies among those: what it is at least, by how old they are.
    struct {
        std::optional<double> median, p95, p99, max;
    } at_least;
    std::vector<std::pair<double, double>> percentiles;  // from the median on: percent, and seconds where it is present
};

// Nothing where too few lie beyond it.
template <class AnyHistogram>
std::optional<double> percentile_seconds(const AnyHistogram& histogram, double percent);
template <class AnyHistogram>
ResponseTimes response_times(const AnyHistogram& histogram);
// Where others are open, whose ages are in ascending order; the window began a time of `seconds` ago. They are taken
// for others of their age, but behind a queue that grows: there they take longer than all that ended.
ResponseTimes response_times(const EndedTimes& ended, const std::vector<Time>& ages, double seconds);

}  // namespace anml::rt
