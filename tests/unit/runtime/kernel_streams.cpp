// Streams of random numbers: those of repetitions and of users are independent as far as tests can tell, and each is a
// function of its own key alone.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "kernel/random.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

namespace {

constexpr std::size_t kLength = 4096;

std::vector<double> stream(std::uint64_t seed, std::uint32_t user, Purpose purpose = Purpose::think,
                           std::uint32_t row = 0)
{
    std::vector<double> values;
    for (std::size_t i = 0; i < kLength; ++i) values.push_back(Draws(seed, user, purpose, row, i).unit());
    return values;
}

// Of values in [0, 1), in deviations of what independent ones have.
double correlation(const std::vector<double>& a, const std::vector<double>& b, std::size_t lag = 0)
{
    double sum = 0;
    for (std::size_t i = 0; i + lag < a.size(); ++i) sum += (a[i] - 0.5) * (b[i + lag] - 0.5);
    return 12 * sum / std::sqrt(static_cast<double>(a.size() - lag));
}

// The sum of squares of so many deviations, in deviations of a chi-squared variable (Wilson and Hilferty).
double chi_squared_score(double sum, double degrees)
{
    const double spread = 2 / (9 * degrees);
    return (std::cbrt(sum / degrees) - (1 - spread)) / std::sqrt(spread);
}

}  // namespace

TEST_CASE("streams of repetitions do not correlate")
{
    constexpr std::uint64_t kSeeds = 40;
    std::vector<std::vector<double>> streams;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) streams.push_back(stream(seed, 3));
    double sum = 0, most = 0;
    std::size_t pairs = 0;
    for (std::size_t a = 0; a < kSeeds; ++a)
        for (std::size_t b = a + 1; b < kSeeds; ++b)
            for (const std::size_t lag : {0u, 1u, 2u, 5u}) {
                const double found = correlation(streams[a], streams[b], lag);
                sum += found * found;
                most = std::fmax(most, std::fabs(found));
                ++pairs;
            }
    INFO("pairs " << pairs << ", largest " << most);
    CHECK(std::fabs(chi_squared_score(sum, static_cast<double>(pairs))) < 3.3);
    CHECK(most < 5);  // of 3120 deviations of a normal distribution
}

TEST_CASE("streams of users, purposes and rows do not correlate")
{
    std::vector<std::vector<double>> streams;
    for (std::uint32_t user = 0; user < 16; ++user) streams.push_back(stream(1, user));
    for (const Purpose purpose : {Purpose::start, Purpose::service, Purpose::document, Purpose::impairment})
        for (std::uint32_t row = 0; row < 4; ++row) streams.push_back(stream(1, 3, purpose, row));
    double sum = 0;
    std::size_t pairs = 0;
    for (std::size_t a = 0; a < streams.size(); ++a)
        for (std::size_t b = a + 1; b < streams.size(); ++b, ++pairs) {
            const double found = correlation(streams[a], streams[b]);
            sum += found * found;
        }
    CHECK(std::fabs(chi_squared_score(sum, static_cast<double>(pairs))) < 3.3);
}

// Repetitions have seeds one behind the other: what is drawn first of each may be no sequence either.
TEST_CASE("first draws of successive seeds are uniform and independent of each other")
{
    constexpr std::size_t kSeeds = 20000, kCells = 100;
    std::vector<double> counts(kCells), pairs(kCells), first;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        Draws draws(seed, 0, Purpose::start, 0, 0);
        first.push_back(draws.unit());
        ++counts[static_cast<std::size_t>(kCells * first.back())];
    }
    double sum = 0, pair_sum = 0;
    for (const double count : counts) sum += (count - kSeeds / kCells) * (count - kSeeds / kCells) / (kSeeds / kCells);
    CHECK(std::fabs(chi_squared_score(sum, kCells - 1)) < 3.3);
    for (std::size_t i = 0; i + 1 < kSeeds; i += 2)
        ++pairs[10 * static_cast<std::size_t>(10 * first[i]) + static_cast<std::size_t>(10 * first[i + 1])];
    constexpr double kExpected = kSeeds / 2.0 / kCells;
    for (const double count : pairs) pair_sum += (count - kExpected) * (count - kExpected) / kExpected;
    CHECK(std::fabs(chi_squared_score(pair_sum, kCells - 1)) < 3.3);
    for (const std::size_t lag : {1u, 2u, 3u}) CHECK(std::fabs(correlation(first, first, lag)) < 3.9);
}

// Counter-based: no stream is a part of another one. 64 bits of different keys are equal by chance once in 2^23 such
// tests.
TEST_CASE("streams have no value in common")
{
    std::set<std::uint64_t> seen;
    std::size_t drawn = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed)
        for (std::uint32_t user = 0; user < 4; ++user)
            for (std::uint64_t index = 0; index < 500; ++index, ++drawn)
                seen.insert(random_bits(seed, user, Purpose::think, 0, index));
    CHECK(seen.size() == drawn);
}

}  // namespace ANML_UNIT_FILE
