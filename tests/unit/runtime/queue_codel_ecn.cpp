// CoDel with ECN against Linux's code, written once more in linux_codel.h.
#include <catch2/catch.hpp>

#include "linux_codel.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::FlowLink;
using test::LinkOptions;
using test::Offer;

TEST_CASE("CoDel with ECN marks, drops and transmits what Linux does, at the same times", "[codel][ecn]")
{
    const double rate = GENERATE(2e6, 1e7);
    const auto seed = GENERATE(1u, 2u);
    const Time ce_threshold = GENERATE(1000 * kSecond, 20 * kMillisecond);
    const bool ecn = GENERATE(true, false);
    const std::vector<Offer> arrivals = test::bursts(rate, seed, 1, 4);
    LinkOptions link;
    link.rate = rate;
    link.queue = 1e9;
    FlowLink w(link, Discipline::codel, {5e6, 100e6, double(ecn), double(ce_threshold)});
    for (const Offer& offer : arrivals) w.offer(offer);
    w.simulator.run_until(100 * kSecond);
    test::LinuxCodel reference(rate, {5 * kMillisecond, 100 * kMillisecond, ecn, ce_threshold});
    reference.run(arrivals);
    REQUIRE(w.tap.begun == reference.begun);
    CHECK(w.marked() == reference.marked);
    CHECK(w.counters().rare->marked == reference.marked.size());
    CHECK(w.counters().dropped == reference.dropped);
    CHECK(reference.dropped > 20);
    if (ecn || ce_threshold < kSecond) CHECK(reference.marked.size() > 50);
    CHECK(test::silent(w.simulator));
}

}  // namespace ANML_UNIT_FILE
