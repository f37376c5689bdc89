// Confidence intervals against printed tables, and searches against the value that is searched for.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "../tier.h"
#include "experiment/launch/silence.h"
#include "experiment/progress.h"
#include "experiment/statistics/interval.h"
#include "experiment/statistics/mser.h"
#include "experiment/statistics/search.h"
#include "experiment/status_text.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using anml::testing::kSanitized;

TEST_CASE("quantiles of Student's distribution are those of the tables")
{
    // CRC Standard Mathematical Tables.
    CHECK(student_quantile(0.975, 1) == Approx(12.7062).epsilon(1e-5));
    CHECK(student_quantile(0.975, 2) == Approx(4.30265).epsilon(1e-5));
    CHECK(student_quantile(0.975, 4) == Approx(2.77645).epsilon(1e-5));
    CHECK(student_quantile(0.975, 9) == Approx(2.26216).epsilon(1e-5));
    CHECK(student_quantile(0.975, 30) == Approx(2.04227).epsilon(1e-5));
    CHECK(student_quantile(0.95, 5) == Approx(2.01505).epsilon(1e-5));
    CHECK(student_quantile(0.975, 1000) == Approx(1.96234).epsilon(1e-5));
}

TEST_CASE("a warm-up ends where the standard error of what is left is the least")
{
    // As White defines it: of n values behind the d-th, the sum of squares by n squared.
    std::mt19937 random(1);
    std::normal_distribution<double> noise;
    for (const double fall : {0.5, 5.0, 20.0, 60.0}) {
        std::vector<double> values;
        for (int i = 0; i < 400; ++i) values.push_back(9 * std::exp(-i / fall) + noise(random));
        std::size_t best = 0;
        double least = HUGE_VAL;
        for (std::size_t d = 0; d + kMserLastLeft <= values.size(); ++d) {
            double sum = 0, squares = 0;
            for (std::size_t i = d; i < values.size(); ++i) sum += values[i];
            const auto n = static_cast<double>(values.size() - d);
            for (std::size_t i = d; i < values.size(); ++i) squares += (values[i] - sum / n) * (values[i] - sum / n);
            if (squares / (n * n) < least) least = squares / (n * n), best = d;
        }
        CHECK(mser(values, 1)->leaves_out == best);
        CHECK(mser(values, 1)->settled);
    }
}

TEST_CASE("an interval is the mean's, by Student's distribution")
{
    const Interval five = interval_of(std::vector<double>{9, 10, 11, 10, 10});
    CHECK(five.mean == Approx(10));
    CHECK(*five.half_width == Approx(2.77645 * 0.70710678 / 2.2360680).epsilon(1e-5));
    CHECK(is_within(five, 0.1));
    CHECK_FALSE(is_within(five, 0.08));
    CHECK_FALSE(interval_of(std::vector<double>{3}).half_width);
    CHECK_FALSE(is_within(interval_of(std::vector<double>{3}), 1));
    CHECK(*interval_of(std::vector<double>{3, 3}).half_width == 0);
}

static int tries(Search& search, double border)
{
    int count = 0;
    for (; search.outcome() == Search::Outcome::searching && count < 1000; ++count)
        search.judge(search.next() <= border);
    return count;
}

TEST_CASE("a search ends beside the border")
{
    for (const double border : {1.0, 3.7, 59.0, 731.0, 999.0}) {
        Search search(1, 1000, false, 0.01);
        CHECK(tries(search, border) <= 14);
        CHECK(search.outcome() == Search::Outcome::found);
        CHECK(search.low() <= border);
        CHECK(search.high() > border);
        CHECK(search.high() - search.low() <= 0.01 * search.high());
    }
    Search whole(1, 64, true, 0.0001);
    tries(whole, 37);
    CHECK(whole.low() == 37);
    CHECK(whole.high() == 38);
    Search nowhere(10, 20, false, 0.01), always(10, 20, false, 0.01);
    CHECK(tries(nowhere, 9) == 1);
    CHECK(nowhere.outcome() == Search::Outcome::nowhere);
    CHECK(tries(always, 30) == 2);
    CHECK(always.outcome() == Search::Outcome::always);
}

TEST_CASE("where another value would lie")
{
    // Whitmore 1986: of n values, t(n - 1) * s * sqrt(1 + 1 / n).
    const std::vector<double> values{9, 10, 11, 10, 10};
    CHECK(*prediction_half_width(values, 0.95) == Approx(2.77645 * 0.70710678 * std::sqrt(1.2)).epsilon(1e-5));
    CHECK(*prediction_half_width(values, 0.99) > *prediction_half_width(values, 0.95));
    CHECK_FALSE(prediction_half_width(std::vector<double>{3}, 0.95));
}

TEST_CASE("a difference's interval is Welch's")
{
    // 15 values each, of means 20.8 and 23.0 and variances 7.9 and 3.8: t = -2.46, 25 degrees of freedom (24.9).
    const auto of = [](double mean, double variance) {
        return Interval{mean, student_quantile(0.975, 14) * std::sqrt(variance / 15), 14};
    };
    const Interval difference = difference_of(of(20.8, 7.9), of(23.0, 3.8));
    CHECK(difference.mean == Approx(2.2));
    CHECK(difference.degrees == 24);
    CHECK(*difference.half_width == Approx(student_quantile(0.975, 24) * 2.2 / 2.46).epsilon(0.02));
    CHECK_FALSE(difference_of(of(1, 1), Interval{2, {}, 0}).half_width);
    CHECK(*difference_of(Interval{1, 0.0, 4}, Interval{2, 0.0, 4}).half_width == 0);
}

TEST_CASE("von Neumann's ratio finds what follows from what was before")
{
    std::vector<double> rising, swinging;
    for (int i = 0; i < 20; ++i) rising.push_back(i), swinging.push_back(i % 2);
    CHECK_FALSE(are_independent(rising));
    CHECK(are_independent(swinging));
    CHECK(are_independent(std::vector<double>(20, 3.0)));
    // Of independent values one in twenty is taken for others.
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    int taken = 0;
    for (int i = 0; i < 2000; ++i) {
        std::vector<double> values(20);
        for (double& value : values) value = normal(random);
        taken += !are_independent(values);
    }
    CHECK(taken == Approx(100).margin(30));
}

TEST_CASE("batches that depend on each other are joined, and refused")
{
    std::vector<double> rising, slow, other;
    for (int i = 0; i < 40; ++i) rising.push_back(i), slow.push_back(i / 4 % 2), other.push_back(i % 2);
    CHECK(batch_interval({rising}).batches == 0);
    CHECK_FALSE(batch_interval({rising}).interval.half_width);
    CHECK(batch_interval({other}).batches == 40);
    CHECK(batch_interval({slow}).batches == 20);  // four and four
    CHECK(batch_interval({other, other}).batches == 80);
    CHECK(batch_interval({std::vector<double>(9, 1.0)}).batches == 0);  // too few
}

// Waiting times of an M/M/1 queue, by Lindley's recursion: 0.7 / 0.3 of a service on average.
TEST_CASE("intervals by batch means hold a queue's mean as often as they say")
{
    std::mt19937_64 random(7);
    std::exponential_distribution<double> arrival(0.7), service(1);
    int held = 0, refused = 0;
    constexpr int kRuns = kSanitized ? 100 : 300, kBatches = 20, kCustomers = 2500;
    for (int run = 0; run < kRuns; ++run) {
        double waiting = 0;
        std::vector<double> means;
        for (int batch = -1; batch < kBatches; ++batch) {
            double sum = 0;
            for (int i = 0; i < kCustomers; ++i) {
                sum += waiting;
                waiting = std::max(0.0, waiting + service(random) - arrival(random));
            }
            if (batch >= 0) means.push_back(sum / kCustomers);  // the first one is the warm-up
        }
        const BatchInterval found = batch_interval({means});
        refused += found.batches == 0;
        held += found.interval.half_width && std::fabs(found.interval.mean - 0.7 / 0.3) <= *found.interval.half_width;
    }
    INFO(held << " of " << kRuns << ", " << refused << " refused");
    CHECK(held >= 0.90 * (kRuns - refused));
    CHECK(held <= 0.98 * kRuns);
    CHECK(refused < 0.05 * kRuns);
}

TEST_CASE("the time that is left follows from what has run")
{
    const Settings light{{"clients", "1"}}, heavy{{"clients", "9"}};
    Progress live("x", 1, 10.0, true), simulated("y", 2, {}, true);
    live.expect(4);
    live.set_under_way({{&light, 4.0}}, {&light, &heavy, &heavy});
    CHECK(*live.seconds_left() == Approx(36));  // 6 of the one that runs, and three of 10 s
    live.ended(light, 12.0);
    live.set_under_way({}, {&heavy, &heavy, &heavy});
    CHECK(*live.seconds_left() == Approx(36));
    simulated.expect(6);
    CHECK_FALSE(simulated.seconds_left());
    simulated.ended(light, 1.0);
    simulated.ended(heavy, 3.0);
    simulated.set_under_way({{&heavy, 1.0}}, {&heavy});
    CHECK(*simulated.seconds_left() == Approx((2.0 + 3.0 + 2 * 2.0) / 2));  // of two the mean alone
    CHECK(simulated.line() == "2 of 6 runs, 1 in progress, 5 s left");
}

TEST_CASE("a search tries values as one would write them")
{
    for (const double border : {100.3, 0.0703, 517.77, 3.1e9, 999.9})
        for (const double resolution : {0.01, 0.0001}) {
            Search search(border / 7, border * 9, false, resolution);
            for (int i = 0; search.outcome() == Search::Outcome::searching; ++i) {
                if (i > 1) CHECK(fmt::format("{}", search.next()).size() <= 12);
                search.judge(search.next() <= border);
            }
        }
    Search search(100, 101, false, 0.001);
    search.judge(true);
    search.judge(false);
    CHECK(search.next() == 100.5);
    search.judge(false);
    CHECK(search.next() == 100.25);
    search.judge(true);
    CHECK(fmt::format("{}", search.next()) == "100.38");
}

TEST_CASE("a search knows about how many runs it takes")
{
    Search search(1, 1000, false, 0.01);
    const std::size_t left = search.runs_left(1);
    CHECK(tries(search, 300) <= static_cast<int>(left) + 2);
    CHECK(static_cast<int>(left) <= 16);
    CHECK(search.runs_left(1) == 0);
}

TEST_CASE("silence is told of seldom, and later where runs take long")
{
    const auto told = [](Silence silence, double until) {
        std::vector<double> at;
        for (double now = 0; now <= until; now += 1)
            if (silence.is_due(now)) at.push_back(now);
        return at;
    };
    CHECK(told(Silence(0), 500) == std::vector<double>{60, 120, 240, 480});
    CHECK(told(Silence(0), 15'000) == std::vector<double>{60, 120, 240, 480, 960, 1920, 3840, 7440, 11'040, 14'640});
    Silence slow(0);
    slow.broken(50, 40);
    CHECK(told(slow, 400) == std::vector<double>{170, 290});
    slow.broken(60, 1);
    CHECK(told(slow, 400) == std::vector<double>{180, 300});
    CHECK(slow.lasts(100) == 40);
}

TEST_CASE("exit statuses name signals")
{
    CHECK(status_text(3) == "failed with status 3");
    CHECK(status_text(128) == "failed with status 128");
    CHECK(status_text(137) == "was killed by signal 9 (SIGKILL; out of memory?)");
    CHECK(status_text(139) == "was ended by signal 11 (SIGSEGV)");
    CHECK(status_text(143) == "was ended by signal 15 (SIGTERM)");
    CHECK(status_text(255) == "failed with status 255");
}

}  // namespace ANML_UNIT_FILE
