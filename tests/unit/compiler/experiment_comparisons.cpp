// Warm-ups that are found, sequential stopping, and differences by common random numbers, against what is known.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "experiment/statistics/effects.h"
#include "experiment/statistics/interval.h"
#include "experiment/statistics/mser.h"
#include "experiment/statistics/paired.h"
#include "experiment/statistics/warmup.h"
#include "../tier.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using anml::testing::kSanitized;

TEST_CASE("MSER leaves out the beginning without which the error is the least")
{
    // By hand: without the first, squares of (10, 0 ... 0) are gone; every further one is a mean of fewer.
    std::vector<double> values(20, 1.0);
    values[0] = 11;
    for (std::size_t i = 1; i < 20; ++i) values[i] += i % 2 == 0 ? 0.1 : -0.1;
    CHECK(mser(values, 1)->leaves_out == 1);
    CHECK(mser(values, 1)->settled);
    CHECK_FALSE(mser(std::vector<double>(19, 1.0), 1));
    CHECK_FALSE(mser(std::vector<double>(99, 1.0)));
    CHECK(mser(std::vector<double>(100, 1.0))->leaves_out == 0);
    // What never ends to rise has its minimum as late as it may be.
    std::vector<double> rising;
    for (int i = 0; i < 100; ++i) rising.push_back(i);
    CHECK_FALSE(mser(rising)->settled);
}

TEST_CASE("MSER's statistic is White's, by brute force")
{
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    for (int round = 0; round < 50; ++round) {
        std::vector<double> values(60);
        double state = 4;
        for (double& value : values) value = state = 0.8 * state + normal(random);
        double least = 1e300;
        std::size_t best = 0;
        for (std::size_t d = 0; d + kMserLastLeft <= values.size(); ++d) {
            const double n = static_cast<double>(values.size() - d);
            double mean = 0, squares = 0;
            for (std::size_t i = d; i < values.size(); ++i) mean += values[i] / n;
            for (std::size_t i = d; i < values.size(); ++i) squares += (values[i] - mean) * (values[i] - mean);
            if (squares / (n * n) < least * (1 - 1e-12)) least = squares / (n * n), best = d;
        }
        CHECK(mser(values, 1)->leaves_out == best);
        CHECK(mser(values, 1)->settled == (2 * best <= values.size()));
    }
}

// White's initial transients: a first-order autoregressive process whose mean falls exponentially to what it is in the
// long run. The truncated mean has nearly no bias, the whole one a known one.
TEST_CASE("MSER-5 takes the bias of a transient away")
{
    std::mt19937_64 random(17);
    std::normal_distribution<double> normal;
    constexpr int kRuns = 200, kValues = 1000;
    constexpr double kHigh = 20, kDecay = 40;  // of values: e^-1 of the transient is left
    double whole = 0, kept = 0, ends = 0;
    int unsettled = 0;
    for (int run = 0; run < kRuns; ++run) {
        std::vector<double> values;
        double noise = normal(random) / std::sqrt(1 - 0.25);
        for (int i = 0; i < kValues; ++i) {
            values.push_back(noise + kHigh * std::exp(-i / kDecay));
            noise = 0.5 * noise + normal(random);
        }
        const Truncation found = *mser(values);
        if (!found.settled) {
            ++unsettled;
            continue;
        }
        whole += interval_of(values).mean / kRuns;
        kept += interval_of(std::span(values).subspan(found.leaves_out)).mean / kRuns;
        ends += static_cast<double>(found.leaves_out) / kRuns;
    }
    CHECK(unsettled <= 4);
    CHECK(whole == Approx(kHigh * kDecay / kValues).epsilon(0.1));  // 0.8
    CHECK(std::fabs(kept) < 0.05);
    CHECK(ends > 2 * kDecay);  // where 13 % of it are left
    CHECK(ends < 8 * kDecay);
}

TEST_CASE("MSER-5 leaves out little of what has no transient")
{
    std::mt19937_64 random(23);
    std::normal_distribution<double> normal;
    constexpr int kRuns = 300;
    double out = 0;
    int unsettled = 0;
    for (int run = 0; run < kRuns; ++run) {
        std::vector<double> values(1000);
        for (double& value : values) value = normal(random);
        const Truncation found = *mser(values);
        unsettled += !found.settled;
        out += found.settled ? static_cast<double>(found.leaves_out) / 1000 / kRuns : 0;
    }
    CHECK(out < 0.02);
    CHECK(unsettled < 0.02 * kRuns);
}

TEST_CASE("a short series is not steady where there is a trend, and not by chance")
{
    std::mt19937_64 random(29);
    std::normal_distribution<double> normal;
    constexpr int kRuns = 500;
    int of_noise = 0, of_trend = 0, by_mser = 0;
    for (int run = 0; run < kRuns; ++run) {
        Series noise{"x", 1, {}}, trend{"y", 1, {}};
        std::vector<double> values;
        for (int i = 0; i < 200; ++i) {
            values.push_back(10 + normal(random));
            noise.values.push_back(values.back());
            trend.values.push_back(values.back() + 0.1 * i);
        }
        by_mser += !mser(values)->settled;
        of_noise += !transient_of(noise)->settled;
        of_trend += !transient_of(trend)->settled;
    }
    CHECK(by_mser > 0.02 * kRuns);
    CHECK(of_noise < 0.02 * kRuns);
    CHECK(of_trend == kRuns);
}

TEST_CASE("a series with what is missing keeps its places in time")
{
    Series series{"p99(w)", 0.5, {}};
    for (int i = 0; i < 200; ++i)
        series.values.push_back(i < 20        ? std::optional(50.0 - i)
                                : i % 10 == 9 ? std::nullopt
                                              : std::optional(1.0 + i % 2));
    const auto found = transient_of(series);
    REQUIRE(found);
    CHECK(found->settled);
    CHECK(found->seconds == Approx(10).margin(1.5));
    for (std::size_t i = 50; i < 100; ++i) series.values[i].reset();
    CHECK_FALSE(transient_of(series));
    const Series both = averaged({Series{"x", 1, {1.0, {}, 3.0}}, Series{"x", 1, {3.0, 5.0}}});
    REQUIRE(both.values.size() == 2);
    CHECK(both.values[0] == 2.0);
    CHECK(both.values[1] == 5.0);
}

TEST_CASE("pilot runs are at the ends of factors")
{
    ExperimentInfo info;
    FactorInfo numbers, names;
    numbers.name = "clients", numbers.levels = {"1", "2", "4"}, numbers.values = {1, 2, 4};
    names.name = "law", names.levels = {"reno", "cubic", "bbr"};
    info.factors = {numbers, names};
    CHECK(pilot_points(info).size() == 6);
    info.factors.assign(8, numbers);
    CHECK(pilot_points(info).size() == 9);  // of 256
}

TEST_CASE("a precision is of the true mean")
{
    // Law, 9.4.1: half a width of 9.0 around 100 is 9 % of what was found, and up to 9.9 % of a true mean of 91.
    CHECK(is_within(Interval{100, 9.0, 9}, 0.1));
    CHECK_FALSE(is_within(Interval{100, 9.2, 9}, 0.1));
    CHECK(is_within(Interval{-100, 9.0, 9}, 0.1));
    CHECK_FALSE(is_within(Interval{0, 0.1, 9}, 1));
    CHECK(is_within(Interval{0, 0.0, 9}, 0.1));
}

// Replications of an M/M/1 queue at 0.7 that starts in its steady state, repeated until their mean is known to 10 %:
// how often the interval holds the mean that queueing theory has, of 200 such experiments. decisions/0100 has more.
TEST_CASE("intervals of repetitions that stop by themselves hold a queue's mean")
{
    constexpr double kLoad = 0.7, kMean = kLoad / (1 - kLoad);
    constexpr int kExperiments = kSanitized ? 60 : 200, kCustomers = 2000, kMost = 100, kFewest = 5;
    std::mt19937_64 random(31);
    std::exponential_distribution<double> arrival(kLoad), service(1), waits(1 - kLoad);
    std::uniform_real_distribution<double> unit;
    int held = 0, hit = 0;
    for (int experiment = 0; experiment < kExperiments; ++experiment) {
        std::vector<double> values;
        do {
            double waiting = unit(random) < kLoad ? waits(random) : 0, sum = 0;
            for (int i = 0; i < kCustomers; ++i) {
                sum += waiting;
                waiting = std::max(0.0, waiting + service(random) - arrival(random));
            }
            values.push_back(sum / kCustomers);
        } while (values.size() < kMost && (values.size() < kFewest || !is_within(interval_of(values), 0.1)));
        hit += values.size() == kMost;
        const Interval found = interval_of(values);
        held += std::fabs(found.mean - kMean) <= *found.half_width;
    }
    INFO(held << " of " << kExperiments << ", " << hit << " at the most repetitions");
    CHECK(held >= 0.88 * kExperiments);  // two deviations below what 1000 experiments had
    CHECK(hit == 0);
}

TEST_CASE("a paired interval is that of the differences")
{
    // Differences 1, 2, 3: 2 ± 4.30265 / sqrt(3).
    const std::vector<double> first{10, 20, 30}, second{11, 22, 33};
    const PairedDifference found = paired_difference(first, second);
    CHECK(found.interval.mean == Approx(2));
    CHECK(*found.interval.half_width == Approx(4.30265 / std::sqrt(3.0)).epsilon(1e-5));
    CHECK(found.interval.degrees == 2);
    CHECK(found.correlation == Approx(1));
    CHECK(found.variance_left == Approx(1.0 / (100 + 121)));
    // Of three comparisons each has 98.33 % (Bonferroni): t of 0.99167 with 2 degrees is 7.6488.
    CHECK(*paired_difference(first, second, 1 - 0.05 / 3).interval.half_width ==
          Approx(7.6488 / std::sqrt(3.0)).epsilon(1e-4));
    const PairedDifference against = paired_difference(first, std::vector<double>{33, 22, 11});
    CHECK(against.correlation == Approx(-1));
    CHECK(against.variance_left > 1);
    const PairedDifference same = paired_difference(first, first);
    CHECK(*same.interval.half_width == 0);
    CHECK(same.variance_left == 0);
    CHECK(paired_difference(std::vector<double>{1, 1, 1}, std::vector<double>{2, 2, 2}).variance_left == 1);
}

// Two queues at 0.70 and 0.72, with the same arrivals and services, and with others: how often each interval holds the
// difference that is known, how wide they are, and that pairs of what is independent are no worse than they say.
TEST_CASE("common random numbers make a difference known that Welch's interval does not show")
{
    constexpr double kFirst = 0.7, kSecond = 0.72, kCustomers = 3000;
    const double truth = kSecond / (1 - kSecond) - kFirst / (1 - kFirst);
    constexpr int kExperiments = kSanitized ? 50 : 150, kPairs = 10;
    std::mt19937_64 seeds(41);
    const auto queue = [](std::uint64_t seed, double load) {
        std::mt19937_64 random(seed);
        std::exponential_distribution<double> one(1);
        double waiting = 0, sum = 0;
        for (int i = 0; i < 1000 + kCustomers; ++i) {
            if (i >= 1000) sum += waiting;
            const double service = one(random), gap = one(random);
            waiting = std::max(0.0, waiting + service - gap / load);
        }
        return sum / kCustomers;
    };
    int paired_holds = 0, paired_shows = 0, welch_shows = 0, independent_holds = 0;
    for (int experiment = 0; experiment < kExperiments; ++experiment) {
        std::vector<double> first, second, other;
        for (int i = 0; i < kPairs; ++i) {
            const std::uint64_t seed = seeds();
            first.push_back(queue(seed, kFirst));
            second.push_back(queue(seed, kSecond));
            other.push_back(queue(seeds(), kSecond));
        }
        const PairedDifference common = paired_difference(first, second), independent = paired_difference(first, other);
        const Interval welch = difference_of(interval_of(first), interval_of(second));
        CHECK(common.interval.mean == Approx(welch.mean));
        CHECK(common.correlation > 0.8);
        CHECK(common.variance_left < 0.2);
        paired_holds += std::fabs(common.interval.mean - truth) <= *common.interval.half_width;
        paired_shows += common.interval.mean > *common.interval.half_width;
        welch_shows += welch.mean > *welch.half_width;
        independent_holds += std::fabs(independent.interval.mean - truth) <= *independent.interval.half_width;
    }
    INFO(paired_holds << " " << paired_shows << " " << welch_shows << " " << independent_holds);
    CHECK(paired_holds >= 0.86 * kExperiments);
    CHECK(independent_holds >= 0.88 * kExperiments);
    CHECK(paired_shows > 0.9 * kExperiments);
    CHECK(welch_shows < 0.3 * kExperiments);
}

TEST_CASE("what a factor's levels change is measured from its first one")
{
    ExperimentRequest request;
    FactorInfo gap, size;
    gap.name = "gap", gap.levels = {"1", "2", "3"}, gap.values = {1, 2, 3};
    size.name = "size", size.levels = {"a", "b"};
    request.info.factors = {gap, size};
    request.measures = {"p50(w)"};
    request.dimensions = {dimension::none};
    std::vector<PointOutcome> points;
    for (const char* g : {"1", "2", "3"})
        for (const char* s : {"a", "b"}) {
            PointOutcome& point = points.emplace_back();
            point.settings = {{"gap", g}, {"size", s}};
            Estimate& estimate = point.measures.emplace_back();
            estimate.repetitions = {1, 2, 3, 4};
            for (const double noise : {0.0, 10.0, -10.0, 3.0})
                estimate.values.push_back(100 + noise + (noise / 100 + 5) * (*g - '1'));
        }
    points[0].measures[0].repetitions = {2, 3, 4, 5};  // of a run that failed: three seeds are left
    points[0].measures[0].values = {110, 90, 103, 55};
    const std::vector<Effect> effects = effects_of(request, points);
    REQUIRE(effects.size() == 4 + 3);
    CHECK(effects[0].factor == "gap");
    CHECK(effects[0].comparisons == 4);
    CHECK(effects[0].found.pairs == 3);
    CHECK(effects[1].found.pairs == 4);
    CHECK(effects[1].others == Settings{{"size", "b"}});
    CHECK(effects[1].found.interval.mean == Approx(5).margin(0.1));
    CHECK(effects[3].found.interval.mean == Approx(10).margin(0.1));
    CHECK(effects[1].differs());
    CHECK(effects[4].factor == "size");
    CHECK(effects[4].comparisons == 3);
    CHECK_FALSE(effects[5].differs());
    // Wider than each alone.
    CHECK(*effects[1].found.interval.half_width >
          *paired_difference(points[1].measures[0].values, points[3].measures[0].values).interval.half_width);
    // Too few seeds in common: nothing is said.
    points[0].measures[0].repetitions = {5, 6, 3, 4};
    CHECK(effects_of(request, points).size() == 4);
    CHECK(show_effects(request, effects).find("differences from gap = 1") != std::string::npos);
}

}  // namespace ANML_UNIT_FILE
