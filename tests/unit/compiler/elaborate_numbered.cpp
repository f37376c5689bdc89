// Nodes, instances and workloads that loops and several counts make, one by one.
#include "elaborate_text.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

TEST_CASE("alike nodes of a loop are one array")
{
    const auto e = elaborate_body(R"(
model M {
  switch lan
  for i in 0 ..< 1000 {
    host pc[i] { position = plane(i, 2 * i) }
    router side[i]
    link edge[i]: pc[i] -- lan : ether.fast
    link back[i]: pc[i] -- side[i] : ether.fast
  }
  link all: side[*] -- lan : ether.fast
  require hops(pc[3], pc[7]) == 2
  run { duration = 1 s }
})");
    CHECK(e.network->nodes.size() == 3);
    CHECK(e.node("pc").count == 1000);
    CHECK(e.node("pc").is_array);
    CHECK(e.node("pc").first_node == 1);
    CHECK(e.node("side").first_node == 1001);
    CHECK(e.node("pc").position_of(7)->y == 14);
    CHECK(e.link("all").count == 1000);
    CHECK(e.network->queries.size() == 1);
    CHECK(e.network->queries[0].from == 4);
    CHECK(e.network->queries[0].to == 8);
}

TEST_CASE("others are rows of their own")
{
    const auto e = elaborate_body(R"(
profile slow : Tcp { initial_window = 1 }
model M {
  switch lan
  for i in 0 ..< 4 {
    if i == 2 { host pc[i] { tcp = slow } } else { host pc[i] }
    host late[i + 5]
  }
  for i in 0 ..< 3 { host down[2 - i] }
  link edge: pc[*] -- lan : ether.fast
  link late: late[6 .. 7] -- lan : ether.fast
  run { duration = 1 s }
})");
    CHECK(e.node("pc").count == 2);
    CHECK_FALSE(e.node("pc[2]").is_array);
    CHECK_FALSE(e.node("pc[3]").is_array);
    CHECK_FALSE(e.node("late[5]").is_array);
    CHECK(e.network->nodes[e.link("edge[3]").end[0].row.value].name == "pc[3]");
    CHECK(e.link("late[1]").count == 1);
    CHECK_FALSE(e.node("down[0]").is_array);
}

TEST_CASE("addresses that follow each other are one array's")
{
    const auto e = elaborate_body(R"(
component Net(where: prefix, n: int) {
  addressing { prefix = where }
  router gateway
  for i in 0 ..< n { host pc[i] }
  link desk: pc[*] -- gateway : ether.fast
}
model M {
  router core
  for i in 0 ..< 3 { Net net[i](where = subnet(10.4.0.0/16, 24, i), n = i) }
  link up: net[*].gateway -- core : ether.fast
  link first: net[2].pc[1] -- core : ether.fast
  run { duration = 1 s }
})");
    CHECK(e.node("net[2].pc").count == 2);
    CHECK(e.node("net[2].pc").address == 0x0a040202);
    CHECK(e.link("up[1]").count == 1);
    CHECK(e.link("first").end[0].first == 1);
    CHECK(e.network->nodes.size() == 1 + 3 + 2);
}

TEST_CASE("several counts are arrays of arrays")
{
    const auto e = elaborate_body(R"(
component Pod { router top[2][2] }
model M {
  router sat[3][4] { position = plane(index[0], index[1]) }
  router core
  endpoint server[2] { simulated = web.server() }
  Pod pod[2][2]
  link column: sat[*][3] -- core : ether.fast
  link row: sat[1][*] -- core : ether.fast
  link grid: sat[*][*] -- core : ether.fast
  link slice: sat[0 .. 1][2 ..< 4] -- core : ether.fast
  link servers: server[*] -- core : ether.fast
  link pods: pod[*][1].top[0][*] -- core : ether.fast
  require len(sat) == 3 && len(sat[2]) == 4 && len(sat[*][*]) == 12 && len(pod) == 2 && len(pod[*][*]) == 4
  require len(pod[*][*].top[*][*]) == 16
  run { duration = 1 s }
})");
    CHECK(e.node("sat[1]").count == 4);
    CHECK(e.node("sat[2]").position_of(3) == NodePosition{false, 2, 3});
    CHECK(e.link("column[2]").end[0].first == 3);
    CHECK(e.link("row").count == 4);
    CHECK(e.link("grid[2]").count == 4);
    CHECK(e.link("slice[1]").count == 2);
    CHECK(e.link("slice[1]").end[0].first == 2);
    CHECK(e.network->endpoints.size() == 2);
    CHECK(e.network->endpoints[1].name == "server[1]");
    CHECK(e.node("pod[1][1].top[0]").count == 2);
    CHECK(e.link("pods[1]").count == 2);
}

TEST_CASE("workloads and instances of loops are chosen by their index")
{
    const auto e = elaborate_body(R"(
component Site(n: int) {
  router gateway
  host pc[n]
  link desk: pc[*] -- gateway : ether.fast
}
model M {
  router core
  for i, n in [4, 2, 1] {
    Site site[i](n)
    endpoint server[i] { simulated = web.server() }
    link line[i][0]: site[i].gateway -- core : ether.fast
    link line[i][1]: server[i] -- core : ether.fast
    workload look[i] : web.ClosedLoop on site[i].pc[*] { server = server[i], documents = web.fixed(1 KB) }
  }
  at 1 s { look[1] off, look[1 .. 2] on, line[2][1] down, site[*].desk[0] down }
  require p99(look[2]) < 1 s
  run { duration = 2 s }
})");
    const Network& n = *e.network;
    REQUIRE(n.workloads.size() == 3);
    CHECK(n.workloads[1].name == "look[1]");
    CHECK(n.timeline[0].workloads == std::vector<std::uint32_t>{1});
    CHECK(n.timeline[1].workloads == std::vector<std::uint32_t>{1, 2});
    CHECK(n.timeline[2].subject == "line[2][1]");
    CHECK(n.timeline[3].links.size() == 3);
    CHECK(n.measured[n.measures[0].of].workloads == std::vector<std::uint32_t>{2});
}

TEST_CASE("each time of every has a number")
{
    const auto e = elaborate_body(R"(
model M {
  run { duration = 60 s }
  host a
  router b[3]
  link beam: a -- b[*] : ether.fast
  every 15 s as k { beam[k % 3] down }
  every 10 s from 5 s to 25 s as k { beam[k] { delay = (k + 1) * 1 ms } }
})");
    const auto& timeline = e.network->timeline;
    REQUIRE(timeline.size() == 4 + 3);
    CHECK(e.constant(timeline[0].first) == 15e9);
    CHECK(timeline[0].subject == "beam[0]");
    CHECK(e.constant(timeline[3].first) == 60e9);
    CHECK(timeline[3].subject == "beam[0]");
    CHECK(e.constant(timeline[6].first) == 25e9);
    CHECK(e.constant(timeline[6].value) == 3e6);
}

TEST_CASE("alike links of a loop are one row")
{
    const auto e = elaborate_body(R"(
model M(n: int = 100) {
  router r[n]
  host core
  host far[n]
  for i in 0 ..< n { link ring[i]: r[i] -- r[(i + 1) % n] : ether.fast { delay = 1 ms } }
  for i in 0 ..< n { link spoke[i]: r[i] -- core : ether.fast { delay = if i < 50 then 1 ms else 2 ms } }
  for i in 0 ..< n { link late[i + 1]: r[i] -- core : ether.fast }
  for i in 0 ..< n { link back[i]: far[n - 1 - i] -- core : ether.fast }
  at 1 s { ring[98 .. 99] down, spoke[40 .. 60] down, spoke[*] up, ring[7] { delay = 2 ms } }
  require bdp(ring[99]) > 0 B && bdp(spoke[70]) > 2 * bdp(spoke[0]) - 1 B
  run { duration = 2 s }
})");
    CHECK(e.link("ring").count == 99);
    CHECK(e.link("ring").end[1].first == 1);
    CHECK(e.link("ring").end[1].stride == 1);
    CHECK(e.link("ring[99]").count == 1);
    CHECK(e.link("spoke").count == 50);
    CHECK(e.link("spoke").end[1].stride == 0);
    CHECK(e.link("spoke[50]").count == 1);
    CHECK(e.link("late[1]").count == 1);
    CHECK(e.link("back[3]").count == 1);
    const auto& timeline = e.network->timeline;
    CHECK(timeline[0].links == std::vector<LinkSlice>{{LinkRowId{0}, 98, 1}, {LinkRowId{1}, 0, 1}});
    CHECK(timeline[1].subject == "spoke[40] and 20 more");
    CHECK(timeline[2].subject == "spoke[0] and 99 more");
    CHECK(timeline[3].links == std::vector<LinkSlice>{{LinkRowId{0}, 7, 1}});
}

}  // namespace ANML_UNIT_FILE
