// Links: wildcards, slices, pairs, names, profiles and overrides.
#include "elaborate_text.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

TEST_CASE("one wildcard makes a link per element")
{
    const auto e = elaborate_body(R"(
model M {
  host client[4]
  switch lan
  link edge: client[*] -- lan : ether.fast { delay = 0.1 ms }
  link some: lan -- client[1 .. 2] : ether.ten
  link one: client[3] -- lan : ether.ten
  run { duration = 1 s }
})");
    const LinkArray& edge = e.link("edge");
    CHECK(edge.is_array);
    CHECK(edge.count == 4);
    CHECK(edge.end[0].stride == 1);
    CHECK(edge.end[1].stride == 0);
    CHECK(e.constant(edge.delay[0]) == 100000);
    CHECK(e.constant(edge.rate[1]) == 1e8);
    CHECK(e.constant(edge.queue[0]) == 512 * 1024);
    CHECK(e.constant(edge.mtu) == 1500);
    const LinkArray& some = e.link("some");
    CHECK(some.count == 2);
    CHECK(some.end[1].first == 1);
    CHECK(some.end[1].stride == 1);
    CHECK(some.first_link == 8);
    const LinkArray& one = e.link("one");
    CHECK_FALSE(one.is_array);
    CHECK(one.end[0].first == 3);
    CHECK(e.network->directed_links == 14);
}

TEST_CASE("two wildcards are paired")
{
    const auto e = elaborate_body(R"(
component Pop(n: int) { host client[n] }
model M {
  host a[3]
  router b[3]
  Pop x[2](n = 2)
  Pop y[2](n = 2)
  link ab: a[*] -- b[*] : ether.fast
  link xy: x[*].client[*] -- y[*].client[*] : ether.fast
  run { duration = 1 s }
})");
    CHECK(e.link("ab").count == 3);
    CHECK(e.link("ab").end[0].stride == 1);
    CHECK(e.link("ab").end[1].stride == 1);
    CHECK(e.link("xy[0]").is_array);
    CHECK(e.link("xy[1]").count == 2);
    CHECK(e.network->nodes[e.link("xy[1]").end[1].row.value].name == "y[1].client");
}

TEST_CASE("wildcards over instances make a row each")
{
    const auto e = elaborate_body(R"(
component Pop { router gateway }
model M(N: int = 3) {
  router core
  Pop net[N]
  link up: net[*].gateway -- core : ether.fast
  link again: net[1 ..< N].gateway -- core : ether.fast
  run { duration = 1 s }
})");
    CHECK_FALSE(e.link("up[2]").is_array);
    CHECK(e.network->nodes[e.link("again[0]").end[0].row.value].name == "net[1].gateway");
    CHECK(e.network->links.size() == 5);
}

TEST_CASE("links without a name are called after their ends")
{
    const auto e = elaborate_body(R"(
component Pop {
  router a[2]
  switch b
  link a[0] -- b : ether.fast
  link a[0] -- b : ether.ten
  link a[*] -- b : ether.ten
}
model M {
  Pop p
  router core
  link p.a[1] -- core : ether.fast
  for i in 0 ..< 2 { link core -- p.b : ether.fast }
  run { duration = 1 s }
})");
    CHECK(e.link("p.a[0]--b").count == 1);
    CHECK(e.constant(e.link("p.a[0]--b#2").rate[0]) == 1e7);
    CHECK(e.link("p.a--b").is_array);
    e.link("p.a[1]--core");
    e.link("core--p.b");
    e.link("core--p.b#2");
}

TEST_CASE("links of lists and of named selections have a name each")
{
    const auto e = elaborate_body(R"(
model M {
  router core
  host a[3]
  host b
  host c[2]
  let some = c[*]
  link [a[*], b] -- core : ether.fast
  link x: [a[*], b] -- core : ether.fast
  link y: some -- core : ether.fast
  at 500 ms { x[1] down, y[1] down }
  run { duration = 1 s }
})");
    CHECK(e.link("a--core").is_array);
    CHECK_FALSE(e.link("b--core").is_array);
    CHECK(e.link("x[0]").is_array);
    CHECK(e.link("x[0]").count == 3);
    CHECK_FALSE(e.link("x[1]").is_array);
    CHECK(e.link("y").is_array);
    CHECK(e.link("y").count == 2);
}

TEST_CASE("a block overrides its profile, and self sees both")
{
    const auto e = elaborate_body(R"(
profile slow(r: rate = 1 Mbps) : Link { rate = r, delay = 5 ms, queue = droptail(self.rate * 100 ms), overhead = 38 B }
model M(fat: bool = true) {
  router a
  router b
  link x: a -- b : slow
  link y: a -- b : slow(r = 2 Mbps) { delay = 2 * 3 ms, queue = droptail(self.rate * self.delay) }
  link z: a -- b : if fat then ether.gigabit else ether.ten
  run { duration = 1 s }
})");
    CHECK(e.constant(e.link("x").queue[0]) == 12500);
    CHECK(e.constant(e.link("x").overhead) == 38);
    CHECK(e.constant(e.link("y").delay[1]) == 6e6);
    CHECK(e.constant(e.link("y").queue[0]) == 1500);
    CHECK(e.constant(e.link("z").rate[0]) == 1e9);
}

TEST_CASE("a queue is bounded in bytes, in packets, or in both")
{
    const auto e = elaborate_body(R"(
profile short : Queue { capacity = 9 KB, packets = 3 }
model M(tunable Q: int in 1 .. 1000 = 100) {
  router a
  router b
  link x: a -- b : ether.ten { queue = droptail(9 KB) }
  link y: a -- b : ether.ten { queue = droptail(packets = 7) }
  link z: a -- b : ether.ten { queue = droptail(packets = 7, capacity = 9 KB) }
  link s: a -- b : ether.ten { queue = short }
  link t: a -- b : ether.ten { queue = droptail(packets = Q) }
  run { duration = 1 s }
})");
    const double kilobytes = 9 * 1024, unbounded = 1024.0 * 1024 * 1024 * 1024;
    const auto is = [&](std::string_view name, double bytes, double packets) {
        const LinkArray& link = e.link(name);
        for (int side : {0, 1}) {
            CHECK(e.constant(link.queue[side]) == bytes);
            CHECK(e.constant(link.queue_packets[side]) == packets);
        }
    };
    is("x", kilobytes, 0);
    is("y", unbounded, 7);
    is("z", kilobytes, 7);
    is("s", kilobytes, 3);
    CHECK(e.network->values.node(e.link("t").queue_packets[0]).op == ValueOp::tunable);
}

TEST_CASE("loops, conditions and lets shape the network")
{
    const std::string text = R"(
model M(N: int in 1 .. 9 = 4, ring: bool = false) {
  router r[N]
  let last = N - 1
  for i in 0 ..< last { link hop[i]: r[i] -- r[i + 1] : ether.fast }
  if ring && N > 2 {
    link close: r[last] -- r[0] : ether.fast
    router watch
  } else if N == 1 {
    let spare = 1
    host alone[spare]
  } else {
    host tail
    link end: tail -- r[last] : ether.fast
  }
  if ring { link to_watch: watch -- r[0] : ether.ten }
  run { duration = 1 s }
})";
    CHECK(elaborate_body(text).network->links.size() == 2);
    CHECK(elaborate_body(text, {{"ring", "true"}, {"N", "5"}}).network->links.size() == 3);
    CHECK(elaborate_body(text, {{"N", "1"}}).node("alone").count == 1);
}

TEST_CASE("empty arrays leave no rows")
{
    const auto e = elaborate_body(R"(
component Pop { router gateway }
model M(N: int = 0) {
  host client[N]
  switch lan
  Pop pop[N]
  link edge: client[*] -- lan : ether.fast
  link up: pop[*].gateway -- lan : ether.fast
  run { duration = 1 s }
})");
    CHECK(e.network->nodes.size() == 1);
    CHECK(e.network->links.empty());
}

TEST_CASE("directions: blocks over plain attributes, the link over the profile, requirements for each")
{
    const auto e = elaborate_body(R"(
schema Line : Link { require self.rate >= 1 Mbps }
profile dsl : Line { rate = 8 Mbps, delay = 1 ms, up { rate = 1 Mbps, delay = self.rate / 1 Mbps * 2 ms } }
model M {
  router a
  router b
  link plain: a -- b : dsl
  link over: a -- b : dsl { delay = 5 ms, down { rate = 2 Mbps, queue = droptail(3 KB) } }
  link one: a -> b : dsl
  link half: a -- b : dsl.down
  run { duration = 1 s }
})");
    const auto both = [&](std::string_view name, auto member) {
        return std::pair(e.constant((e.link(name).*member)[0]), e.constant((e.link(name).*member)[1]));
    };
    CHECK(both("plain", &LinkArray::rate) == std::pair(1e6, 8e6));
    CHECK(both("plain", &LinkArray::delay) == std::pair(2e6, 1e6));
    CHECK(both("over", &LinkArray::rate) == std::pair(1e6, 2e6));
    CHECK(both("over", &LinkArray::delay) == std::pair(5e6, 5e6));
    CHECK(both("over", &LinkArray::queue) == std::pair(512 * 1024.0, 3 * 1024.0));
    CHECK(e.link("one").one_way);
    CHECK(both("one", &LinkArray::rate) == std::pair(1e6, 1e6));
    CHECK(both("half", &LinkArray::rate) == std::pair(8e6, 8e6));
}

TEST_CASE("overrides: inside before outside, profiles under the attributes that stand behind them")
{
    const auto e = elaborate_body(R"(
component Small(hosts: int) {
  router gateway
  host pc[hosts]
  link desk: pc[*] -- gateway : ether.fast { delay = 3 ms }
}
component Middle(n: int) : Small(hosts = n) {
  override desk : ether.ten { overhead = 38 B }
  port out = gateway
}
component Large : Middle(n = 2) { override desk { overhead = 20 B, delay = 4 ms } }
component Site { Large inner[2] }
model M {
  router core
  Site site[2] { override inner.desk { delay = (index + 1) * 10 ms } }
  Middle alone[2](index + 1)
  link up: site[*].inner[0].out -- core : ether.fast
  run { duration = 1 s }
})");
    CHECK(e.constant(e.link("site[1].inner[0].desk").rate[0]) == 1e7);
    CHECK(e.constant(e.link("site[1].inner[1].desk").delay[0]) == 20e6);
    CHECK(e.constant(e.link("site[0].inner[1].desk").delay[0]) == 10e6);
    CHECK(e.constant(e.link("site[0].inner[0].desk").overhead) == 20);
    CHECK(e.constant(e.link("alone[1].desk").delay[0]) == 3e6);
    CHECK(e.constant(e.link("alone[1].desk").overhead) == 38);
    CHECK(e.link("alone[0].desk").count == 1);
    CHECK(e.link("alone[1].desk").count == 2);
    CHECK(e.network->nodes[e.link("up[1]").end[0].row.value].name == "site[1].inner[0].gateway");
}

}  // namespace ANML_UNIT_FILE
