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

struct Bucket {
    explicit Bucket(double rate = kRate, double burst = kBurst)
        : parameters(token_bucket::parameters_of(FieldReader(std::vector<double>{rate, burst})))
    {
        line.rate = 1e8;  // 80 ns for a byte
        line.capacity = LinkState::kUnbounded;
        line.mtu = 1500;
    }
    droptail::Admission offer(std::uint32_t length, Time now)
    {
        packet.length = static_cast<std::uint16_t>(length);
        Arrival arrival{line, starts, packet, now, LinkDraws(1, 7, draws), marked};
        return token_bucket::admit(state, parameters, arrival);
    }
    int accepted(int packets, Time now)
    {
        int count = 0;
        for (int i = 0; i < packets; ++i) count += offer(1500, now).accepted;
        return count;
    }

    token_bucket::Parameters parameters;
    token_bucket::State state;
    LinkState line;
    StartTimes starts;
    Packet packet;
    std::uint64_t draws = 0, marked = 0;
};

Time sent(std::uint32_t bytes) { return Time{bytes} * 80; }

}  // namespace

TEST_CASE("a token bucket reads its parameters in the order of its list", "[token_bucket]")
{
    const Bucket bucket(2e6, 3000);
    CHECK(bucket.parameters.rate == 2e6);
    CHECK(bucket.parameters.burst == 3000);
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
    for (int i = 0; i < 20; ++i) {
        // Packet n leaves with tokens for 1500 (n + 1) bytes: 3000 and 6.25 for each us.
        const Time due = std::max(i * sent(1500), (1500 * (i + 1) - 3000) * Time{160});
        CHECK(bucket.offer(1500, 0).start == due);
    }
}

TEST_CASE("a bucket fills while nobody comes, and not above its burst", "[token_bucket]")
{
    Bucket bucket;
    REQUIRE(bucket.accepted(10, 0) == 10);
    // At 12 ms there are tokens for a packet, those that came while others left among them.
    CHECK(bucket.offer(1500, 13 * kMillisecond).start == 13 * kMillisecond);
    CHECK(bucket.offer(1500, 13 * kMillisecond).start == 24 * kMillisecond);
    const Time later = 100 * kSecond;
    for (int i = 0; i < 10; ++i) CHECK(bucket.offer(1500, later).start == later + i * sent(1500));
    CHECK(bucket.offer(1500, later).start == later + 1500 * kToken);
}

TEST_CASE("the sustained rate of packets of all lengths is the bucket's", "[token_bucket]")
{
    Bucket bucket(3e6 / 7);  // no whole number of nanoseconds
    double bytes = 0;
    Time last = 0;
    for (std::uint32_t i = 0; i < 100000; ++i) {
        const std::uint32_t length = 40 + i * 7919 % 1461;
        const droptail::Admission admission = bucket.offer(length, 0);
        bytes += length;
        REQUIRE(admission.accepted);
        REQUIRE(admission.start >= last);
        last = admission.departure;
        // No departure takes tokens that have not come; half a nanosecond is rounding.
        REQUIRE(bytes <= kBurst + (static_cast<double>(admission.start) + 1) * bucket.parameters.rate / 8e9);
    }
    CHECK(static_cast<double>(bucket.state.at) ==
          Approx((bytes - kBurst) * 8e9 / bucket.parameters.rate).epsilon(1e-9));
}

TEST_CASE("a packet larger than the burst waits for a full bucket, and the rate is kept", "[token_bucket]")
{
    Bucket bucket(kRate, 1000);
    for (int i = 0; i < 5; ++i) CHECK(bucket.offer(1500, 0).start == i * 1500 * kToken);
    CHECK(bucket.offer(100, 0).start == (4 * 1500 + 500 + 100) * kToken);
}

TEST_CASE("a bucket that fills as fast as the link transmits changes nothing", "[token_bucket]")
{
    const double rate = GENERATE(1e8, 1e9);
    const bool bytes = GENERATE(true, false);
    Bucket bucket(rate, 1500), plain;
    for (Bucket* queue : {&bucket, &plain}) {
        if (bytes)
            queue->line.capacity = 20000;
        else
            queue->line.packet_limit = 10;
    }
    Time now = 0;
    for (std::uint32_t i = 0; i < 10000; ++i) {
        const std::uint32_t length = 40 + i * 7919 % 1461;
        now += sent(i * 104729 % 1300);
        const droptail::Admission got = bucket.offer(length, now),
                                  expected = droptail::admit(plain.line, plain.starts, length, now);
        REQUIRE(got.accepted == expected.accepted);
        REQUIRE(got.start == expected.start);
        REQUIRE(got.departure == expected.departure);
    }
}

TEST_CASE("what waits for tokens keeps the bounds of the queue", "[token_bucket]")
{
    Bucket bucket;
    SECTION("in bytes")
    {
        bucket.line.capacity = 30000;
        CHECK(bucket.accepted(100, 0) == 20);
        // Ten wait for tokens: 120 ms, at the end of which the last one leaves.
        CHECK(bucket.state.at == 10 * 1500 * kToken);
        // Five of them have left.
        CHECK(bucket.accepted(100, 60 * kMillisecond) == 15);
    }
    SECTION("in packets")
    {
        bucket.line.packet_limit = 5;
        CHECK(bucket.accepted(100, 0) == 6);  // one is in transmission
        CHECK(bucket.accepted(100, sent(1500)) == 1);
        CHECK(bucket.accepted(100, kMillisecond) == 6);  // nobody waits; three of these still find tokens
        CHECK(bucket.state.at == 3 * 1500 * kToken);
        CHECK(bucket.accepted(100, 12 * kMillisecond) == 3);  // of the five all but two have begun
    }
    SECTION("and no packet waits where none has room")
    {
        bucket.line.capacity = 1;
        for (int i = 0; i < 10; ++i) CHECK(bucket.accepted(2, i * sent(1500)) == 1);
        CHECK(bucket.accepted(2, 10 * sent(1500)) == 0);  // the link is free, the bucket nearly empty
        CHECK(bucket.accepted(2, 12 * kMillisecond) == 1);
    }
}

TEST_CASE("a bucket that fills for centuries lets nothing wait so long", "[token_bucket]")
{
    Bucket bucket(1, 1500);
    CHECK(bucket.accepted(1000000, 0) < 80000);  // 12000 s each
    CHECK(bucket.state.at < kNever / 4);
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
