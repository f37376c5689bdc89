// The table of names: many of them, long and short, and what is kept of each.
#include "elaborate/name_table.h"

#include <catch2/catch.hpp>
#include <string>

namespace ANML_UNIT_FILE {

using anml::NameTable;

TEST_CASE("a name table keeps the first value of each name")
{
    NameTable<int> table;
    constexpr int kNames = 20'000;
    const auto name = [](int i) { return std::string(static_cast<std::size_t>(i % 40), 'x') + std::to_string(i); };
    for (int i = 0; i < kNames; ++i) CHECK(table.try_emplace(name(i), i).second);
    for (int i = 0; i < kNames; ++i) {
        const auto [value, fresh] = table.try_emplace(name(i), -1);
        CHECK_FALSE(fresh);
        CHECK(*value == i);
        *value += 1;
    }
    CHECK(*table.try_emplace(name(7), 0).first == 8);
    CHECK(table.try_emplace(std::string(100'000, 'y'), 1).second);
    CHECK(table.try_emplace("", 3).second);
    CHECK(*table.try_emplace("", 4).first == 3);
}

}  // namespace ANML_UNIT_FILE
