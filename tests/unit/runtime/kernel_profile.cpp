// The profile of a parallel run: the replay of rounds against schedules worked out by hand, and what a run records.
#include <catch2/catch.hpp>

#include "image_builder.h"
#include "profile/makespan.h"
#include "simulator/simulator.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::cct;

namespace {

// `count` rounds of 10 units of simulated time and `events` events each.
TaskRecord task_of(std::uint32_t count, std::uint32_t events)
{
    TaskRecord task;
    for (std::uint32_t i = 1; i <= count; ++i) task.rounds.push_back({Time{10} * i, events});
    return task;
}

// A channel on which each of `rounds` rounds lets the receiver go on to its own end and `lookahead` beyond.
RecordedChannel channel(std::uint32_t from, std::uint32_t to, std::uint32_t rounds, Time lookahead)
{
    RecordedChannel channel{from, to, {}};
    for (std::uint32_t i = 0; i < rounds; ++i) channel.publications.push_back({Time{10} * (i + 1) + lookahead, i});
    return channel;
}

constexpr RoundCost kPlain{1, 0};

}  // namespace

TEST_CASE("tasks that need nothing of each other share the processors", "[kernel][profile]")
{
    const std::vector<TaskRecord> tasks{task_of(10, 3), task_of(10, 3), task_of(10, 6)};
    CHECK(makespan(tasks, 0, 1, kPlain) == 120);
    CHECK(makespan(tasks, 0, 2, kPlain) >= 60);  // whoever is behind goes first, which is not always best
    CHECK(makespan(tasks, 0, 2, kPlain) <= 66);
    CHECK(makespan(tasks, 0, 3, kPlain) == 60);
    CHECK(makespan(tasks, 0, 3, {1, 2}) == 80);
}

TEST_CASE("a pipeline takes its stages one after the other, then side by side", "[kernel][profile]")
{
    std::vector<TaskRecord> tasks{task_of(10, 1), task_of(10, 1)};
    tasks[0].out.push_back(channel(0, 1, 10, 0));
    CHECK(makespan(tasks, 0, 1, kPlain) == 20);
    CHECK(makespan(tasks, 0, 2, kPlain) == 11);  // round i of the second waits for round i of the first
}

TEST_CASE("tasks in a cycle run side by side as far as their lookahead goes", "[kernel][profile]")
{
    const auto pair = [](Time lookahead, std::uint32_t slow) {
        std::vector<TaskRecord> tasks{task_of(10, 1), task_of(10, slow)};
        tasks[0].out.push_back(channel(0, 1, 10, lookahead));
        tasks[1].out.push_back(channel(1, 0, 10, lookahead));
        return tasks;
    };
    // Each needs the other's round before its own: the first rounds need the clocks of the beginning.
    CHECK(makespan(pair(10, 1), 10, 2, kPlain) == 10);
    CHECK(makespan(pair(10, 4), 10, 2, kPlain) == 40);
    CHECK(makespan(pair(10, 4), 10, 1, kPlain) == 50);
}

TEST_CASE("rounds that alternate leave nothing to gain", "[kernel][profile]")
{
    std::vector<TaskRecord> tasks(2);
    for (std::uint32_t i = 0; i < 5; ++i) {
        tasks[0].rounds.push_back({10 + Time{20} * i, 1});
        tasks[1].rounds.push_back({20 + Time{20} * i, 1});
    }
    RecordedChannel there{0, 1, {}}, back{1, 0, {}};
    for (std::uint32_t i = 0; i < 5; ++i) {
        there.publications.push_back({20 + Time{20} * i, i});
        back.publications.push_back({30 + Time{20} * i, i});
    }
    tasks[0].out.push_back(there);
    tasks[1].out.push_back(back);
    CHECK(makespan(tasks, 10, 2, kPlain) == 10);
}

TEST_CASE("a profile accounts for the events and messages of the run", "[kernel][profile]")
{
    test::Chain chain;
    chain.routers = 4;
    chain.hosts = 4;
    test::ChainModel built(chain);
    std::vector<std::uint32_t> task_of(built.image().nodes);
    for (std::size_t i = 0; i < task_of.size(); ++i) task_of[i] = i < task_of.size() / 2 ? 0 : 1;
    built.partition(task_of);
    const Model model = built.model();
    for (unsigned workers : {1u, 2u}) {
        Simulator simulator(model, 1, 0, workers);
        simulator.record();
        simulator.start_workloads(0, 0, kSecond);
        simulator.run_until(kSecond / 2);
        simulator.run_until(kSecond);
        const Profile profile = simulator.profile();
        REQUIRE(profile.tasks.size() == 2);
        CHECK(profile.threads == workers);
        CHECK(profile.tasks[0].events + profile.tasks[1].events == simulator.statistics().total_events);
        REQUIRE(profile.channels.size() == 2);
        for (const Profile::Channel& channel : profile.channels) {
            CHECK(channel.messages > 100);
            CHECK(channel.null_messages > 0);
        }
        CHECK(profile.tasks[0].rounds > 100);
        CHECK(profile.critical_path > 0);
        CHECK(profile.critical_path <= profile.work * 1.0001);
        REQUIRE(profile.speed_ups.size() == 4);
        CHECK(profile.speed_ups[0].factor <= 2.0001);
        CHECK(profile.speed_ups[0].factor >= 0.9999);
        CHECK(profile.speed_ups[3].factor == Approx(profile.work / profile.critical_path));
    }
}

}  // namespace ANML_UNIT_FILE
