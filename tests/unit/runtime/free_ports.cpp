// Free ports of a range, against a set of them.
#include "net/middlebox/free_ports.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>

namespace ANML_UNIT_FILE {

using anml::rt::FreePorts;

TEST_CASE("the next free port is that of a set", "[middlebox]")
{
    constexpr std::uint32_t kFirst = 1000, kLast = 1040;
    FreePorts free(kFirst, kLast);
    std::set<std::uint32_t> all;
    for (std::uint32_t port = kFirst; port <= kLast; ++port) all.insert(port);
    std::mt19937 random(1);
    const auto some = [&] { return kFirst + static_cast<std::uint32_t>(random() % (kLast - kFirst + 1)); };
    for (int round = 0; round < 20'000; ++round) {
        const std::uint32_t port = some();
        REQUIRE(free.has(port) == all.contains(port));
        // Sometimes nearly none are free, sometimes nearly all.
        const bool take = random() % 8 < (round / 1000 % 2 == 0 ? 7u : 1u);
        if (take && all.contains(port)) {
            free.take(port);
            all.erase(port);
        } else if (!take && !all.contains(port)) {
            free.give_back(port);
            all.insert(port);
        }
        const std::uint32_t wanted = some();
        const auto next = all.lower_bound(wanted);
        REQUIRE(free.next(wanted) == (all.empty() ? 0 : next != all.end() ? *next : *all.begin()));
    }
    CHECK_FALSE(free.has(kFirst - 1));
    CHECK_FALSE(free.has(kLast + 1));
}

TEST_CASE("a range of one port", "[middlebox]")
{
    FreePorts free(65535, 65535);
    CHECK(free.next(65535) == 65535);
    free.take(65535);
    CHECK(free.next(65535) == 0);
    free.give_back(65535);
    CHECK(free.has(65535));
}

}  // namespace ANML_UNIT_FILE
