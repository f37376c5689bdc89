// Fluid on links: the queue that it shares with packets and the rates that it comes to, against closed forms.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "kernel/random.h"
#include "net/fluid/counts.h"
#include "net/fluid/link.h"
#include "net/fluid/solve.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::fluid;

namespace {

constexpr Window kAll{0, kNever};
constexpr double kRate = 8e9;  // a byte per ns

FluidLink a_link(std::uint32_t capacity, double inflow)
{
    FluidLink link;
    link.line.rate = kRate;
    link.line.capacity = capacity;
    link.line.mtu = 1500;
    link.inflow = inflow;
    return link;
}

droptail::Admission offer(FluidLink& link, Time now, std::uint32_t length = 1000)
{
    advance(link, now, kAll);
    return admit(link, length, LinkDraws(1, 7, link.draws), true);
}

double carried(const FluidLink& link) { return link.offered - link.lost; }

}  // namespace

TEST_CASE("fluid below the rate keeps nobody waiting", "[fluid]")
{
    FluidLink link = a_link(100000, 0.9);
    const droptail::Admission packet = offer(link, 1000000);
    CHECK(packet.start == 1000000);
    CHECK(packet.departure == 1001000);
    CHECK(link.offered == Approx(900000));
    CHECK(link.lost == 0);
}

TEST_CASE("behind a packet the fluid waits, and what comes behind that waits for both", "[fluid]")
{
    FluidLink link = a_link(100000, 0.75);
    CHECK(offer(link, 0).departure == 1000);
    // After 400 ns 600 ns of the packet are left, and 300 bytes have come: W = 1000 - 0.25 * 400.
    CHECK(offer(link, 400).start == 400 + 900);
    // W = 1900 at 400 falls by a quarter: nothing waits after 7600 ns.
    CHECK(offer(link, 8001).start == 8001);
}

TEST_CASE("fluid above the rate fills the queue and then is lost", "[fluid]")
{
    FluidLink link = a_link(10000, 1.25);
    advance(link, 20000, kAll);
    CHECK(work(link) == Approx(5000));
    CHECK(link.lost == 0);
    advance(link, 100000, kAll);  // full at 40000, then a quarter of a byte per ns is lost
    CHECK(work(link) == Approx(10000));
    CHECK(link.lost == Approx(15000));
    CHECK(link.offered == Approx(125000));
    // What was carried is what left and what waits.
    CHECK(carried(link) == Approx(100000 + 10000));
    set_inflow(link, 0);
    advance(link, 105000, kAll);
    CHECK(work(link) == Approx(5000));
    CHECK(link.busy == Approx(105000));
}

TEST_CASE("fractions of a nanosecond of work add up", "[fluid]")
{
    FluidLink link = a_link(1000000, 1.0003);
    for (Time now = 0; now <= 1000000; now += 7) advance(link, now, kAll);
    CHECK(work(link) == Approx(0.0003 * link.at).epsilon(1e-6));
}

TEST_CASE("only the measured window counts", "[fluid]")
{
    FluidLink link = a_link(1000, 2);
    const Window window{5000, 7000};
    advance(link, 3000, window);
    advance(link, 20000, window);
    CHECK(link.offered == Approx(4000));
    CHECK(link.lost == Approx(2000));
}

TEST_CASE("a full link loses of packets and fluid the same share", "[fluid]")
{
    // Bytes per ns; 1 leaves. Fluid that would leave by itself finds the queue full only behind a packet.
    const auto [fluid, packets] = GENERATE(table<double, double>({{1.2, 0.3}, {0.6, 0.5}, {0.9, 0.2}, {0.01, 1.2}}));
    CAPTURE(fluid, packets);
    FluidLink link = a_link(50000, fluid);
    std::uint64_t sent = 0, lost = 0;
    Time last = 0, now = 0;
    constexpr Time kLong = 2000 * kMillisecond, kBegin = 1000 * kMillisecond;  // the measured rate has settled
    const Window window{kBegin, kLong};
    Draws gaps(1, 0, Purpose::fluid, 0, 0);
    for (; now < kLong; now += std::llround(-std::log(1 - gaps.unit()) * 1000 / packets)) {
        advance(link, now, window);
        const droptail::Admission a = admit(link, 1000, LinkDraws(1, 7, link.draws), now >= kBegin);
        if (a.accepted) {
            REQUIRE(a.start >= last);  // first in, first out
            REQUIRE(a.departure - now <= 50000 + 2 * 1500);
            last = a.departure;
        }
        sent += now >= kBegin;
        lost += now >= kBegin && !a.accepted;
    }
    advance(link, kLong, window);
    const double comes = fluid + packets, share = (comes - 1) / comes;
    CHECK(static_cast<double>(lost) / static_cast<double>(sent) == Approx(share).epsilon(0.03));
    CHECK(link.lost / link.offered == Approx(share).epsilon(0.03));
    // The link is never idle: both together are all of its time.
    CHECK(link.busy / static_cast<double>(kLong - kBegin) == Approx(1).epsilon(1e-5));
}

TEST_CASE("what is not lost is transmitted, or waits, also where packets alone are too many", "[fluid]")
{
    for (const double inflow : {0.3, 0.999, 1.5}) {
        FluidLink link = a_link(5000, inflow);
        for (Time now = 0; now < 10 * kMillisecond; now += 613) offer(link, now);
        const double taken = link.offered - link.lost + link.packet_bytes;
        CHECK(taken == Approx(link.transmitted + work(link)).epsilon(1e-6));
        CHECK(link.busy <= static_cast<double>(link.at));
        CHECK(link.lost <= link.offered);
    }
}

TEST_CASE("a link carries no more fluid than came, however many packets it rounds the times of", "[fluid]")
{
    FluidLink link = a_link(100000, 1e-9);
    link.line.rate = 3e6;  // 40 B take 106 666.67 ns
    for (Time i = 0; i < 100000; ++i) offer(link, i * 200 * kMicrosecond, 40);
    advance(link, 100000 * 200 * kMicrosecond, kAll);
    CHECK(link.transmitted - link.packet_bytes == Approx(link.offered).margin(0.1));
    CHECK(link.offered == Approx(20));
}

TEST_CASE("without fluid packets have what drop-tail gives them", "[fluid]")
{
    FluidLink link = a_link(3500, 0);
    LinkState plain = link.line;
    StartTimes starts;
    std::uint64_t refused = 0;
    Time now = 0;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        now += i % 6 == 0 ? 12345 : 311;  // bursts of six
        const std::uint32_t length = 300 + static_cast<std::uint32_t>(i * 7919 % 1200);
        const droptail::Admission a = offer(link, now, length), b = droptail::admit(plain, starts, length, now);
        REQUIRE(a.accepted == b.accepted);
        REQUIRE(a.start == b.start);
        REQUIRE(a.departure == b.departure);
        refused += !a.accepted;
    }
    CHECK(refused > 100);
    CHECK(refused < 4000);
}

TEST_CASE("fluid that finds no room behind a packet takes none of the link's time", "[fluid]")
{
    FluidLink link = a_link(1000, 0.5);
    offer(link, 0, 1400);  // nobody is before it: for 400 ns it takes all of the room, and more
    advance(link, 100000, kAll);
    CHECK(link.lost == Approx(200));
    CHECK(link.offered == Approx(50000));
    // 1000 bytes more are gone after 2000 ns, and then half of the time is used.
    CHECK(link.busy == Approx(400 + 2000 + 97600 / 2));
    CHECK(link.transmitted == Approx(link.offered - link.lost + 1400));
}

TEST_CASE("what comes while the link is down is lost", "[fluid]")
{
    FluidLink link = a_link(1000, 0.5);
    link.down = true;
    link.line.busy_until = LinkState::kForEver;
    advance(link, 1000, kAll);
    CHECK(link.lost == Approx(500));
    link.down = false;
    link.line.busy_until = 1000;
    advance(link, 2000, kAll);
    CHECK(link.lost == Approx(500));
    CHECK(link.busy == Approx(500));
}

namespace {

struct Shares {
    Problem problem;
    Solution solution;
    explicit Shares(std::vector<double> capacity)
    {
        problem.fill.assign(capacity.size(), 1);
        problem.capacity = std::move(capacity);
    }
    void add(double flows, double rate, bool elastic, const std::vector<std::uint32_t>& links)
    {
        problem.demands.push_back({flows, rate, elastic, static_cast<std::uint32_t>(problem.links.size()),
                                   static_cast<std::uint32_t>(links.size())});
        problem.links.insert(problem.links.end(), links.begin(), links.end());
    }
    void run() { solve(problem, solution); }
};

}  // namespace

TEST_CASE("inelastic flows lose the same share, and links behind get what is left", "[fluid]")
{
    Shares net({10, 4});
    net.add(3, 5, false, {0, 1});  // 15 of 20 at the first link: 7.5 go on, of which 4 arrive
    net.add(1, 5, false, {0});
    net.run();
    CHECK(net.solution.inflow[0] == Approx(20));
    CHECK(net.solution.inflow[1] == Approx(7.5));
    CHECK(net.solution.carried[0] == Approx(4));
    CHECK(net.solution.carried[1] == Approx(2.5));
}

TEST_CASE("links that lie on each other's ways come to one solution", "[fluid]")
{
    Shares net({10, 10});
    net.add(1, 10, false, {0, 1});
    net.add(1, 10, false, {1, 0});
    net.run();
    // x comes through a link first: x = 10 * 10 / (10 + x), x^2 + 10 x - 100 = 0.
    const double through = -5 + std::sqrt(125.0);
    CHECK(net.solution.inflow[0] == Approx(10 + through));
    CHECK(net.solution.carried[0] == Approx(through * 10 / (10 + through)));
    CHECK(net.solution.carried[1] == Approx(net.solution.carried[0]));
}

TEST_CASE("a dumbbell is shared evenly, but for those that want less", "[fluid]")
{
    Shares net({12, 1, 100});
    net.add(2, 100, true, {2, 0});
    net.add(4, 100, true, {0});
    net.add(3, 0.5, true, {0});  // have 1.5; the others (12 - 1.5 - 1) / 6 each, but for one whose access is slower
    net.add(1, 100, true, {1, 0});
    net.run();
    CHECK(net.solution.carried[0] == Approx(2 * 9.5 / 6));
    CHECK(net.solution.carried[1] == Approx(4 * 9.5 / 6));
    CHECK(net.solution.carried[2] == Approx(1.5));
    CHECK(net.solution.carried[3] == Approx(1));
    CHECK(net.solution.inflow[0] == Approx(12));
}

TEST_CASE("a parking lot gives the long flows the least share of their links", "[fluid]")
{
    Shares net({10, 6, 12});
    net.add(2, 1e9, true, {0, 1, 2});
    net.add(1, 1e9, true, {0});
    net.add(4, 1e9, true, {1});
    net.add(1, 1e9, true, {2});
    net.run();  // the middle: 6 / 6 each
    CHECK(net.solution.carried[0] == Approx(2));
    CHECK(net.solution.carried[1] == Approx(8));
    CHECK(net.solution.carried[2] == Approx(4));
    CHECK(net.solution.carried[3] == Approx(10));
}

TEST_CASE("elastic flows share what inelastic ones leave, and of that no more than they may", "[fluid]")
{
    Shares net({10, 10, 10});
    net.problem.fill = {0.5, 0.5, 1};
    net.add(1, 4, false, {0});
    net.add(1, 20, false, {1});
    net.add(3, 100, true, {0});
    net.add(1, 100, true, {1});
    net.add(0, 100, true, {2});
    net.run();
    CHECK(net.solution.carried[2] == Approx(3));
    CHECK(net.solution.carried[3] == 0);
    CHECK(net.solution.inflow[0] == Approx(7));
    CHECK(net.solution.inflow[2] == 0);
}

TEST_CASE("no link is too full, and every elastic flow has a full link or its most", "[fluid]")
{
    std::uint64_t at = 0;
    const auto below = [&](std::uint64_t n) { return random_bits(5, 0, Purpose::fluid, 0, at++) % n; };
    for (int round = 0; round < 200; ++round) {
        std::vector<double> capacity;
        for (int i = 0; i < 8; ++i) capacity.push_back(1.0 + static_cast<double>(below(100)));
        Shares net(capacity);
        for (int i = 0; i < 20; ++i) {
            std::vector<std::uint32_t> way;
            for (std::uint32_t link = 0; link < 8; ++link)
                if (below(3) == 0) way.push_back(link);
            net.add(static_cast<double>(1 + below(5)), 1.0 + static_cast<double>(below(20)), true, way);
        }
        net.run();
        for (std::uint32_t link = 0; link < 8; ++link)
            REQUIRE(net.solution.inflow[link] <= capacity[link] * (1 + 1e-9));
        for (std::size_t i = 0; i < net.problem.demands.size(); ++i) {
            const Demand& demand = net.problem.demands[i];
            const double each = net.solution.carried[i] / demand.flows;
            bool limited = each >= demand.rate * (1 - 1e-9);
            for (std::uint32_t l = 0; l < demand.count && !limited; ++l) {
                const std::uint32_t link = net.problem.links[demand.first + l];
                if (net.solution.inflow[link] < capacity[link] * (1 - 1e-9)) continue;
                bool most = true;  // of the flows there none has more
                for (std::size_t j = 0; j < net.problem.demands.size(); ++j) {
                    const Demand& other = net.problem.demands[j];
                    for (std::uint32_t m = 0; m < other.count; ++m)
                        if (net.problem.links[other.first + m] == link)
                            most = most && net.solution.carried[j] / other.flows <= each * (1 + 1e-9);
                }
                limited = most;
            }
            REQUIRE(limited);
        }
    }
}

TEST_CASE("counts have their distributions' means and variances", "[fluid]")
{
    constexpr int kMany = 40000;
    const auto moments = [&](std::uint32_t which, auto&& draw) {
        double sum = 0, squares = 0;
        for (std::uint64_t i = 0; i < kMany; ++i) {
            Draws draws(3, which, Purpose::fluid, 0, i);
            const auto x = static_cast<double>(draw([&] { return draws.unit(); }));
            sum += x, squares += x * x;
        }
        return std::pair(sum / kMany, squares / kMany - sum / kMany * sum / kMany);
    };
    std::uint32_t which = 0;
    for (const auto& [n, p] : {std::pair(1.0, 0.3), {20.0, 0.05}, {50.0, 0.5}, {1000.0, 0.4}, {1e6, 0.9}, {1e9, 1e-7}})
    {
        const auto count = static_cast<std::uint64_t>(n);
        const auto [mean, variance] = moments(which++, [&, share = p](auto&& u) { return binomial(count, share, u); });
        const double deviation = std::sqrt(n * p * (1 - p));
        CHECK(std::fabs(mean - n * p) < 5 * deviation / std::sqrt(kMany));
        CHECK(variance == Approx(deviation * deviation).epsilon(0.05));
    }
    for (const double wanted : {0.2, 3.0, 9.0, 30.0, 5000.0}) {
        const auto [mean, variance] = moments(which++, [&](auto&& u) { return poisson(wanted, u); });
        CHECK(std::fabs(mean - wanted) < 5 * std::sqrt(wanted / kMany));
        CHECK(variance == Approx(wanted).epsilon(0.05));
    }
    CHECK(binomial(7, 1, [] { return 0.5; }) == 7);
    CHECK(binomial(7, 0, [] { return 0.5; }) == 0);
}

TEST_CASE("logarithms of factorials", "[fluid]")
{
    for (const double k : {0.0, 1.0, 5.0, 15.0, 16.0, 40.0, 1e3, 1e6})
        CHECK(log_factorial(k) == Approx(std::lgamma(k + 1)).epsilon(1e-12));
}

}  // namespace ANML_UNIT_FILE
