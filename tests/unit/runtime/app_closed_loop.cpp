// Closed-loop clients against the simulated server: the paper's arithmetic, loss, determinism, nothing left behind.
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>

#include "app/content.h"
#include "fake_host.h"
#include "image_builder.h"
#include "net/link/droptail.h"
#include "simulator/simulator.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;

namespace {

struct Run {
    explicit Run(const test::Chain& chain, Time duration, std::uint64_t seed = 1, Time warmup = 0, Time settle = 0)
        : built(chain), model(built.model()), simulator(model, seed)
    {
        simulator.start_workloads(0, warmup, duration);
        simulator.run_until(duration + settle);
    }
    const WorkloadStatistics& result() { return simulator.statistics().workloads[0]; }
    double rate() { return static_cast<double>(result().completed) / (static_cast<double>(window()) / 1e9); }
    Time window() { return simulator.statistics().end - simulator.statistics().begin; }
    test::ChainModel built;
    Model model;
    Simulator simulator;
};

// One way of `bytes` between the client of net i and the server, alone on the path.
Time one_way(const test::Chain& chain, std::uint32_t net, std::uint32_t bytes)
{
    auto hop = [&](const test::LinkOptions& link) {
        return static_cast<Time>(link.delay) + droptail::least_transmission_time(bytes, link.rate);
    };
    return (net + 1) * hop(chain.backbone) + hop(chain.uplink) + hop(chain.edge);
}

// The transaction of the paper: handshake, request, response in one segment, and the server's FIN.
Time transaction(const test::Chain& chain, const Model& model, std::uint32_t net)
{
    auto request = static_cast<std::uint32_t>(content::length(model, content::request(0)));
    auto response = static_cast<std::uint32_t>(content::length(model, content::response(0)));
    auto way = [&](std::uint32_t bytes) { return one_way(chain, net, bytes); };
    // The request leaves right behind the acknowledgment: on the slowest link it waits for it.
    Time behind = droptail::least_transmission_time(40, chain.edge.rate);
    Time time =
        way(44) + way(44) + behind + way(40 + request) + static_cast<Time>(chain.service.a) + way(40 + response);
    return chain.close == test::CloseMode::at_once ? time : time + way(40) + way(40);
}

test::Chain large_document(double queue)
{
    test::Chain chain;
    chain.documents = {1 << 20};
    chain.edge.queue = queue;
    chain.think = {abi::DistributionKind::constant, 1e12, 0};
    return chain;
}

}  // namespace

TEST_CASE("one client completes a transaction in three round trips and the service time", "[app]")
{
    test::Chain chain;
    chain.close = GENERATE(test::CloseMode::after_ack, test::CloseMode::at_once);
    Run run(chain, 10 * kSecond);
    Time expected = transaction(chain, run.model, 0);
    if (chain.close == test::CloseMode::after_ack) {
        CHECK(expected == Approx(3 * 2.4e6 + 1.8e6).epsilon(0.03));
        CHECK(run.rate() == Approx(112).epsilon(0.03));
    }
    // After the first, the SYN waits behind the FIN of the transaction before.
    Time behind = droptail::least_transmission_time(40, chain.edge.rate);
    CHECK(run.result().response_time.took.minimum() == expected);
    CHECK(run.result().response_time.took.maximum() == expected + behind);
    CHECK(run.result().completed == static_cast<std::uint64_t>((10 * kSecond + behind) / (expected + behind)));
    CHECK(run.result().failed() == 0);
    CHECK(run.result().in_progress == 1);
    CHECK(run.simulator.statistics().retransmissions == 0);
    CHECK(run.simulator.statistics().series.size() == 10);
    CHECK(run.simulator.statistics().series[3].completed == Approx(1e9 / expected).margin(1));
    CHECK(run.result().response_bytes == run.result().completed * content::length(run.model, content::response(0)));
    CHECK(run.result().request_bytes == run.result().completed * content::length(run.model, content::request(0)));
}

TEST_CASE("the paper's other points follow the same arithmetic", "[app]")
{
    test::Chain chain;
    SECTION("sixteen clients on one subnetwork")
    {
        chain.hosts = 16;
        CHECK(Run(chain, 5 * kSecond).rate() == Approx(1778).epsilon(0.03));
    }
    SECTION("sixteen clients on sixteen")
    {
        chain.routers = 16;
        CHECK(Run(chain, 5 * kSecond).rate() == Approx(466).epsilon(0.03));
    }
    SECTION("the farthest of thirty-two")
    {
        chain.routers = 32;
        chain.first_net = 31;
        CHECK(Run(chain, 20 * kSecond).rate() == Approx(5.1).epsilon(0.03));
    }
}

TEST_CASE("figures cover the window, the series the whole run", "[app]")
{
    test::Chain chain;
    Run run(chain, 4 * kSecond, 1, kSecond);
    CHECK(run.window() == 3 * kSecond);
    CHECK(run.rate() == Approx(111).epsilon(0.02));
    std::uint64_t all = 0;
    for (const Second& second : run.simulator.statistics().series) all += second.completed;
    CHECK(all > run.result().completed + 100);
}

TEST_CASE("a run depends on model and seed alone", "[app]")
{
    test::Chain chain;
    chain.routers = 4;
    chain.hosts = 4;
    chain.service = {abi::DistributionKind::exponential, 1.8e6, 0};
    chain.think = {abi::DistributionKind::exponential, 1e6, 0};
    chain.start_spread = 1e9;
    chain.workers = 3;
    Run first(chain, 3 * kSecond, 7), second(chain, 3 * kSecond, 7), other(chain, 3 * kSecond, 8);
    CHECK(first.simulator.digest() == second.simulator.digest());
    CHECK(first.result().completed == second.result().completed);
    CHECK(first.simulator.statistics().total_events == second.simulator.statistics().total_events);
    CHECK(first.simulator.digest() != other.simulator.digest());
}

TEST_CASE("running in steps is the same as running at once", "[app]")
{
    test::Chain chain;
    chain.routers = 2;
    chain.hosts = 3;
    Run whole(chain, kSecond);
    test::ChainModel built(chain);
    Model model = built.model();
    Simulator steps(model, 1);
    steps.start_workloads(0, 0, kSecond);
    for (Time t = 0; t <= kSecond; t += 777777) steps.run_until(std::min(t, kSecond));
    steps.run_until(kSecond);
    CHECK(steps.digest() == whole.simulator.digest());
}

TEST_CASE("a large document arrives complete, whatever the queue loses", "[app]")
{
    double queue = GENERATE(1000.0, 3000.0, 5000.0, 8192.0, 20000.0, 32768.0, 524288.0);
    auto close = GENERATE(test::CloseMode::after_ack, test::CloseMode::at_once);
    test::Chain chain = large_document(queue);
    chain.close = close;
    chain.hosts = 3;
    Run run(chain, 600 * kSecond);
    CAPTURE(queue);
    CHECK(run.result().completed == 3);
    CHECK(run.result().failed() == 0);
    CHECK(run.result().response_bytes == 3 * content::length(run.model, content::response(0)));
    CHECK((run.simulator.statistics().dropped.queue > 0) == (queue < 65536));
    CHECK((run.simulator.statistics().retransmissions > 0) == (queue < 65536));
    CHECK(test::silent(run.simulator));
}

TEST_CASE("with a queue for a few packets every transaction ends one way or the other", "[app]")
{
    test::Chain chain;
    chain.routers = 4;
    chain.hosts = 32;
    chain.backbone.queue = GENERATE(1500.0, 4000.0, 8192.0);
    chain.backbone.rate = 2e7;
    chain.documents = {1024, 20000};
    chain.service = {abi::DistributionKind::uniform, 0, 4e6};
    Run run(chain, 30 * kSecond, 3);
    const Statistics& statistics = run.simulator.statistics();
    CHECK(statistics.dropped.queue > 100);
    CHECK(run.result().completed > 400);
    CHECK(run.result().in_progress == 128);
    // A SYN is sent once, so some connections fail; nothing else does.
    CHECK(run.result().failed(FailureCause::reset) == 0);
    CHECK(run.result().failed(FailureCause::timeout) == 0);
    CHECK(run.result().failed(FailureCause::status) == 0);
    // Every second sees progress: nothing hangs.
    for (const Second& second : statistics.series) CHECK(second.completed > 0);
}

TEST_CASE("requests wait for a worker", "[app]")
{
    test::Chain chain;
    chain.hosts = 16;
    chain.service = {abi::DistributionKind::constant, 10e6, 0};
    chain.workers = 2;
    Run run(chain, 10 * kSecond);
    CHECK(run.rate() == Approx(200).epsilon(0.01));  // two workers, 10 ms each: the server is the bottleneck
    CHECK(run.result().response_time.took.mean() == Approx(16 / 200.0 * 1e9).epsilon(0.02));  // Little's law
}

TEST_CASE("clients start within the spread and take documents in turn", "[app]")
{
    test::Chain chain;
    chain.hosts = 50;
    chain.documents = {100, 200, 300};
    chain.start_spread = 2e9;
    chain.think = {abi::DistributionKind::constant, 1e9, 0};
    Run run(chain, 5 * kSecond);
    const Statistics& statistics = run.simulator.statistics();
    CHECK(statistics.series[0].completed > 15);
    CHECK(statistics.series[0].completed < 35);
    CHECK(statistics.series[1].completed > 40);
    CHECK(run.result().completed > 180);
}

TEST_CASE("a path with a smaller MTU inside is discovered", "[app]")
{
    test::Chain chain;
    chain.routers = 3;
    chain.first_net = 2;
    chain.documents = {100000};
    chain.uplink.mtu = 576;
    chain.think = {abi::DistributionKind::constant, 1e12, 0};
    Run run(chain, 60 * kSecond);
    CHECK(run.result().completed == 1);
    CHECK(run.simulator.statistics().dropped.mtu > 0);
    CHECK(run.result().response_time.took.maximum() < kSecond);  // no time-out was needed
    CHECK(test::silent(run.simulator));
}

TEST_CASE("no server, no route: failures are counted and do not spin", "[app]")
{
    test::Chain chain;
    SECTION("nobody listens")
    {
        chain.server = false;
        Run run(chain, kSecond);
        CHECK(run.result().failed(FailureCause::reset) == 7);  // SYNs at 0, 10, 30, 70, 150, 310, 630 ms
        Time round_trip = one_way(chain, 0, 44) + one_way(chain, 0, 40);
        const Durations& after = run.result().failures[static_cast<std::size_t>(FailureCause::reset)];
        CHECK(after.least == round_trip);
        CHECK(after.most == round_trip);
        CHECK(after.sum == static_cast<std::uint64_t>(7 * round_trip));
        CHECK(run.result().completed == 0);
    }
    SECTION("refused without delay: a pause that grows to a second")
    {
        chain.server = false;
        for (test::LinkOptions* link : {&chain.backbone, &chain.uplink, &chain.edge}) link->delay = 0;
        Run run(chain, 10 * kSecond);
        CHECK(run.result().failed(FailureCause::reset) == 7 + 9);  // at 1.27 s, and every second from there
    }
    SECTION("the think time comes after failures, too")
    {
        chain.server = false;
        chain.think = {abi::DistributionKind::constant, 1e9, 0};
        CHECK(Run(chain, 10 * kSecond).result().failed(FailureCause::reset) == 10);
    }
    SECTION("a SYN too large for the link goes nowhere")
    {
        chain.edge.mtu = 42;
        Run run(chain, 21 * kSecond);
        CHECK(run.result().failed(FailureCause::connect) == 4);
        CHECK(run.result().in_progress == 1);
    }
    SECTION("a transaction that takes too long")
    {
        chain.timeout = 5e6;
        Run run(chain, kSecond);
        CHECK(run.result().completed == 0);
        CHECK(run.result().failed(FailureCause::timeout) == 199);
    }
}

TEST_CASE("clients begin anywhere in their list, unless all are to begin with the first", "[app]")
{
    test::Chain chain;
    chain.hosts = 20;
    chain.documents.clear();
    for (int i = 0; i < 50; ++i) chain.documents.push_back(1000 + 40 * i);
    chain.think = {abi::DistributionKind::constant, 1e12, 0};
    SECTION("anywhere")
    {
        chain.begin_with = test::FirstDocument::any;
        Run run(chain, kSecond, 7);
        CHECK(run.result().completed == 20);
        // The mean of 20 of 1000 .. 2960 B, within four deviations of it; heads have one length.
        const auto head = static_cast<double>(content::length(run.model, content::response(0))) - 1000;
        const double mean = static_cast<double>(run.result().response_bytes) / 20 - head;
        CHECK(mean == Approx(1980).margin(4 * 577 / std::sqrt(20)));
        CHECK(Run(chain, kSecond, 8).result().response_bytes != run.result().response_bytes);
    }
    SECTION("with the first")
    {
        Run run(chain, kSecond, 7);
        CHECK(run.result().response_bytes == 20 * content::length(run.model, content::response(0)));
    }
}

// Who closes first, and has no other port for 3 s, or uses one again after a second.
TEST_CASE("a client has each of its ports once in TIME_WAIT, and says so where there is no other", "[app]")
{
    test::Chain chain;
    chain.until = test::TransactionEnd::complete;
    chain.service = {};
    for (test::LinkOptions* link : {&chain.backbone, &chain.uplink, &chain.edge}) link->delay = 1e4;
    chain.client_tcp = chain.server_tcp = test::linux_tcp();
    chain.client_tcp.first_port = 40000;
    chain.client_tcp.last_port = 40099;
    chain.client_tcp.time_wait = 3e9;
    const auto failed = [](const WorkloadStatistics& result) {
        CHECK(result.failed(FailureCause::no_port) == result.failed());
        return result.failed();
    };
    SECTION("with a pause of a second at most they are used again when they are free")
    {
        Run run(chain, 8 * kSecond + 500 * kMillisecond);
        CHECK(run.result().completed == 300);
        CHECK(failed(run.result()) > 5);
    }
    SECTION("after a second, where both sides have timestamps")
    {
        chain.client_tcp.time_wait = 60e9;
        chain.client_tcp.time_wait_reuse = 1;
        chain.server_tcp.timestamps = GENERATE(0.0, 1.0);
        Run run(chain, 5 * kSecond);
        CHECK(run.result().completed >= (chain.server_tcp.timestamps != 0 ? 300 : 100));
        CHECK(run.result().completed <= (chain.server_tcp.timestamps != 0 ? 500 : 100));
        failed(run.result());
    }
    SECTION("at once, where nothing waits")
    {
        chain.client_tcp.time_wait = 0;
        Run run(chain, kSecond);
        CHECK(run.result().completed > 200);
        CHECK(failed(run.result()) == 0);
    }
}

TEST_CASE("clients with a constant think time are not in step", "[app]")
{
    test::Chain chain;
    chain.hosts = 200;
    chain.think = {abi::DistributionKind::constant, 1e9, 0};
    const auto most_in_a_tenth = [&](Time duration) {
        std::uint64_t before = 0, most = 0;
        test::ChainModel built(chain);
        Model model = built.model();
        Simulator steps(model, 1);
        steps.start_workloads(0, 0, duration);
        for (Time t = kSecond / 10; t <= duration; t += kSecond / 10) {
            steps.run_until(t);
            const std::uint64_t now = steps.statistics().workloads[0].completed;
            most = std::max(most, now - before);
            before = now;
        }
        return most;
    };
    CHECK(most_in_a_tenth(5 * kSecond) == 200);  // all at once
    chain.start = abi::Start::phase;
    CHECK(most_in_a_tenth(5 * kSecond) < 50);  // of 20
}

}  // namespace ANML_UNIT_FILE
