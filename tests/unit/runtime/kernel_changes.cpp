// What the timeline does to packets that are on a link, or wait for it, when it changes.
// tests/differential/test_timeline.py compares whole runs with arithmetic.
#include <catch2/catch.hpp>

#include "abi/timeline.h"
#include "app/cluster.h"
#include "fake_host.h"
#include "image_builder.h"
#include "simulator/run_events.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using abi::TimelineAttribute;
using test::ChainModel;
using test::FakeHost;
using test::TimelineChange;

namespace {

constexpr std::uint32_t kUp = 1;  // towards the server

// Two real hosts on both sides of a router; `entry`, towards `server`, is what changes: 1 Gbps, 1 ms.
struct World {
    explicit World(std::vector<TimelineChange> timeline, std::optional<test::Impairments> impairments = {},
                   double rate = 1e9, double packets = 0)
        : built(chain_of(std::move(timeline), impairments, rate, packets)),
          model(built.model()),
          simulator(model, 1),
          server(simulator, 0, ChainModel::server_address()),
          peer(simulator, 1, ChainModel::peer_address())
    {
        simulator.measure(0, kNever);
        simulator.start_timeline(0);
    }
    static test::Chain chain_of(std::vector<TimelineChange> timeline,
                                const std::optional<test::Impairments>& impairments, double rate, double packets)
    {
        test::Chain chain;
        chain.peer = true;
        chain.backbone.impairments = impairments;
        chain.backbone.queue_packets = packets;
        chain.timeline = std::move(timeline);
        // Before the first packet, so that `exit` stays as fast as it is.
        if (rate != 1e9) chain.timeline.insert(chain.timeline.begin(), {"entry", TimelineAttribute::rate, 0, rate});
        return chain;
    }
    // From the peer to the server, 1500 bytes, `number` in its acknowledgment.
    void send(std::uint32_t number, Time at)
    {
        peer.send(FakeHost::segment(ChainModel::server_address(), 5000, 80, tcp_flag::ack, 1, number, 1460), at);
    }
    std::vector<std::uint32_t> order() const
    {
        std::vector<std::uint32_t> numbers;
        for (const auto& got : server.received) numbers.push_back(got.packet.tcp().acknowledgment);
        return numbers;
    }
    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost server, peer;
};

constexpr Time kExit = 12 * kMicrosecond + kMillisecond;  // a packet's time on `exit`, before `entry`

}  // namespace

TEST_CASE("nothing waits behind packets that a failure took", "[changes][impair]")
{
    // The first packet would have come after 5 s, and the others behind it.
    World w({{"entry", abi::impairment_attribute("jitter"), 1e6, 5e9},
             {"entry", TimelineAttribute::up, 100e6, 0},
             {"entry", abi::impairment_attribute("jitter"), 105e6, 0},
             {"entry", TimelineAttribute::up, 110e6, 1}},
            test::Impairments{});
    w.send(1, 50 * kMillisecond);
    w.send(2, 200 * kMillisecond);
    w.simulator.run_until(10 * kSecond);
    REQUIRE(w.order() == std::vector<std::uint32_t>{2});
    CHECK(w.server.received[0].at == 200 * kMillisecond + 2 * kExit);
    CHECK(w.simulator.statistics().dropped.link == 1);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("jitter behind the transmitter is none of the rate's business", "[changes][impair]")
{
    // At 100 ms the first packet has left the transmitter: it comes when it would have come, the second one behind it.
    World w({{"entry", TimelineAttribute::rate, 100e6, 1e6}},
            test::Impairments{.jitter = {abi::DistributionKind::constant, 300e6, 0}});
    w.send(1, 0);
    w.send(2, 98'980'000);  // at 1 Mbps from two thirds of its transmission on
    w.simulator.run_until(10 * kSecond);
    REQUIRE(w.order() == std::vector<std::uint32_t>{1, 2});
    CHECK(w.server.received[0].at == 2 * kExit + 300 * kMillisecond);
    const Time began = 98'980'000 + kExit, left = 12 * kMicrosecond - (100 * kMillisecond - began);
    CHECK(w.server.received[1].at == 100 * kMillisecond + 1000 * left + kMillisecond + 300 * kMillisecond);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a higher rate lets packets of an impaired link leave earlier, in order", "[changes][impair]")
{
    // 12 ms each, from 30 ms on 1.2 ms.
    World w({{"entry", TimelineAttribute::rate, 30e6, 1e7}},
            test::Impairments{.loss = {abi::DistributionKind::constant, 1e-18, 0}}, 1e6);
    for (std::uint32_t i = 0; i < 10; ++i) w.send(i, 0);
    w.simulator.run_until(kSecond);
    REQUIRE(w.server.received.size() == 10);
    for (std::uint32_t i = 0; i < 10; ++i) {
        CHECK(w.order()[i] == i);
        const Time departure = kExit + Time{i + 1} * 12 * kMillisecond, now = 30 * kMillisecond;
        const Time moved = departure <= now ? departure : now + (departure - now) / 10;
        CHECK(std::abs(w.server.received[i].at - (moved + kMillisecond)) <= 1);
    }
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a link that fails loses what stays in its transmitter", "[changes][impair]")
{
    World w({{"entry", TimelineAttribute::up, 30e6, 0}, {"entry", TimelineAttribute::up, 40e6, 1}},
            test::Impairments{.duplicate = {abi::DistributionKind::constant, 1, 0}}, 1e6);
    for (std::uint32_t i = 0; i < 10; ++i) w.send(i, 0);  // two have left by 30 ms, and arrived
    w.send(10, 45 * kMillisecond);
    w.simulator.run_until(kSecond);
    CHECK(w.order() == std::vector<std::uint32_t>{0, 0, 1, 1, 10, 10});
    CHECK(w.simulator.statistics().dropped.link == 8);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a new bound in packets counts those that wait already", "[changes]")
{
    World w({{"entry", TimelineAttribute::queue_packets, 20e6, 5, abi::TimelineForm::once, 0, 0, kUp}}, {}, 1e6);
    for (std::uint32_t i = 0; i < 20; ++i) w.send(i, 0);  // one each 12 ms
    w.send(20, 25 * kMillisecond);                        // more than five wait
    w.send(21, 19 * 12 * kMillisecond);                   // one does
    w.simulator.run_until(kSecond);
    CHECK(w.server.received.size() == 21);
    CHECK(w.order().back() == 21);
    CHECK(w.simulator.statistics().dropped.queue == 1);
}

TEST_CASE("a rate that falls to nearly nothing stops a link, and no packet comes from the past", "[changes]")
{
    World w({{"entry", TimelineAttribute::rate, 1e6, 1}}, {}, 1e15);
    // 100 s of backlog at 10 Gbps: at 1 bit/s more nanoseconds than there are.
    const RateChange change{0, 1e10, 1};
    CHECK(change(100 * kSecond) > 100 * kSecond);
    w.send(1, 0);
    w.send(2, 5 * kMillisecond);
    w.simulator.run_until(kSecond);
    CHECK(w.simulator.now() == kSecond);
    CHECK(w.server.received.size() <= 1);
}

namespace {

// The cluster of a whole model without its simulator, to look into.
struct Inside {
    explicit Inside(const test::Chain& chain)
        : built(chain),
          model(built.model()),
          timeline(model),
          network(model, timeline),
          ports(model),
          k(model, 1, 0, network, ports)
    {
        k.counters.end = kNever;
        if (timeline.empty()) return;
        const std::uint8_t both = 3 * (Changes::kSends | Changes::kReceives);
        k.changes = std::make_unique<Changes>(timeline, model.image().workload_count,
                                              std::vector<std::uint8_t>(timeline.links.size(), both));
        k.hooked = true;
        k.next_change = k.changes->begin(0);
    }
    // From the server to the first client.
    void send(Time at)
    {
        const PacketId id = k.packets.allocate();
        k.packets[id] = FakeHost::segment(ChainModel::client_address(0, 0), 80, 5000, tcp_flag::ack, 1, 1, 1460);
        k.packets[id].source = ChainModel::server_address();
        k.schedule(built.server(), at, timer_kind::injected, id);
    }
    ChainModel built;
    Model model;
    Timeline timeline;
    NetworkState network;
    OpenPorts ports;
    Cluster k;
};

}  // namespace

TEST_CASE("a link that fails again and again takes no more memory than one that fails once", "[changes]")
{
    test::Chain chain;
    chain.backbone.rate = 1e7;
    chain.backbone.queue_packets = 3000;
    chain.backbone.queue = 1e12;
    constexpr int kTimes = 50;
    for (int i = 0; i < kTimes; ++i) {
        chain.timeline.push_back({"entry", TimelineAttribute::up, (i + 0.5) * 1e9, 0});
        chain.timeline.push_back({"entry", TimelineAttribute::up, (i + 1) * 1e9, 1});
    }
    Inside inside(chain);
    Cluster& k = inside.k;
    StartTimes::Ring first = StartTimes::kNoRing;
    for (int i = 0; i < kTimes; ++i) {
        for (int packet = 0; packet < 10; ++packet) inside.send(i * kSecond + kMillisecond);
        run_events(k, i * kSecond + 2 * kMillisecond);
        const StartTimes::Ring ring = k.links[inside.built.entry_down()].starts;
        REQUIRE(ring != StartTimes::kNoRing);
        if (i == 0) first = ring;
        CHECK(ring == first);
        run_events(k, (i + 1) * kSecond);
    }
}

TEST_CASE("more drops than 32 bits count are counted", "[changes]")
{
    test::Chain chain;
    chain.backbone.queue = 1;
    Inside inside(chain);
    Cluster& k = inside.k;
    inside.send(0);
    run_events(k, 0);
    inside.network.dropped[inside.built.entry_down()] = 0xffffffff;
    inside.send(1);
    run_events(k, kSecond);
    for (const LinkCounters& link : inside.network.counters())
        if (link.link == inside.built.entry_down()) CHECK(link.dropped == 0x100000000);
    CHECK(k.counters.dropped.queue == 1);
}

}  // namespace ANML_UNIT_FILE
