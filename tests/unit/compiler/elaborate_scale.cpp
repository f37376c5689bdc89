// Arrays stay arrays: the number of rows does not depend on how many elements they have.
#include <chrono>

#include "elaborate_text.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

static const char* const kWan = R"(
component Subnet(hosts: int in 1..4096 = 8, access: Link = ether.fast, mtu: size = 1500 B) {
  router gateway
  switch lan
  host   client[hosts]
  link uplink: lan -- gateway   : ether.gigabit { delay = 0.1 ms, mtu = mtu }
  link edge:   client[*] -- lan : access        { delay = 0.1 ms, mtu = mtu }
}
model Wan(N: int in 1..32 = 8, H: int in 1..4096 = 8, access: Link = ether.fast,
          tunable D: time in 0.1 ms .. 1 s = 1 ms, tunable Q: size in 2 KB .. 64 MB = 512 KB) {
  profile backbone : Link { rate = 1 Gbps, delay = D, queue = droptail(Q) }
  endpoint server { address = 10.0.0.80, simulated = web.server(service = exponential(1.8 ms)) }
  Subnet   net[N](hosts = H, access = access)
  link entry: net[0].gateway -- server : backbone
  for i in 0 ..< N - 1 { link hop[i]: net[i + 1].gateway -- net[i].gateway : backbone }
  workload browse : web.ClosedLoop on net[*].client[*] {
    server = server, documents = [web.fixed(1 KB), web.fixed(64 KB, "/big")], think = uniform(0 s, 2 s)
  }
  require rtt(net[N - 1].client[0], server) < 1 s
  run { duration = 120 s, warmup = 5 s }
})";

TEST_CASE("131072 clients are as many rows as 32")
{
    const auto small = elaborate_body(kWan, {{"N", "32"}, {"H", "1"}});
    const auto begin = std::chrono::steady_clock::now();
    const auto large = elaborate_body(kWan, {{"N", "32"}, {"H", "4096"}});
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
    CHECK(small.network->nodes.size() == large.network->nodes.size());
    CHECK(small.network->links.size() == large.network->links.size());
    CHECK(small.network->values.nodes().size() == large.network->values.nodes().size());
    CHECK(large.network->node_count == 32 * 4098 + 1);
    CHECK(large.network->workloads[0].targets.size() == 32);
    CHECK(large.node("net[31].client").count == 4096);
}

TEST_CASE("a network says what its text says")
{
    const auto e = elaborate_body(kWan, {{"access", "ether.ten"}});
    const Network& n = *e.network;
    REQUIRE(n.tunables.size() == 2);
    CHECK(n.tunables[0].name == "D");
    CHECK(n.tunables[0].value == 1e6);
    CHECK(n.tunables[0].maximum == 1e9);
    REQUIRE(n.parameters.size() == 4);  // a profile is no figure
    CHECK(n.parameters[2].tunable == 0);
    CHECK(n.values.node(e.link("hop[6]").delay[0]).op == ValueOp::tunable);
    CHECK(n.values.node(e.link("entry").queue[1]).op == ValueOp::tunable);
    CHECK(e.constant(e.link("net[3].edge").rate[0]) == 1e7);
    const WorkloadInfo& w = n.workloads.at(0);
    CHECK(w.documents.at(0).path == "/1024");
    CHECK(w.documents.at(1).path == "/big");
    CHECK(drawn_of(*e.network, 0, "think").kind == abi::DistributionKind::uniform);
    CHECK(e.constant(drawn_of(*e.network, 0, "think").b) == 2e9);
    CHECK(e.constant(record_number(e.network->records[w.record], "connect_timeout")) == 0);
    const RecordInfo& server = n.records.at(n.servers.at(0).record);
    CHECK(std::get<DistributionValue>(*find_value(server, "service")).kind == abi::DistributionKind::exponential);
    CHECK(std::get<RecordChoice>(*find_value(server, "close")).ordinal == 0);
    CHECK(e.constant(n.warmup) == 5e9);
    REQUIRE(n.queries.size() == 1);
    CHECK(n.queries[0].from == e.node("net[7].client").first_node);
    CHECK(n.queries[0].to == 0);
    REQUIRE(n.requirements.size() == 1);
    const ValueNode& less = n.values.node(n.requirements[0].holds);
    CHECK(less.op == ValueOp::lt);
    CHECK(n.values.node(less.a).a == 2);
    CHECK(n.requirements[0].message == "`rtt(net[N - 1].client[0], server) < 1 s` does not hold");
    CHECK(dump_network(n).find("\"hop[6]\"") != std::string::npos);
}

TEST_CASE("-D fixes a tunable")
{
    const auto e = elaborate_body(kWan, {{"D", "4ms"}});
    REQUIRE(e.network->tunables.size() == 1);
    CHECK(e.network->tunables[0].name == "Q");
    CHECK(e.network->parameters[2].tunable == abi::kNone);
    CHECK(e.constant(e.link("hop[6]").delay[0]) == 4e6);
}

}  // namespace ANML_UNIT_FILE
