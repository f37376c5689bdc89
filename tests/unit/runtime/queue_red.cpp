// Random early detection against its closed form, and on a link.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "one_link.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::TimelineChange;
using test::LinkOptions;
using test::OneLink;

namespace {

// Thresholds 10 kB and 30 kB.
constexpr double kMaxProbability = 0.1, kWeight = 0.002, kTypical = 1000;
std::vector<double> fields(double weight = kWeight, double gentle = 1)
{
    return {10000, 30000, kMaxProbability, weight, kTypical, gentle, 0, 1, 0, 5e8, 0.01, 0.9};
}

struct Queue {
    explicit Queue(const std::vector<double>& record) : parameters(red::parameters_of(FieldReader(record)))
    {
        line.rate = 8e9;  // a byte per ns
        line.capacity = LinkState::kUnbounded;
        line.mtu = 1500;
    }
    bool offer(std::uint32_t length, Time now)
    {
        packet.length = static_cast<std::uint16_t>(length);
        Arrival arrival{line, starts, packet, now, LinkDraws(1, 7, draws), marked};
        return red::admit(state, parameters, arrival).accepted;
    }

    red::Parameters parameters;
    red::State state;
    LinkState line;
    StartTimes starts;
    Packet packet;
    std::uint64_t draws = 0, marked = 0;
};

// Packets that come between drops while the average stays where it is, the dropped one included.
std::vector<int> gaps(double average, double gentle, int drops)
{
    Queue queue(fields(0, gentle));
    queue.state.average = average;
    std::vector<int> found;
    Time now = 0;
    for (int packets = 0; found.size() <= static_cast<std::size_t>(drops); now += 2000) {
        ++packets;
        if (queue.offer(1000, now)) continue;
        found.push_back(packets);
        packets = 0;
    }
    found.erase(found.begin());  // it begins where no drop was
    return found;
}

}  // namespace

TEST_CASE("RED reads its parameters in the order of its list", "[red]")
{
    const red::Parameters p = red::parameters_of(FieldReader(fields(0.25, 0)));
    CHECK(p.minimum_threshold == 10000);
    CHECK(p.maximum_threshold == 30000);
    CHECK(p.max_probability == 0.1);
    CHECK(p.weight == 0.25);
    CHECK(p.typical_packet == 1000);
    CHECK_FALSE(p.gentle);
}

TEST_CASE("while RED's average stays, each gap between drops up to 1/p - 1 is as likely as another", "[red]")
{
    // Half of the way between the thresholds: p = 0.05, gaps of 1 to 19.
    constexpr int kDrops = 19000, kLongest = 19;
    std::vector<int> counts(kLongest + 1, 0);
    double sum = 0;
    for (const int gap : gaps(20000, 1, kDrops)) {
        REQUIRE(gap <= kLongest);
        ++counts[static_cast<std::size_t>(gap)];
        sum += gap;
    }
    const double expected = static_cast<double>(kDrops) / kLongest;
    double chi_squared = 0;
    for (int gap = 1; gap <= kLongest; ++gap)
        chi_squared += std::pow(counts[static_cast<std::size_t>(gap)] - expected, 2) / expected;
    CHECK(chi_squared < 42.3);                        // 18 degrees of freedom: one seed in a thousand would be above
    CHECK(sum / kDrops == Approx(10).epsilon(0.02));  // 1 / 2p
}

TEST_CASE("RED is certain above its thresholds, or becomes it gently", "[red]")
{
    const auto mean = [](double average, double gentle) {
        double sum = 0;
        const std::vector<int> all = gaps(average, gentle, 20000);
        for (const int gap : all) sum += gap;
        return sum / static_cast<double>(all.size());
    };
    CHECK(mean(30000, 0) == 1);
    CHECK(mean(60000, 1) == 1);
    // At three halves of the upper threshold p = 0.1 + 0.9 / 2: the next packet with p / (1 - p), which is above 1.
    CHECK(mean(45000, 1) == 1);
    // At 32 kB p = 0.16: gaps of 1 to 5 with 4/21 each, of 6 with 1/21.
    CHECK(mean(32000, 1) == Approx((1 + 2 + 3 + 4 + 5) * 4 / 21.0 + 6 / 21.0).epsilon(0.02));
    Queue below(fields(0));
    below.state.average = 9999;
    for (int i = 0; i < 1000; ++i) REQUIRE(below.offer(1000, i * 2000));
    CHECK(below.draws == 0);
}

TEST_CASE("RED's average follows the backlog, and falls while the link is idle", "[red]")
{
    Queue queue(fields());
    double average = 0;
    std::uint64_t backlog = 0;
    for (int i = 0; i < 9; ++i) {  // all at once; the first one finds nobody
        REQUIRE(queue.offer(1000, 0));
        average += kWeight * (static_cast<double>(backlog) - average);
        backlog += 1000;
        CHECK(queue.state.average == Approx(average));
    }
    REQUIRE(queue.offer(1000, 500));  // half of the first one has been transmitted
    average += kWeight * (8500 - average);
    CHECK(queue.state.average == Approx(average));
    // The link is busy for 10 us, then idle for the time of 300 typical packets.
    CHECK(queue.line.busy_until == 10000);
    REQUIRE(queue.offer(1000, 10000 + 300 * 1000));
    CHECK(queue.state.average == Approx(average * std::pow(1 - kWeight, 300)));
}

TEST_CASE("a link with RED drops early, keeps the bounds of its queue, and is shown in captures", "[red]")
{
    // 12 Mbps: a packet each ms leaves, and two come.
    LinkOptions link;
    link.rate = 12e6;
    link.queue = 200'000;
    OneLink w(link, Discipline::red, fields(0.02));
    constexpr std::uint32_t kPackets = 4000;
    for (std::uint32_t i = 0; i < kPackets; ++i) w.send(i, i * kMillisecond / 2);
    w.simulator.run_until(10 * kSecond);
    const LinkCounters counters = w.counters();
    CHECK(counters.packets + counters.dropped == kPackets);
    CHECK(counters.packets == w.peer.received.size());
    // Half of what comes is dropped, each gap of 1 to 3 as often: p = 1/4, where the average is 35 kB.
    CHECK(static_cast<double>(counters.dropped) / kPackets == Approx(0.5).epsilon(0.05));
    Time last = -kMillisecond, longest = 0;
    for (const auto& [number, start] : w.tap.begun) {
        CHECK(start - last >= kMillisecond);
        last = start;
        longest = std::max(longest, start - number * kMillisecond / 2);
    }
    CHECK(longest < 50 * kMillisecond);  // 35 kB are 23 ms; the queue would hold 133 ms
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a link with RED goes on at a new rate, and begins anew behind a failure", "[red][changes]")
{
    using abi::TimelineAttribute;
    LinkOptions link;
    link.rate = 1e6;  // 12 ms each
    OneLink w(link, Discipline::red, {100000, 200000, 0.1, 1, 1000, 1},
              {{"entry", TimelineAttribute::rate, 30e6, 1e7},
               {"entry", TimelineAttribute::up, 32e6, 0},
               {"entry", TimelineAttribute::up, 40e6, 1}});
    for (std::uint32_t i = 0; i < 10; ++i) w.send(i, 0);
    w.send(10, 35 * kMillisecond);
    w.send(11, 45 * kMillisecond);
    w.simulator.run_until(kSecond);
    // Four leave, at 12, 24, 30.6 and 31.8 ms; the last one does not arrive before the failure, another one comes in
    // it.
    CHECK(w.order() == std::vector<std::uint32_t>{0, 1, 2, 11});
    CHECK(w.simulator.statistics().dropped.link == 8);
    CHECK(test::silent(w.simulator));
}

}  // namespace ANML_UNIT_FILE
