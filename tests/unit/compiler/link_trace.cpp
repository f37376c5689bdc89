// Reading traces: what is one, what is not, and where.
#include "base/files/link_trace.h"

#include <catch2/catch.hpp>
#include <string>

namespace ANML_UNIT_FILE {

using namespace anml;

namespace {

std::vector<std::uint32_t> times_of(const std::string& text)
{
    std::vector<std::uint32_t> times;
    const TraceError wrong = read_trace(text, times);
    CHECK(wrong.message.empty());
    return times;
}

}  // namespace

TEST_CASE("a trace is a time on each line")
{
    CHECK(times_of("1\n") == std::vector<std::uint32_t>{1});
    CHECK(times_of("0\n0\n7\n7\n4294967295") == std::vector<std::uint32_t>{0, 0, 7, 7, 4294967295u});
    CHECK(times_of("1\r\n2\r\n") == std::vector<std::uint32_t>{1, 2});
    CHECK(mean_rate({1}) == 12'032'000);
    CHECK(mean_rate({0, 500, 1000, 1000}) == 4 * 1504 * 8);
}

TEST_CASE("what is no trace is said with its line and place")
{
    struct Case {
        const char* text;
        std::size_t line, begin, end;
    };
    for (const Case& c :
         {Case{"", 0, 0, 0}, Case{"\n", 1, 0, 0}, Case{"1\n\n2\n", 2, 2, 2}, Case{"1\n5\n4\n", 3, 4, 5},
          Case{"1\n2 \n", 2, 2, 4}, Case{" 1\n", 1, 0, 2}, Case{"+1\n", 1, 0, 2}, Case{"1\n-2", 2, 2, 4},
          Case{"1.5\n", 1, 0, 3}, Case{"1\n4294967296\n", 2, 2, 12}, Case{"0\n0\n", 2, 2, 4}})
    {
        std::vector<std::uint32_t> times;
        const TraceError wrong = read_trace(c.text, times);
        INFO(c.text);
        CHECK(!wrong.message.empty());
        CHECK(wrong.line == c.line);
        CHECK(wrong.begin == c.begin);
        CHECK(wrong.end == c.end);
    }
    std::vector<std::uint32_t> times;
    CHECK(read_trace(std::string(kLargestTrace + 1, '1'), times).message == "it is larger than 64 MiB");
    CHECK(times.empty());
    CHECK(read_trace(std::string(5000, '1'), times).message == "`" + std::string(40, '1') + "...` is too large");
}

}  // namespace ANML_UNIT_FILE
