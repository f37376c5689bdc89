// Ranges by the elements that they hold, compared with a search of all.
#include "base/range_index.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>

namespace ANML_UNIT_FILE {

using namespace anml;

TEST_CASE("an element finds the ranges that hold it, each once")
{
    struct Range {
        std::uint32_t row, first, count;
    };
    std::mt19937 random(3);
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    std::vector<Range> ranges{{0, 0, 0xffffffffu}, {0, 0xfffffff0u, 16}, {0, 5, 0}, {1, 0, 1}};
    for (int i = 0; i < 500; ++i) ranges.push_back({below(3), below(200), below(60)});
    RangeIndex<std::size_t> index;
    for (std::size_t i = 0; i < ranges.size(); ++i) index.add(ranges[i].row, ranges[i].first, ranges[i].count, i);
    for (std::uint32_t row = 0; row < 4; ++row) {
        for (std::uint32_t element = 0; element < 300; ++element) {
            const std::uint32_t at = element < 290 ? element : 0xffffffffu - (element - 290);
            std::set<std::size_t> expected, found;
            for (std::size_t i = 0; i < ranges.size(); ++i)
                if (ranges[i].row == row && at - ranges[i].first < ranges[i].count) expected.insert(i);
            index.find(row, at, [&](std::size_t i) { CHECK(found.insert(i).second); });
            CHECK(found == expected);
            CHECK(index.count(row, at) == expected.size());
        }
    }
}

}  // namespace ANML_UNIT_FILE
