// Hierarchical shaping against arithmetic: what classes are sure of, borrow, and may not exceed.
#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "flow_link.h"

using namespace anml;
using namespace anml::rt;
using test::FlowLink;
using test::Happening;
using test::LinkOptions;
using test::Offer;

namespace {

using By = htb::Parameters::ShapedBy;

std::vector<double> fields(double rate, double ceil, By by = By::source, double burst = 15000)
{
    return {double(by), rate, ceil, burst};
}

LinkOptions ten_megabits()
{
    LinkOptions link;
    link.rate = 1e7;
    link.queue = 30000;  // of each class
    return link;
}

// Rates of hosts in seconds 2 to 6, that offer so much in packets of so many bytes.
struct Host {
    double rate;
    std::uint32_t length;
};
std::vector<double> shares(const std::vector<double>& parameters, const std::vector<Host>& hosts)
{
    FlowLink w(ten_megabits(), Discipline::htb, parameters);
    for (std::size_t h = 0; h < hosts.size(); ++h) {
        std::uint32_t i = 0;
        for (double at = 0; at < 6e9; at += hosts[h].length * 8e9 / hosts[h].rate)
            w.offer({i++, std::llround(at), hosts[h].length, static_cast<std::uint16_t>(h), 0,
                     0x0a630001 + static_cast<std::uint32_t>(h)});
    }
    w.simulator.run_until(6 * kSecond);
    std::vector<double> rates;
    for (std::uint16_t h = 0; h < hosts.size(); ++h)
        rates.push_back(static_cast<double>(w.bytes_of(h, 6 * kSecond) - w.bytes_of(h, 2 * kSecond)) * 8 / 4);
    return rates;
}

}  // namespace

TEST_CASE("classes share what the link has, up to their ceiling", "[htb]")
{
    // Alone: its ceiling. Two: theirs, and the link is idle for the rest.
    CHECK(shares(fields(2e6, 3e6), {{9e6, 1000}})[0] == Approx(3e6).epsilon(0.005));
    for (const double rate : shares(fields(2e6, 3e6), {{9e6, 1000}, {9e6, 400}}))
        CHECK(rate == Approx(3e6).epsilon(0.005));
    // Three that want more than there is: a third each, whatever the length of their packets.
    for (const double rate : shares(fields(2e6, 6e6), {{9e6, 1500}, {9e6, 400}, {9e6, 900}}))
        CHECK(rate == Approx(1e7 / 3).epsilon(0.01));
    // What one leaves the others borrow.
    const std::vector<double> rates = shares(fields(2e6, 6e6), {{9e6, 1500}, {1e6, 400}, {9e6, 900}});
    CHECK(rates[1] == Approx(1e6).epsilon(0.01));
    CHECK(rates[0] == Approx(4.5e6).epsilon(0.01));
    CHECK(rates[2] == Approx(4.5e6).epsilon(0.01));
}

TEST_CASE("a class within its rate goes before those that borrow", "[htb]")
{
    FlowLink w(ten_megabits(), Discipline::htb, fields(2e6, 1e7));
    for (std::uint32_t i = 0; i < 4000; ++i)
        for (std::uint32_t h = 0; h < 2; ++h)
            w.offer({i, i * 600 * kMicrosecond, 1500, static_cast<std::uint16_t>(h), 0, 0x0a630001 + h});
    for (std::uint32_t i = 0; i < 200; ++i)
        w.offer({10000 + i, i * 10 * kMillisecond + 100 * kMicrosecond, 500, 7, 0, 0x0a630007});
    w.simulator.run_until(10 * kSecond);
    int late = 0, seen = 0;
    for (const auto& [number, start] : w.tap.begun) {
        if (number < 10000) continue;
        ++seen;
        // A packet in transmission, and one of each of the others, if they are within their rates just then.
        late += start - (number - 10000) * 10 * kMillisecond - 100 * kMicrosecond > 3 * 1200 * kMicrosecond;
    }
    CHECK(seen == 200);
    CHECK(late == 0);
}

TEST_CASE("a class that was silent sends a burst, then at its ceiling, to the nanosecond", "[htb]")
{
    // 0.8 ms per packet at the link's rate, 4 ms at the ceiling.
    FlowLink w(ten_megabits(), Discipline::htb, fields(1e6, 2e6, By::source, 5000));
    for (std::uint32_t i = 0; i < 20; ++i) w.offer({i, 0, 1000});
    w.simulator.run_until(kSecond);
    REQUIRE(w.tap.begun.size() == 20);
    // Packet n begins when the bucket owes nothing: 1000 n bytes are sent, 5000 may be, and 250 bytes come per ms.
    for (std::uint32_t i = 0; i < 20; ++i) {
        const Time tokens = (Time(i) - 5) * 4 * kMillisecond, link = i * 800 * kMicrosecond;
        const Time due = std::max(tokens, link), begun = w.tap.begun[i].second;
        CHECK(begun >= due);
        CHECK(begun <= due + 5);
    }
    CHECK(test::silent(w.simulator));
}

TEST_CASE("hundreds of subscribers each have a class of their own", "[htb]")
{
    LinkOptions link;
    link.rate = 1e9;
    link.queue = 30000;
    FlowLink w(link, Discipline::htb, fields(1e6, 1e6, By::source, 1500));
    constexpr std::uint32_t kSubscribers = 700;
    for (std::uint32_t i = 0; i < 15; ++i)
        for (std::uint32_t s = 0; s < kSubscribers; ++s)
            w.offer({i, 0, 1500, static_cast<std::uint16_t>(s), 0, 0x0a630001 + s});
    w.simulator.run_until(10 * kSecond);
    std::map<std::uint16_t, std::vector<Time>> times;
    for (const auto& got : w.peer.received) times[got.packet.source_port].push_back(got.at);
    REQUIRE(times.size() == kSubscribers);
    for (const auto& [port, at] : times) {
        REQUIRE(at.size() == 15);
        // 12 ms each once the burst is gone, and what others are in transmission just then.
        CHECK(at[14] - at[2] == Approx(12 * 12e6).margin(9e6));
    }
    CHECK(test::silent(w.simulator));
}

TEST_CASE("classes are told apart by hosts, flows or DSCP", "[htb]")
{
    // Four flows of two hosts with two DSCPs; each class gets 1 Mbps.
    for (const auto& [by, classes] : {std::pair{By::source, 2}, std::pair{By::destination, 1}, std::pair{By::hosts, 2},
                                      std::pair{By::flow, 4}, std::pair{By::dscp, 2}})
    {
        FlowLink w(ten_megabits(), Discipline::htb, fields(1e6, 1e6, by));
        for (std::uint32_t i = 0; i < 1500; ++i)
            for (std::uint32_t f = 0; f < 4; ++f)
                w.offer({i, i * 2 * kMillisecond, 1000, static_cast<std::uint16_t>(f),
                         static_cast<std::uint8_t>(f < 1 ? 46 << 2 : 0), 0x0a630001 + f % 2});
        w.simulator.run_until(3 * kSecond);
        double bytes = 0;
        for (std::uint16_t f = 0; f < 4; ++f)
            bytes += static_cast<double>(w.bytes_of(f, 3 * kSecond) - w.bytes_of(f, kSecond));
        CHECK(bytes * 8 / 2 == Approx(classes * 1e6).epsilon(0.01));
    }
}

TEST_CASE("what is held back is lost in a failure, and goes at once when the ceiling rises", "[htb][changes]")
{
    using abi::TimelineAttribute;
    FlowLink w(ten_megabits(), Discipline::htb, fields(1e5, 1e5, By::source, 1),
               {{"entry", TimelineAttribute::up, 30e6, 0}, {"entry", TimelineAttribute::up, 40e6, 1}});
    for (std::uint32_t i = 0; i < 5; ++i) w.offer({i, 0, 1000});
    for (std::uint32_t i = 5; i < 8; ++i) w.offer({i, 50 * kMillisecond, 1000});
    w.simulator.run_until(kSecond);
    // 80 ms each: the first one goes before the failure, and behind it those that come then.
    CHECK(w.order() == std::vector<std::uint32_t>{0, 5, 6, 7});
    CHECK(w.simulator.statistics().dropped_link == 4);
    CHECK(test::silent(w.simulator));
}
