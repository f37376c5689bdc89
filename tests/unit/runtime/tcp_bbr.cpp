// BBR by itself, fed with what acknowledgments tell of a path: its gains, phases and bounds are those of
// draft-cardwell-iccrg-bbr-congestion-control-00 and of Linux (version 1), and of draft-ietf-ccwg-bbr and of Google's
// kernels (version 3).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <set>
#include <vector>

#include "transport/law/bbr.h"
#include "transport/law/bbr3.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::tcp;
using law::Bbr;
using law::Bbr3;

namespace {

constexpr std::uint32_t kSize = 1000;

void begin(Bbr& law, const law::bbr::Path& path) { law::bbr::opened(law, path); }
void begin(Bbr3& law, const law::bbr::Path& path) { law::bbr3::opened(law, path); }
void tell(Bbr& law, const law::bbr::Path& path, const law::RateSample& sample, std::uint32_t flight)
{
    law::bbr::control(law, path, sample, flight, Bbr::Loss::none);
}
void tell(Bbr3& law, const law::bbr::Path& path, const law::RateSample& sample, std::uint32_t flight)
{
    law::bbr3::control(law, path, sample, flight, Bbr::Loss::none);
}

// A sender that hears of arrivals four times in a round trip.
template <class Law>
struct Sender {
    explicit Sender(double path_rate, Time round_trip, std::uint16_t port = 1) : rate(path_rate), rtt(round_trip)
    {
        c.mss = kSize;
        c.cwnd = 10 * kSize;
        c.local_port = port;
        begin(law, path());
    }
    law::bbr::Path path() { return {c, pacing, delivery, now}; }
    double product() const { return rate * static_cast<double>(rtt) / 1e9; }

    void acknowledge(double flight, double lost_share = 0)
    {
        const auto bytes = static_cast<std::uint32_t>(product() / 4);
        now += rtt / 4;
        delivery.sent(sequence, sequence + bytes, 0, false, now);
        sequence += bytes;
        delivery.acknowledged(sequence, now);
        delivery.finish(kNever, now);
        before.push_back(delivery.delivered() - bytes);
        if (before.size() > 4) before.pop_front();
        law::RateSample sample;
        sample.told = true;
        sample.prior_delivered = before.front();
        sample.delivered = static_cast<std::uint64_t>(product());
        sample.interval = sample.rtt = rtt;
        sample.arrived = bytes;
        sample.flight_before = sample.flight_then = static_cast<std::uint32_t>(flight);
        sample.lost_since = static_cast<std::uint64_t>(flight * lost_share);
        tell(law, path(), sample, static_cast<std::uint32_t>(flight));
    }
    // Until it is in that phase; how long that took.
    Time until(typename Law::Mode mode, double flight)
    {
        const Time begin = now;
        for (int i = 0; i < 10'000 && law.mode != mode; ++i) acknowledge(flight);
        REQUIRE(law.mode == mode);
        return now - begin;
    }
    // What it paces at, as a share of the bandwidth.
    double paced() const { return pacing.rate / rate; }

    Connection c;
    law::Pacing pacing;
    law::Delivery delivery;
    Law law;
    double rate;
    Time rtt, now = kSecond;
    std::uint32_t sequence = 0;
    std::deque<std::uint64_t> before;
};

// Rounds that start-up takes on a path whose rate is `growth` times as much from the second round on.
template <class Law>
int rounds_of_startup(double growth)
{
    Sender<Law> s(1e7, 40 * kMillisecond);
    int rounds = 0;
    for (int i = 0; i < 100 && s.law.mode == Law::Mode::startup; ++i) {
        if (i == 4) s.rate *= growth;
        s.acknowledge(2 * s.product());
        rounds += s.law.round_start;
    }
    return rounds;
}

Sender<Bbr> probing(double rate, Time rtt, std::uint16_t port = 1)
{
    Sender<Bbr> s(rate, rtt, port);
    s.until(Bbr::Mode::drain, 2 * s.product());
    s.until(Bbr::Mode::probe_bandwidth, s.product());
    return s;
}

}  // namespace

TEST_CASE("BBR's start-up paces at 2 / ln 2 and ends behind three rounds that bring less than a quarter", "[tcp][bbr]")
{
    Sender<Bbr> s(1e8, 40 * kMillisecond);
    s.acknowledge(s.product());
    CHECK(s.law.pacing_gain == Approx(2 / std::log(2)).epsilon(1e-3));
    CHECK(s.paced() == Approx(0.99 * 2 / std::log(2)).epsilon(1e-3));
    CHECK(rounds_of_startup<Bbr>(1) == 4);
    CHECK(rounds_of_startup<Bbr>(1.2) == 4);
    CHECK(rounds_of_startup<Bbr>(1.3) == 5);
    s.until(Bbr::Mode::drain, 2 * s.product());
    CHECK(s.law.pacing_gain == Approx(std::log(2) / 2).epsilon(1e-3));
    CHECK(s.paced() == Approx(0.99 * std::log(2) / 2).epsilon(1e-3));
    s.acknowledge(1.5 * s.product());
    CHECK(s.law.mode == Bbr::Mode::drain);  // until no more is under way than the path holds
}

TEST_CASE("BBR probes in a cycle of eight phases of a round trip, with two products under way", "[tcp][bbr]")
{
    constexpr Time kRtt = 40 * kMillisecond;
    Sender<Bbr> s = probing(1e8, kRtt);
    std::vector<double> gains;
    std::vector<Time> lengths;
    Time begin = s.now;
    for (int i = 0; i < 200; ++i) {
        const std::uint8_t phase = s.law.phase;
        s.acknowledge(2 * s.product());
        CHECK(s.paced() == Approx(0.99 * s.law.pacing_gain));
        if (s.law.phase == phase) continue;
        if (phase == 7 || !gains.empty()) {
            gains.push_back(s.law.pacing_gain);
            lengths.push_back(s.now - begin);
        }
        begin = s.now;
    }
    REQUIRE(gains.size() > 20);
    constexpr double kCycle[] = {1.25, 0.75, 1, 1, 1, 1, 1, 1};
    for (std::size_t i = 0; i < gains.size(); ++i) CHECK(gains[i] == kCycle[i % 8]);
    for (const Time length : lengths) {
        CHECK(length > kRtt);
        CHECK(length <= kRtt + kRtt / 4);  // as far apart as acknowledgments are
    }
    // And what an acknowledgment brings, and three of the largest bursts, of 44 segments here, in an even number.
    CHECK(s.c.cwnd >= 2.25 * s.product());
    CHECK(s.c.cwnd <= 2.25 * s.product() + (3 * 44 + 3) * kSize);
}

TEST_CASE("BBR's cycle begins with any phase but the one that drains", "[tcp][bbr]")
{
    std::set<int> phases;
    for (std::uint16_t port = 1; port <= 200; ++port) phases.insert(probing(1e7, 40 * kMillisecond, port).law.phase);
    CHECK(phases == std::set<int>{0, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("BBR's bandwidth is the largest of ten rounds", "[tcp][bbr]")
{
    Sender<Bbr> s = probing(1e7, 40 * kMillisecond);
    s.rate = 5e6;
    int rounds = 0;
    for (; rounds < 40 && s.law.bandwidth.value() > 6e6; rounds += s.law.round_start) s.acknowledge(s.product());
    CHECK(rounds >= 10);
    CHECK(rounds <= 11);
    CHECK(s.law.bandwidth.value() == Approx(5e6));
}

TEST_CASE("BBR looks for the least round trip behind ten seconds, for 200 ms with four segments", "[tcp][bbr]")
{
    constexpr Time kRtt = 40 * kMillisecond;
    Sender<Bbr> s = probing(1e7, kRtt);
    s.rtt = kRtt + kMillisecond;  // no round trip is as short as the first ones
    const Time least_at = s.law.least_rtt_at;
    s.until(Bbr::Mode::probe_rtt, s.product());
    CHECK(s.now - least_at > 10 * kSecond);
    CHECK(s.now - least_at <= 10 * kSecond + s.rtt);
    CHECK(s.c.cwnd == 4 * kSize);
    CHECK(s.law.pacing_gain == 1);
    s.acknowledge(4 * kSize);  // from now on
    const Time took = s.until(Bbr::Mode::probe_bandwidth, 4 * kSize);
    CHECK(took > 200 * kMillisecond);
    CHECK(took <= 200 * kMillisecond + s.rtt / 2);
    CHECK(s.c.cwnd > s.product());  // as before
}

namespace {

constexpr double kFast = 1e8;  // so that bursts are little beside what the path holds

Sender<Bbr3> cruising(Time rtt)
{
    Sender<Bbr3> s(kFast, rtt);
    s.until(Bbr3::Mode::drain, 2 * s.product());
    s.until(Bbr3::Mode::cruise, s.product());
    return s;
}

}  // namespace

TEST_CASE("BBR's version 3 paces at 4 ln 2 in start-up, then at 1, 1, 1.25 and 0.91 of the bandwidth", "[tcp][bbr]")
{
    Sender<Bbr3> s(kFast, 100 * kMillisecond);
    s.acknowledge(s.product());
    CHECK(s.paced() == Approx(0.99 * 4 * std::log(2)).epsilon(1e-3));
    CHECK(rounds_of_startup<Bbr3>(1.2) == 4);
    CHECK(rounds_of_startup<Bbr3>(1.3) == 5);
    s.until(Bbr3::Mode::drain, 2 * s.product());
    CHECK(s.paced() == Approx(0.99 * std::log(2) / 2).epsilon(1e-3));
    s.until(Bbr3::Mode::cruise, s.product());
    CHECK(s.paced() == Approx(0.99));
    CHECK(s.c.cwnd == Approx((2 + 0.25) * s.product()).epsilon(0.02));  // with what an acknowledgment brings
    s.until(Bbr3::Mode::refill, s.product());
    CHECK(s.paced() == Approx(0.99));
    s.until(Bbr3::Mode::up, s.product());
    CHECK(s.paced() == Approx(0.99 * 1.25));
    double most = 0;
    for (; s.law.mode == Bbr3::Mode::up; s.acknowledge(s.product())) most = std::max<double>(most, s.c.cwnd);
    CHECK(most == Approx((2.25 + 0.25) * s.product()).epsilon(0.02));
    CHECK(s.law.mode == Bbr3::Mode::down);
    CHECK(s.paced() == Approx(0.99 * 0.91));
}

TEST_CASE("BBR's version 3 probes behind two to three seconds, or as many rounds as Reno would take, 63 at most",
          "[tcp][bbr]")
{
    // Of longer round trips 63 take more than three seconds.
    for (const Time rtt : {20 * kMillisecond, 100 * kMillisecond}) {
        Sender<Bbr3> s = cruising(rtt);
        std::vector<Time> waits;
        while (waits.size() < 12) {
            while (s.law.mode != Bbr3::Mode::down && s.law.mode != Bbr3::Mode::cruise) s.acknowledge(0.4 * s.product());
            const Time begin = s.law.phase_began;
            while (s.law.mode == Bbr3::Mode::down || s.law.mode == Bbr3::Mode::cruise) s.acknowledge(0.4 * s.product());
            if (s.law.mode == Bbr3::Mode::refill) waits.push_back(s.now - begin);
        }
        const auto [least, most] = std::minmax_element(waits.begin(), waits.end());
        const bool by_rounds = 63 * rtt < 2 * kSecond;
        CHECK(*least >= (by_rounds ? 61 * rtt : 2 * kSecond));
        CHECK(*most <= (by_rounds ? 64 * rtt : 3 * kSecond + rtt));
        CHECK(*most > *least);  // so that flows do not probe together
    }
}

TEST_CASE("BBR's version 3 takes 2 % lost in a probe for too much, and leaves others 15 % of what it then holds",
          "[tcp][bbr]")
{
    for (const double share : {0.019, 0.021}) {
        Sender<Bbr3> s = cruising(100 * kMillisecond);
        s.until(Bbr3::Mode::up, s.product());
        const double flight = 1.2 * s.product();
        s.acknowledge(flight, share);
        CHECK((s.law.mode == Bbr3::Mode::down) == (share > 0.02));
        if (share < 0.02) continue;
        CHECK(s.law.long_flight == Approx(flight));
        s.until(Bbr3::Mode::cruise, 0.9 * s.product());
        s.acknowledge(0.9 * s.product());
        CHECK(s.c.cwnd == Approx(0.85 * flight));
    }
    // Of next to nothing seven tenths of what the path holds are left.
    Sender<Bbr3> s = cruising(100 * kMillisecond);
    s.until(Bbr3::Mode::up, s.product());
    s.acknowledge(0.1 * s.product(), 0.5);
    CHECK(s.law.long_flight == Approx(0.7 * s.product()).epsilon(0.02));
}

TEST_CASE("BBR's version 3 looks for the least round trip every five seconds, with half of what the path holds",
          "[tcp][bbr]")
{
    Sender<Bbr3> s = cruising(40 * kMillisecond);
    s.rtt += kMillisecond;
    const Time least_at = s.law.recent_rtt_at;
    s.until(Bbr3::Mode::probe_rtt, s.product());
    CHECK(s.now - least_at > 5 * kSecond);
    CHECK(s.now - least_at <= 5 * kSecond + s.rtt);
    CHECK(s.c.cwnd == Approx(0.5 * s.product()).epsilon(0.03));
    s.acknowledge(0.4 * s.product());
    const Time took = s.until(Bbr3::Mode::cruise, 0.4 * s.product());
    CHECK(took > 200 * kMillisecond);
    CHECK(took <= 200 * kMillisecond + s.rtt / 2);
}

}  // namespace ANML_UNIT_FILE
