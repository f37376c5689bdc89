#include "experiment/statistics/interval.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace anml {

namespace {

// The probability that such a variable lies between -t and t.
double within(double t, std::size_t degrees)
{
    const double angle = std::atan(t / std::sqrt(static_cast<double>(degrees)));
    const double sine = std::sin(angle), cosine = std::cos(angle);
    double term = degrees % 2 == 1 ? cosine : 1, sum = degrees == 1 ? 0 : term;
    for (std::size_t i = degrees % 2 == 1 ? 3 : 2; i < degrees; i += 2) {
        term *= cosine * cosine * static_cast<double>(i - 1) / static_cast<double>(i);
        sum += term;
    }
    return degrees % 2 == 1 ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

}  // namespace

double student_quantile(double probability, std::size_t degrees)
{
    const double wanted = 2 * probability - 1;
    double low = 0, high = 1;
    while (within(high, degrees) < wanted && high < 1e9) high *= 2;
    for (int step = 0; step < 200; ++step) {
        const double middle = (low + high) / 2;
        (within(middle, degrees) < wanted ? low : high) = middle;
    }
    return high;
}

Interval interval_of(std::span<const double> values, double confidence)
{
    Interval interval;
    if (values.empty()) return interval;
    const auto count = static_cast<double>(values.size());
    for (const double value : values) interval.mean += value / count;
    if (values.size() < 2) return interval;
    double squares = 0;
    for (const double value : values) squares += (value - interval.mean) * (value - interval.mean);
    const double error = std::sqrt(squares / (count - 1) / count);
    interval.degrees = values.size() - 1;
    interval.half_width = student_quantile((1 + confidence) / 2, interval.degrees) * error;
    return interval;
}

std::optional<double> prediction_half_width(std::span<const double> values, double probability)
{
    const Interval interval = interval_of(values);
    if (!interval.half_width) return std::nullopt;
    const double error = *interval.half_width / student_quantile(0.975, interval.degrees);
    return student_quantile((1 + probability) / 2, interval.degrees) * error *
           std::sqrt(static_cast<double>(values.size()) + 1);
}

bool are_independent(std::span<const double> values)
{
    if (values.size() < 3) return true;
    const auto n = static_cast<double>(values.size());
    const double mean = interval_of(values).mean;
    double squares = 0, steps = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        squares += (values[i] - mean) * (values[i] - mean);
        if (i > 0) steps += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
    }
    if (steps == 0) return true;          // all alike; their mean may be rounded
    constexpr double kOneSided = 1.6449;  // of the normal distribution, at 5 %
    return 2 - steps / squares <= kOneSided * std::sqrt(4 * (n - 2) / (n * n - 1));
}

BatchInterval batch_interval(const std::vector<std::vector<double>>& runs)
{
    for (std::size_t joined = 1;; joined *= 2) {
        std::vector<double> means;
        for (const std::vector<double>& run : runs)
            // What is left over is at the beginning, where a warm-up may not have ended.
            for (std::size_t begin = run.size() % joined; begin < run.size(); begin += joined)
                means.push_back(interval_of(std::span(run).subspan(begin, joined)).mean);
        if (means.size() < kFewestBatches) return {};
        if (are_independent(means)) return {interval_of(means), means.size()};
    }
}

Interval difference_of(const Interval& first, const Interval& second, double confidence)
{
    Interval difference;
    difference.mean = second.mean - first.mean;
    if (!first.half_width || !second.half_width) return difference;
    const auto squared_error = [](const Interval& interval) {
        const double error = *interval.half_width / student_quantile(0.975, interval.degrees);
        return error * error;
    };
    const double a = squared_error(first), b = squared_error(second);
    difference.half_width = 0;
    difference.degrees = first.degrees + second.degrees;
    if (a + b == 0) return difference;
    const double degrees =
        (a + b) * (a + b) / (a * a / static_cast<double>(first.degrees) + b * b / static_cast<double>(second.degrees));
    difference.degrees = std::max<std::size_t>(1, static_cast<std::size_t>(degrees));
    difference.half_width = student_quantile((1 + confidence) / 2, difference.degrees) * std::sqrt(a + b);
    return difference;
}

Spread spread_of(double mean, std::optional<double> half_width)
{
    constexpr double kSmall = 0.001;
    if (!half_width) return Spread::none;
    if (*half_width > std::fabs(mean)) return Spread::wide;
    return *half_width < kSmall * std::fabs(mean) ? Spread::small : Spread::known;
}

bool is_within(const Interval& interval, double share)
{
    return interval.half_width && *interval.half_width <= share / (1 + share) * std::fabs(interval.mean);
}

}  // namespace anml
