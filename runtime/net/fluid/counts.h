// Random counts, in plain arithmetic as common/sampling.h: how many of n things happen that each happen with
// probability p, and how many of a Poisson process. Small means by inversion; larger ones by the transformed rejection
// of Hörmann ("The generation of binomial random variates", J. Stat. Comput. Simul. 46, 1993, BTRS; "The transformed
// rejection method for generating Poisson random variables", Insurance: Mathematics and Economics 12, 1993, PTRS). The
// cost of a count does not grow with it. `unit` draws from [0, 1).
#pragma once

#include <cmath>
#include <cstdint>

#include "common/sampling.h"

namespace anml::rt::fluid {

// ln k!, error below 1e-13 of it.
inline double log_factorial(double k)
{
    if (k < 16) {
        double product = 1;
        for (double i = 2; i <= k; ++i) product *= i;
        return natural_log(product);
    }
    constexpr double kHalfLogTwoPi = 0.91893853320467274178;
    const double x = k + 1, square = 1 / (x * x);
    const double tail = (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680))) / x;
    return (x - 0.5) * natural_log(x) - x + kHalfLogTwoPi + tail;
}

inline constexpr double kInversion = 10;  // means below are inverted

template <class Unit>
std::uint64_t poisson(double mean, Unit&& unit)
{
    if (!(mean > 0)) return 0;
    if (mean < kInversion) {
        double left = unit(), p = exponential_of(-mean);
        std::uint64_t k = 0;
        for (; left >= p && k < 1000; left -= p, p *= mean / static_cast<double>(++k)) {
        }
        return k;
    }
    const double b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b, alpha = 1.1239 + 1.1328 / (b - 3.4),
                 likely = 0.9277 - 3.6224 / (b - 2), log_mean = natural_log(mean);
    for (;;) {
        const double u = unit() - 0.5, v = 1 - unit(), s = 0.5 - std::fabs(u);
        if (s <= 0) continue;
        const double k = std::floor((2 * a / s + b) * u + mean + 0.43);
        if (s >= 0.07 && v <= likely && k >= 0) return static_cast<std::uint64_t>(k);
        if (k < 0 || (s < 0.013 && v > s)) continue;
        if (natural_log(v * alpha / (a / (s * s) + b)) <= k * log_mean - mean - log_factorial(k))
            return static_cast<std::uint64_t>(k);
    }
}

template <class Unit>
std::uint64_t binomial(std::uint64_t count, double share, Unit&& unit)
{
    if (count == 0 || !(share > 0)) return 0;
    if (share >= 1) return count;
    if (share > 0.5) return count - binomial(count, 1 - share, unit);
    const auto n = static_cast<double>(count);
    const double q = 1 - share, odds = share / q;
    if (n * share < kInversion) {
        double left = unit(), p = power_of(q, n);
        std::uint64_t k = 0;
        while (left >= p && k < count) {
            left -= p;
            p *= odds * (n - static_cast<double>(k)) / static_cast<double>(k + 1);
            ++k;
        }
        return k;
    }
    const double deviation = std::sqrt(n * share * q), b = 1.15 + 2.53 * deviation,
                 a = -0.0873 + 0.0248 * b + 0.01 * share, centre = n * share + 0.5, likely = 0.92 - 4.2 / b,
                 alpha = (2.83 + 5.1 / b) * deviation, log_odds = natural_log(odds), mode = std::floor((n + 1) * share),
                 at_mode = log_factorial(mode) + log_factorial(n - mode);
    for (;;) {
        const double u = unit() - 0.5, v = 1 - unit(), s = 0.5 - std::fabs(u);
        if (s <= 0) continue;
        const double k = std::floor((2 * a / s + b) * u + centre);
        if (k < 0 || k > n) continue;
        if (s >= 0.07 && v <= likely) return static_cast<std::uint64_t>(k);
        if (natural_log(v * alpha / (a / (s * s) + b)) <=
            at_mode - log_factorial(k) - log_factorial(n - k) + (k - mode) * log_odds)
            return static_cast<std::uint64_t>(k);
    }
}

}  // namespace anml::rt::fluid
