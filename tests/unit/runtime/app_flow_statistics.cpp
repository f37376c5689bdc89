// What is counted of flows: bins by size, and those that have arrived without their sender knowing.
#include <catch2/catch.hpp>

#include "app/flows/flow_statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

TEST_CASE("flows are told apart by powers of ten")
{
    CHECK(flow_bin(0) == 0);
    CHECK(flow_bin(999) == 0);
    CHECK(flow_bin(1000) == 1);
    CHECK(flow_bin(9999) == 1);
    CHECK(flow_bin(10000) == 2);
    CHECK(flow_bin(999'999'999'999) == kFlowBins - 1);
    CHECK(flow_bin(~std::uint64_t{0}) == kFlowBins - 1);
    CHECK(least_of_flow_bin(0) == 0);
    for (std::size_t bin = 1; bin < kFlowBins; ++bin) {
        CHECK(flow_bin(least_of_flow_bin(bin)) == bin);
        CHECK(flow_bin(least_of_flow_bin(bin) - 1) == bin - 1);
    }
}

TEST_CASE("figures of flows add up, and what was before is taken off")
{
    FlowStatistics a, b;
    a.count(1000, 500, 1);
    a.count(3000, 20000, 2);
    a.most = {3};
    b.count(5000, 20000, 4);
    b.count(7000, 70, 0);  // not known
    b.most = {7};
    const FlowStatistics before = a;
    add_up(a, b);
    CHECK(a.bytes == 40570);
    CHECK(a.most == 7);
    REQUIRE(a.bins.size() == 3);
    CHECK(a.bins[0].completed == 2);
    CHECK(a.bins[0].slowdown.count() == 1);
    CHECK(a.bins[2].bytes == 40000);
    CHECK(a.slowdown.mean() == Approx(7. / 3 * FlowStatistics::kSlowdown));
    take_off(a, before);
    CHECK(a.slowdown.count() == 1);
    CHECK(a.slowdown.mean() == Approx(4 * FlowStatistics::kSlowdown).epsilon(0.002));
}

TEST_CASE("a flow that has arrived is open no more, whatever its sender knows")
{
    FlowStatistics all;
    all.open = {{1, 2, 40000, 10}, {1, 2, 40001, 20}, {3, 2, 40000, 30}};
    all.arrived = {{3, 2, 40000, 0}, {4, 2, 40000, 0}};
    CHECK(all.match_arrivals() == 1);
    REQUIRE(all.open.size() == 2);
    CHECK(all.open[0].age + all.open[1].age == 30);
    CHECK(all.arrived.empty());
}

}  // namespace ANML_UNIT_FILE
