// Loops on all processors, and functions in a process of their own.
#include "base/parallel.h"

#include <signal.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <stdexcept>

#include "base/process.h"

using namespace anml;

TEST_CASE("a parallel loop calls its body once for each, whatever the grain, and workers have numbers")
{
    for (const std::size_t count : {0, 1, 2, 7, 1000, 4096}) {
        for (const std::size_t grain : {1, 3, 8, 1000, 100000}) {
            std::vector<std::atomic<int>> calls(count);
            std::vector<std::atomic<int>> inside(parallel_workers());
            std::atomic<bool> alone = true;
            parallel_for(count, grain, [&](std::size_t i, unsigned worker) {
                if (inside.at(worker).fetch_add(1) != 0) alone = false;
                ++calls[i];
                --inside[worker];
            });
            CHECK(alone);
            CHECK(std::all_of(calls.begin(), calls.end(), [](const auto& n) { return n == 1; }));
        }
    }
}

TEST_CASE("iterations of one grain are one thread's")
{
    constexpr std::size_t kGrain = 8, kCount = 4001;
    std::vector<unsigned> worker_of(kCount);
    parallel_for(kCount, kGrain, [&](std::size_t i, unsigned worker) { worker_of[i] = worker; });
    for (std::size_t i = 0; i < kCount; ++i) REQUIRE(worker_of[i] == worker_of[i / kGrain * kGrain]);
}

TEST_CASE("what a body throws is thrown where the loop is")
{
    for (const std::size_t at : {0, 500, 999})
        CHECK_THROWS_AS(parallel_for(1000, 1,
                                     [&](std::size_t i, unsigned) {
                                         if (i == at) throw std::runtime_error("here");
                                     }),
                        std::runtime_error);
}

TEST_CASE("a function in a process of its own: its exit code, what it said, how it ended")
{
    int here = 1;
    const ProcessResult good = run_child([&] {
        here = 2;
        (void)!write(1, "out", 3);
        (void)!write(2, "err", 3);
        return 7;
    });
    CHECK(good.exit_code == 7);
    CHECK(good.output == "outerr");
    CHECK(here == 1);
    const ProcessResult killed = run_child([] { return raise(SIGKILL); });
    CHECK(killed.exit_code == -1);
    CHECK(killed.problem == "ended by signal 9");
    const ProcessResult thrown = run_child([]() -> int { throw std::runtime_error("no reason"); });
    CHECK(thrown.exit_code == 70);
    CHECK(thrown.output == "no reason");
}
