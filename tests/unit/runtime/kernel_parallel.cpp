// The parallel kernel: whatever the partition and the number of workers, the same digest and the same figures as the
// sequential run. Run under ThreadSanitizer, it is the stress test of the handshake in kernel/channel.h.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "image_builder.h"
#include "kernel/scheduler.h"
#include "kernel/simulator.h"
#include "report/statistics.h"

using namespace anml;
using namespace anml::rt;
using anml::test::Chain;
using anml::test::ChainModel;

namespace {

struct Outcome {
    std::uint64_t digest = 0, hops = 0, completed = 0, events = 0;
    bool operator==(const Outcome&) const = default;
};

Outcome run(const ChainModel& chain, unsigned workers, Time duration, Time step, unsigned tasks = 0)
{
    const Model model = chain.model();
    Simulator simulator(model, 1, 0, workers, tasks);
    simulator.start_workloads(0, 0, duration);
    for (Time t = step; t < duration; t += step) simulator.run_until(t);
    simulator.run_until(duration);
    const Statistics& s = simulator.statistics();
    return {simulator.digest(), s.total_packet_hops, s.workloads[0].completed, s.total_events};
}

// A random task for each node, numbers without gaps.
std::vector<std::uint32_t> random_partition(std::uint32_t nodes, std::uint32_t tasks, std::mt19937& random)
{
    std::vector<std::uint32_t> task_of(nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) task_of[i] = i < tasks ? i : random() % tasks;
    std::shuffle(task_of.begin(), task_of.end(), random);
    return task_of;
}

Chain lossy_chain()
{
    Chain chain;
    chain.routers = 4;
    chain.hosts = 5;
    chain.backbone.rate = 2e7;
    chain.backbone.queue = 6000;  // retransmissions, and ICMP errors with buffers from nobody's fault
    chain.documents = {1024, 30000};
    chain.service = {abi::DistributionKind::exponential, 1e6, 0};
    return chain;
}

}  // namespace

TEST_CASE("any partition and number of workers gives the sequential run's digest", "[kernel][parallel]")
{
    ChainModel chain(lossy_chain());
    const std::uint32_t nodes = chain.image().nodes;
    const Outcome expected = run(chain, 0, 2 * kSecond, 2 * kSecond);
    REQUIRE(expected.completed > 50);
    std::mt19937 random(7);
    for (std::uint32_t tasks : {1u, 2u, 3u, 7u, nodes}) {
        chain.partition(random_partition(nodes, tasks, random));
        for (unsigned workers : {1u, 2u, 4u}) {
            INFO(tasks << " tasks, " << workers << " workers");
            CHECK(run(chain, workers, 2 * kSecond, 2 * kSecond) == expected);
            CHECK(run(chain, workers, 2 * kSecond, 2 * kSecond, 2 * workers - 1) == expected);  // joined
            CHECK(run(chain, workers, 2 * kSecond, 2 * kSecond, workers) == expected);          // one for each worker
        }
    }
}

TEST_CASE("a run in many steps is the run in one", "[kernel][parallel]")
{
    ChainModel chain(lossy_chain());
    const Outcome expected = run(chain, 0, kSecond, kSecond);
    std::mt19937 random(8);
    chain.partition(random_partition(chain.image().nodes, 6, random));
    for (Time step : {Time{300'017}, Time{1'000'000}, Time{77'777'777}})
        CHECK(run(chain, 2, kSecond, step) == expected);
}

namespace {

// Tasks in a ring that pass tokens on, each over a channel of few places: fills rings, starves producers.
class RingTask final : public cct::Task {
  public:
    static constexpr Time kLookahead = 10;
    Channel<Time> incoming{4};
    RingTask* following = nullptr;
    RingTask* preceding = nullptr;
    std::vector<Time> pending;  // tokens by time
    std::vector<Time> waiting;
    std::uint64_t passed = 0, sum = 0;

  protected:
    void drain(cct::Scheduler& scheduler) override
    {
        if (incoming.drain([this](Time& time) { pending.push_back(time); })) scheduler.wake(*preceding);
    }
    Time execute(Time safe) override
    {
        flush();
        std::sort(pending.begin(), pending.end());
        std::size_t done = 0;
        for (; done < pending.size() && pending[done] < safe && waiting.empty(); ++done) {
            ++passed;
            sum = sum * 31 + static_cast<std::uint64_t>(pending[done]);
            waiting.push_back(pending[done] + kLookahead + pending[done] % 7);
            flush();
        }
        pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(done));
        return pending.empty() ? kNever : pending.front();
    }
    Time promise(std::size_t, Time bound) override
    {
        return waiting.empty() ? bound + kLookahead : std::min(bound + kLookahead, waiting.front());
    }
    bool blocked(cct::Scheduler& scheduler) override
    {
        if (waiting.empty()) return false;
        if (!following->incoming.wait_for_room()) scheduler.wake(*this);
        scheduler.wake(*following);
        return true;
    }
    std::uint64_t executed() const override { return passed; }
    std::uint64_t sent(std::size_t) const override { return following->incoming.claimed(); }

  private:
    void flush()
    {
        while (!waiting.empty()) {
            Time* slot = following->incoming.claim();
            if (!slot) return;
            *slot = waiting.front();
            waiting.erase(waiting.begin());
        }
    }
};

std::vector<std::uint64_t> pass_tokens(unsigned tasks, unsigned workers, unsigned tokens, Time end,
                                       unsigned processors = 1)
{
    std::vector<std::unique_ptr<RingTask>> ring;
    for (unsigned i = 0; i < tasks; ++i) ring.push_back(std::make_unique<RingTask>());
    std::vector<cct::Task*> all;
    for (unsigned i = 0; i < tasks; ++i) {
        RingTask& task = *ring[i];
        task.following = ring[(i + 1) % tasks].get();
        task.preceding = ring[(i + tasks - 1) % tasks].get();
        task.out.push_back({&task.following->incoming, task.following});
        task.following->in.push_back(&task.following->incoming);
        for (unsigned t = 0; t < tokens; ++t) task.pending.push_back(t + i);
        all.push_back(&task);
    }
    cct::Scheduler scheduler(all, workers, processors);
    scheduler.run(end / 2);
    scheduler.run(end);
    std::vector<std::uint64_t> result;
    for (const auto& task : ring) {
        result.push_back(task->passed);
        result.push_back(task->sum);
    }
    return result;
}

}  // namespace

TEST_CASE("full rings neither lose messages nor deadlock", "[kernel][parallel]")
{
    for (unsigned tokens : {1u, 3u, 20u}) {
        const auto expected = pass_tokens(5, 1, tokens, 20'000);
        CHECK(expected[0] > 100);
        for (unsigned workers : {2u, 3u, 5u}) CHECK(pass_tokens(5, workers, tokens, 20'000) == expected);
        // Each worker attends to its task, on fewer processors than it was told.
        CHECK(pass_tokens(5, 5, tokens, 20'000, 5) == expected);
    }
}
