// Flows over several paths: evenly, and independently from router to router.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "net/packet/flow.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

namespace {

constexpr std::uint32_t kFlows = 20000;

// Clients as they are: neighbouring addresses and ports, one server.
Flow flow(std::uint32_t i)
{
    return {Address{0x0a000001 + i % 200}, Address{0x0a00ff01}, protocol::tcp,
            static_cast<std::uint16_t>(49152 + i / 200), 80};
}

// Pearson's statistic against an even spread.
double chi_square(const std::vector<std::uint32_t>& counts)
{
    double total = 0, sum = 0;
    for (const std::uint32_t count : counts) total += count;
    const double expected = total / static_cast<double>(counts.size());
    for (const std::uint32_t count : counts) sum += (count - expected) * (count - expected) / expected;
    return sum;
}

}  // namespace

TEST_CASE("flows are spread evenly over the paths", "[kernel]")
{
    for (const std::uint32_t paths : {2u, 3u, 16u, 1000u}) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            std::vector<std::uint32_t> counts(paths);
            for (std::uint32_t i = 0; i < kFlows; ++i) ++counts.at(choose_path(flow(i), seed, 7, paths));
            // The mean is paths - 1, the variance twice that: five standard deviations.
            const double freedom = paths - 1;
            CHECK(chi_square(counts) < freedom + 5 * std::sqrt(2 * freedom) + 5);
        }
    }
}

TEST_CASE("what one router has sorted out the next one spreads again", "[kernel]")
{
    std::vector<std::uint32_t> counts(16);
    for (std::uint32_t i = 0; i < kFlows; ++i) {
        if (choose_path(flow(i), 1, 7, 4) == 0) ++counts[choose_path(flow(i), 1, 8, 16)];
    }
    CHECK(chi_square(counts) < 15 + 5 * std::sqrt(30.0) + 5);
}

TEST_CASE("a flow's path depends on its ports, the seed and the node, a fragment's on no ports", "[kernel]")
{
    std::uint32_t by_port = 0, by_seed = 0, by_node = 0;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        const std::uint32_t path = choose_path(flow(i), 1, 7, 4);
        Flow other = flow(i);
        ++other.source_port;
        by_port += choose_path(other, 1, 7, 4) != path;
        by_seed += choose_path(flow(i), 2, 7, 4) != path;
        by_node += choose_path(flow(i), 1, 8, 4) != path;
    }
    for (const std::uint32_t changed : {by_port, by_seed, by_node}) {
        CHECK(changed > 650);
        CHECK(changed < 850);
    }
    Packet packet;
    packet.protocol = protocol::udp;
    packet.source_port = 5;
    CHECK(flow_of(packet).source_port == 5);
    packet.flags = packet_flag::fragment;
    CHECK(flow_of(packet).source_port == 0);
    packet.flags = 0;
    packet.protocol = protocol::icmp;
    CHECK(flow_of(packet).source_port == 0);
}

}  // namespace ANML_UNIT_FILE
