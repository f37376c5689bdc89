// Partitions of chains, stars, fat trees and random graphs: how even they are, what they cut and how long they take.
#include <fmt/format.h>

#include <chrono>
#include <random>

#include "partition/pieces.h"
#include "partition_checks.h"
#include "../tier.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

namespace {

// k pods of k/2 edge and k/2 aggregation switches with k/2 hosts each; every host sends to one in another pod.
NetworkBuilder make_fat_tree(std::uint32_t k)
{
    NetworkBuilder b;
    const std::uint32_t half = k / 2;
    std::vector<NodeRowId> core, edge, host;
    for (std::uint32_t i = 0; i < half * half; ++i) core.push_back(b.router(fmt::format("core[{}]", i)));
    for (std::uint32_t pod = 0; pod < k; ++pod) {
        std::vector<NodeRowId> aggregation;
        for (std::uint32_t i = 0; i < half; ++i) {
            aggregation.push_back(b.router(fmt::format("pod[{}].agg[{}]", pod, i)));
            for (std::uint32_t j = 0; j < half; ++j)
                b.link(fmt::format("up[{}][{}][{}]", pod, i, j), aggregation[i], core[i * half + j], 1e3);
        }
        for (std::uint32_t i = 0; i < half; ++i) {
            edge.push_back(b.router(fmt::format("pod[{}].edge[{}]", pod, i)));
            for (std::uint32_t j = 0; j < half; ++j)
                b.link(fmt::format("mid[{}][{}][{}]", pod, i, j), edge.back(), aggregation[j], 1e3);
            for (std::uint32_t j = 0; j < half; ++j) {
                host.push_back(b.host(fmt::format("pod[{}].host[{}]", pod, i * half + j)));
                b.link(fmt::format("nic[{}][{}][{}]", pod, i, j), host.back(), edge.back(), 1e3);
            }
        }
    }
    for (std::size_t i = 0; i < host.size(); ++i)
        b.workload(fmt::format("flow[{}]", i), {host[i]}, host[(i + host.size() / 2 + 1) % host.size()]);
    return b;
}

NetworkBuilder make_star(std::uint32_t hosts)
{
    NetworkBuilder b;
    const NodeRowId server = b.host("server"), hub = b.router("hub"), host = b.host("host", hosts);
    b.link("trunk", server, hub, 1e6);
    b.fan_in("edge", host, hub, 1e5);
    b.workload("browse", {host}, server);
    return b;
}

// A ring with chords, so that it is connected; hosts behind every router, `senders` of which send.
NetworkBuilder make_random(std::uint32_t routers, std::uint32_t senders)
{
    NetworkBuilder b;
    std::mt19937 random(7);
    std::vector<NodeRowId> router, host;
    for (std::uint32_t i = 0; i < routers; ++i) {
        router.push_back(b.router(fmt::format("r[{}]", i)));
        host.push_back(b.host(fmt::format("h[{}]", i), 10));
        b.fan_in(fmt::format("edge[{}]", i), host[i], router[i], 1e4);
    }
    for (std::uint32_t i = 0; i < 2 * routers; ++i) {
        const auto other = static_cast<std::uint32_t>(random() % routers);
        const std::uint32_t from = i % routers, to = i < routers ? (i + 1) % routers : other;
        if (from != to) b.link(fmt::format("l[{}]", i), router[from], router[to], 1e5 + 1e3 * (random() % 1000));
    }
    for (std::uint32_t i = 0; i < senders; ++i)
        b.workload(fmt::format("w[{}]", i), {host[i * (routers / senders)]}, host[(i * 7919 + 13) % routers]);
    return b;
}

double seconds_since(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

TEST_CASE("the paper's chain is cut between its routers only")
{
    for (const std::uint32_t hosts : {8, 64, 4096}) {
        const Wan wan = make_wan(8, hosts);
        const TaskGraph graph = tasks_of(wan.builder.network);
        CAPTURE(hosts, dump_tasks(wan.builder.network, graph));
        CHECK(graph.tasks.size() >= 4);
        CHECK(imbalance(graph, kEndCost * 2 * 8 * hosts) < 1.3);  // the server
        if (hosts > 64) continue;
        for (const std::string& name : cut_links(wan.builder.network, graph))
            CHECK((name == "entry" || name.starts_with("hop[")));
    }
    CHECK(tasks_of(make_wan(8, 8).builder.network).tasks.size() == 4);
}

TEST_CASE("a fat tree is divided evenly")
{
    for (const std::uint32_t k : {4, 8}) {
        const NetworkBuilder b = make_fat_tree(k);
        const TaskGraph graph = tasks_of(b.network, 4);
        CAPTURE(k, graph.tasks.size());
        CHECK(graph.tasks.size() >= 3);
        CHECK(imbalance(graph) < 1.25);
    }
}

TEST_CASE("a star's hosts are spread over tasks beside the hub's")
{
    const NetworkBuilder b = make_star(100'000);
    const auto begin = std::chrono::steady_clock::now();
    const TaskGraph graph = tasks_of(b.network);
    CHECK(seconds_since(begin) < 0.5);
    CAPTURE(dump_tasks(b.network, graph));
    CHECK(graph.tasks.size() >= 4);
    const TaskMap map(b.network, graph.tasks);
    const std::uint32_t hub = map.run_of(b.id(NodeRowId(1))).task;
    std::uint32_t beside = 0, largest = 0;
    for (const Task& task : graph.tasks) {
        std::uint32_t ranges = 0;
        for (const TargetRange& range : task.nodes) {
            if (range.row.value != 2) continue;
            ++ranges;
            largest = std::max(largest, range.count);
            if (&task != &graph.tasks[hub]) beside += range.count;
        }
        CHECK(ranges <= 1);
    }
    CHECK(beside >= 90'000);
    CHECK(largest <= 60'000);
}

TEST_CASE("what has a name is a task of its own, and the rest is divided beside it")
{
    NetworkBuilder star = make_star(100'000);
    star.network.task_names = {"hub"};
    star.network.nodes[1].task = 0;
    for (const std::uint32_t tasks : {0u, 2u, 5u}) {
        const TaskGraph graph = tasks_of(star.network, tasks);
        CAPTURE(tasks, dump_tasks(star.network, graph));
        CHECK(graph.tasks.size() >= (tasks == 0 ? 4 : tasks));
        const TaskMap map(star.network, graph.tasks);
        const Task& hub = graph.tasks[map.run_of(star.id(NodeRowId(1))).task];
        CHECK(hub.name == "hub");
        REQUIRE(hub.nodes.size() == 1);
        CHECK(hub.nodes[0].count == 1);
        std::size_t named = 0;
        for (const Task& task : graph.tasks) named += !task.name.empty();
        CHECK(named == 1);
    }

    // Nodes of one name are together even where nothing joins them.
    Wan wan = make_wan(8, 64);
    wan.builder.network.task_names = {"ends"};
    std::vector<std::uint32_t> clients;
    for (std::uint32_t row = 0; row < wan.builder.network.nodes.size(); ++row)
        if (wan.builder.network.nodes[row].name.ends_with(".client")) clients.push_back(row);
    REQUIRE(clients.size() == 8);
    for (const std::uint32_t row : {clients.front(), clients.back()}) wan.builder.network.nodes[row].task = 0;
    const TaskGraph graph = tasks_of(wan.builder.network);
    std::size_t named = 0;
    for (const Task& task : graph.tasks) {
        if (task.name.empty()) continue;
        ++named;
        REQUIRE(task.nodes.size() == 2);
        CHECK(task.nodes[0].row.value == clients.front());
        CHECK(task.nodes[1].row.value == clients.back());
    }
    CHECK(named == 1);
}

TEST_CASE("a large random graph is divided quickly and evenly")
{
    const NetworkBuilder b = make_random(10'000, 16);
    Diagnostics diagnostics;
    const auto routes = compute_routes(b.network, diagnostics);
    REQUIRE(routes);
    for (const bool shape : {false, true}) {
        Network network = b.network;
        if (shape) network.workloads.clear();
        const auto begin = std::chrono::steady_clock::now();
        const TaskGraph graph = partition(network, *routes);
        const double seconds = seconds_since(begin);
        CHECK(verify_tasks(network, graph) == "");
        CAPTURE(shape, seconds, graph.tasks.size(), imbalance(graph));
        CHECK(seconds < (anml::testing::kSanitized ? 40 : 5));
        if (!shape) continue;
        CHECK(graph.tasks.size() >= 8);
        CHECK(imbalance(graph) < 1.15);
        CHECK(cut_links(network, graph).size() < network.directed_links / 4);
    }
}

TEST_CASE("a partition grows with the text, not with the hosts")
{
    const Wan wan = make_wan(32, 4096);
    const auto begin = std::chrono::steady_clock::now();
    const TaskGraph graph = tasks_of(wan.builder.network);
    CHECK(seconds_since(begin) < 1);
    std::size_t ranges = 0, links = 0;
    for (const Task& task : graph.tasks) ranges += task.nodes.size();
    for (const Channel& channel : graph.channels) links += channel.links.size();
    CHECK(ranges <= 32 * 3 + 1 + 64);
    CHECK(links <= 2 * 32 * 3);
}

TEST_CASE("a partition is the same every time")
{
    const auto twice = [](const Network& network, std::uint32_t tasks) {
        std::string text[2];
        for (std::string& t : text) t = dump_tasks(network, tasks_of(network, tasks));
        return text[0] == text[1];
    };
    CHECK(twice(make_wan(8, 64).builder.network, 0));
    CHECK(twice(make_fat_tree(8).network, 0));
    CHECK(twice(make_random(300, 4).network, 5));
}

TEST_CASE("every number of tasks can be asked for")
{
    const NetworkBuilder random = make_random(60, 6), star = make_star(50);
    const Wan wan = make_wan(8, 8);
    for (std::uint32_t tasks = 1; tasks <= 16; ++tasks) {
        CHECK(tasks_of(random.network, tasks).tasks.size() == tasks);
        CHECK(tasks_of(wan.builder.network, tasks).tasks.size() == tasks);
        CHECK(tasks_of(star.network, tasks).tasks.size() >= std::min(tasks, 3u));
    }
}

}  // namespace ANML_UNIT_FILE
