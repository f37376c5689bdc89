// Functions that take quantities of any dimension.
#include "elaborate_text.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

TEST_CASE("functions take quantities of any dimension and return one like them")
{
    const auto e = elaborate_body(R"(
function twice(x: quantity): like x = 2 * x
function mean_of(xs: quantity[]): like xs = sum(xs) / len(xs)
function scaled(xs: quantity[], f: number): like xs[] = [x * f for x in xs]
function clamped(x: quantity, low: like x, high: like x = 2 * low): like x = max(low, min(x, high))
function ratio_of(x: quantity, y: like x): number = x / y
function norm(x: quantity, y: like x): like x = sqrt(x * x + y * y)
function shared(x: quantity, y: quantity): like y = y * (x / x)
model M(tunable D: time in 1 ms .. 10 ms = 2 ms) {
  router a
  router b
  link x: a -- b { rate = twice(3 Mbps), delay = clamped(D, 1 ms, 5 ms) }
  require twice(1 ms) == 2 ms && twice(3) == 6 && twice(2 KB) == 4 KB && twice(twice(1 km)) == 4 km
  require mean_of([1 ms, 3 ms]) == 2 ms && scaled([1 KB, 2 KB], 2) == [2 KB, 4 KB] && mean_of([1, 2]) == 1.5
  require clamped(1 ms, 2 ms) == 2 ms && clamped(9 KB, 2 KB) == 4 KB && clamped(high = 3 B, x = 9 B, low = 1 B) == 3 B
  require ratio_of(1 s, 1 ms) == 1000 && shared(1 ms, 3 B) == 3 B
  require norm(3 ms, 4 ms) == 5 ms && norm(3 Mbps, 4 Mbps) == 5 Mbps && norm(3 KB, 4 KB) == 5 KB && norm(3, 4) == 5
  run { duration = 1 s }
})");
    CHECK(e.constant(e.link("x").rate[0]) == 6e6);
    CHECK(e.network->values.evaluate(e.link("x").delay[0], {9e6}) == 5e6);
}

TEST_CASE("they call themselves and each other")
{
    elaborate_body(R"(
function grown(x: quantity, n: int): like x = if n == 0 then x else 2 * grown(x, n - 1)
function even(x: quantity, n: int): bool = if n == 0 then x > 0 * x else odd(x, n - 1)
function odd(x: quantity, n: int): bool = if n == 0 then x < 0 * x else even(2 * x, n - 1)
model M {
  require grown(1 KB, 3) == 8 KB && grown(1 ms, 2) == 4 ms && even(1 ms, 4) && !even(1 B, 3)
  run { duration = 1 s }
})");
}

TEST_CASE("functions take and return profiles")
{
    const auto e = elaborate_body(R"(
profile slow(l: Link, by: number) : Link { rate = l.rate / by, delay = l.delay }
function slower(l: Link, by: number = 4): Link = if by > 1 then slow(l, by) else l
model M {
  router a
  router b
  link x: a -- b : slower(ether.fast)
  link y: a -- b : slower(ether.fast, 1)
  run { duration = 1 s }
})");
    CHECK(e.constant(e.link("x").rate[0]) == 25e6);
    CHECK(e.constant(e.link("y").rate[0]) == 100e6);
}

}  // namespace ANML_UNIT_FILE
