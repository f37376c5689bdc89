#include <catch2/catch.hpp>

#include "entry/tools/addresses.h"
#include "entry/tools/suggestion.h"
#include "report/quantity.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;
using namespace anml::rt::entry;
using anml::abi::Unit;

namespace {

double value(std::string_view text, Unit unit)
{
    std::string error;
    auto result = parse_quantity(text, unit, error);
    INFO(text << ": " << error);
    REQUIRE(result);
    return *result;
}

std::string refusal(std::string_view text, Unit unit)
{
    std::string error;
    CHECK_FALSE(parse_quantity(text, unit, error));
    return error;
}

}  // namespace

TEST_CASE("quantities on the command line have the language's units")
{
    CHECK(value("30s", Unit::time) == 30e9);
    CHECK(value(" 30 s ", Unit::time) == 30e9);
    CHECK(value("0.1 ms", Unit::time) == 1e5);
    CHECK(value("2min", Unit::time) == 120e9);
    CHECK(value("64 KB", Unit::size) == 65536);
    CHECK(value("64KiB", Unit::size) == 65536);
    CHECK(value("10 Mbps", Unit::rate) == 1e7);
    CHECK(value("10Mbit/s", Unit::rate) == 1e7);
    CHECK(value("3km", Unit::length) == 3000);
    CHECK(value("8", Unit::integer) == 8);
    CHECK(value("5 %", Unit::none) == 0.05);
    CHECK(value("1e3 us", Unit::time) == 1e6);
    CHECK(value("0.2877 %", Unit::none) == 0.002877);  // rounded once, as in a model
    CHECK(value("-0.2877 %", Unit::none) == -0.002877);
    CHECK(value("9007.199254740993 us", Unit::time) == 9007199.254740993);
}

TEST_CASE("wrong quantities say what would be right")
{
    CHECK(refusal("30", Unit::time) == "`30` has no unit; a time needs one of ns, us, ms, s, min, h");
    CHECK(refusal("3 KB", Unit::time) == "`3 KB` is a size, not a time");
    CHECK(refusal("3 kb", Unit::size) ==
          "`kb` is not a unit; a size needs one of B, KB, MB, GB, TB, KiB, MiB, GiB, TiB");
    CHECK(refusal("fast", Unit::rate) ==
          "`fast` is not a rate; write it like `10 Mbps`, with one of bps, Kbps, Mbps, Gbps, Tbps, bit/s, kbit/s, "
          "Mbit/s, "
          "Gbit/s, Tbit/s");
    CHECK(refusal("", Unit::time) == "`` is not a time; write it like `30 s`, with one of ns, us, ms, s, min, h");
    CHECK(refusal("2.5", Unit::integer) == "`2.5` is not a whole number");
    CHECK(refusal("2 apples", Unit::integer) == "`apples` is not a unit; a whole number has none");
    CHECK(refusal("inf s", Unit::time) ==
          "`inf s` is not a time; write it like `30 s`, with one of ns, us, ms, s, min, h");
}

TEST_CASE("quantities print as they are written")
{
    CHECK(format_quantity(1e6, Unit::time) == "1 ms");
    CHECK(format_quantity(1.2e11, Unit::time) == "120 s");
    CHECK(format_quantity(1234567, Unit::time) == "1234.567 us");
    CHECK(format_quantity(0, Unit::time) == "0 s");
    CHECK(format_quantity(1500, Unit::size) == "1500 B");
    CHECK(format_quantity(512 * 1024, Unit::size) == "512 KB");
    CHECK(format_quantity(1e9, Unit::rate) == "1 Gbps");
    CHECK(format_quantity(8, Unit::integer) == "8");
    CHECK(format_quantity(0.25, Unit::none) == "0.25");
    CHECK(format_quantity(1e300 * 1e300, Unit::size) == "unlimited");
}

TEST_CASE("a misspelt name gets a hint")
{
    std::vector<std::string> known{"delay", "queue"};
    CHECK(suggestion("dealy", known) == "; did you mean `delay`?");
    CHECK(suggestion("Delay", known) == "; did you mean `delay`?");
    CHECK(suggestion("que", known) == "; did you mean `queue`?");
    CHECK(suggestion("rate", known) == "; there are `delay`, `queue`");
    CHECK(suggestion("x", std::vector<std::string>{"server"}) == "; there is only `server`");
    CHECK(suggestion("x", {}) == "");
    CHECK(suggestion("D", std::vector<std::string>{"Q"}) == "; there is only `Q`");
}

TEST_CASE("a block of addresses prints with the smallest prefix that covers it")
{
    CHECK(format_block(0x0a000101, 1) == "10.0.1.1/32");
    CHECK(format_block(0x0a000100, 4096) == "10.0.1.0/19");
    CHECK(format_block(0x0a001000, 4096) == "10.0.16.0/20");
    CHECK(format_block(0x0a000102, 3) == "10.0.1.2/29");
}

TEST_CASE("a range of addresses prints with its ends")
{
    CHECK(format_range(0x0a000101, 1) == "10.0.1.1");
    CHECK(format_range(0x0a000151, 64) == "10.0.1.81 .. 10.0.1.144");
}

}  // namespace ANML_UNIT_FILE
