// Numbers of as many bits as each vertex needs.
#include "route/core/core_codes.h"

#include <catch2/catch.hpp>
#include <random>

namespace ANML_UNIT_FILE {

using namespace anml;

TEST_CASE("codes come back, whatever stands beside them")
{
    std::mt19937 random(5);
    std::vector<std::uint8_t> bits{0, 1, 2, 3, 7, 8, 9, 16, 17, 31, 32, 4, 4};
    for (const std::uint32_t columns : {1u, 7u, 8u, 9u, 100u}) {
        CoreCodes codes(bits, columns);
        CHECK(codes.bytes() < (columns + 7) / 8 * 135u + 9);
        codes.allocate();
        std::vector<std::uint32_t> expected(bits.size() * columns, 0);
        for (std::uint32_t column = 0; column < columns; ++column) {
            for (std::uint32_t v = 0; v < bits.size(); ++v) {
                if (random() % 4 == 0) continue;
                const std::uint64_t most = (std::uint64_t{1} << bits[v]) - 1;
                const std::uint64_t code = random() % 3 == 0 ? most : random() & most;
                expected[column * bits.size() + v] = static_cast<std::uint32_t>(code);
                codes.set(column, v, static_cast<std::uint32_t>(code));
            }
        }
        for (std::uint32_t column = 0; column < columns; ++column)
            for (std::uint32_t v = 0; v < bits.size(); ++v)
                CHECK(codes.get(column, v) == expected[column * bits.size() + v]);
    }
}

}  // namespace ANML_UNIT_FILE
