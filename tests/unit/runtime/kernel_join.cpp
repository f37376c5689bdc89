// Joining the partition's tasks into as many as there are threads.
#include <catch2/catch.hpp>

#include "simulator/join_tasks.h"

namespace ANML_UNIT_FILE {

using namespace anml;

namespace {

std::vector<std::uint32_t> join(const std::vector<std::uint32_t>& weights, std::uint32_t count)
{
    std::vector<abi::TaskRow> rows;
    for (std::uint32_t task = 0; task < weights.size(); ++task) rows.push_back({task, 1, task, weights[task]});
    abi::Image image{};
    image.task_rows = rows.data();
    image.task_row_count = image.task_count = static_cast<std::uint32_t>(rows.size());
    return rt::join_tasks({image.task_rows, image.task_row_count}, image.task_count, count);
}

}  // namespace

TEST_CASE("tasks are joined into runs of about equal weight", "[kernel]")
{
    using Joined = std::vector<std::uint32_t>;
    CHECK(join({5}, 1) == Joined{0});
    CHECK(join({1, 2, 3}, 3) == Joined{0, 1, 2});
    CHECK(join({1, 2, 3}, 1) == Joined{0, 0, 0});
    CHECK(join({3328, 2176, 1664, 1536}, 2) == Joined{0, 1, 1, 1});
    CHECK(join({2000, 2176, 1664, 1536}, 2) == Joined{0, 0, 1, 1});
    CHECK(join({1, 1, 1, 9}, 2) == Joined{0, 0, 0, 1});
    CHECK(join({9, 1, 1, 1}, 3) == Joined{0, 1, 1, 2});
    CHECK(join({9, 1, 1, 1}, 4) == Joined{0, 1, 2, 3});
    CHECK(join({1, 1, 1, 1}, 3).back() == 2);  // none empty
}

}  // namespace ANML_UNIT_FILE
