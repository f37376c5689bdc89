// A heap that knows where each of its things is, against a map.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <utility>

#include "base/numbered_heap.h"

namespace ANML_UNIT_FILE {

using anml::rt::NumberedHeap;

TEST_CASE("a numbered heap has the least first, whoever leaves it", "[heap]")
{
    std::mt19937 random(GENERATE(1u, 2u, 3u));
    const std::uint32_t numbers = GENERATE(1u, 2u, 7u, 500u);
    NumberedHeap heap;
    std::map<std::uint32_t, std::pair<std::int64_t, std::uint64_t>> all;
    std::uint64_t made = 0;
    for (int i = 0; i < 20000; ++i) {
        const std::uint32_t number = random() % numbers;
        if (random() % 3 != 0 && !heap.has(number)) {
            const std::int64_t key = static_cast<std::int64_t>(random() % 40) - 20;
            heap.push({key, ++made, number});
            all[number] = {key, made};
        } else if (random() % 4 != 0) {
            heap.erase(number);
            all.erase(number);
        } else if (!heap.empty()) {
            const NumberedHeap::Entry first = heap.pop();
            REQUIRE(all.at(first.number) == std::pair(first.key, first.tie));
            all.erase(first.number);
        }
        if (i % 5000 == 4999) {
            heap.clear();
            all.clear();
        }
        REQUIRE(heap.size() == all.size());
        REQUIRE(heap.has(number) == all.contains(number));
        if (all.empty()) continue;
        const auto least =
            std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        REQUIRE(heap.front().number == least->first);
    }
}

}  // namespace ANML_UNIT_FILE
