// Means of repeated runs, and how sure they are.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace anml {

// The value that a variable with Student's distribution of so many degrees of freedom (1 at least) does not exceed with
// the probability, which lies between 0.5 and 1. Exact up to rounding (Abramowitz and Stegun, 26.7.3 and 26.7.4).
double student_quantile(double probability, std::size_t degrees);

// Of independent values, each the figure of one run.
struct Interval {
    double mean = 0;
    std::optional<double> half_width;  // of the 95 % confidence interval; of one value there is none
};
Interval interval_of(std::span<const double> values);

// Whether the interval is known, and no wider to a side than that share of the mean.
bool is_within(const Interval& interval, double share);

}  // namespace anml
