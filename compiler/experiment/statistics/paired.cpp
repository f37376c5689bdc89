#include "experiment/statistics/paired.h"

#include <cmath>
#include <vector>

namespace anml {

PairedDifference paired_difference(std::span<const double> first, std::span<const double> second, double confidence)
{
    PairedDifference result;
    result.pairs = first.size();
    std::vector<double> differences;
    for (std::size_t i = 0; i < first.size(); ++i) differences.push_back(second[i] - first[i]);
    result.interval = interval_of(differences, confidence);
    const double mean_first = interval_of(first).mean, mean_second = interval_of(second).mean;
    double squares_first = 0, squares_second = 0, products = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const double a = first[i] - mean_first, b = second[i] - mean_second;
        squares_first += a * a;
        squares_second += b * b;
        products += a * b;
    }
    const double both = squares_first + squares_second;
    if (both > 0) result.variance_left = std::fmax(0, (both - 2 * products) / both);
    if (squares_first > 0 && squares_second > 0)
        result.correlation = products / std::sqrt(squares_first) / std::sqrt(squares_second);
    return result;
}

}  // namespace anml
