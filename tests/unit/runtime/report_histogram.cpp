// The histogram against PyPI hdrhistogram 0.10.3 (3 significant digits) on the same 100 000 values.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "app/second_times.h"
#include "base/histogram.h"
#include "net/address/subnets.h"
#include "report/response_times.h"

namespace ANML_UNIT_FILE {

using anml::rt::Histogram;

namespace {

// Values over nine powers of ten from a linear congruential generator, as the reference run drew them.
template <class F>
void draw(F&& use)
{
    std::uint64_t x = 1;
    for (int i = 0; i < 100000; ++i) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        use(static_cast<std::int64_t>(((x >> 32) & 0xffff) << ((x >> 60) & 15)));
    }
}

}  // namespace

TEST_CASE("an empty histogram has no figures")
{
    Histogram h;
    CHECK(h.count() == 0);
    CHECK(h.mean() == 0);
    CHECK(h.percentile(50) == 0);
    CHECK(h.maximum() == 0);
}

TEST_CASE("small values are exact")
{
    Histogram h;
    for (int i = 1; i <= 100; ++i) h.record(i);
    for (int p = 1; p <= 100; ++p) CHECK(h.percentile(p) == p);
    CHECK(h.percentile(0) == 1);
    CHECK(h.percentile(99.5) == 100);
    CHECK(h.mean() == 50.5);
    CHECK(h.minimum() == 1);
    CHECK(h.maximum() == 100);
}

TEST_CASE("percentiles agree with hdrhistogram within both layouts' precision")
{
    Histogram h;
    draw([&](std::int64_t v) { h.record(v); });
    struct Reference {
        double percent;
        double value;
    };
    for (Reference r : {Reference{1, 5395},
                        {10, 53407},
                        {25, 265983},
                        {50, 4214783},
                        {75, 69140479},
                        {90, 431226879},
                        {95, 853540863},
                        {99, 1810890751},
                        {99.9, 2113929215},
                        {99.99, 2145386495}})
    {
        CHECK(static_cast<double>(h.percentile(r.percent)) == Approx(r.value).epsilon(0.002));
    }
    CHECK(h.mean() == Approx(134497933.56988).epsilon(1e-12));
    CHECK(h.maximum() == 2147254272);
    CHECK(h.percentile(100) == 2147254272);
}

TEST_CASE("every value is found again within 0.2 %, up to the largest")
{
    for (std::int64_t v = 1; v > 0 && v < std::numeric_limits<std::int64_t>::max() / 3; v = v * 2 + v / 3 + 1) {
        Histogram h;
        h.record(0);
        h.record(v);
        h.record(v);
        h.record(std::numeric_limits<std::int64_t>::max());
        auto found = static_cast<double>(h.percentile(50));
        CHECK(found >= static_cast<double>(v));
        CHECK(found <= static_cast<double>(v) * (1 + 1.0 / 512) + 1);
    }
}

TEST_CASE("adding histograms is recording in one")
{
    Histogram one, left, right;
    int i = 0;
    draw([&](std::int64_t v) {
        one.record(v);
        (i++ % 3 == 0 ? left : right).record(v);
    });
    left.add(right);
    left.add(Histogram());
    CHECK(left.count() == one.count());
    CHECK(left.maximum() == one.maximum());
    CHECK(left.minimum() == one.minimum());
    CHECK(left.mean() == Approx(one.mean()));
    for (double p : {5.0, 50.0, 99.0}) CHECK(left.percentile(p) == one.percentile(p));
}

TEST_CASE("a count stands for that many values, negative values count as 0")
{
    Histogram h;
    h.record(7, 99);
    h.record(-5);
    h.record(3, 0);
    CHECK(h.count() == 100);
    CHECK(h.minimum() == 0);
    CHECK(h.percentile(1) == 0);
    CHECK(h.percentile(2) == 7);
}

TEST_CASE("what was recorded since then is what is left without what was there", "[report]")
{
    std::mt19937_64 random(11);
    Histogram before, since, all;
    for (int i = 0; i < 3000; ++i) {
        const auto value = static_cast<std::int64_t>(random() % (std::uint64_t{1} << (10 + i % 30)));
        Histogram& own = i < 1800 ? before : since;
        own.record(value);
        all.record(value);
    }
    all.remove(before);
    CHECK(all.count() == since.count());
    CHECK(all.mean() == since.mean());  // sums are exact
    for (const double percent : {1.0, 50.0, 90.0, 99.0, 99.9})
        CHECK(static_cast<double>(all.percentile(percent)) ==
              Approx(static_cast<double>(since.percentile(percent))).epsilon(0.004));
    CHECK(static_cast<double>(all.maximum()) == Approx(static_cast<double>(since.maximum())).epsilon(0.004));
    CHECK(static_cast<double>(all.minimum()) == Approx(static_cast<double>(since.minimum())).epsilon(0.004));
    all.remove(since);
    CHECK(all.count() == 0);
    CHECK(all.mean() == 0);
    all.remove(Histogram());
    CHECK(all.percentile(50) == 0);
}

TEST_CASE("a histogram has room from its smallest to its largest value, and is the same however they come")
{
    anml::rt::CoarseHistogram rising, falling, half, sum;
    std::vector<std::int64_t> values;
    for (std::int64_t value = 1; value < 4'000'000'000; value *= 3) values.push_back(value);
    for (const std::int64_t value : values) rising.record(value);
    for (auto value = values.rbegin(); value != values.rend(); ++value) falling.record(*value);
    for (std::size_t i = 0; i < values.size(); ++i) (i % 2 ? half : sum).record(values[i]);
    sum.add(half);
    for (const auto* h : {&falling, &sum}) {
        CHECK(h->count() == rising.count());
        for (const double percent : {0.0, 10.0, 50.0, 90.0, 100.0}) CHECK(h->percentile(percent) == rising.percentile(percent));
    }
    for (const std::int64_t value : values) {
        anml::rt::CoarseHistogram one;
        one.record(value);
        one.record(2 * value);
        const auto half_way = static_cast<double>(one.percentile(50));
        CHECK(half_way >= static_cast<double>(value));
        CHECK(half_way <= static_cast<double>(value) * (1 + 1.0 / 64));
    }
}

TEST_CASE("times by second are the same for whoever counts them")
{
    using anml::rt::SecondTimes;
    SecondTimes all, one, other;
    for (std::size_t second : {0, 1, 1, 1, 4, 4}) {
        for (std::int64_t i = 1; i <= 100; ++i) {
            const std::int64_t took = i * 1'000'003 * static_cast<std::int64_t>(second + 1);
            all.record(second, took);
            (i % 3 ? one : other).record(second, took);
        }
    }
    one.add(other);
    const auto expected = all.histograms(5), found = one.histograms(5);
    REQUIRE(found.size() == 5);
    CHECK(expected[1].count() == 300);
    CHECK(expected[2].count() == 0);
    for (std::size_t second = 0; second < 5; ++second) {
        CHECK(found[second].count() == expected[second].count());
        CHECK(found[second].percentile(50) == expected[second].percentile(50));
        CHECK(found[second].maximum() == expected[second].maximum());
    }
    CHECK(static_cast<double>(expected[4].percentile(50)) >= 250e6);
    CHECK(static_cast<double>(expected[4].percentile(50)) <= 258e6);
}

TEST_CASE("a host's place in the model is what is around it")
{
    using anml::rt::place_of_host;
    CHECK(place_of_host("net[3].lan.pc", 2) == "net[3].lan");
    CHECK(place_of_host("net[3].lan.pc", 1) == "net[3]");
    CHECK(place_of_host("net[3].lan.pc", 9) == "net[3].lan");
    CHECK(place_of_host("pc", 3) == "pc");
    CHECK(place_of_host("pc[7]", 1) == "pc");
}

TEST_CASE("what began before the window counts from the age that it had then")
{
    // One a hundredth of a second, each of up to twenty seconds, seen for ten.
    constexpr double kBegin = 30, kEnd = 40, kLongest = 20;
    Histogram ended, entered;
    std::vector<std::int64_t> open;
    const auto ns = [](double seconds) { return static_cast<std::int64_t>(seconds * 1e9); };
    for (int k = 0; k < 4000; ++k) {
        const double begun = 0.01 * k, took = kLongest * std::fmod(0.618033988749895 * k, 1);
        if (begun + took < kBegin) continue;
        if (begun + took > kEnd) {
            open.push_back(ns(kEnd - begun));
            continue;
        }
        ended.record(ns(took));
        if (begun < kBegin) entered.record(ns(kBegin - begun));
    }
    std::sort(open.begin(), open.end());
    for (const double percent : {10.0, 50.0, 90.0, 99.0}) {
        const double right = kLongest * percent / 100;
        CHECK(*ended.percentile(percent, open, 6, entered, ns(kEnd - kBegin)) == Approx(1e9 * right).epsilon(0.03));
    }
    CHECK(*ended.percentile(50, open, 6) > 1.1 * ns(kLongest / 2));
    // Where next to nobody is seen when it is young, all count from the beginning.
    Histogram few, late;
    for (int k = 0; k < 100; ++k) {
        few.record(ns(1 + k));
        late.record(ns(k));
    }
    CHECK(few.percentile(50, {}, 6, late, ns(1)) == few.percentile(50, {}, 6));
}

TEST_CASE("what is open behind a queue that grows takes longer than all that ended")
{
    // One a hundredth of a second for twenty seconds, to a server that takes `service` for each, one behind the other:
    // the k-th takes service * (k + 1) - 0.01 k.
    constexpr double kEnd = 20, kEvery = 0.01;
    const auto ns = [](double seconds) { return static_cast<std::int64_t>(seconds * 1e9); };
    const auto seen = [&](double service, auto&& took_of) {
        std::pair<anml::rt::EndedTimes, std::vector<std::int64_t>> found;
        for (int k = 0; k < kEnd / kEvery; ++k) {
            const double begun = kEvery * k, took = took_of(service, k);
            if (begun + took <= kEnd)
                found.first.record(ns(took), ns(begun + took));
            else
                found.second.push_back(ns(kEnd - begun));
        }
        std::sort(found.second.begin(), found.second.end());
        return found;
    };
    const auto queue = [](double service, int k) { return service * (k + 1) - kEvery * k; };
    for (const auto& [service, median, p95] : {std::tuple{0.011, 1.01, 0.0}, {0.02, 10.01, 0.0}, {0.0103, 0.31, 0.58}})
    {
        const auto [ended, open] = seen(service, queue);
        CHECK(ended.growing());
        const anml::rt::ResponseTimes times = response_times(ended, open, kEnd);
        CHECK(times.median.value() == Approx(median).epsilon(0.01));
        CHECK(times.p95.has_value() == (p95 != 0));
        if (p95 != 0)
            CHECK(*times.p95 == Approx(p95).epsilon(0.01));
        else
            CHECK((*times.at_least.p95 >= *times.median && *times.at_least.p95 <= queue(service, 1900)));
        CHECK((!times.max && *times.at_least.max <= queue(service, 1999)));
    }
    // Those of a server that hangs now and then are as long as others, however many are open.
    const auto [ended, open] =
        seen(20, [](double longest, int k) { return longest * std::fmod(0.618033988749895 * k, 1); });
    CHECK_FALSE(ended.growing());
    CHECK(response_times(ended, open, kEnd).median.value() == Approx(10).epsilon(0.03));
    CHECK_FALSE(anml::rt::EndedTimes{}.growing());
}

}  // namespace ANML_UNIT_FILE
