// Units and residual expressions.
#include "base/values/quantity.h"

#include "../tier.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <random>

namespace ANML_UNIT_FILE {

using namespace anml;

static double value_of(std::string_view text)
{
    const auto q = parse_quantity(text);
    REQUIRE(q);
    return q->value;
}

TEST_CASE("decimal literals are exact where doubles allow")
{
    CHECK(value_of("0.1 ms") == 100000.0);
    CHECK(value_of("0.3 ms") == 300000.0);
    CHECK(value_of("1.8 ms") == 1800000.0);
    CHECK(value_of("4ms") == 4000000.0);
    CHECK(value_of("1.1 s") == 1100000000.0);
    CHECK(value_of("512 KB") == 524288.0);
    CHECK(value_of("512 KiB") == 524288.0);
    CHECK(value_of("1 Gbps") == 1e9);
    CHECK(value_of("128 kbit/s") == 128000.0);
    CHECK(value_of("5 %") == 0.05);
    CHECK(value_of("1e6") == 1e6);
    CHECK(value_of("1.5e3 us") == 1500000.0);
    CHECK(value_of("2 h") == 7200e9);
    CHECK(parse_quantity("12")->integer);
    CHECK_FALSE(parse_quantity("12.0")->integer);
    CHECK_FALSE(parse_quantity("12 kB"));
    CHECK_FALSE(parse_quantity("1.2.3"));
    CHECK_FALSE(parse_quantity("1.2.3 ms"));
    CHECK_FALSE(parse_quantity("ms"));
    CHECK_FALSE(parse_quantity(""));
}

TEST_CASE("decimal literals are the nearest doubles, and print back shortest")
{
    // What the C library reads of the same digits, which IEEE 754 defines.
    std::mt19937_64 random(7);
    for (int i = 0; i < static_cast<int>(anml::testing::rounds(200'000)); ++i) {
        const std::string text = fmt::format("{}.{:06}", random() % 1000, random() % 1'000'000);
        if (value_of(text) != std::strtod(text.c_str(), nullptr)) FAIL(text);
    }
    for (const char* text : {"0.002877", "9007199254740993", "1.7976931348623157e308", "4.9e-324", "2.4703282292062328e-324",
                             "0.1e-5", "123456789012345678901234567890", "1e23", "8.5e-309", "0.000", "00012.50"})
        CHECK(value_of(text) == std::strtod(text, nullptr));
    CHECK(std::isinf(value_of("1e400")));
    CHECK(value_of("1e-400") == 0);
    CHECK(value_of("1e-99999999999999999999") == 0);
    CHECK(value_of("9007.199254740993 us") == 9007199.254740993);  // rounded once, not once for each step
    CHECK(value_of("0.2877 %") == 0.002877);
    CHECK(value_of("0.002877 s") == 2877000);
    CHECK(exact_quantity(0.002877, dimension::none) == "0.002877");
    for (const Dimension d : {dimension::none, dimension::time, dimension::rate, dimension::size, dimension::length})
        for (int i = 0; i < static_cast<int>(anml::testing::rounds(20'000)); ++i) {
            const double value = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 60) - 60);
            const std::string text = exact_quantity(value, d);
            if (value_of(text) != value) FAIL(text);
        }
}

TEST_CASE("dimensions combine")
{
    using dimension::none, dimension::rate, dimension::size, dimension::time;
    CHECK(rate * time == size);
    CHECK(size / rate == time);
    CHECK(size / time == rate);
    CHECK(rate / rate == none);
    CHECK(1e9 * 1e6 * product_scale(rate, time) == Approx(125000.0));
    CHECK(1500 * quotient_scale(size, rate) / 1e9 == Approx(12000.0));
    CHECK(1500 * quotient_scale(size, time) / 12000.0 == Approx(1e9));
    CHECK(dimension_name(rate) == "rate");
    CHECK(dimension_name(size / time / time) == "size / time^2");
    CHECK(dimension_name(none / time) == "1 / time");
    CHECK(dimension_name(none) == "number");
}

TEST_CASE("quantities print in the language's units")
{
    CHECK(format_quantity(1e6, dimension::time) == "1 ms");
    CHECK(format_quantity(100000, dimension::time) == "100 us");
    CHECK(format_quantity(120e9, dimension::time) == "120 s");
    CHECK(format_quantity(3600e9, dimension::time) == "1 h");
    CHECK(format_quantity(64.4e6, dimension::time) == "64.4 ms");
    CHECK(format_quantity(0, dimension::time) == "0 s");
    CHECK(format_quantity(1e9, dimension::rate) == "1 Gbps");
    CHECK(format_quantity(1500, dimension::size) == "1500 B");
    CHECK(format_quantity(1536, dimension::size) == "1.5 KB");
    CHECK(format_quantity(65535, dimension::size) == "65535 B");
    CHECK(format_quantity(1e6 / 3, dimension::time) == "333.333 us");
    CHECK(format_quantity(8, dimension::none) == "8");
    for (const char* text : {"17 ns", "3.5 us", "0.1 ms", "5 s", "64 MB", "9.6 Kbps", "12 km"}) {
        const auto q = parse_quantity(text);
        const auto again = parse_quantity(format_quantity(q->value, q->dim));
        REQUIRE(again);
        CHECK(again->value == q->value);
    }
}

TEST_CASE("confusable units name both meanings")
{
    CHECK(ambiguous_unit_help("kB") == "KB (1024 bytes) or Kbps (1000 bit/s)");
    CHECK(ambiguous_unit_help("kb") == "KB (1024 bytes) or Kbps (1000 bit/s)");
    CHECK(ambiguous_unit_help("Mb") == "MB (1024^2 bytes) or Mbps (10^6 bit/s)");
    CHECK(ambiguous_unit_help("MBps") == "MB (1024^2 bytes) or Mbps (10^6 bit/s)");
    CHECK(ambiguous_unit_help("MB") == "");
    CHECK(ambiguous_unit_help("Mbps") == "");
    CHECK(ambiguous_unit_help("ms") == "");
    CHECK(ambiguous_unit_help("furlong") == "");
}

TEST_CASE("residual expressions fold, intern, evaluate and are bounded")
{
    ValuePool pool;
    const auto two = pool.constant(2), three = pool.constant(3), t = pool.tunable(0);
    CHECK(pool.as_constant(pool.make(ValueOp::mul, two, three)) == 6.0);
    CHECK(pool.constant(2) == two);
    const auto sum = pool.make(ValueOp::add, t, two);
    CHECK(pool.make(ValueOp::add, t, two) == sum);
    CHECK(pool.make(ValueOp::mul, t, pool.constant(1)) == t);
    CHECK_FALSE(pool.as_constant(sum));
    CHECK(pool.evaluate(sum, {5}) == 7);
    const auto square = pool.make(ValueOp::mul, sum, sum);
    const auto bounds = pool.bounds(square, {{1, 4}});
    CHECK(bounds.low == 9);
    CHECK(bounds.high == 36);
    const auto less = pool.make(ValueOp::lt, t, three);
    CHECK(pool.bounds(less, {{1, 2}}).low == 1);
    CHECK(pool.bounds(less, {{1, 4}}).low == 0);
    CHECK(pool.bounds(less, {{1, 4}}).high == 1);
    CHECK(pool.bounds(less, {{3, 4}}).high == 0);
    const auto chosen = pool.make(ValueOp::select, less, two, three);
    CHECK(pool.evaluate(chosen, {1}) == 2);
    CHECK(pool.bounds(chosen, {{3, 4}}).low == 3);
    CHECK(pool.bounds(pool.make(ValueOp::div, two, t), {{-1, 1}}).high > 1e300);
    const auto difference = pool.bounds(pool.make(ValueOp::sub, t, square), {{1, 4}});
    CHECK(difference.low == 1 - 36);
    CHECK(difference.high == 4 - 9);
    CHECK(pool.as_constant(pool.make(ValueOp::or_, t, pool.constant(1))) == 1.0);
}

TEST_CASE("shared parts of an expression are computed once")
{
    ValuePool pool;
    ValueExprId sum = pool.tunable(0);
    for (int i = 0; i < 60; ++i) sum = pool.make(ValueOp::add, sum, sum);
    CHECK(pool.evaluate(sum, {1}) == 1152921504606846976.0);
    CHECK(pool.bounds(sum, {{1, 2}}).high == 2 * 1152921504606846976.0);
}

}  // namespace ANML_UNIT_FILE
