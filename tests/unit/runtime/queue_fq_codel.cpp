// FQ-CoDel against Linux's code, written once more in linux_codel.h, and shares of flows and hosts against arithmetic.
#include <catch2/catch.hpp>
#include <map>

#include "linux_codel.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::FlowLink;
using test::LinkOptions;
using test::Offer;

namespace {

using Fairness = fq_codel::Parameters::Fairness;

// So many places that no two of a handful of flows share one.
std::vector<double> fields(Fairness fairness = Fairness::flow, double quantum = 1514, bool ecn = true,
                           double places = 65536)
{
    return {places, double(fairness), quantum, 5e6, 100e6, double(ecn), 1000e9, 64};
}

LinkOptions ten_megabits(double packets = 0)
{
    LinkOptions link;
    link.rate = 1e7;
    link.queue = 1e9;
    link.queue_packets = packets;
    return link;
}

}  // namespace

TEST_CASE("FQ-CoDel transmits, marks and drops what Linux does, at the same times", "[fq_codel]")
{
    const auto seed = GENERATE(1u, 2u, 3u);
    const bool ecn = GENERATE(true, false);
    const std::uint32_t limit = GENERATE(10240u, 200u);
    const double quantum = GENERATE(1514.0, 300.0);
    const std::uint32_t flows = GENERATE(12u, 150u);
    const std::vector<Offer> arrivals = test::bursts(1e7, seed, flows, 4);
    FlowLink w(ten_megabits(limit), Discipline::fq_codel, fields(Fairness::flow, quantum, ecn));
    for (const Offer& offer : arrivals) w.offer(offer);
    w.simulator.run_until(100 * kSecond);
    test::LinuxFqCodel reference(1e7, {5 * kMillisecond, 100 * kMillisecond, ecn, 1000 * kSecond},
                                 static_cast<std::int64_t>(quantum), limit);
    reference.run(arrivals);
    REQUIRE(w.tap.begun == reference.begun);
    std::vector<std::uint32_t> marked = w.marked();
    CHECK(marked == reference.marked);
    CHECK(w.counters().dropped == reference.dropped);
    CHECK(reference.dropped > 100);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("FQ-CoDel lets a flow that sends little wait for nobody", "[fq_codel]")
{
    // One flow sends twice what the link carries, another a packet each 20 ms.
    FlowLink w(ten_megabits(), Discipline::fq_codel, fields());
    for (std::uint32_t i = 0; i < 3000; ++i) w.offer({i, i * 600 * kMicrosecond, 1500, 1});
    for (std::uint32_t i = 0; i < 80; ++i) w.offer({10000 + i, i * 20 * kMillisecond + kMicrosecond, 200, 2});
    w.simulator.run_until(10 * kSecond);
    int seen = 0;
    for (const auto& [number, start] : w.tap.begun) {
        if (number < 10005) continue;                                                // until then both are new
        CHECK(start - (number - 10000) * 20 * kMillisecond <= 1201 * kMicrosecond);  // no more than one packet
        ++seen;
    }
    CHECK(seen == 75);
}

namespace {

// Bytes by flow in the last second of four in which each of these sends as much as the link carries.
std::map<std::uint16_t, double> shares(Discipline discipline, const std::vector<double>& parameters,
                                       const std::vector<Offer>& flows)
{
    LinkOptions link = ten_megabits(1000);
    FlowLink w(link, discipline, parameters);
    for (std::uint32_t i = 0; i < 3400; ++i)
        for (Offer offer : flows) {
            offer.number = i;
            offer.at = i * 1200 * kMicrosecond;
            w.offer(offer);
        }
    w.simulator.run_until(4 * kSecond);
    std::map<std::uint16_t, double> bytes;
    for (const Offer& flow : flows)
        bytes[flow.flow] = static_cast<double>(w.bytes_of(flow.flow, 4 * kSecond) - w.bytes_of(flow.flow, kSecond));
    double all = 0;
    for (const auto& [flow, sum] : bytes) all += sum;
    for (auto& [flow, sum] : bytes) sum /= all;
    return bytes;
}

// One host with three flows, one with one, whose packets are of different lengths.
const std::vector<Offer> kHosts{{0, 0, 1500, 1, 0, 0x0a630001},
                                {0, 0, 500, 2, 0, 0x0a630001},
                                {0, 0, 1000, 3, 0, 0x0a630001},
                                {0, 0, 800, 4, 0, 0x0a630002}};

}  // namespace

TEST_CASE("each flow, host, or flow of a host has its share, whatever the lengths of its packets",
          "[fq_codel][drr][sfq]")
{
    struct Case {
        Discipline discipline;
        std::vector<double> parameters;
    };
    const auto cases = [](Fairness fairness) {
        const auto f = double(fairness);
        return std::vector<Case>{{Discipline::fq_codel, {65536, f, 1514, 5e6, 100e6, 0, 1000e9, 64}},
                                 {Discipline::drr, {65536, f, 1500}},
                                 {Discipline::sfq, {65536, f, 1514, 0}}};
    };
    for (const auto& [discipline, parameters] : cases(Fairness::flow))
        for (const auto& [flow, share] : shares(discipline, parameters, kHosts))
            CHECK(share == Approx(0.25).margin(0.01));
    for (const auto& [discipline, parameters] : cases(Fairness::source)) {
        std::map<std::uint16_t, double> share = shares(discipline, parameters, kHosts);
        CHECK(share[4] == Approx(0.5).margin(0.01));
    }
    for (const Fairness fairness : {Fairness::flow_by_source, Fairness::flow_by_both}) {
        for (const auto& [discipline, parameters] : cases(fairness)) {
            std::map<std::uint16_t, double> share = shares(discipline, parameters, kHosts);
            // All have one destination: by both, each flow's share is a fourth.
            for (const std::uint16_t flow : {1, 2, 3})
                CHECK(share[flow] == Approx(fairness == Fairness::flow_by_both ? 0.25 : 1.0 / 6).margin(0.015));
            CHECK(share[4] == Approx(fairness == Fairness::flow_by_both ? 0.25 : 0.5).margin(0.015));
        }
    }
    for (const Fairness fairness : {Fairness::destination, Fairness::hosts}) {
        for (const auto& [discipline, parameters] : cases(fairness)) {
            std::map<std::uint16_t, double> share = shares(discipline, parameters, kHosts);
            if (fairness == Fairness::hosts) CHECK(share[4] == Approx(0.5).margin(0.01));
        }
    }
}

TEST_CASE("flows that share a place share a queue, and a failure leaves nothing", "[fq_codel][changes]")
{
    using abi::TimelineAttribute;
    const std::vector<test::TimelineChange> failure{{"entry", TimelineAttribute::up, 30e6, 0},
                                               {"entry", TimelineAttribute::up, 40e6, 1}};
    for (const auto& [discipline, parameters] : {std::pair{Discipline::fq_codel, fields(Fairness::flow, 1514, true, 1)},
                                                 std::pair{Discipline::drr, std::vector<double>{1, 0, 1500}},
                                                 std::pair{Discipline::sfq, std::vector<double>{1, 0, 1514, 0}}})
    {
        FlowLink w(ten_megabits(), discipline, parameters, failure);
        for (std::uint32_t i = 0; i < 50; ++i) w.offer({i, 0, 1500, static_cast<std::uint16_t>(i % 7)});
        for (std::uint32_t i = 50; i < 60; ++i)
            w.offer({i, 50 * kMillisecond, 1500, static_cast<std::uint16_t>(i % 7)});
        w.simulator.run_until(kSecond);
        // First in, first out: 24 arrive before the failure.
        std::vector<std::uint32_t> expected;
        for (std::uint32_t i = 0; i < 60; ++i)
            if (i < 24 || i >= 50) expected.push_back(i);
        CHECK(w.order() == expected);
        CHECK(w.simulator.statistics().dropped.link == 26);
        CHECK(test::silent(w.simulator));
    }
}

}  // namespace ANML_UNIT_FILE
