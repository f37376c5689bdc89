// ProWGen's documents and requests against the statistics that they are asked to have.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numeric>

#include "net/documents/prowgen.h"
#include "net/documents/specweb99.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

namespace {

// Of the least squares through log(count) over log(number), where a document is asked for often.
double slope_of(const std::vector<std::uint32_t>& references)
{
    constexpr std::uint32_t kOften = 20;
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < references.size(); ++i) {
        if (references[i] < kOften) continue;
        const double a = std::log(i + 1.0), b = std::log(references[i]);
        ++n, x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

// Share of the requests whose document is among the `depth` that were asked for last.
double within(const std::vector<std::uint32_t>& requests, std::size_t depth)
{
    std::vector<std::uint32_t> last;
    double found = 0;
    for (const std::uint32_t request : requests) {
        const auto at = std::find(last.begin(), last.end(), request);
        found += at != last.end();
        if (at != last.end()) last.erase(at);
        last.insert(last.begin(), request);
        if (last.size() > depth) last.pop_back();
    }
    return found / static_cast<double>(requests.size());
}

double spearman(const std::vector<std::uint64_t>& sizes)  // of sizes and popularity
{
    const auto n = static_cast<double>(sizes.size());
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return sizes[a] < sizes[b]; });
    double squares = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank)
        squares += std::pow(static_cast<double>(rank) - (n - 1 - static_cast<double>(order[rank])), 2);
    return 1 - 6 * squares / (n * (n * n - 1));
}

}  // namespace

TEST_CASE("ProWGen: popularity and one-timers are as they are asked for")
{
    for (const double slope : {0.6, 0.8, 1.0}) {
        const auto counts = prowgen::references({3000, 200'000, 0.25, slope, 0, 0, 1});
        CHECK(std::accumulate(counts.begin(), counts.end(), 0u) == 200'000);
        CHECK(std::count(counts.begin(), counts.end(), 1u) == 750);
        CHECK(std::abs(slope_of(counts) + slope) < 0.01);
        CHECK(std::is_sorted(counts.rbegin(), counts.rend()));
    }
    // As few as there may be: two of each of the others.
    const auto least = prowgen::references({1000, 1750, 0.25, 0.8, 0, 0, 1});
    CHECK(std::count(least.begin(), least.end(), 2u) == 750);
    CHECK(std::accumulate(least.begin(), least.end(), 0u) == 1750);
    CHECK(prowgen::references({1, 7, 0.99, 0.8, 0, 0, 1}) == std::vector<std::uint32_t>{7});
}

TEST_CASE("ProWGen: the requests are those of the popularity, whatever the stack")
{
    for (const std::uint64_t stack : {0, 1, 10, 1000, 10'000}) {
        const prowgen::Parameters given{500, 20'000, 0.25, 0.8, 0, stack, 3};
        const auto requests = prowgen::sequence(given), wanted = prowgen::references(given);
        std::vector<std::uint32_t> counts(500);
        for (const std::uint32_t request : requests) ++counts.at(request);
        CHECK(counts == wanted);
        CHECK(requests == prowgen::sequence(given));
    }
    CHECK(prowgen::sequence({500, 20'000, 0.25, 0.8, 0, 10, 3}) !=
          prowgen::sequence({500, 20'000, 0.25, 0.8, 0, 10, 4}));
}

TEST_CASE("ProWGen: without a stack the requests are in a random order")
{
    const auto requests = prowgen::sequence({300, 60'000, 0, 0.8, 0, 0, 5});
    std::map<std::uint32_t, double> first, all;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        first[requests[i]] += i < requests.size() / 2;
        ++all[requests[i]];
    }
    // Hypergeometric: half of them, with a variance of about a quarter of half.
    double chi = 0;
    for (const auto& [document, count] : all) chi += std::pow(first[document] - count / 2, 2) / (count / 4);
    CHECK(chi < 300 + 4 * std::sqrt(2 * 300.0));
    CHECK(chi > 300 - 4 * std::sqrt(2 * 300.0));
}

TEST_CASE("ProWGen: a stack gives its places the popularity of their number")
{
    constexpr std::uint32_t kDocuments = 2000;
    const prowgen::Parameters given{kDocuments, 200'000, 0, 0.8, 0, 100, 7};
    const auto requests = prowgen::sequence(given);
    double all = 0, sum = 0;
    for (std::uint32_t i = 0; i < kDocuments; ++i) all += std::pow(i + 1, -0.8);
    // While no document is used up, which the last ones of the sequence are.
    const std::vector<std::uint32_t> early(requests.begin(), requests.begin() + 50'000);
    for (std::uint32_t i = 0; i < 100; ++i) {
        sum += std::pow(i + 1, -0.8) / all;
        if (i == 0 || i == 9 || i == 99) CHECK(std::abs(within(early, i + 1) - sum) < 0.02);
    }
    const auto random = prowgen::sequence({kDocuments, 200'000, 0, 0.8, 0, 0, 7});
    CHECK(within(random, 10) < 0.6 * within(early, 10));
}

TEST_CASE("ProWGen: sizes have the rank correlation with popularity")
{
    std::vector<std::uint64_t> sizes(10'000);
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = 100 + i * 7919 % 10'007 * 3;
    auto in_order = sizes;
    std::sort(in_order.begin(), in_order.end());
    for (const double wanted : {-1.0, -0.8, -0.3, 0.5, 1.0}) {
        auto ordered = sizes;
        prowgen::correlate({10'000, 1, 0, 0, wanted, 0, 9}, ordered);
        CHECK(std::abs(spearman(ordered) - wanted) < 0.02);
        std::sort(ordered.begin(), ordered.end());
        CHECK(ordered == in_order);
    }
    auto same = sizes;
    prowgen::correlate({10'000, 1, 0, 0, 0, 0, 9}, same);
    CHECK(same == sizes);
}

// Ruan and Pai, "Understanding and Addressing Blocking-Induced Network Server Latency", USENIX 2006, table 2: the size
// of the most popular files that have these shares of the requests, of data sets of about 5 MB a directory.
TEST_CASE("SPECweb99: the working sets that were published")
{
    struct File {
        double weight;
        std::uint64_t size;
    };
    std::vector<File> files;
    constexpr std::uint32_t kSteps = 1000;
    std::vector<double> in_directory(specweb99::kDirectory);
    for (std::uint32_t a = 0; a < kSteps; ++a)
        for (std::uint32_t b = 0; b < kSteps; ++b)
            in_directory[specweb99::choose((a + 0.5) / kSteps, (b + 0.5) / kSteps)] += 1.0 / kSteps / kSteps;
    std::uint64_t directory = 0;
    for (std::uint32_t i = 0; i < specweb99::kDirectory; ++i) directory += specweb99::size(i);
    CHECK(directory == 5'119'488);
    const auto directories = static_cast<std::uint32_t>(1024e6 * 1.048576 / static_cast<double>(directory));
    double all = 0;
    for (std::uint32_t d = 1; d <= directories; ++d) all += 1.0 / d;
    for (std::uint32_t d = 1; d <= directories; ++d)
        for (std::uint32_t i = 0; i < specweb99::kDirectory; ++i)
            files.push_back({in_directory[i] / d / all, specweb99::size(i)});
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.weight > b.weight; });
    const auto megabytes = [&](double share) {
        double sum = 0, bytes = 0;
        for (std::size_t i = 0; sum < share; ++i) sum += files[i].weight, bytes += static_cast<double>(files[i].size);
        return bytes / 1048576;
    };
    CHECK(std::abs(megabytes(0.5) - 2.1) < 0.3);
    CHECK(std::abs(megabytes(0.9) - 39.5) < 4);
    CHECK(std::abs(megabytes(0.99) - 138.3) < 14);
}

}  // namespace ANML_UNIT_FILE
