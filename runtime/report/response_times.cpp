#include "report/response_times.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace anml::rt {

template <class AnyHistogram>
std::optional<double> percentile_seconds(const AnyHistogram& histogram, double percent)
{
    double beyond = static_cast<double>(histogram.count()) * (100 - percent) / 100;
    if (beyond < ResponseTimes::kBeyond) return std::nullopt;
    return in_seconds(histogram.percentile(percent));
}

namespace {

std::optional<Time> percentile(const EndedTimes& ended, bool growing, double percent, const std::vector<Time>& ages,
                               Time window)
{
    constexpr double kEnough = ResponseTimes::kBeyond + 1;
    if (!growing) return ended.took.percentile(percent, ages, kEnough, ended.entered, window);
    return ended.took.percentile(percent, std::vector<Time>(ages.size(), std::numeric_limits<Time>::max()), kEnough);
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

ResponseTimes response_times(const EndedTimes& ended, const std::vector<Time>& ages, double seconds)
{
    const Histogram& took = ended.took;
    if (ages.empty()) return response_times(took);
    const bool growing = ended.growing();
    const auto find = [&](double percent, std::optional<double>& value, std::optional<double>& at_least) {
        const auto found = percentile(ended, growing, percent, ages, std::llround(seconds * kSecond));
        const std::size_t count = took.count() + (found ? 0 : ages.size());
        if (static_cast<double>(count) * (100 - percent) / 100 < ResponseTimes::kBeyond) return;
        if (found)
            value = in_seconds(*found);
        else
            at_least = in_seconds(took.least_percentile(percent, ages));
    };
    ResponseTimes times;
    times.samples = took.count();
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
    if (times.samples != 0) times.mean = took.mean() / kSecond;
    const double longest = in_seconds(std::max(took.maximum(), ages.back()));
    if (times.samples != 0 && took.maximum() >= ages.back() && !growing)
        times.max = longest;
    else
        times.at_least.max = longest;
    return times;
}

template ResponseTimes response_times(const Histogram& histogram);
template ResponseTimes response_times(const CoarseHistogram& histogram);
template std::optional<double> percentile_seconds(const CoarseHistogram& histogram, double percent);

}  // namespace anml::rt
