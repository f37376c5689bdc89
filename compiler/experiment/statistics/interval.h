// Means of repeated runs, and how sure they are.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace anml {

// The value that a variable with Student's distribution of so many degrees of freedom (1 at least) does not exceed with
// the probability, which lies between 0.5 and 1. Exact up to rounding (Abramowitz and Stegun, 26.7.3 and 26.7.4).
double student_quantile(double probability, std::size_t degrees);

inline constexpr double kConfidence = 0.95;

// Of independent values, each the figure of one run.
struct Interval {
    double mean = 0;
    std::optional<double> half_width;  // of the 95 % confidence interval, or another one's; of one value there is none
    std::size_t degrees = 0;           // of freedom, that Student's distribution has
};
Interval interval_of(std::span<const double> values, double confidence = kConfidence);
// Where another value like those lies with the probability, around their mean; nothing of less than two.
std::optional<double> prediction_half_width(std::span<const double> values, double probability);

// Whether values in the order of time say nothing of those that follow: von Neumann's ratio, one-sided, at 5 %.
bool are_independent(std::span<const double> values);

// By batch means: of parts of runs, equally long and in their order. Neighbours are joined until they are independent.
struct BatchInterval {
    Interval interval;
    std::size_t batches = 0;  // that are left; 0: fewer than kFewestBatches would be, and there is no interval
};
inline constexpr std::size_t kFewestBatches = 10;
BatchInterval batch_interval(const std::vector<std::vector<double>>& runs);

// Of the difference between two means, the second one's less the first one's (Welch), of their 95 % intervals.
Interval difference_of(const Interval& first, const Interval& second, double confidence = kConfidence);

// What an interval says: nothing where it is wider than its mean; below a thousandth of it, which is how well
// percentiles are known, only that it is small.
enum class Spread { none, small, known, wide };
Spread spread_of(double mean, std::optional<double> half_width);

// Whether the interval is known, and so narrow that the mean is off by no more than that share of the true one, with
// the interval's confidence: no wider to a side than share / (1 + share) of the mean that was found (Law, Simulation
// Modeling and Analysis, 9.4.1).
bool is_within(const Interval& interval, double share);

}  // namespace anml
