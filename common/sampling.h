// The functions that turn uniform bits into samples, in plain arithmetic: libm and std:: distributions differ between
// machines and library versions, the digest may not. The runtime draws with them, and the compiler estimates means.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace anml::rt {

// The natural logarithm of x > 0, relative error below 1e-14.
inline double natural_log(double x)
{
    int exponent;
    double mantissa = std::frexp(x, &exponent);  // exact
    if (mantissa < 0.70710678118654752440) {
        mantissa *= 2;
        --exponent;
    }
    // ln m = 2 artanh(z), |z| < 0.172: eleven terms leave less than 1e-17.
    double z = (mantissa - 1) / (mantissa + 1), square = z * z, sum = 0;
    for (int k = 21; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return exponent * 0.69314718055994530942 + 2 * z * sum;
}

// e to the power of x, relative error below 1e-14.
inline double exponential_of(double x)
{
    if (!(x > -746)) return 0;
    if (x > 710) return std::numeric_limits<double>::infinity();
    constexpr double kHigh = 0.693147180369123816490, kLow = 1.90821492927058770002e-10;  // their sum is ln 2
    const double power = std::floor(x * 1.44269504088896340736 + 0.5);
    const double rest = (x - power * kHigh) - power * kLow;  // |rest| < 0.35: the series ends below 1e-17
    double sum = 1;
    for (int k = 14; k >= 1; --k) sum = 1 + sum * rest / k;
    return std::ldexp(sum, static_cast<int>(power));
}

// base to the power of exponent; base >= 0.
inline double power_of(double base, double exponent)
{
    if (exponent == 0) return 1;
    if (!(base > 0)) return exponent > 0 ? 0 : std::numeric_limits<double>::infinity();
    return exponential_of(exponent * natural_log(base));
}

// The natural logarithm of any number: below 0 there is none, and that of 0 is minus infinity.
inline double logarithm(double x)
{
    if (x > 0) return natural_log(x);
    return x == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
}

// The same for any base. A whole exponent multiplies, so that what has so few digits is exact.
inline double power(double base, double exponent)
{
    constexpr double kMostFactors = 1024;
    if (std::fabs(exponent) > kMostFactors || exponent != std::floor(exponent))
        return base < 0 ? std::numeric_limits<double>::quiet_NaN() : power_of(base, exponent);
    double result = 1, square = base;
    for (unsigned left = static_cast<unsigned>(std::fabs(exponent)); left > 0; left /= 2) {
        if (left % 2 != 0) result *= square;
        square *= square;
    }
    return exponent < 0 ? 1 / result : result;
}

// The sine of `x` and, with a `quarter` of 1, the cosine: the sine a quarter of a turn further. Error below 1e-15 while
// |x| < 1e6, and growing with x behind.
inline double sine(double x, int quarter = 0)
{
    constexpr double kFirst = 1.57079632673412561417, kSecond = 6.07710050630396597660e-11,
                     kThird = 2.02226624879595063154e-21;  // their sum is pi / 2; the first two end in 33 zero bits
    const double turns = std::floor(x * 0.63661977236758134308 + 0.5);
    const double r = ((x - turns * kFirst) - turns * kSecond) - turns * kThird, square = r * r;
    if (!(std::fabs(r) < 1)) return std::numeric_limits<double>::quiet_NaN();  // no digit of such an x says where it is
    const int which = (static_cast<int>(std::fmod(turns, 4)) + quarter + 4) % 4;
    // The series: |r| < 0.79, so that what is left out is below 1e-17.
    double sum = 1;
    if (which % 2 == 0)
        for (int k = 18; k >= 2; k -= 2) sum = 1 - sum * square / (k * (k + 1));
    else
        for (int k = 19; k >= 1; k -= 2) sum = 1 - sum * square / (k * (k + 1));
    const double value = which % 2 == 0 ? r * sum : sum;
    return which < 2 ? value : -value;
}
inline double cosine(double x) { return sine(x, 1); }

// The quantile function of the normal distribution with mean 0 and deviation 1: Wichura's AS 241 (Applied Statistics
// 37, 1988), relative error about 1e-16. `share` from [0, 1); what is too near to 0 or 1 counts as 2^-54 from it.
inline double normal_quantile(double share)
{
    constexpr double kCentre[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                   1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                   3.3430575583588128105e+4, 2.5090809287301226727e+3};
    constexpr double kCentreUnder[8] = {1.0,
                                        4.2313330701600911252e+1,
                                        6.8718700749205790830e+2,
                                        5.3941960214247511077e+3,
                                        2.1213794301586595867e+4,
                                        3.9307895800092710610e+4,
                                        2.8729085735721942674e+4,
                                        5.2264952788528545610e+3};
    constexpr double kMiddle[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                   3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                   2.27238449892691845833e-2, 7.74545014278341407640e-4};
    constexpr double kMiddleUnder[8] = {1.0,
                                        2.05319162663775882187e0,
                                        1.67638483018380384940e0,
                                        6.89767334985100004550e-1,
                                        1.48103976427480074590e-1,
                                        1.51986665636164571966e-2,
                                        5.47593808499534494600e-4,
                                        1.05075007164441684324e-9};
    constexpr double kTail[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                 2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                 2.71155556874348757815e-5, 2.01033439929228813265e-7};
    constexpr double kTailUnder[8] = {1.0,
                                      5.99832206555887937690e-1,
                                      1.36929880922735805310e-1,
                                      1.48753612908506148525e-2,
                                      7.86869131745613259100e-4,
                                      1.84631831751005468180e-5,
                                      1.42151175831644588870e-7,
                                      2.04426310338993978564e-15};
    const auto ratio = [](const double(&over)[8], const double(&under)[8], double x) {
        double a = over[7], b = under[7];
        for (int k = 6; k >= 0; --k) {
            a = a * x + over[k];
            b = b * x + under[k];
        }
        return a / b;
    };
    const double from_centre = share - 0.5;
    if (std::fabs(from_centre) <= 0.425)
        return from_centre * ratio(kCentre, kCentreUnder, 0.180625 - from_centre * from_centre);
    const double to_end = std::max(from_centre < 0 ? share : 1 - share, 0x1p-54);
    const double depth = std::sqrt(-natural_log(to_end));
    const double size = depth <= 5 ? ratio(kMiddle, kMiddleUnder, depth - 1.6) : ratio(kTail, kTailUnder, depth - 5);
    return from_centre < 0 ? -size : size;
}

// Zipf: a rank from 1 to `count`, rank k with a probability proportional to k^-exponent. Rejection from the inverted
// integral of x^-exponent (Hörmann and Derflinger, ACM TOMACS 6, 1996), 1.1 draws or fewer on average. `unit` draws
// from [0, 1).
template <class Unit>
double zipf(double count, double exponent, Unit&& unit)
{
    count = std::max(1.0, std::floor(count));
    // ln(1 + x) / x and (e^x - 1) / x, by their series where they would cancel.
    const auto log_ratio = [](double x) {
        if (std::fabs(x) > 1e-3) return natural_log(1 + x) / x;
        return 1 - x * (1.0 / 2 - x * (1.0 / 3 - x * (1.0 / 4 - x / 5)));
    };
    const auto exp_ratio = [](double x) {
        if (std::fabs(x) > 1e-3) return (exponential_of(x) - 1) / x;
        return 1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5)));
    };
    const auto density = [&](double x) { return exponential_of(-exponent * natural_log(x)); };
    const auto integral = [&](double x) {
        const double logarithm = natural_log(x);
        return exp_ratio((1 - exponent) * logarithm) * logarithm;
    };
    const auto inverse = [&](double y) {
        const double t = std::max(-1.0, y * (1 - exponent));
        return t == -1 ? std::numeric_limits<double>::infinity() : exponential_of(log_ratio(t) * y);
    };
    const double first = integral(1.5) - 1, last = integral(count + 0.5);
    const double accept = 2 - inverse(integral(2.5) - density(2));
    for (;;) {
        const double y = last + unit() * (first - last);
        const double x = inverse(y);
        const double rank = std::min(count, std::max(1.0, std::floor(x + 0.5)));
        if (rank - x <= accept || y >= integral(rank + 0.5) - density(rank)) return rank;
    }
}

// Which of `count` values of an empirical distribution has that share: the first whose cumulated weight is above it.
// The weights are scaled to a sum of 1.
inline std::size_t empirical_index(const double* cumulated, std::size_t count, double share)
{
    return std::min(static_cast<std::size_t>(std::upper_bound(cumulated, cumulated + count, share) - cumulated),
                    count - 1);
}

// The value below which that share of a cumulative distribution lies, which is linear between `count` points: rising
// shares up to 1, and the values that they reach. The first share is the first value's own.
inline double between_points(const double* shares, const double* values, std::size_t count, double share)
{
    const std::size_t i = empirical_index(shares, count, share);
    if (i == 0) return values[0];
    return values[i - 1] + (values[i] - values[i - 1]) * ((share - shares[i - 1]) / (shares[i] - shares[i - 1]));
}

// How often a truncated distribution is drawn again before the nearer bound is taken.
inline constexpr int kTruncatedDraws = 1000;

}  // namespace anml::rt
