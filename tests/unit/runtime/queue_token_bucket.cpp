// A token bucket against arithmetic, and on a link.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "one_link.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::LinkOptions;
using test::OneLink;

namespace {

constexpr double kRate = 1e6, kBurst = 15000;  // 12 ms for 1500 bytes
constexpr Time kToken = 8 * kMicrosecond;

// A link of 100 Mbps with a bucket.
struct Bucket : OneLink {
    explicit Bucket(double rate = kRate, double burst = kBurst, double capacity = 1e9, double packets = 0)
        : OneLink(options(capacity, packets), Discipline::token_bucket, {rate, burst})
    {
    }
    static LinkOptions options(double capacity, double packets)
    {
        LinkOptions link;
        link.rate = 1e8;  // 80 ns for a byte
        link.queue = capacity;
        link.queue_packets = packets;
        return link;
    }
    void offer(std::uint32_t length, Time now) { send(offered++, now, static_cast<std::uint16_t>(length)); }
    // How many of so many that come at once are accepted, if nothing comes behind them.
    std::size_t accepted(int packets, Time now)
    {
        simulator.run_until(now);
        const std::uint64_t before = simulator.statistics().dropped.queue;
        for (int i = 0; i < packets; ++i) offer(1500, now);
        simulator.run_until(now + 1);
        return static_cast<std::size_t>(packets) - (simulator.statistics().dropped.queue - before);
    }
    // When each begins.
    std::vector<Time> starts()
    {
        simulator.run_until(1000 * kSecond);
        std::vector<Time> all;
        for (const auto& [number, start] : tap.begun) all.push_back(start);
        return all;
    }

    std::uint32_t offered = 0;
};

Time sent(std::uint32_t bytes) { return Time{bytes} * 80; }

}  // namespace

TEST_CASE("a token bucket reads its parameters in the order of its list", "[token_bucket]")
{
    const auto parameters = token_bucket::parameters_of(FieldReader(std::vector<double>{2e6, 3000}));
    CHECK(parameters.rate == 2e6);
    CHECK(parameters.burst == 3000);
}

TEST_CASE("a burst leaves at the link's rate while tokens last, then at the bucket's", "[token_bucket]")
{
    LinkOptions link;
    link.rate = 1e8;
    link.queue = 1e9;
    OneLink w(link, Discipline::token_bucket, {kRate, kBurst});
    constexpr std::uint32_t kPackets = 40;
    for (std::uint32_t i = 0; i < kPackets; ++i) w.send(i, 0);
    w.simulator.run_until(10 * kSecond);
    REQUIRE(w.tap.begun.size() == kPackets);
    // Ten find their tokens; packet n needs 1500 (n + 1) bytes, of which 15000 were there at the beginning.
    for (std::uint32_t i = 0; i < kPackets; ++i) {
        const Time due = i < 10 ? i * sent(1500) : (i - 9) * 1500 * kToken;
        CHECK(w.tap.begun[i] == std::pair(i, due));
    }
    CHECK(w.counters().packets == kPackets);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("tokens that come during a burst are of use to it", "[token_bucket]")
{
    // Half of the link's rate: while a packet is transmitted, half of the tokens for the next one come.
    Bucket bucket(5e7, 3000);
    for (int i = 0; i < 20; ++i) bucket.offer(1500, 0);
    const std::vector<Time> starts = bucket.starts();
    REQUIRE(starts.size() == 20);
    // Packet n leaves with tokens for 1500 (n + 1) bytes: 3000 and 6.25 for each us.
    for (int i = 0; i < 20; ++i) CHECK(starts[i] == std::max(i * sent(1500), (1500 * (i + 1) - 3000) * Time{160}));
}

TEST_CASE("a bucket fills while nobody comes, and not above its burst", "[token_bucket]")
{
    Bucket bucket;
    for (int i = 0; i < 10; ++i) bucket.offer(1500, 0);
    // At 12 ms there are tokens for a packet, those that came while others left among them.
    for (int i = 0; i < 2; ++i) bucket.offer(1500, 13 * kMillisecond);
    const Time later = 100 * kSecond;
    for (int i = 0; i < 11; ++i) bucket.offer(1500, later);
    const std::vector<Time> starts = bucket.starts();
    REQUIRE(starts.size() == 23);
    CHECK(starts[9] == 9 * sent(1500));
    CHECK(starts[10] == 13 * kMillisecond);
    CHECK(starts[11] == 24 * kMillisecond);
    for (int i = 0; i < 10; ++i) CHECK(starts[12 + i] == later + i * sent(1500));
    CHECK(starts[22] == later + 1500 * kToken);
}

TEST_CASE("the sustained rate of packets of all lengths is the bucket's", "[token_bucket]")
{
    constexpr double kOdd = 3e7 / 7;  // no whole number of nanoseconds
    Bucket bucket(kOdd);
    std::vector<double> lengths;
    for (std::uint32_t i = 0; i < 10000; ++i) lengths.push_back(40 + i * 7919 % 1461);
    for (const double length : lengths) bucket.offer(static_cast<std::uint32_t>(length), 0);
    const std::vector<Time> starts = bucket.starts();
    REQUIRE(starts.size() == lengths.size());
    double bytes = 0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        bytes += lengths[i];
        // No departure takes tokens that have not come; half a nanosecond is rounding.
        REQUIRE(bytes <= kBurst + (static_cast<double>(starts[i]) + 1) * kOdd / 8e9);
    }
    CHECK(static_cast<double>(starts.back()) == Approx((bytes - kBurst) * 8e9 / kOdd).epsilon(1e-9));
}

TEST_CASE("a packet larger than the burst waits for a full bucket, and the rate is kept", "[token_bucket]")
{
    Bucket bucket(kRate, 1000);
    for (int i = 0; i < 5; ++i) bucket.offer(1500, 0);
    bucket.offer(100, 0);
    const std::vector<Time> starts = bucket.starts();
    REQUIRE(starts.size() == 6);
    for (int i = 0; i < 5; ++i) CHECK(starts[i] == i * 1500 * kToken);
    CHECK(starts[5] == (4 * 1500 + 500 + 100) * kToken);
}

TEST_CASE("a bucket that fills as fast as the link transmits delays nobody", "[token_bucket]")
{
    Bucket bucket(GENERATE(1e8, 1e9), 1500);
    Time now = 0, free = 0;
    std::vector<Time> due;
    for (std::uint32_t i = 0; i < 10000; ++i) {
        const std::uint32_t length = 40 + i * 7919 % 1461;
        now += sent(i * 104729 % 1300);
        bucket.offer(length, now);
        due.push_back(std::max(now, free));
        free = due.back() + sent(length);
    }
    CHECK(bucket.starts() == due);
}

TEST_CASE("what waits for tokens keeps the bounds of the queue", "[token_bucket]")
{
    SECTION("in bytes")
    {
        Bucket bucket(kRate, kBurst, 30000);
        CHECK(bucket.accepted(100, 0) == 21);  // one is in transmission
        // At 1.08 ms ten have left, at 60 ms five more.
        CHECK(bucket.accepted(100, 59 * kMillisecond) == 13);
    }
    SECTION("in packets")
    {
        Bucket bucket(kRate, kBurst, 1e9, 5);
        CHECK(bucket.accepted(100, 0) == 6);
        CHECK(bucket.accepted(100, sent(1500) + 1) == 1);
        CHECK(bucket.accepted(100, kMillisecond) == 6);  // nobody waits; three of these still find tokens
        CHECK(bucket.accepted(100, 13 * kMillisecond) == 3);
    }
    SECTION("and no packet waits where none has room")
    {
        Bucket bucket(kRate, kBurst, 1);
        for (int i = 0; i < 10; ++i) CHECK(bucket.accepted(2, i * sent(1500)) == 1);
        CHECK(bucket.accepted(2, 10 * sent(1500)) == 0);  // the link is free, the bucket nearly empty
        CHECK(bucket.accepted(2, 12 * kMillisecond) == 1);
    }
}

TEST_CASE("a link's rate that falls below the bucket's and rises again", "[token_bucket][changes]")
{
    using abi::TimelineAttribute;
    LinkOptions link;
    link.rate = 1e8;
    link.queue = 1e9;
    OneLink w(link, Discipline::token_bucket, {1e7, 1500},  // 1.2 ms a packet
              {{"entry", TimelineAttribute::rate, 3e6, 5e6}, {"entry", TimelineAttribute::rate, 12e6, 1e8}});
    for (std::uint32_t i = 0; i < 10; ++i) w.send(i, 0);
    w.simulator.run_until(kSecond);
    REQUIRE(w.tap.begun.size() == 10);
    // At 5 Mbps 2.4 ms each; half of the seventh goes at 100 Mbps, and then it is the bucket's turn again.
    constexpr Time due[] = {0, 1200, 2400, 3600, 6000, 8400, 10800, 12060, 13260, 14460};
    for (std::size_t i = 0; i < 10; ++i) CHECK(w.tap.begun[i].second == due[i] * kMicrosecond);
}

TEST_CASE("a link with a token bucket begins with a full one behind a failure", "[token_bucket][changes]")
{
    using abi::TimelineAttribute;
    LinkOptions link;
    link.rate = 1e8;
    link.queue = 1e9;
    OneLink w(link, Discipline::token_bucket, {kRate, 3000},
              {{"entry", TimelineAttribute::up, 30e6, 0}, {"entry", TimelineAttribute::up, 40e6, 1}});
    for (std::uint32_t i = 0; i < 10; ++i) w.send(i, 0);
    for (std::uint32_t i = 10; i < 13; ++i) w.send(i, 50 * kMillisecond);
    w.simulator.run_until(kSecond);
    // Two at once, then at 12 and 24 ms; others are lost.
    CHECK(w.order() == std::vector<std::uint32_t>{0, 1, 2, 3, 10, 11, 12});
    CHECK(w.simulator.statistics().dropped.link == 6);
    CHECK(test::silent(w.simulator));
}

}  // namespace ANML_UNIT_FILE
