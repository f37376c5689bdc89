// Tasks and channels of networks made by hand.
#include <catch2/catch.hpp>

#include "network_builder.h"
#include "partition/task_graph.h"

using namespace anml;
using namespace anml::test;

namespace {

TaskGraph tasks_of(const Network& network)
{
    Diagnostics diagnostics;
    const auto routes = compute_routes(network, diagnostics);
    REQUIRE(routes);
    auto tasks = partition(network, *routes, diagnostics);
    REQUIRE(tasks);
    REQUIRE(verify_tasks(network, *tasks) == "");
    return std::move(*tasks);
}

}  // namespace

TEST_CASE("an endpoint is a real-time task with a channel each way")
{
    const Wan wan = make_wan(4, 8);
    const TaskGraph graph = tasks_of(wan.builder.network);
    REQUIRE(graph.tasks.size() == 2);
    CHECK(graph.tasks[0].kind == TaskKind::cluster);
    CHECK(graph.tasks[1].kind == TaskKind::real_time);
    REQUIRE(graph.channels.size() == 2);
    for (const Channel& channel : graph.channels) {
        CHECK(channel.links.size() == 1);
        CHECK(graph.values.bounds(channel.lookahead, {{1e5, 1e9}}).low == 1e5);
    }
    CHECK(dump_tasks(wan.builder.network, graph).find("\"least_lookahead_ns\": 100000") != std::string::npos);
}

TEST_CASE("without endpoints there is one cluster")
{
    NetworkBuilder b;
    const NodeRowId s = b.host("s"), c = b.host("c", 3), r = b.router("r");
    b.link("s", s, r, 1e6);
    b.fan_in("c", c, r, 1e6);
    const TaskGraph graph = tasks_of(b.network);
    CHECK(graph.tasks.size() == 1);
    CHECK(graph.channels.empty());
    CHECK(graph.notes.empty());
}

TEST_CASE("a channel's lookahead is the least delay of its links")
{
    NetworkBuilder b;
    const NodeRowId e = b.endpoint("e"), f = b.endpoint("f"), r = b.router("r");
    b.link("one", r, e, 2e6);
    b.link("two", e, r, 1e6);
    b.link("three", r, f, 3e6);
    b.link("four", e, f, 4e6);
    const TaskGraph graph = tasks_of(b.network);
    CHECK(graph.tasks.size() == 3);
    REQUIRE(graph.channels.size() == 6);
    CHECK(graph.channels[0].links.size() == 2);
    CHECK(graph.values.as_constant(graph.channels[0].lookahead) == 1e6);
}

TEST_CASE("an endpoint whose link can lose its delay stays in the cluster, with a note")
{
    NetworkBuilder b;
    const std::uint32_t t = b.tunable("D", dimension::time, 1e6, 0, 1e9);
    const NodeRowId e = b.endpoint("e"), f = b.endpoint("f"), r = b.router("r");
    b.link("near", End{r}, End{e}, b.tunable_value(t));
    b.link("far", r, f, 1e6);
    TaskGraph graph = tasks_of(b.network);
    CHECK(graph.tasks.size() == 2);
    REQUIRE(graph.notes.size() == 1);
    CHECK(graph.notes[0].find("endpoint e stays in the cluster") != std::string::npos);
    CHECK(dump_tasks(b.network, graph).find("stays in the cluster") != std::string::npos);

    graph.channels.pop_back();
    CHECK(verify_tasks(b.network, graph) != "");
    graph = tasks_of(b.network);
    graph.tasks[0].nodes.pop_back();
    CHECK(verify_tasks(b.network, graph) != "");
    graph = tasks_of(b.network);
    graph.channels[0].lookahead = graph.values.constant(0);
    CHECK(verify_tasks(b.network, graph) != "");
}
