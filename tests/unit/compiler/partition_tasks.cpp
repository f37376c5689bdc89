// Tasks and channels: what holds of every partition, and what ties nodes together.
#include "partition_checks.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

TEST_CASE("a task says which endpoints it carries, and a small model is one task")
{
    const Wan wan = make_wan(2, 2);
    const TaskGraph graph = tasks_of(wan.builder.network);
    REQUIRE(graph.tasks.size() == 1);
    CHECK(graph.tasks[0].endpoints == std::vector<std::uint32_t>{0});
    CHECK(graph.channels.empty());
    const std::string text = dump_tasks(wan.builder.network, graph);
    CHECK(text.find("\"endpoints\": [\"server\"]") != std::string::npos);
    CHECK(text.find("too small") != std::string::npos);
}

TEST_CASE("as many tasks as asked for, as far as there are nodes for them")
{
    NetworkBuilder b;
    const NodeRowId s = b.host("s"), c = b.host("c", 3), r = b.router("r");
    b.link("s", s, r, 1e6);
    b.fan_in("c", c, r, 1e6);
    CHECK(tasks_of(b.network, 2).tasks.size() == 2);
    const TaskGraph most = tasks_of(b.network, 16);
    CHECK(most.tasks.size() >= 3);
    CHECK(most.tasks.size() <= 5);
    CHECK(tasks_of(b.network, 1).tasks.size() == 1);
    CHECK(tasks_of(b.network).tasks.size() == 1);
}

TEST_CASE("a channel's lookahead is the least delay of its links")
{
    NetworkBuilder b;
    const std::uint32_t t = b.tunable("D", dimension::time, 5e6, 15e5, 1e9);
    const NodeRowId e = b.endpoint("e"), r = b.router("r");
    b.link("one", r, e, 2e6);
    b.link("two", e, r, 1e6);
    b.link("three", End{e}, End{r}, b.tunable_value(t));
    const TaskGraph graph = tasks_of(b.network, 2);
    REQUIRE(graph.tasks.size() == 2);
    REQUIRE(graph.channels.size() == 2);
    for (const Channel& channel : graph.channels) {
        CHECK(channel.links.size() == 3);
        CHECK(graph.values.evaluate(channel.lookahead, {5e6}) == 1e6);
        CHECK(graph.values.bounds(channel.lookahead, {{15e5, 1e9}}).low == 1e6);
    }
    const Wan wan = make_wan(8, 8);
    const std::string text = dump_tasks(wan.builder.network, tasks_of(wan.builder.network));
    CHECK(text.find("\"lookahead_ns\": 1000000, \"least_lookahead_ns\": 100000") != std::string::npos);
}

TEST_CASE("a delay that the timeline brings shortens a channel's lookahead")
{
    NetworkBuilder b;
    const NodeRowId e = b.endpoint("e"), r = b.router("r");
    b.link("one", r, e, 2e6);
    TimelineInfo change;
    change.attribute = abi::TimelineAttribute::delay;
    change.form = abi::TimelineForm::once;
    change.links = {{LinkRowId(0), 0, 1}};
    change.first = change.last = change.step = b.constant(1e9);
    change.value = change.value_to = b.constant(3e5);
    b.network.timeline.push_back(change);
    const TaskGraph graph = tasks_of(b.network, 2);
    REQUIRE(graph.channels.size() == 2);
    for (const Channel& channel : graph.channels) CHECK(graph.values.as_constant(channel.lookahead) == 3e5);
}

TEST_CASE("nodes with a link that can lose its delay share a task, with a note")
{
    NetworkBuilder b;
    const std::uint32_t t = b.tunable("D", dimension::time, 1e6, 0, 1e9);
    const NodeRowId e = b.endpoint("e"), f = b.endpoint("f"), r = b.router("r"), h = b.host("h", 5);
    b.link("near", End{r}, End{e}, b.tunable_value(t));
    b.link("far", r, f, 1e6);
    b.link("none", End{h, 1, true}, End{r}, b.constant(0), 3);
    b.link("some", End{h, 0}, End{r}, b.constant(1e6));
    b.link("more", End{h, 4}, End{r}, b.constant(1e6));
    const TaskGraph graph = tasks_of(b.network, 8);
    CHECK(graph.tasks.size() == 4);
    const TaskMap map(b.network, graph.tasks);
    const auto task = [&](NodeRowId row, std::uint32_t element) { return map.run_of(b.id(row, element)).task; };
    CHECK(task(e, 0) == task(r, 0));
    CHECK(task(f, 0) != task(r, 0));
    for (const std::uint32_t element : {1, 2, 3}) CHECK(task(h, element) == task(r, 0));
    for (const std::uint32_t element : {0, 4}) CHECK(task(h, element) != task(r, 0));
    REQUIRE(graph.notes.size() == 2);
    CHECK(graph.notes[0] == "r and e share a task: the delay of link near can be 0 s");
    CHECK(graph.notes[1] == "h and r share a task: the delay of link none can be 0 s");
    CHECK(dump_tasks(b.network, graph).find("share a task") != std::string::npos);
}

TEST_CASE("links without delay tie a large model too")
{
    Wan wan = make_wan(8, 64);
    wan.builder.network.tunables[wan.delay].minimum = 0;
    const Network& network = wan.builder.network;
    const TaskGraph graph = tasks_of(network);
    const TaskMap map(network, graph.tasks);
    for (const NodeRowId gateway : wan.gateway)
        CHECK(map.run_of(wan.builder.id(gateway)).task == map.run_of(wan.builder.id(wan.server)).task);
    CHECK(graph.notes.size() >= 8);
}

TEST_CASE("a link too short for a boundary is not cut, with a note")
{
    Wan wan = make_wan(8, 8);
    LinkArray& entry = *std::find_if(wan.builder.network.links.begin(), wan.builder.network.links.end(),
                                     [](const LinkArray& link) { return link.name == "entry"; });
    entry.delay[0] = entry.delay[1] = wan.builder.constant(1000);
    const TaskGraph graph = tasks_of(wan.builder.network);
    CHECK(graph.tasks.size() >= 2);
    const TaskMap map(wan.builder.network, graph.tasks);
    CHECK(map.run_of(wan.builder.id(wan.server)).task == map.run_of(wan.builder.id(wan.gateway[0])).task);
    CHECK(std::any_of(graph.notes.begin(), graph.notes.end(), [](const std::string& note) {
        return note.find("link entry, 1 us, is too short") != std::string::npos;
    }));
}

TEST_CASE("the verifier of tasks sees what is broken")
{
    const Wan wan = make_wan(8, 8);
    const Network& network = wan.builder.network;
    const TaskGraph good = tasks_of(network);
    REQUIRE(good.channels.size() >= 2);
    const auto breaks = [&](auto change) {
        TaskGraph graph = good;
        change(graph);
        return verify_tasks(network, graph) != "";
    };
    CHECK(breaks([](TaskGraph& g) { g.channels.pop_back(); }));
    CHECK(breaks([](TaskGraph& g) { g.channels.push_back(g.channels.back()); }));
    CHECK(breaks([](TaskGraph& g) { g.channels[0].links.pop_back(); }));
    CHECK(breaks([](TaskGraph& g) { g.channels[0].links.push_back(g.channels[0].links[0]); }));
    CHECK(breaks([](TaskGraph& g) { g.channels[0].lookahead = g.values.constant(0); }));
    CHECK(breaks([](TaskGraph& g) { g.channels[0].lookahead = g.values.constant(2e6); }));
    CHECK(breaks([](TaskGraph& g) { g.tasks[0].nodes.pop_back(); }));
    CHECK(breaks([](TaskGraph& g) { g.tasks[0].nodes.push_back(g.tasks[1].nodes[0]); }));
    CHECK(breaks([](TaskGraph& g) { std::swap(g.tasks[0].endpoints, g.tasks[1].endpoints); }));
    CHECK(breaks([](TaskGraph& g) {
        for (Task& task : g.tasks) task.endpoints.clear();
    }));
    CHECK(breaks([](TaskGraph& g) { g.tasks.emplace_back(); }));
}

}  // namespace ANML_UNIT_FILE
