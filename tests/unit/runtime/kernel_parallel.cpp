// The parallel kernel: whatever the partition and the number of workers, the same digest and the same figures as the
// sequential run. Run under ThreadSanitizer, it is the stress test of the handshake in kernel/channel.h.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "../tier.h"
#include "abi/timeline.h"
#include "common/mix.h"
#include "image_builder.h"
#include "kernel/scheduler.h"
#include "simulator/simulator.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using anml::test::Chain;
using anml::test::ChainModel;

namespace {

struct Outcome {
    std::uint64_t digest = 0, hops = 0, completed = 0, events = 0;
    // Of packets, and of links.
    std::uint64_t lost = 0, corrupted = 0, down = 0, duplicated = 0, reordered = 0;
    std::uint64_t errors = 0;  // ICMP, that came back
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
    Outcome outcome{simulator.digest(),  s.total_packet_hops, s.workloads[0].completed, s.total_events, s.dropped.lost,
                    s.dropped.corrupted, s.dropped.link};
    for (const LinkCounters& link : s.links) {
        outcome.duplicated += link.rare->duplicated;
        outcome.reordered += link.rare->reordered;
    }
    for (const WorkloadStatistics& workload : s.workloads)
        outcome.errors += workload.echoes.time_exceeded + workload.echoes.unreachable;
    return outcome;
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
    chain.backbone.queue = 6000;  // retransmissions
    chain.documents = {1024, 30000};
    chain.service = {abi::DistributionKind::exponential, 1e6, 0};
    return chain;
}

// Besides, all that links do to packets, links that change and fail while their queues are full, and ICMP errors, whose
// bytes cross from task to task in buffers.
Chain stormy_chain()
{
    using abi::TimelineAttribute;
    using abi::TimelineForm;
    using test::Random;
    Chain chain = lossy_chain();
    chain.peer = true;
    const auto constant = [](double value) { return Random{abi::DistributionKind::constant, value, 0}; };
    chain.backbone.impairments = test::Impairments{.loss = constant(0.01),
                                                   .corrupt = constant(0.01),
                                                   .duplicate = constant(0.02),
                                                   .reorder = constant(0.05),
                                                   .reorder_delay = constant(3e6),
                                                   .jitter = {abi::DistributionKind::uniform, 0, 2e6}};
    chain.edge.queue_packets = 3;
    chain.pings = {{.ttl = 2}, {.ttl = 64}};
    for (double second : {0.0, 1.0}) {
        const double at = second * 1e9;
        chain.timeline.insert(
            chain.timeline.end(),
            {{"hop[1]", TimelineAttribute::up, at + 300e6, 0, TimelineForm::interval, at + 340e6},
             {"entry", TimelineAttribute::rate, at + 200e6, 2e6, TimelineForm::ramp, at + 250e6, 5e7},
             {"hop[0]", TimelineAttribute::delay, at + 100e6, 4e6, TimelineForm::interval, at + 500e6, 0, 1},
             {"hop[2]", abi::impairment_attribute("jitter"), at + 400e6, 0, TimelineForm::ramp, at + 420e6, 9e6},
             {"net[2].uplink", TimelineAttribute::rate, at + 600e6, 1e6, TimelineForm::interval, at + 650e6},
             {"net[1].uplink", TimelineAttribute::up, at + 700e6, 0, TimelineForm::interval, at + 702e6},
             {"net[0].edge", TimelineAttribute::queue_packets, at + 500e6, 1, TimelineForm::interval, at + 800e6},
             {"net[3].edge", TimelineAttribute::rate, at + 500e6, 3e6, TimelineForm::interval, at + 800e6}});
    }
    return chain;
}

}  // namespace

TEST_CASE("any partition and number of workers gives the sequential run's digest", "[kernel][parallel]")
{
    const bool stormy = GENERATE(false, true);
    ChainModel chain(stormy ? stormy_chain() : lossy_chain());
    const std::uint32_t nodes = chain.image().nodes;
    const Outcome expected = run(chain, 0, 2 * kSecond, 2 * kSecond);
    REQUIRE(expected.completed > (stormy ? 20 : 50));
    if (stormy)
        for (const std::uint64_t happened : {expected.lost, expected.corrupted, expected.down, expected.duplicated,
                                             expected.reordered, expected.errors})
            REQUIRE(happened > 10);
    std::mt19937 random(7);
    for (std::uint32_t tasks : {1u, 2u, 3u, 7u, nodes}) {
        chain.partition(random_partition(nodes, tasks, random));
        for (unsigned workers : {1u, 2u, 4u}) {
            INFO(tasks << " tasks, " << workers << " workers");
            if (workers == 4 && tasks != 7 && !anml::testing::everything()) continue;  // more than processors: long
            if ((tasks == 2 || tasks == 3) && anml::testing::rounds(2) == 1) continue;
            CHECK(run(chain, workers, 2 * kSecond, 2 * kSecond) == expected);
            CHECK(run(chain, workers, 2 * kSecond, 2 * kSecond, 2 * workers - 1) == expected);  // joined
            CHECK(run(chain, workers, 2 * kSecond, 2 * kSecond, workers) == expected);          // one for each worker
        }
    }
}

TEST_CASE("a run in many steps is the run in one", "[kernel][parallel]")
{
    ChainModel chain(GENERATE(false, true) ? stormy_chain() : lossy_chain());
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
        const Time end = anml::testing::rounds(10'000);
        const auto expected = pass_tokens(5, 1, tokens, end);
        CHECK(expected[0] > 100);
        for (unsigned workers : {2u, 3u, 5u}) CHECK(pass_tokens(5, workers, tokens, end) == expected);
        // Each worker is dedicated to its task, on fewer processors than it was told.
        CHECK(pass_tokens(5, 5, tokens, end, 5) == expected);
    }
}

namespace {

// Tasks in a mesh that pass tokens on to any neighbour, over channels of two places: many producers starve at once, in
// circles too.
class MeshTask final : public cct::Task {
  public:
    static constexpr Time kLookahead = 10;
    struct Token {
        Time time;
        std::uint64_t id;
        bool operator<(const Token& other) const { return std::pair(time, id) < std::pair(other.time, other.id); }
    };
    struct Link {
        Link(MeshTask& f, MeshTask& t) : from(f), to(t) {}
        MeshTask &from, &to;
        Channel<Token> channel{2};
        std::vector<Token> waiting;

        bool flush()
        {
            std::size_t moved = 0;
            for (; moved < waiting.size(); ++moved) {
                Token* slot = channel.claim();
                if (!slot) break;
                *slot = waiting[moved];
            }
            waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(moved));
            return waiting.empty();
        }
    };
    std::vector<Link*> leaving, coming;
    std::vector<Token> pending;
    std::uint64_t passed = 0, sum = 0;

  protected:
    void drain(cct::Scheduler& scheduler) override
    {
        for (Link* link : coming)
            if (link->channel.drain([this](Token& token) { pending.push_back(token); })) scheduler.wake(link->from);
    }
    Time execute(Time safe) override
    {
        bool free = true;
        for (Link* link : leaving) free &= link->flush();
        std::sort(pending.begin(), pending.end());
        std::size_t done = 0;
        for (; free && done < pending.size() && pending[done].time < safe; ++done) {
            const Token token = pending[done];
            ++passed;
            sum = mix(sum ^ mix(token.id + static_cast<std::uint64_t>(token.time)));
            Link& next = *leaving[mix(token.id ^ static_cast<std::uint64_t>(token.time)) % leaving.size()];
            next.waiting.push_back({token.time + kLookahead + static_cast<Time>(token.id % 7), token.id});
            free = next.flush();
        }
        pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(done));
        return pending.empty() ? kNever : pending.front().time;
    }
    Time promise(std::size_t index, Time bound) override
    {
        Time promised = bound + kLookahead;
        for (const Token& token : leaving[index]->waiting) promised = std::min(promised, token.time);
        return promised;
    }
    bool blocked(cct::Scheduler& scheduler) override
    {
        bool any = false;
        for (Link* link : leaving) {
            if (link->waiting.empty()) continue;
            any = true;
            if (!link->channel.wait_for_room()) scheduler.wake(*this);
            scheduler.wake(link->to);
        }
        return any;
    }
    std::uint64_t executed() const override { return passed; }
    std::uint64_t sent(std::size_t index) const override { return leaving[index]->channel.claimed(); }
};

std::vector<std::uint64_t> roam(unsigned tasks, unsigned workers, unsigned tokens, Time end, unsigned seed,
                                unsigned processors = 1)
{
    std::mt19937 random(seed);
    std::vector<std::unique_ptr<MeshTask>> mesh;
    std::vector<std::unique_ptr<MeshTask::Link>> links;
    for (unsigned i = 0; i < tasks; ++i) mesh.push_back(std::make_unique<MeshTask>());
    const auto join = [&](MeshTask& from, MeshTask& to) {
        MeshTask::Link& link = *links.emplace_back(std::make_unique<MeshTask::Link>(from, to));
        from.leaving.push_back(&link);
        from.out.push_back({&link.channel, &to});
        to.coming.push_back(&link);
        to.in.push_back(&link.channel);
    };
    for (unsigned i = 0; i < tasks; ++i)
        for (unsigned j = 0; j < tasks; ++j)
            if (j == (i + 1) % tasks || (i != j && random() % tasks < 3)) join(*mesh[i], *mesh[j]);
    for (unsigned i = 0; i < tasks; ++i)
        for (unsigned t = 0; t < tokens; ++t) mesh[i]->pending.push_back({t % 5, std::uint64_t{i} << 32 | t});
    std::vector<cct::Task*> all;
    for (auto& task : mesh) all.push_back(task.get());
    cct::Scheduler scheduler(all, workers, processors);
    for (int step = 1; step <= 4; ++step) scheduler.run(end * step / 4);
    std::vector<std::uint64_t> result;
    for (const auto& task : mesh) {
        result.push_back(task->passed);
        result.push_back(task->sum);
    }
    return result;
}

}  // namespace

TEST_CASE("many tasks with rings of two places come to the same end", "[kernel][parallel]")
{
    for (unsigned seed = 1; seed <= anml::testing::rounds(3); ++seed) {
        const auto expected = roam(24, 1, 8, 2'000, seed);
        CHECK(expected[0] > 100);
        for (unsigned workers : {2u, 3u, 8u}) CHECK(roam(24, workers, 8, 2'000, seed) == expected);
        const auto dedicated = roam(4, 1, 20, 2'000, seed);
        CHECK(roam(4, 4, 20, 2'000, seed, 4) == dedicated);
    }
}

TEST_CASE("bursts that overflow the rings between clusters arrive all the same", "[kernel][parallel]")
{
    Chain chain;
    chain.routers = 3;
    chain.hosts = 6;
    chain.backbone.rate = chain.uplink.rate = chain.edge.rate = 1e11;
    chain.backbone.delay = 1e7;
    chain.backbone.queue = chain.uplink.queue = chain.edge.queue = 1e9;
    chain.documents = {4e6};
    chain.client_tcp.receive_buffer = 1e8;
    chain.client_tcp.window_scaling = chain.server_tcp.window_scaling = 1;
    chain.server_tcp.initial_window = 1000;
    ChainModel model(chain);
    const Outcome expected = run(model, 0, 300 * kMillisecond, 300 * kMillisecond);
    REQUIRE(expected.completed > 10);
    std::mt19937 random(9);
    model.partition(random_partition(model.image().nodes, 5, random));
    for (unsigned workers : {1u, 2u, 5u})
        CHECK(run(model, workers, 300 * kMillisecond, 100 * kMillisecond) == expected);
}

}  // namespace ANML_UNIT_FILE
