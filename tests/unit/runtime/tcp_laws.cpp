// Vegas and Scalable TCP against the rules of their papers; the delivery rate and the windowed maximum that BBR has.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <random>
#include <vector>

#include "transfers.h"
#include "transport/congestion.h"
#include "transport/law/bbr.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::tcp;

namespace {

constexpr std::uint32_t kSize = 1000;

// A sender in congestion avoidance whose window is full.
struct FullSender {
    FullSender(abi::Congestion law, std::uint32_t segments)
    {
        c.law = static_cast<std::uint8_t>(law) & 7;
        c.law_state = states.allocate();
        c.mss = kSize;
        c.una = 1;
        c.byte_counting = c.adaptive = c.sack = true;
        congestion::open(sender(), 10);
        c.cwnd = c.ssthresh = segments * kSize;
        c.nxt = c.max = c.una + c.cwnd;
    }
    law::Sender sender() { return {c, states, now}; }
    // A segment is acknowledged, and another one sent.
    void acknowledge(std::uint32_t rtt)
    {
        congestion::note_use(c, c.max - c.una, true);
        c.una += kSize;
        if (law::records(c)) law::acknowledged(sender(), rtt);
        congestion::acknowledge(sender(), kSize, kSize);
        c.max = c.nxt = c.una + c.cwnd;
    }
    // What is under way as it begins is acknowledged.
    void round(std::uint32_t rtt)
    {
        for (const std::uint32_t end = c.max; before(c.una, end);) acknowledge(rtt);
    }
    double segments() const { return static_cast<double>(c.cwnd) / kSize; }

    law::States states;
    Connection c;
    Time now = kSecond;
};

}  // namespace

TEST_CASE("Scalable TCP's window grows by a hundredth in a round trip, and a loss leaves seven eighths", "[tcp][laws]")
{
    FullSender large(abi::Congestion::scalable, 1000);
    for (int i = 0; i < 50; ++i) large.round(0);
    CHECK(std::abs(large.segments() / (1000 * std::pow(1.01, 50)) - 1) < 0.01);
    const double before = large.segments();
    congestion::reduce(large.sender());
    CHECK(std::abs(large.c.ssthresh / (before * kSize * 7 / 8) - 1) < 1e-5);

    FullSender small(abi::Congestion::scalable, 20);
    for (int i = 0; i < 10; ++i) small.round(0);
    CHECK(std::abs(small.segments() - 30) < 0.5);  // as NewReno
}

TEST_CASE("a time-out behind a lost retransmission halves the window, not all that has left meanwhile", "[tcp][laws]")
{
    for (const abi::Congestion law : {abi::Congestion::newreno, abi::Congestion::cubic, abi::Congestion::scalable}) {
        FullSender s(law, 40);
        s.c.adaptive = false;
        congestion::reduce(s.sender());
        s.c.recovering = true;
        s.c.cwnd = s.c.ssthresh;
        s.c.nxt = s.c.max = s.c.una + 700 * kSize;  // a second of new segments, which have arrived
        congestion::time_out(s.sender(), true);
        CHECK(s.c.ssthresh < 40 * kSize);
        CHECK(s.c.ssthresh >= 10 * kSize);
    }
}

TEST_CASE("Vegas holds between two and four segments in queues", "[tcp][laws]")
{
    // A path that holds forty segments in 40 ms; others wait.
    constexpr std::uint32_t kBase = 40'000, kHolds = 40;
    for (const std::uint32_t begin : {10u, 42u, 80u}) {
        FullSender s(abi::Congestion::vegas, begin);
        s.round(kBase);
        for (int i = 0; i < 200; ++i)
            s.round(std::max(kBase, static_cast<std::uint32_t>(s.segments() * kBase / kHolds)));
        CHECK(s.segments() >= kHolds + 2);
        CHECK(s.segments() <= kHolds + 5);
    }
    // A segment in a round trip, up and down.
    FullSender up(abi::Congestion::vegas, 20);
    for (int i = 0; i < 3; ++i) up.round(kBase);
    const double after_one = up.segments();
    up.round(kBase);
    CHECK(std::abs(up.segments() - after_one - 1) < 1e-9);
    FullSender down(abi::Congestion::vegas, 60);
    down.round(kBase);
    for (int i = 0; i < 3; ++i) down.round(kBase * 60 / kHolds);
    const double high = down.segments();
    down.round(kBase * 60 / kHolds);
    CHECK(std::abs(down.segments() - high + 1) < 1e-9);
}

TEST_CASE("Vegas leaves slow start when a segment waits", "[tcp][laws]")
{
    FullSender s(abi::Congestion::vegas, 10);
    s.c.ssthresh = congestion::kUnlimited;
    for (int i = 0; i < 20; ++i) s.round(std::max(40'000u, static_cast<std::uint32_t>(s.segments() * 1000)));
    CHECK(s.segments() < 80);  // of forty that the path holds, which a round trip may double before it is noticed
    CHECK(s.c.ssthresh < congestion::kUnlimited);
}

TEST_CASE("the windowed maximum is at least what is newest, and forgets what is too old", "[tcp][laws]")
{
    std::mt19937 random(3);
    law::WindowedMax estimate;
    constexpr std::uint32_t kWindow = 10;
    std::deque<double> last;
    double worst = 1;
    for (std::uint32_t round = 1; round <= 10'000; ++round) {
        const double value = 1 + static_cast<double>(random() % 1000);
        estimate.add(value, round, kWindow);
        last.push_back(value);
        if (last.size() > kWindow + 1) last.pop_front();
        const double exact = *std::max_element(last.begin(), last.end());
        CHECK(estimate.value() >= value);
        CHECK(estimate.value() <= exact);
        worst = std::min(worst, estimate.value() / exact);
    }
    CHECK(worst > 0.5);  // three values stand for all
    law::WindowedMax steady;
    for (std::uint32_t round = 0; round < 100; ++round) steady.add(round == 20 ? 9 : 5, round, kWindow);
    CHECK(steady.value() == 5);
}

TEST_CASE("the delivery rate is that of the slower one of sending and acknowledging", "[tcp][laws]")
{
    // A window of twenty segments is sent each 100 us, arrives each `spacing`, and is acknowledged 10 ms later.
    for (const Time spacing : {50 * kMicrosecond, 100 * kMicrosecond, 400 * kMicrosecond}) {
        law::Delivery delivery;
        constexpr Time kGap = 100 * kMicrosecond;
        std::vector<Time> acknowledged;
        double rate = 0;
        for (std::uint32_t i = 0; i < 400; ++i) {
            const Time at = Time{i} * std::max(kGap, spacing);
            while (!acknowledged.empty() && acknowledged.front() <= at) {
                const Time now = acknowledged.front();
                acknowledged.erase(acknowledged.begin());
                delivery.acknowledged(static_cast<std::uint32_t>(delivery.delivered()) + kSize, now);
                const law::RateSample sample = delivery.finish(kMicrosecond, now);
                CHECK(sample.rtt > 0);
                CHECK(sample.arrived == kSize);
                if (sample.interval > 0 && i > 200)
                    rate = static_cast<double>(sample.delivered) * 1e9 / static_cast<double>(sample.interval);
            }
            delivery.sent(i * kSize, (i + 1) * kSize, i * kSize, i == 0, at);
            acknowledged.push_back(
                std::max(at + 10 * kMillisecond, acknowledged.empty() ? 0 : acknowledged.back() + spacing));
        }
        CHECK(std::abs(rate * static_cast<double>(std::max(kGap, spacing)) / 1e9 / kSize - 1) < 0.02);
    }
}

TEST_CASE("what arrives out of order counts once, and a repeated segment tells no round trip", "[tcp][laws]")
{
    law::Delivery delivery;
    for (std::uint32_t i = 0; i < 10; ++i)
        delivery.sent(i * kSize, (i + 1) * kSize, i * kSize, i == 0, Time{i} * kMillisecond);
    delivery.arrived(4 * kSize, 6 * kSize, 2 * kSize, 50 * kMillisecond);
    law::RateSample sample = delivery.finish(0, 50 * kMillisecond);
    CHECK(sample.arrived == 2 * kSize);
    CHECK(sample.rtt == 45 * kMillisecond);  // of the one that was sent last
    delivery.arrived(4 * kSize, 8 * kSize, 2 * kSize, 51 * kMillisecond);
    CHECK(delivery.finish(0, 51 * kMillisecond).arrived == 2 * kSize);
    delivery.sent_again(0, kSize, 9 * kSize, 60 * kMillisecond);
    delivery.acknowledged(kSize, 100 * kMillisecond);
    sample = delivery.finish(0, 100 * kMillisecond);
    CHECK(sample.rtt == law::RateSample::kNone);
    delivery.acknowledged(8 * kSize, 101 * kMillisecond);
    CHECK(delivery.finish(0, 101 * kMillisecond).arrived == 3 * kSize);
    CHECK(delivery.delivered() == 8 * kSize);
}

TEST_CASE("of each lost segment is told what was under way as it was sent, and how much was lost since", "[tcp][laws]")
{
    law::Delivery delivery;
    for (std::uint32_t i = 0; i < 20; ++i)
        delivery.sent(i * kSize, (i + 1) * kSize, i * kSize, i == 0, Time{i} * kMillisecond);
    delivery.arrived(5 * kSize, 8 * kSize, 3 * kSize, 50 * kMillisecond);
    std::vector<law::LostSegment> told;
    const auto tell = [&](const law::LostSegment& segment) { told.push_back(segment); };
    delivery.lost(3 * kSize, 10 * kSize, tell);  // 3, 4, 8 and 9
    REQUIRE(told.size() == 4);
    CHECK(told[0].flight == 4 * kSize);
    CHECK(told[2].flight == 9 * kSize);
    for (std::uint32_t i = 0; i < 4; ++i) {
        CHECK(told[i].size == kSize);
        CHECK(told[i].lost_since == (i + 1) * kSize);
        CHECK_FALSE(told[i].limited);
    }
    law::RateSample sample = delivery.finish(0, 50 * kMillisecond);
    CHECK(sample.lost == 4 * kSize);
    CHECK(sample.flight_then == 8 * kSize);
    CHECK(sample.lost_since == 4 * kSize);
    // Sent again, a segment has nothing lost behind it.
    delivery.sent_again(3 * kSize, 4 * kSize, 12 * kSize, 60 * kMillisecond);
    delivery.arrived(3 * kSize, 4 * kSize, kSize, 70 * kMillisecond);
    sample = delivery.finish(0, 70 * kMillisecond);
    CHECK(sample.flight_then == 13 * kSize);
    CHECK(sample.lost_since == 0);
    CHECK(sample.lost == 0);
}

}  // namespace ANML_UNIT_FILE
