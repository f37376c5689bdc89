// Lists and strings: what is computed of their elements, comprehensions, parts and operators.
#include "elaborate_text.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

namespace {

// A model whose link has the delay and the rate.
Elaborated with_link(const std::string& lets, const std::string& delay, const std::string& rate = "1 Gbps")
{
    return elaborate_body("model M(tunable D: time in 1 ms .. 10 ms = 2 ms, tunable N: int in 0 .. 9 = 2) {\n" + lets +
                          "\n router a router b link x: a -- b { delay = " + delay + ", rate = " + rate +
                          " }\n run { duration = 1 s } }");
}

}  // namespace

TEST_CASE("functions of lists compute what operators do")
{
    const auto e = with_link("let xs = [3 ms, 1 ms, 2 ms]", "sum(xs) + min(xs)", "max([1 Mbps, 3 Mbps])");
    CHECK(e.constant(e.link("x").delay[0]) == 7e6);
    CHECK(e.constant(e.link("x").rate[0]) == 3e6);
}

TEST_CASE("of lists that depend on tunables stay expressions")
{
    const auto e = with_link("let xs = [D, 3 ms, 2 * D]", "if any([N > 5, N < 2]) then sum(xs) else max(xs)");
    const ValueExprId delay = e.link("x").delay[0];
    CHECK(e.network->values.evaluate(delay, {2e6, 6}) == 9e6);
    CHECK(e.network->values.evaluate(delay, {2e6, 3}) == 4e6);
    CHECK(e.network->values.evaluate(delay, {1e6, 3}) == 3e6);
    const auto all = with_link("", "if all([N > 1, true, N < 4]) then 1 ms else 2 ms");
    CHECK(all.network->values.evaluate(all.link("x").delay[0], {2e6, 3}) == 1e6);
    CHECK(all.network->values.evaluate(all.link("x").delay[0], {2e6, 4}) == 2e6);
}

TEST_CASE("sums of empty lists are zero, and of one element without brackets that")
{
    const auto e = elaborate_body(R"(
component C(xs: time[], ok: bool[]) {
  router a
  router b
  link x: a -- b { rate = 1 Mbps, delay = sum(xs) }
  require all(ok) && !any(ok)
}
model M {
  C none([], [])
  C one(3 ms, [])
  run { duration = 1 s }
})");
    CHECK(e.constant(e.link("none.x").delay[0]) == 0);
    CHECK(e.constant(e.link("one.x").delay[0]) == 3e6);
}

TEST_CASE("comprehensions collect, choose and count")
{
    const auto e = with_link(R"(
let xs = [1 ms, 3 ms, 5 ms]
let big = [x for x in xs if x > 2 ms]
let weights = [w / sum([1, 3]) for w in [1, 3]]
let pairs = [10 * a + b for a in 1..3 for b in a ..< 4 if a != b]
let numbered = [i * x for i, x in xs])",
                             "sum(numbered) + big[1] + 1 ms * sum(pairs)", "weights[1] * 1 Mbps * len(pairs)");
    CHECK(e.constant(e.link("x").delay[0]) == (13 + 5 + 12 + 13 + 23) * 1e6);
    CHECK(e.constant(e.link("x").rate[0]) == 0.75e6 * 3);
}

TEST_CASE("elements of comprehensions may depend on tunables")
{
    const auto e = with_link("", "sum([i * D for i in 1..3])");
    CHECK(e.network->values.evaluate(e.link("x").delay[0], {2e6, 2}) == 12e6);
}

TEST_CASE("comprehensions stand in functions, profiles, defaults and each other")
{
    const auto e = elaborate_body(R"(
function scaled(xs: time[], f: number): time[] = [x * f for x in xs]
function total(n: int): int = if n == 0 then 0 else sum([total(i) + 1 for i in 0 ..< n])
profile long(xs: time[]) : Sized { rate = 1 Mbps, delay = sum(scaled(xs, 2)) }
schema Sized : Link {
  parts: size[] = [i * 1 KB for i in 1..3]
  room: size = sum([p + sum([q for q in self.parts if q < p]) for p in self.parts])
  require self.room > 0 B
}
component Site(n: int, w: int[] = [i * n for i in 0 ..< n]) {
  router a
  router b
  profile local(f: number) : Sized { rate = 1 Mbps, delay = sum([x * f * 1 ms for x in w]) }
  link x: a -- b : local(2)
  link y: a -- b : long([1 ms, 2 ms])
  require local(1).room == 10 KB && sum([sum([j for j in 0 ..< i if i != j]) for i in w]) == 34 && total(4) == 15
}
model M { Site s(4, [0, 4, 8]) run { duration = 1 s } }
)");
    CHECK(e.constant(e.link("s.x").delay[0]) == 24e6);
    CHECK(e.constant(e.link("s.y").delay[0]) == 6e6);
}

TEST_CASE("comprehensions over nodes choose nodes, over instances instances")
{
    const auto e = elaborate_body(R"(
component Site { router gateway host pc[4] link pc[*] -- gateway { rate = 1 Mbps } }
model M {
  Site s[3]
  router hub
  link all: [p for p in s[0].pc[*]] -- hub { rate = 1 Mbps }
  link odd: [p for i, p in s[1].pc[*] if i % 2 == 1] -- hub { rate = 1 Mbps }
  link up: [site for i, site in s[*] if i > 0].gateway -- hub { rate = 1 Mbps }
  require len([p for site in s[*] for p in site.pc[0 ..< 2]]) == 6 && all([reachable(p, hub) for p in s[*].pc[*]])
  run { duration = 1 s }
})");
    CHECK(e.link("all").count == 4);  // an array as its nodes are
    CHECK(e.link("odd[1]").count == 1);
    CHECK(e.link("up[1]").count == 1);
}

TEST_CASE("the names of a comprehension end with it")
{
    const auto e =
        with_link("let c = [y for y in [1, 2]]\nlet d = [y for y in [3]]\nlet y = 4", "(c[1] + d[0] + y) * 1 ms");
    CHECK(e.constant(e.link("x").delay[0]) == 9e6);
}

TEST_CASE("lists are cut, put together and compared")
{
    const auto e = elaborate_body(R"(
enum Colour { red, green }
function tail(xs: int[]): int[] = xs[1 ..< len(xs)]
function total(xs: int[]): int = if len(xs) == 0 then 0 else xs[0] + total(tail(xs))
component One(xs: int[]) { require xs + [2] == [1, 2] && xs[*] == [1] && xs[0 ..< 1] == xs }
model M(xs: int[] = [1, 2, 3], c: Colour = green) {
  One one(1)
  host pc[2]
  require xs[0 ..< 2] == [1, 2] && xs[1 .. 2] + [4] == [2, 3, 4] && xs[*] == xs && xs[3 ..< 3] == []
  require indices(xs) == [0, 1, 2] && indices(pc) == [0, 1] && xs != [1] && xs != [1, 2, 4] && !(xs != xs)
  require [] + xs == xs + [] && sum(xs + [0.5]) == 6.5 && [Colour.red, c] == [Colour.red, green] && total(xs) == 6
  require ["a", "b"] == ["a"] + ["b"] && [10.0.0.1] != [10.0.0.2] && [true] == [1 < 2]
  run { duration = 1 s }
})");
    CHECK(e.network->requirements.empty());
}

TEST_CASE("lists that depend on tunables are equal or not when the emulator starts")
{
    const auto e = with_link("", "if [D, 1 ms] == [2 ms, 1 ms] then 1 ms else 2 ms",
                             "if [N, 3] != [3, N] then 1 Mbps else 2 Mbps");
    const LinkArray& x = e.link("x");
    CHECK(e.network->values.evaluate(x.delay[0], {2e6, 3}) == 1e6);
    CHECK(e.network->values.evaluate(x.delay[0], {3e6, 3}) == 2e6);
    CHECK(e.network->values.evaluate(x.rate[0], {2e6, 3}) == 2e6);
    CHECK(e.network->values.evaluate(x.rate[0], {2e6, 4}) == 1e6);
}

TEST_CASE("strings are put together, compared and made of values")
{
    const auto e = elaborate_body(R"(
enum Colour { red, green }
function joined(xs: string[], between: string): string =
  if len(xs) < 2 then (if len(xs) == 1 then xs[0] else "") else xs[0] + between + joined(xs[1 ..< len(xs)], between)
component Site { host pc[2] }
model M(c: Colour = green, a: address = 10.0.0.9) {
  Site s[2]
  require text(1500 us) == "1.5 ms" && text(true) == "true" && text(c) == "green" && text(a) == "10.0.0.9"
  require text(10.8.0.0/16) == "10.8.0.0/16" && text(s[1].pc[0]) == "s[1].pc[0]" && text("a") == "a"
  require text(0.5) == "0.5" && text(12345678901) == "12345678901" && text(-3) == "-3"
  require "a" < "b" && "a" <= "a" && "b" > "a" && "b" >= "b" && "ä" > "z" && "ab" != "abc" && len("häm") == 3
  require joined([text(t) for t in [1 ms, 2 s]], ", ") == "1 ms, 2 s" && "pc-" + text(3) == "pc-3"
  run { duration = 1 s }
})");
    CHECK(e.network->requirements.empty());
}

}  // namespace ANML_UNIT_FILE
