// What one thread publishes and others read.
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "base/published.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

namespace {
struct Odd {  // of no whole number of words
    std::uint64_t values[5] = {7, 7, 7, 7, 7};
    std::uint32_t last = 7;
};
}  // namespace

TEST_CASE("before anything is published there is a value of its own", "[base]")
{
    const Published<Odd> published;
    CHECK(published.read().values[4] == 7);
    CHECK(published.read().last == 7);
}

TEST_CASE("readers see whole values, and the last one", "[base][parallel]")
{
    constexpr std::uint64_t kLast = 100'000;
    Published<Odd> published;
    std::atomic<bool> torn = false, back = false;
    std::vector<std::jthread> readers;
    for (int i = 0; i < 2; ++i) {
        readers.emplace_back([&] {
            for (std::uint64_t before = 0; before < kLast;) {
                const Odd odd = published.read();
                if (odd.last == 7) continue;
                for (const std::uint64_t value : odd.values) torn = torn || value != odd.values[0];
                torn = torn || odd.last != static_cast<std::uint32_t>(odd.values[0]);
                back = back || odd.values[0] < before;
                before = odd.values[0];
            }
        });
    }
    for (std::uint64_t i = 8; i <= kLast; ++i) {
        Odd odd;
        for (std::uint64_t& value : odd.values) value = i;
        odd.last = static_cast<std::uint32_t>(i);
        published.publish(odd);
    }
    readers.clear();
    CHECK_FALSE(torn);
    CHECK_FALSE(back);
    CHECK(published.read().values[0] == kLast);
}

}  // namespace ANML_UNIT_FILE
