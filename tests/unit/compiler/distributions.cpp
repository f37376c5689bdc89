// Distributions against their closed forms: Kolmogorov and Smirnov's distance, means and variances, frequencies.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "random_model.h"
#include "scratch_folder.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

namespace {

constexpr double kMs = 1e6;
constexpr std::size_t kDraws = 40000;

// sqrt(n) times the greatest distance of the samples' distribution function from `cdf`: above 1.95 once in a thousand.
template <class Cdf>
double distance(std::vector<double> samples, Cdf&& cdf)
{
    std::sort(samples.begin(), samples.end());
    const auto n = static_cast<double>(samples.size());
    double most = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double expected = cdf(samples[i]);
        most = std::max({most, expected - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - expected});
    }
    return most * std::sqrt(n);
}

struct Moments {
    double mean = 0, variance = 0;
};
Moments moments(const std::vector<double>& samples)
{
    Moments m;
    const auto n = static_cast<double>(samples.size());
    for (const double x : samples) m.mean += x / n;
    for (const double x : samples) m.variance += (x - m.mean) * (x - m.mean) / (n - 1);
    return m;
}

double phi(double x) { return std::erfc(-x / std::sqrt(2)) / 2; }

// Pearson's statistic over the values 1 .. n, the last one with all above it.
template <class Probability>
double chi_square(const std::vector<double>& samples, std::size_t n, Probability&& probability)
{
    std::vector<double> seen(n + 1);
    for (const double x : samples) ++seen[std::min(static_cast<std::size_t>(x), n)];
    double sum = 0, rest = 1;
    for (std::size_t k = 1; k <= n; ++k) {
        const double p = k == n ? rest : probability(static_cast<double>(k));
        rest -= p;
        const double expected = p * static_cast<double>(samples.size());
        sum += (seen[k] - expected) * (seen[k] - expected) / expected;
    }
    return sum;
}

}  // namespace

TEST_CASE("continuous distributions have their distribution functions")
{
    struct Case {
        const char* text;
        double (*cdf)(double);
    };
    const Case cases[] = {
        {"uniform(10 ms, 30 ms) + 0.001 ms", [](double x) { return (x - 1000 - 10 * kMs) / (20 * kMs); }},
        {"2 * exponential(50 ms) + 0.001 ms", [](double x) { return -std::expm1(-(x - 1000) / (100 * kMs)); }},
        {"normal(100 ms, 10 ms)", [](double x) { return phi((x - 100 * kMs) / (10 * kMs)); }},
        {"lognormal(20 ms, 0.5)", [](double x) { return phi(std::log(x / (20 * kMs)) / 0.5); }},
        {"pareto(5 ms, 1.5)", [](double x) { return 1 - std::pow(5 * kMs / x, 1.5); }},
        {"weibull(40 ms, 0.7)", [](double x) { return -std::expm1(-std::pow(x / (40 * kMs), 0.7)); }},
        {"truncated(exponential(10 ms), 5 ms, 20 ms)",
         [](double x) { return (std::exp(-0.5) - std::exp(-x / (10 * kMs))) / (std::exp(-0.5) - std::exp(-2.0)); }},
        {"mixture([3, 1], [uniform(0 s, 10 ms), uniform(10 ms, 100 ms)])",
         [](double x) { return x < 10 * kMs ? 0.75 * x / (10 * kMs) : 0.75 + 0.25 * (x - 10 * kMs) / (90 * kMs); }},
        {"cumulative([0 s, 10 ms, 20 ms, 100 ms], [0, 30 %, 30 %, 100 %]) + 0.001 ms",
         [](double x) {
             const double y = (x - 1000) / (10 * kMs);
             return y < 1 ? 0.3 * y : y < 2 ? 0.3 : 0.3 + 0.7 * (y - 2) / 8;
         }},
        // The sum of two mentions is that of two draws: the triangular distribution.
        {"uniform(0 s, 10 ms) + uniform(0 s, 10 ms)",
         [](double x) {
             const double y = x / (10 * kMs);
             return y < 1 ? y * y / 2 : 1 - (2 - y) * (2 - y) / 2;
         }},
    };
    for (const Case& c : cases) {
        INFO(c.text);
        Thinking thinking_of(thinking(c.text));
        CHECK(distance(thinking_of.draws(kDraws), c.cdf) < 1.95);
    }
}

TEST_CASE("means, variances and quantiles are the closed forms'")
{
    struct Case {
        const char* text;
        double mean, variance, tolerance;
    };
    const Case cases[] = {
        {"normal(100 ms, 10 ms)", 100, 100, 0.03},
        {"lognormal(20 ms, 0.5)", 20 * std::exp(0.125), 400 * std::exp(0.25) * std::expm1(0.25), 0.06},
        {"pareto(5 ms, 5)", 6.25, 25 * 5 / (16. * 3), 0.1},
        {"weibull(40 ms, 2)", 40 * std::tgamma(1.5), 1600 * (1 - std::pow(std::tgamma(1.5), 2)), 0.03},
        {"max(100 ms, exponential(100 ms)) + 20 ms", 120 + 100 * std::exp(-1.0),
         1e4 * (1 + 4 * std::exp(-1.0) - std::pow(1 + std::exp(-1.0), 2)), 0.05},
        {"if chance(25 %) then 50 ms else 10 ms", 20, 0.25 * 900 + 0.75 * 100, 0.03},
    };
    for (const Case& c : cases) {
        INFO(c.text);
        Thinking thinking_of(thinking(c.text));
        const Moments seen = moments(thinking_of.draws(4 * kDraws));
        CHECK(seen.mean / kMs == Approx(c.mean).epsilon(c.tolerance / 3));
        CHECK(seen.variance / kMs / kMs == Approx(c.variance).epsilon(c.tolerance));
        CHECK(thinking_of.estimated_mean() / kMs == Approx(c.mean).epsilon(0.15));
    }
    Thinking pareto(thinking("pareto(5 ms, 1.2)"));
    std::vector<double> samples = pareto.draws(kDraws);
    std::sort(samples.begin(), samples.end());
    for (const double share : {0.5, 0.9, 0.99}) {
        const double expected = 5 * std::pow(1 - share, -1 / 1.2);
        CHECK(samples[static_cast<std::size_t>(share * kDraws)] / kMs ==
              Approx(expected).epsilon(share > 0.9 ? 0.12 : 0.05));
    }
}

TEST_CASE("ranks and trials have their frequencies")
{
    for (const double exponent : {0.0, 0.8, 1.0, 1.7}) {
        INFO(exponent);
        Thinking zipf(thinking("zipf(20, " + std::to_string(exponent) + ") * 1 ns"));
        double sum = 0;
        for (int k = 1; k <= 20; ++k) sum += std::pow(k, -exponent);
        const double statistic =
            chi_square(zipf.draws(kDraws), 20, [&](double k) { return std::pow(k, -exponent) / sum; });
        CHECK(statistic < 43.8);  // 19 degrees of freedom: once in a thousand
    }
    Thinking large(thinking("zipf(1e9, 1.1) * 1 ns"));
    for (const double rank : large.draws(1000)) CHECK((rank >= 1 && rank <= 1e9 && rank == std::floor(rank)));
    CHECK(Thinking(thinking("zipf(1, 2) * 1 ns")).draws(10) == std::vector<double>(10, 1));

    Thinking trials(thinking("geometric(0.3) * 1 ns"));
    const double statistic = chi_square(trials.draws(kDraws), 15, [](double k) { return 0.3 * std::pow(0.7, k - 1); });
    CHECK(statistic < 36.1);  // 14 degrees of freedom
    CHECK(Thinking(thinking("geometric(1) * 1 ns")).draws(10) == std::vector<double>(10, 1));
}

TEST_CASE("an empirical distribution draws the values of its file by their weights")
{
    const ScratchFolder scratch;
    scratch.write("delays.txt", "# measured\n10 1\n20, 3   # twice as often\n\n40 0\n30\t4\r\n");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(scratch.path("."));
    Thinking delays(thinking("empirical(\"delays.txt\", 1 ms) + 0 s"));
    std::filesystem::current_path(before);
    std::vector<double> counts(5);
    for (const double x : delays.draws(kDraws)) ++counts.at(static_cast<std::size_t>(x / (10 * kMs)));
    CHECK(counts[1] / kDraws == Approx(1 / 8.).epsilon(0.06));
    CHECK(counts[2] / kDraws == Approx(3 / 8.).epsilon(0.04));
    CHECK(counts[3] / kDraws == Approx(4 / 8.).epsilon(0.03));
    CHECK(counts[4] == 0);
}

TEST_CASE("points of a file are those of the text, and a first share is an atom")
{
    const ScratchFolder scratch;
    scratch.write("sizes.csv", "# a paper's\nms,percent\n10,25\n20,50\n\n40,100\r\n");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(scratch.path("."));
    Thinking file(thinking("cumulative(\"sizes.csv\", 1 ms) + 0 s"));
    std::filesystem::current_path(before);
    Thinking text(thinking("cumulative([10 ms, 20 ms, 40 ms], [0.25, 0.5, 1]) + 0 s"));
    const std::vector<double> draws = text.draws(kDraws);
    CHECK(file.draws(kDraws) == draws);
    CHECK(static_cast<double>(std::count(draws.begin(), draws.end(), 10 * kMs)) / kDraws == Approx(0.25).epsilon(0.03));
    CHECK(std::count_if(draws.begin(), draws.end(), [](double x) { return x < 10 * kMs || x >= 40 * kMs; }) == 0);
}

TEST_CASE("means that are known exactly")
{
    const auto mean = [](const std::string& text) {
        const Elaborated model =
            elaborate_text("import std.flows\nmodel M {\n  require mean(" + text + ") >= 0 * mean(" + text +
                           ")\n  host a\n  router r\n  link a -- r { "
                           "rate = 1 Mbps, delay = mean(" +
                           text + ") }\n  run { duration = 1 s }\n}\n");
        INFO(text << ": " << model.first_error());
        REQUIRE(model.network);
        return model.constant(model.network->links.at(0).delay[0]) / kMs;
    };
    CHECK(mean("cumulative([0 s, 10 ms, 20 ms], [10 %, 60 %, 1])") == Approx(0.5 * 5 + 0.4 * 15));
    CHECK(mean("cumulative([10 ms, 20 ms], [1, 1])") == Approx(10));
    CHECK(mean("mixture([1, 3], [uniform(0 s, 4 ms), exponential(10 ms)])") == Approx(0.25 * 2 + 0.75 * 10));
    CHECK(mean("if chance(20 %) then normal(5 ms, 1 ms) else constant(10 ms)") == Approx(9));
    CHECK(mean("uniform(2, 4) * exponential(2 ms) - 1 ms") == Approx(5));
    CHECK(mean("lognormal(20 ms, 0.5)") == Approx(20 * std::exp(0.125)));
    CHECK(mean("pareto(5 ms, 1.25) / 2") == Approx(12.5));
    CHECK(mean("mean(flows.web_search) / 1 B * 1 us") == Approx(1711.25));
    for (const char* unknown : {"pareto(5 ms, 1)", "weibull(1 ms, 2)", "max(1 ms, exponential(1 ms))",
                                "truncated(exponential(1 ms), 0 s, 1 ms)", "geometric(0.5) * 1 ms"})
    {
        const Elaborated model = elaborate_text(std::string("model M {\n  let x = mean(") + unknown +
                                                ")\n  require x > 0 s\n  run { duration = 1 s }\n}\n");
        CHECK(model.first_error() == "unknown-mean: the mean of what is drawn here is not known exactly");
    }
}

TEST_CASE("draws stay within the attribute's range, and truncation gives up in the end")
{
    Thinking wide(thinking("normal(0 s, 1 s)"));  // think is 0 s or more
    std::size_t zeros = 0;
    for (const double x : wide.draws(kDraws)) {
        REQUIRE(x >= 0);
        zeros += x == 0;
    }
    CHECK(static_cast<double>(zeros) / kDraws == Approx(0.5).epsilon(0.03));
    Thinking heavy(thinking("pareto(1 h, 0.01)"));
    for (const double x : heavy.draws(1000)) CHECK(x <= 1000 * 3600e9);
    Thinking rare(thinking("truncated(exponential(1 ms), 900 ms, 901 ms)"));
    CHECK(rare.draw() == 900 * kMs);
}

TEST_CASE("tunables reach random expressions, and -D gives any distribution")
{
    const std::string text =
        thinking("D * lognormal(1, 0.1) + 1 ms", "", "", "(tunable D: time in 1 ms .. 1 s = 10 ms)");
    CHECK(moments(Thinking(text).draws(kDraws)).mean / kMs == Approx(1 + 10 * std::exp(0.005)).epsilon(0.01));
    const std::string handed = thinking("t + 1 ms", "", "", "(t: random time = 10 ms)");
    Thinking defined(handed, {{"t", "pareto(5 ms, 3)"}});
    CHECK(moments(defined.draws(kDraws)).mean / kMs == Approx(8.5).epsilon(0.02));
    for (const char* wrong : {"pareto(5 ms)", "pareto(5 ms, 1 s)", "zipf(10, 1)", "chance(0.5)", "mixture(1)"}) {
        INFO(wrong);
        CHECK_FALSE(elaborate_text(handed, {{"t", wrong}}).network);
    }
    CHECK(elaborate_text(handed, {{"t", "pareto(5 ms, 0)"}}).first_error().find("out-of-range") == 0);
}

TEST_CASE("a process keeps its state for each mention")
{
    const std::string counter = R"(
process counter(step: int = 1) : time {
  state n: int = 0 then n + step
  state odd: bool = false then !odd
  yield n * 1 ms + (if odd then 0.5 ms else 0 s)
})";
    Thinking single(thinking("counter() + 0 s", "", counter));
    CHECK(single.draws(4) == std::vector<double>{0, 1.5 * kMs, 2 * kMs, 3.5 * kMs});
    Thinking twice(thinking("counter() + 10 * counter()", "", counter));
    CHECK(twice.draws(3) == std::vector<double>{0, 16.5 * kMs, 22 * kMs});
    CHECK(twice.tree().words == 6);
    // One that another one draws from has a state of its own in each.
    const std::string nested = counter + R"(
process sum(of: random time) : time {
  state total: time = 0 s then total + of
  yield total
})";
    Thinking sums(thinking("sum(counter(step = 2)) + 0 s", "", nested));
    CHECK(sums.draws(4) == std::vector<double>{0, 0, 2.5 * kMs, 6.5 * kMs});
    // The first value may be drawn.
    const std::string phase = R"(
process phase : time {
  state p: time = uniform(0 s, 1 s) then p
  yield p
})";
    Thinking fixed(thinking("phase + 0 s", "", phase));
    const std::vector<double> drawn = fixed.draws(3);
    CHECK((drawn[0] > 0 && drawn[0] == drawn[1] && drawn[1] == drawn[2]));
}

}  // namespace ANML_UNIT_FILE
