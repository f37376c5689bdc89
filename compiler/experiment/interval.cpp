#include "experiment/interval.h"

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

Interval interval_of(std::span<const double> values)
{
    Interval interval;
    if (values.empty()) return interval;
    const auto count = static_cast<double>(values.size());
    for (const double value : values) interval.mean += value / count;
    if (values.size() < 2) return interval;
    double squares = 0;
    for (const double value : values) squares += (value - interval.mean) * (value - interval.mean);
    const double error = std::sqrt(squares / (count - 1) / count);
    interval.half_width = student_quantile(0.975, values.size() - 1) * error;
    return interval;
}

bool is_within(const Interval& interval, double share)
{
    return interval.half_width && *interval.half_width <= share * std::fabs(interval.mean);
}

}  // namespace anml
