// So many hosts of a workload are on, the more of them those that were on and others, spread evenly.
#include <catch2/catch.hpp>
#include <vector>

#include "net/timeline/population.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

TEST_CASE("the first turns are as many hosts as asked for")
{
    for (std::uint64_t hosts = 1; hosts <= 70; ++hosts)
        for (std::uint64_t count = 0; count <= hosts; ++count) {
            const Turn behind = turn_behind(count, hosts);
            std::uint64_t found = 0;
            for (std::uint64_t i = 0; i < hosts; ++i) found += turn_of(i) < behind;
            REQUIRE(found == count);
            if (count > 0) REQUIRE(turn_behind(count - 1, hosts) < behind);
        }
    CHECK(turn_behind(0, 0) == 0);
    CHECK(turn_behind(5, 5) == kEveryTurn);
    const std::uint64_t many = 1'000'003;
    std::uint64_t found = 0;
    const Turn behind = turn_behind(345'678, many);
    for (std::uint64_t i = 0; i < many; ++i) found += turn_of(i) < behind;
    CHECK(found == 345'678);
}

TEST_CASE("hosts that are on are spread evenly")
{
    // Of each eight in a row as many as of any other eight, give or take one for each bit of their number.
    const std::uint64_t hosts = 1024;
    for (const std::uint64_t count : {128u, 256u, 300u, 512u, 777u}) {
        const Turn behind = turn_behind(count, hosts);
        std::uint64_t least = 8, most = 0;
        for (std::uint64_t first = 0; first < hosts; first += 8) {
            std::uint64_t on = 0;
            for (std::uint64_t i = first; i < first + 8; ++i) on += turn_of(i) < behind;
            least = std::min(least, on);
            most = std::max(most, on);
        }
        CHECK(most - least <= 1);
    }
    CHECK(turn_of(1) == turn_behind(512, hosts));  // a half: the even ones
}

}  // namespace ANML_UNIT_FILE
