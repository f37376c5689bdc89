// Confidence intervals against printed tables, and searches against the value that is searched for.
#include <catch2/catch.hpp>
#include <vector>

#include "experiment/interval.h"
#include "experiment/search.h"

using namespace anml;

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
