// CUBIC against the formulas of RFC 9438, and HyStart; the records that they are told round trips by.
#include <catch2/catch.hpp>
#include <cmath>

#include "transfers.h"
#include "transport/congestion.h"
#include "transport/law/cubic.h"
#include "transport/recovery/rto.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::tcp;
using law::Cubic;
namespace cubic = law::cubic;

namespace {

constexpr std::uint32_t kSegment = 1448;
constexpr double kC = 0.4, kBeta = 0.7;

// A sender whose window is full, with a round trip of `rtt`.
struct Sending {
    Sending(std::uint32_t segments, Time rtt) : rtt(rtt)
    {
        c.law = static_cast<std::uint8_t>(abi::Congestion::cubic);
        c.law_state = states.allocate();
        c.mss = kSegment;
        c.una = 1;
        c.byte_counting = c.adaptive = c.sack = true;
        congestion::open(sender(), 10);
        c.cwnd = segments * kSegment;
        c.nxt = c.max = c.una + c.cwnd;
        c.srtt = static_cast<std::uint32_t>(8 * rtt / kMicrosecond);
        cubic().least_rtt = static_cast<std::uint32_t>(rtt / kMicrosecond);
    }
    law::Sender sender() { return {c, states, now}; }
    Cubic& cubic() { return states[c.law_state].cubic; }
    void lose()
    {
        congestion::reduce(sender());
        c.cwnd = c.ssthresh;
    }
    // A round trip in which all that is under way is acknowledged, two segments at a time, and the window filled again.
    void round()
    {
        const std::uint32_t acknowledgments = c.cwnd / (2 * kSegment);
        for (std::uint32_t i = 0; i < acknowledgments; ++i) {
            now += rtt / acknowledgments;
            congestion::note_use(c, c.cwnd, true);
            c.una += 2 * kSegment;
            c.max = c.nxt = c.una + c.cwnd - 2 * kSegment;
            congestion::acknowledge(sender(), 2 * kSegment, 2 * kSegment);
        }
    }
    double segments() const { return static_cast<double>(c.cwnd) / kSegment; }

    law::States states;
    Connection c;
    Time now = kSecond, rtt;
};

}  // namespace

TEST_CASE("integer cube roots are exact", "[tcp]")
{
    for (std::uint64_t root : {0ull, 1ull, 2ull, 3ull, 100ull, 1023ull, 1024ull, 65535ull, 2642244ull, 2642245ull}) {
        CHECK(cubic::cube_root(root * root * root) == root);
        if (root > 1) CHECK(cubic::cube_root(root * root * root - 1) == root - 1);
    }
    CHECK(cubic::cube_root(~0ull) == 2642245);
}

TEST_CASE("RFC 9438 4.2: W_cubic is the cube, to a thousandth of a second, less than a segment nearer to W_max",
          "[tcp]")
{
    for (const double most : {20.0, 100.0, 1000.0, 20000.0}) {
        const auto origin = static_cast<std::uint32_t>(most * kSegment);
        const auto reduced = static_cast<std::uint32_t>(kBeta * most * kSegment);
        const std::uint32_t k = cubic::time_to(origin, reduced, kSegment);
        const double exact = std::cbrt(most * (1 - kBeta) / kC);
        CHECK(std::abs(k / 1024.0 - exact) < 0.0015);
        CHECK(std::abs(cubic::window(origin, k, 0, kSegment) / kSegment - kBeta * most) < 0.001 * most + 1);
        for (double t = 0; t < 3 * exact; t += exact / 16) {
            const double expected = kC * std::pow(t - k / 1024.0, 3) + most;
            const double got =
                static_cast<double>(cubic::window(origin, k, std::llround(t * 1e9), kSegment)) / kSegment;
            // The clock has ticks of 1/1024 s: the slope of the curve says what they make.
            const double tick = 3 * kC * std::pow(std::abs(t - k / 1024.0) + 0.001, 2) / 1024;
            const double nearer = expected < most ? got - expected : expected - got;
            CHECK(nearer >= -tick - 0.01);
            CHECK(nearer <= 1 + tick);
        }
    }
    CHECK(cubic::window(1000 * kSegment, 0, 100000 * kSecond, kSegment) > congestion::kUnlimited);  // no overflow
    CHECK(cubic::window(10 * kSegment, 4000, 0, kSegment) == 0);
}

TEST_CASE("after a loss the window follows the curve through the window before it", "[tcp]")
{
    Sending s(1000, 100 * kMillisecond);
    s.c.ssthresh = s.c.cwnd;
    s.lose();
    CHECK(std::abs(s.segments() - 700) < 1);
    s.round();  // the epoch begins with its first acknowledgment
    const Time epoch = s.cubic().epoch;
    const double k = std::cbrt(1000 * 0.3 / kC);
    while (s.now < epoch + 15 * kSecond) {
        s.round();
        const double t = static_cast<double>(s.now - epoch) / 1e9;
        const double curve = kC * std::pow(t - k, 3) + 1000;
        REQUIRE(std::abs(s.segments() - curve) < 0.01 * curve + 3 * kC * (t - k) * (t - k) * 0.1);
    }
    CHECK(s.segments() > 1050);  // beyond K, which is 9.1 s
}

TEST_CASE("a small window climbs as Linux's does", "[tcp]")
{
    // Samples of a Linux 6.18 at 100 ms: tests/live/against_linux.py, each 200th packet lost.
    Sending s(19, 100 * kMillisecond);
    s.c.ssthresh = s.c.cwnd;
    s.lose();
    CHECK(s.c.cwnd == 13 * kSegment);
    const Time begin = s.now;
    for (const auto& [segments, at] : {std::pair{14, 0.04}, {15, 0.14}, {16, 0.26}, {17, 0.40}, {18, 0.66}, {19, 1.03}})
    {
        while (s.c.cwnd < segments * kSegment) s.round();
        CHECK(s.c.cwnd == segments * kSegment);
        CHECK(std::abs(static_cast<double>(s.now - begin) / 1e9 - at) < 0.15);
    }
}

TEST_CASE("RFC 9438 4.3: on short paths the window grows as NewReno's would that leaves seven tenths", "[tcp]")
{
    Sending s(20, 5 * kMillisecond);
    s.c.ssthresh = s.c.cwnd;
    s.lose();
    const double begin = s.segments();
    const int rounds = 40;
    for (int i = 0; i < rounds; ++i) s.round();
    const double friendly = begin + rounds * 3 * (1 - kBeta) / (1 + kBeta);
    CHECK(std::abs(s.segments() - friendly) < 0.1 * friendly);
}

TEST_CASE("RFC 9438 4.7: fast convergence: a second loss below the window of the first makes room", "[tcp]")
{
    Sending s(1000, 100 * kMillisecond);
    s.lose();
    CHECK(s.cubic().most == 1000 * kSegment);
    s.c.cwnd = 800 * kSegment;
    s.lose();
    CHECK(s.cubic().most == 680 * kSegment);  // 800 * (1 + 0.7) / 2
    CHECK(s.c.cwnd == 560 * kSegment);
    s.c.cwnd = 900 * kSegment;
    s.lose();
    CHECK(s.cubic().most == 900 * kSegment);
    s.c.cwnd = 2 * kSegment;
    s.lose();
    CHECK(s.c.cwnd == 2 * kSegment);  // no less
}

TEST_CASE("a time-out leaves a segment, and the curve forgets", "[tcp]")
{
    Sending s(1000, 100 * kMillisecond);
    s.lose();
    congestion::time_out(s.sender(), true);
    CHECK(s.c.cwnd == kSegment);
    CHECK(s.c.ssthresh == static_cast<std::uint32_t>(s.c.mss) * 490);
    CHECK(s.cubic().most == 0);
    CHECK(s.cubic().epoch == kNever);
}

TEST_CASE("before the first loss the window grows by a twentieth in a round trip at least", "[tcp]")
{
    Sending s(1000, 10 * kMillisecond);
    s.c.ssthresh = s.c.cwnd;
    s.round();
    CHECK(std::abs(s.segments() - 1050) < 3);
}

TEST_CASE("HyStart leaves slow start as round trips get longer, or a train fills half of one", "[tcp]")
{
    constexpr std::uint32_t kLeast = 100'000;
    Connection c;
    c.mss = kSegment;
    c.una = 1;
    c.cwnd = 100 * kSegment;
    c.srtt = 8 * kLeast;
    c.max = c.una + c.cwnd;
    law::HyStart hystart;
    std::uint32_t now = 1'000'000;
    hystart.begin_round(c.max, now);
    SECTION("delay: by an eighth, once eight round trips were seen")
    {
        for (int i = 0; i < 20; ++i) CHECK_FALSE(hystart.leave(c, kLeast + 12'000, kLeast, now += 3000));
        c.una = c.max + 1;
        c.max += c.cwnd;
        for (int i = 0; i < 8; ++i) CHECK_FALSE(hystart.leave(c, kLeast + 13'000, kLeast, now += 3000));
        CHECK(hystart.leave(c, kLeast + 13'000, kLeast, now += 3000));
        CHECK_FALSE(hystart.leave(c, kLeast + 13'000, kLeast, now += 3000));  // once
    }
    SECTION("a train of acknowledgments no more than 2 ms apart, of half a round trip")
    {
        int count = 0;
        while (!hystart.leave(c, kLeast, kLeast, now += 1000)) REQUIRE(++count < 100);
        CHECK(count == 50);  // and half of the millisecond that offloading may hold back
    }
    SECTION("no train where one is late")
    {
        for (int i = 0; i < 100; ++i) CHECK_FALSE(hystart.leave(c, kLeast, kLeast, now += i == 10 ? 2001 : 1000));
    }
    SECTION("not with less than sixteen segments")
    {
        c.cwnd = 15 * kSegment;
        for (int i = 0; i < 100; ++i) CHECK_FALSE(hystart.leave(c, kLeast + 13'000, kLeast, now += 1000));
    }
}

TEST_CASE("an acknowledgment tells the round trip of its last segment, where all were sent once", "[tcp]")
{
    law::SentRecords sent;
    const std::uint32_t base = 0xfffffff0;  // they wrap
    for (std::uint32_t i = 1; i <= 1000; ++i) sent.sent(base + 10 * i, i);
    CHECK_FALSE(sent.acknowledged(base + 5));
    CHECK(sent.acknowledged(base + 10) == 1);
    CHECK(sent.acknowledged(base + 35) == 3);
    sent.sent_again(base + 50, base + 60);
    CHECK(sent.acknowledged(base + 50) == 5);
    CHECK_FALSE(sent.acknowledged(base + 70));  // one of the two was sent twice
    CHECK(sent.acknowledged(base + 80) == 8);
    CHECK(sent.size() == 992);
    CHECK(sent.acknowledged(base + 9000) == 900);
    sent.sent(base + 10010, 1001);
    sent.sent_again(base + 9000, base + 10010);
    CHECK_FALSE(sent.acknowledged(base + 10010));
    CHECK(sent.size() == 0);
}

TEST_CASE("a connection keeps what its law asks for as long as it lives", "[tcp]")
{
    test::Chain chain;
    chain.documents = {1 << 20};
    chain.client_tcp = chain.server_tcp = test::linux_tcp();
    const Time newreno = test::Transaction(chain).time();
    chain.server_tcp.congestion = abi::Congestion::cubic;
    const Time cubic = test::Transaction(chain).time();  // which checks that nothing is left
    CHECK(cubic < 2 * newreno);
}

TEST_CASE("RFC 9438 4.3: the Reno-friendly window is as large in smaller segments", "[tcp]")
{
    Sending sending(100, 100 * kMillisecond);
    sending.lose();
    sending.round();
    const std::uint32_t before = sending.cubic().friendly;
    REQUIRE(before >= 70);
    sending.c.mss = kSegment / 2;
    law::resized(sending.sender(), kSegment);
    CHECK(sending.cubic().friendly == 2 * before);
}

}  // namespace ANML_UNIT_FILE
