// Values: addresses, units in expressions, tunables in residual expressions, and what is checked about them.
#include "elaborate_text.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

TEST_CASE("addresses follow the text, around those that are set")
{
    const auto e = elaborate_body(R"(
component Pop { router gateway host client[4] }
model M {
  addressing { pool = 192.168.0.0/24 }
  endpoint server { address = 192.168.0.8 }
  endpoint far { address = 10.9.9.9 }
  endpoint other
  Pop pop[2]
  host fixed[2] { address = 192.168.0.253 }
  run { duration = 1 s }
})");
    const std::uint32_t base = 192u << 24 | 168u << 16;
    CHECK(e.node("other").address == base + 1);
    CHECK(e.node("pop[0].gateway").address == base + 2);
    CHECK(e.node("pop[0].client").address == base + 3);
    CHECK(e.node("pop[1].gateway").address == base + 7);
    CHECK(e.node("pop[1].client").address == base + 9);
    CHECK(e.node("far").address == (10u << 24 | 9u << 16 | 9u << 8 | 9u));
    CHECK(e.node("far").explicit_address);
    CHECK(e.network->gateway == base + 252);
    CHECK(e.network->pool_length == 24);
}

TEST_CASE("no endpoint, no gateway")
{
    CHECK(elaborate_body("model M { host a run { duration = 1 s } }").network->gateway == 0);
}

TEST_CASE("quantities combine in expressions")
{
    const auto e = elaborate_body(R"(
model M(tunable D: time in 1 ms .. 10 ms = 2 ms) {
  router a
  router b
  let window = 1 Gbps * 1 ms
  link x: a -- b { rate = 1500 B / 12 us, delay = max(D, 2 * D - 1 ms), queue = droptail(window + 1 KB * 5 %),
                   mtu = floor(window / 100 B) * 1 B, overhead = abs(-38 B) }
  run { duration = if 1 ms < 1 us then 1 s else 2 min }
})");
    const LinkArray& x = e.link("x");
    CHECK(e.constant(x.rate[0]) == 1e9);
    CHECK(e.constant(x.queue[0]) == 125000 + 51.2);
    CHECK(e.constant(x.mtu) == 1250);
    CHECK(e.constant(x.overhead) == 38);
    CHECK(e.constant(e.network->duration) == 120e9);
    CHECK(e.network->values.evaluate(x.delay[0], {2e6}) == 3e6);
    CHECK(e.network->values.evaluate(x.delay[0], {1e6}) == 1e6);
}

TEST_CASE("what a tunable could break is checked when the emulator starts")
{
    const auto e = elaborate_body(R"(
model M(tunable M: size in 40 B .. 9 KB = 1500 B, tunable D: time in 1 ms .. 1 s = 1 ms) {
  router a
  router b
  link x: a -- b { rate = 1 Gbps, mtu = M, delay = D }
  require D < 500 ms else "too far"
  run { duration = 1 s }
})");
    REQUIRE(e.network->requirements.size() == 2);
    CHECK(e.network->requirements[0].message == "`mtu` is outside 68 B .. 65535 B");
    CHECK(e.network->values.evaluate(e.network->requirements[0].holds, {40, 1e6}) == 0);
    CHECK(e.network->values.evaluate(e.network->requirements[0].holds, {68, 1e6}) == 1);
    CHECK(e.network->requirements[1].message == "too far");
}

TEST_CASE("schemas extend schemas and constrain their attributes")
{
    const std::string text = R"(
enum Medium { fibre, radio }
schema Distance : Link {
  distance: length in 0 m .. 20000 km = 0 km
  medium: Medium = fibre
  require self.medium != radio || self.distance < 100 km else "radio does not reach that far"
}
profile cable(distance: length) : Distance {
  rate = 1 Gbps, distance = distance, delay = distance / (200000 km / 1 s)
}
profile radio_link(distance: length) : Distance { rate = 10 Mbps, distance = distance, medium = radio }
model M(far: length = 50 km) {
  router a
  router b
  link x: a -- b : cable(1000 km)
  link y: a -- b : radio_link(far)
  run { duration = 1 s }
})";
    const auto e = elaborate_body(text);
    CHECK(e.constant(e.link("x").delay[0]) == Approx(5e6));
    CHECK(elaborate_text(text, {{"far", "200km"}}).first_error() ==
          "requirement-failed: radio does not reach that far");
}

TEST_CASE("-D reads values by the parameter's type")
{
    const std::string text = R"(
import std.ether
import std.web
model M(n: int = 1, d: time = 1 ms, access: Link = ether.fast, mode: web.CloseMode = after_ack, where: address = 10.0.0.80,
        pool: prefix = 10.0.0.0/8, think: random time = 1 s, deep: bool = false, name: string = "/x") {
  endpoint server { address = where, simulated = web.server(close = mode) }
  host client[n]
  switch lan
  link a: client[*] -- lan : access { delay = d }
  link b: lan -- server : access
  workload w : web.ClosedLoop on client[*] { server = server, documents = web.fixed(1 KB, path = name), think = think }
  addressing { pool = pool }
  run { duration = if deep then 2 s else 1 s }
})";
    const auto e = elaborate_text(text, {{"n", "3"},
                                         {"d", "0.5 ms"},
                                         {"access", "ether.ten"},
                                         {"mode", "at_once"},
                                         {"where", "10.1.0.1"},
                                         {"pool", "10.1.0.0/16"},
                                         {"think", "exponential(2s)"},
                                         {"deep", "true"},
                                         {"name", "/index.html"}});
    REQUIRE(e.network);
    CHECK(e.node("client").count == 3);
    CHECK(e.constant(e.link("a").delay[0]) == 500000);
    CHECK(e.constant(e.link("b").rate[0]) == 1e7);
    const RecordInfo& server = e.network->records[e.network->servers[0].record];
    CHECK(std::get<RecordChoice>(*find_value(server, "close")).ordinal == 1);
    CHECK(e.node("server").address == (10u << 24 | 1u << 16 | 1u));
    CHECK(e.network->pool_length == 16);
    CHECK(drawn_of(*e.network, 0, "think").kind == abi::DistributionKind::exponential);
    CHECK(e.network->workloads[0].documents[0].path == "/index.html");
    CHECK(e.constant(e.network->duration) == 2e9);
    CHECK(drawn_of(*elaborate_text(text, {{"think", "5s"}}).network, 0, "think").kind ==
          abi::DistributionKind::constant);
}

TEST_CASE("models and instances keep apart what is declared in an `if`")
{
    const std::string text = R"(
component Pop(spare: bool) {
  router main
  if spare { router backup }
}
model M {
  Pop p[2](spare = true)
  Pop q(spare = false)
  link a: p[0].backup -- p[1].backup { rate = 1 Mbps }
  link b: p[0].main -- q.main { rate = 1 Mbps }
  run { duration = 1 s }
})";
    CHECK(elaborate_body(text).network->nodes.size() == 5);
}

}  // namespace ANML_UNIT_FILE
