// Links that are served at the dequeue: when transmissions begin, the bounds of the queue, and what the timeline does
// to what waits.
#include <catch2/catch.hpp>
#include <vector>

#include "app/cluster.h"
#include "one_link.h"
#include "simulator/run_events.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using abi::TimelineAttribute;
using test::ChainModel;
using test::FakeHost;
using test::TimelineChange;
using test::LinkOptions;
using test::OneLink;

namespace {

// Drops nothing by itself.
const std::vector<double> kPatient{1e12, 1e12};

// 12 ms for each packet.
LinkOptions slow()
{
    LinkOptions link;
    link.rate = 1e6;
    return link;
}

std::vector<Time> starts(const OneLink& w)
{
    std::vector<Time> times;
    for (const auto& [number, start] : w.tap.begun) times.push_back(start);
    return times;
}

std::vector<Time> in_microseconds(std::vector<Time> times)
{
    for (Time& time : times) time *= kMicrosecond;
    return times;
}

}  // namespace

TEST_CASE("at the dequeue a packet begins when the one before ends, or when it comes", "[service]")
{
    OneLink w(slow(), Discipline::codel, kPatient);
    w.send(0, 0);
    w.send(1, 5 * kMillisecond);
    w.send(2, 24 * kMillisecond);  // as the second one ends
    w.send(3, 36 * kMillisecond, 750);
    w.send(4, 42 * kMillisecond);
    w.send(5, 100 * kMillisecond);
    w.simulator.run_until(kSecond);
    CHECK(starts(w) == in_microseconds({0, 12000, 24000, 36000, 42000, 100'000}));
    CHECK(w.counters().packets == 6);
    CHECK(w.counters().bytes == 5 * 1500 + 750);
    CHECK(w.peer.received[0].at == 2 * (12 + 1) * kMillisecond);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a packet that need not wait costs one event, one that has to two", "[service]")
{
    for (const int together : {1, 2, 5}) {
        OneLink w(slow(), Discipline::codel, kPatient);
        constexpr int kTimes = 20;
        for (int i = 0; i < kTimes * together; ++i) w.send(0, i / together * 200 * kMillisecond);
        w.simulator.run_until(10 * kSecond);
        // It enters, and arrives at the router and the peer.
        CHECK(w.simulator.statistics().total_events == static_cast<std::uint64_t>(kTimes * (4 * together - 1)));
    }
}

TEST_CASE("at the dequeue the bounds count what waits", "[service]")
{
    LinkOptions bytes = slow(), packets = slow();
    bytes.queue = 4500;
    packets.queue_packets = 3;
    for (const LinkOptions& link : {bytes, packets}) {
        OneLink w(link, Discipline::codel, kPatient);
        for (std::uint32_t i = 0; i < 6; ++i) w.send(i, 0);
        w.send(6, 12 * kMillisecond - 1);
        w.send(7, 12 * kMillisecond + 1);
        w.simulator.run_until(kSecond);
        CHECK(w.order() == std::vector<std::uint32_t>{0, 1, 2, 3, 7});
        CHECK(w.counters().dropped == 3);
    }
    LinkOptions none = slow();
    none.queue = 1;
    OneLink w(none, Discipline::codel, kPatient);
    for (std::uint32_t i = 0; i < 3; ++i) w.send(i, i * 12 * kMillisecond);
    w.send(3, 30 * kMillisecond);
    w.simulator.run_until(kSecond);
    CHECK(w.order() == std::vector<std::uint32_t>{0, 1, 2});
}

TEST_CASE("a new rate retimes the packet in transmission, the others wait for its end", "[service][changes]")
{
    for (const double rate : {1e7, 1e5}) {
        OneLink w(slow(), Discipline::codel, kPatient, {{"entry", TimelineAttribute::rate, 30e6, rate}});
        for (std::uint32_t i = 0; i < 6; ++i) w.send(i, 0);
        w.send(6, 31 * kMillisecond);
        w.simulator.run_until(10 * kSecond);
        if (rate == 1e7)
            CHECK(starts(w) == in_microseconds({0, 12000, 24000, 30600, 31800, 33000, 34200}));
        else
            CHECK(starts(w) == in_microseconds({0, 12000, 24000, 90000, 210'000, 330'000, 450'000}));
        CHECK(w.peer.received.size() == 7);
        const Time last = rate == 1e7 ? Time{1200} : Time{120'000};
        const LinkCounters counters = w.counters();
        CHECK(counters.rare->transmitting == starts(w).back() + last * kMicrosecond);
        CHECK(test::silent(w.simulator));
    }
}

TEST_CASE("a rate that goes up and down again leaves one event for each end", "[service][changes]")
{
    OneLink w(slow(), Discipline::codel, kPatient,
              {{"entry", TimelineAttribute::rate, 2e6, 1e7}, {"entry", TimelineAttribute::rate, 2.5e6, 1e6}});
    for (std::uint32_t i = 0; i < 3; ++i) w.send(i, 0);
    w.simulator.run_until(kSecond);
    // 2 ms at 1 Mbps, half a ms at 10 Mbps, 5 ms at 1 Mbps again.
    CHECK(starts(w) == in_microseconds({0, 7500, 19500}));
}

TEST_CASE("a failure loses what waits and what is in transmission", "[service][changes]")
{
    const bool impaired = GENERATE(false, true);  // then packets stay in the transmitter until their end
    LinkOptions link = slow();
    if (impaired) {
        link.impairments = test::Impairments{.duplicate = {abi::DistributionKind::constant, 1, 0}};
        link.impaired_back = true;
    }
    OneLink w(link, Discipline::codel, kPatient,
              {{"entry", TimelineAttribute::up, 30e6, 0}, {"entry", TimelineAttribute::up, 40e6, 1}});
    for (std::uint32_t i = 0; i < 10; ++i) w.send(i, 0);  // two have left by 30 ms, and arrived
    w.send(10, 35 * kMillisecond);
    w.send(11, 45 * kMillisecond);
    w.send(12, 45 * kMillisecond);
    w.simulator.run_until(kSecond);
    // `exit` is impaired towards the router alone.
    using Numbers = std::vector<std::uint32_t>;
    CHECK(w.order() == (impaired ? Numbers{0, 0, 1, 1, 11, 11, 12, 12} : Numbers{0, 1, 11, 12}));
    CHECK(starts(w) == in_microseconds({0, 12000, 24000, 45000, 57000}));
    CHECK(w.simulator.statistics().dropped.link == 9);
    CHECK(w.counters().packets == 4);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a smaller queue keeps what it holds", "[service][changes]")
{
    OneLink w(slow(), Discipline::codel, kPatient, {{"entry", TimelineAttribute::queue, 1e6, 3000}});
    for (std::uint32_t i = 0; i < 6; ++i) w.send(i, 0);
    w.send(6, 40 * kMillisecond);  // two wait
    w.send(7, 50 * kMillisecond);
    w.simulator.run_until(kSecond);
    CHECK(w.order() == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 7});
}

TEST_CASE("a window that begins amid a transmission takes over the rest of that one", "[service]")
{
    OneLink w(slow(), Discipline::codel, kPatient);
    w.simulator.measure(30 * kMillisecond, 100 * kMillisecond);
    for (std::uint32_t i = 0; i < 4; ++i) w.send(i, 0);
    w.simulator.run_until(kSecond);
    CHECK(w.counters().packets == 1);  // from 36 to 48 ms
    CHECK(w.counters().carried == 6 * kMillisecond);
}

namespace {

// A cluster with a link, whose discipline has several records.
struct Records {
    Records(Discipline discipline, std::vector<double> first, std::vector<std::vector<double>> others)
        : built(chain_of(discipline, std::move(first), std::move(others))), k(model, 1, 0, network, ports)
    {
        k.counters.end = kNever;
    }
    static test::Chain chain_of(Discipline discipline, std::vector<double> first,
                                std::vector<std::vector<double>> others)
    {
        test::Chain chain;
        chain.backbone = slow();
        chain.discipline = discipline;
        chain.parameters = std::move(first);
        chain.others = std::move(others);
        return chain;
    }
    void send(Time at, int packets)
    {
        for (int i = 0; i < packets; ++i) {
            const PacketId id = k.packets.allocate();
            k.packets[id] = FakeHost::segment(ChainModel::client_address(0, 0), 80, 5000, tcp_flag::ack, 1, 1, 1460);
            k.packets[id].source = ChainModel::server_address();
            k.schedule(built.server(), at, timer_kind::injected, id);
        }
    }
    void change(std::uint32_t record) { network.disciplines.change_parameters(link, model, record); }
    std::uint64_t dropped() { return network.dropped[link]; }

    ChainModel built;
    Model model = built.model();
    Timeline timeline{model};
    NetworkState network{model, timeline};
    OpenPorts ports{model};
    Cluster k;
    LinkId link = built.entry_down();
};

}  // namespace

TEST_CASE("RED keeps its average when the parameters change", "[service][red]")
{
    Records w(Discipline::red, {1e5, 2e5, 0.1, 1, 1000, 1},
              {{0, 0, 0, 0, 0, 0}, {1000, 2000, 0.1, 0, 1000, 1}, {13500, 20000, 1, 0, 1000, 1}});
    w.change(1);  // not used so far
    w.send(0, 10);
    run_events(w.k, 0);
    CHECK(w.dropped() == 0);
    w.change(2);  // the average is 13.5 kB: above both thresholds now
    w.send(kMillisecond, 5);
    run_events(w.k, kMillisecond);
    CHECK(w.dropped() == 5);
    w.change(3);  // at the lower one nothing is dropped
    w.send(2 * kMillisecond, 5);
    run_events(w.k, 2 * kMillisecond);
    CHECK(w.dropped() == 5);
}

TEST_CASE("CoDel keeps since when packets wait when the parameters change", "[service][codel]")
{
    Records w(Discipline::codel, kPatient, {{5e6, 30e6}, {5e6, 1e6}});
    w.send(0, 40);
    run_events(w.k, 130 * kMillisecond);  // the 11th is in transmission
    CHECK(w.dropped() == 0);
    w.change(1);
    run_events(w.k, 155 * kMillisecond);  // above the target since 132 ms
    CHECK(w.dropped() == 0);
    run_events(w.k, 168 * kMillisecond);
    CHECK(w.dropped() == 1);
    w.change(2);  // it goes on dropping at once where there is no interval
    run_events(w.k, 205 * kMillisecond);
    CHECK(w.dropped() > 5);
}

}  // namespace ANML_UNIT_FILE
