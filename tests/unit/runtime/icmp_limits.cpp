// Limits of ICMP errors to more addresses than a node remembers.
#include <catch2/catch.hpp>

#include "middlebox_world.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;

TEST_CASE("of too many addresses the one is forgotten that was not used for the longest time", "[middlebox]")
{
    test::RecordImage records;
    const std::uint32_t record = records.record(abi::record::icmp_limits{.interval = records.value(1e9),
                                                                         .burst = records.value(1),
                                                                         .rate = records.value(0),
                                                                         .all_burst = records.value(50)});
    records.done();
    std::vector<abi::NodeRow> rows(records.image.node_rows, records.image.node_rows + records.image.node_row_count);
    for (abi::NodeRow& row : rows) row.icmp_limits = record;
    records.image.node_rows = rows.data();
    const Model model(records.image, records.values);
    const Timeline timeline(model);
    NetworkState network(model, timeline);
    Net net(model, 1, 0, network);
    const node::Self self = node::self(net, records.built.gateway(0));
    IcmpLimits limits(model);
    const auto address = [](std::uint32_t i) { return Address{0x0b000000 + i}; };

    constexpr auto kMost = static_cast<std::uint32_t>(IcmpLimits::kMostAddresses);
    for (std::uint32_t i = 0; i < kMost; ++i) REQUIRE(limits.allow(net, self, address(i)));
    CHECK_FALSE(limits.allow(net, self, address(0)));  // it is known, and the last one used
    CHECK(limits.allow(net, self, address(kMost)));    // instead of the second one
    CHECK_FALSE(limits.allow(net, self, address(0)));
    CHECK_FALSE(limits.allow(net, self, address(2)));
    CHECK(limits.allow(net, self, address(1)));
    // Each further one takes the same time: looking at all of them would take minutes.
    for (std::uint32_t i = 0; i < 200'000; ++i) REQUIRE(limits.allow(net, self, address(2 * kMost + i)));
}

}  // namespace ANML_UNIT_FILE
