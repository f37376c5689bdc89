#include "report/response_times.h"

#include <algorithm>
#include <cmath>

namespace anml::rt {

template <class AnyHistogram>
std::optional<double> percentile_seconds(const AnyHistogram& histogram, double percent)
{
    double beyond = static_cast<double>(histogram.count()) * (100 - percent) / 100;
    if (beyond < ResponseTimes::kBeyond) return std::nullopt;
    return in_seconds(histogram.percentile(percent));
}

namespace {

// Of those that ended and of those that are open, whose ages are in ascending order: the one or the other.
void percentile(const Histogram& ended, double percent, const std::vector<Time>& ages, const Histogram& entered,
                Time window, std::optional<double>& value, std::optional<double>& at_least)
{
    const auto found = ended.percentile(percent, ages, ResponseTimes::kBeyond + 1, entered, window);
    const std::size_t count = ended.count() + (found ? 0 : ages.size());
    if (static_cast<double>(count) * (100 - percent) / 100 < ResponseTimes::kBeyond) return;
    if (found)
        value = in_seconds(*found);
    else
        at_least = in_seconds(ended.least_percentile(percent, ages));
}

// Where curves of percentiles have their points: even enough on an axis of 1 / (1 - p).
constexpr double kCurve[] = {50,   60, 70,   75,   80,   85,   90,   92,    94,    95,    96,    97,   98,
                             98.5, 99, 99.3, 99.5, 99.7, 99.8, 99.9, 99.93, 99.95, 99.97, 99.98, 99.99};

}  // namespace

template <class AnyHistogram>
ResponseTimes response_times(const AnyHistogram& histogram)
{
    ResponseTimes times;
    times.samples = histogram.count();
    if (times.samples == 0) return times;
    times.mean = histogram.mean() / kSecond;
    times.median = percentile_seconds(histogram, 50);
    times.p95 = percentile_seconds(histogram, 95);
    times.p99 = percentile_seconds(histogram, 99);
    times.max = in_seconds(histogram.maximum());
    for (const double percent : kCurve)
        if (const auto value = percentile_seconds(histogram, percent)) times.percentiles.emplace_back(percent, *value);
    return times;
}

ResponseTimes response_times(const Histogram& ended, const std::vector<Time>& ages, const Histogram& entered,
                             double seconds)
{
    if (ages.empty()) return response_times(ended);
    const Time window = std::llround(seconds * kSecond);
    const auto find = [&](double percent, std::optional<double>& value, std::optional<double>& at_least) {
        percentile(ended, percent, ages, entered, window, value, at_least);
    };
    ResponseTimes times;
    times.samples = ended.count();
    find(50, times.median, times.at_least.median);
    find(95, times.p95, times.at_least.p95);
    find(99, times.p99, times.at_least.p99);
    for (const double percent : kCurve) {
        std::optional<double> value, at_least;
        find(percent, value, at_least);
        if (value) times.percentiles.emplace_back(percent, *value);
    }
    // What is known of smaller ones is known of larger ones.
    const auto raise = [&](double percent, std::optional<double>& least) {
        for (const auto& [smaller, value] : times.percentiles)
            if (least && smaller < percent) least = std::max(*least, value);
    };
    raise(50, times.at_least.median);
    raise(95, times.at_least.p95);
    raise(99, times.at_least.p99);
    if (times.samples != 0) times.mean = ended.mean() / kSecond;
    if (times.samples != 0 && ended.maximum() >= ages.back())
        times.max = in_seconds(ended.maximum());
    else
        times.at_least.max = in_seconds(ages.back());
    return times;
}

template ResponseTimes response_times(const Histogram& histogram);
template ResponseTimes response_times(const CoarseHistogram& histogram);
template std::optional<double> percentile_seconds(const CoarseHistogram& histogram, double percent);

}  // namespace anml::rt
