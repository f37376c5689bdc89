// Lists of packets that wait for a link.
#include <catch2/catch.hpp>

#include "net/link/waiting.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

TEST_CASE("a list of those that wait keeps their order and their sum", "[queue]")
{
    WaitingPool pool;
    WaitingList a, b;
    for (std::uint32_t i = 0; i < 100; ++i) (i % 3 == 0 ? a : b).push(pool, {i, 10 * i, Time{i}});
    CHECK(a.packets() == 34);
    CHECK(b.packets() == 66);
    CHECK(a.bytes() + b.bytes() == 49500);
    for (std::uint32_t i = 0; i < 100; i += 3) CHECK(a.pop(pool).packet == i);
    CHECK(a.empty());
    CHECK(a.bytes() == 0);
    const std::uint32_t made = pool.size();
    for (std::uint32_t i = 0; i < 34; ++i) a.push(pool, {i, 1, 0});
    CHECK(pool.size() == made);
    CHECK(b.pop(pool).packet == 1);
    CHECK(pool.in_use() == 99);
}

}  // namespace ANML_UNIT_FILE
