#include "experiment/statistics/mser.h"

#include <algorithm>
#include <vector>

namespace anml {

std::optional<Truncation> mser(std::span<const double> values, std::size_t joins)
{
    const std::size_t count = values.size() / joins;
    if (count < kMserFewest) return std::nullopt;
    std::vector<double> means(count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < joins; ++j) means[i] += values[i * joins + j] / static_cast<double>(joins);
    // From the end, so that each beginning is a step of Welford's recurrence.
    double mean = 0, squares = 0, least = 0;
    std::size_t best = count, half = count;
    double least_of_half = 0;
    for (std::size_t left = count; left-- > 0;) {
        const auto n = static_cast<double>(count - left);
        const double off = means[left] - mean;
        mean += off / n;
        squares += off * (means[left] - mean);
        if (count - left < kMserLastLeft) continue;
        const double error = squares / (n * n);
        if (best == count || error <= least) least = error, best = left;  // of equal ones what leaves out less
        if (2 * left <= count && (half == count || error <= least_of_half)) least_of_half = error, half = left;
    }
    return Truncation{best * joins, 2 * best <= count, half * joins};
}

}  // namespace anml
