// Strict priority: which DSCP is in which band, and who goes first.
#include <catch2/catch.hpp>
#include <vector>

#include "flow_link.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::FlowLink;
using test::LinkOptions;

namespace {

using Bands = priority::Parameters::PriorityBands;
constexpr std::uint32_t kEf = 46, kVoiceAdmit = 44, kCs1 = 8, kCs5 = 40, kCs6 = 48, kCs7 = 56, kAf11 = 10, kAf41 = 34;

std::uint32_t band(Bands bands, std::uint32_t dscp)
{
    Packet packet;
    packet.traffic_class = static_cast<std::uint8_t>(dscp << 2 | ecn::kEct0);
    return priority::band_of({bands}, packet);
}

}  // namespace

TEST_CASE("DSCPs are sorted as Linux, RFC 8325 and class selectors have them", "[priority]")
{
    for (std::uint32_t selector = 0; selector < 8; ++selector)
        CHECK(band(Bands::class_selector, selector << 3) == 7 - selector);
    CHECK(band(Bands::class_selector, kEf) == band(Bands::class_selector, kCs5));
    // What `tc qdisc show` and the kernel's ip_tos2prio say of TOS 0x00, 0x08, 0x10, 0x18, and of EF, 0xb8.
    CHECK(band(Bands::linux_prio, 0) == 1);
    CHECK(band(Bands::linux_prio, 2) == 2);
    CHECK(band(Bands::linux_prio, 4) == 0);
    CHECK(band(Bands::linux_prio, 6) == 1);
    CHECK(band(Bands::linux_prio, kEf) == 1);
    CHECK(band(Bands::linux_prio, kAf11) == 2);
    for (const std::uint32_t dscp : {kEf, kVoiceAdmit, kCs6, kCs7}) {
        CHECK(band(Bands::wifi, dscp) == 0);
        CHECK(band(Bands::expedited, dscp) == 0);
    }
    CHECK(band(Bands::wifi, kAf41) == 1);
    CHECK(band(Bands::wifi, kCs5) == 1);
    CHECK(band(Bands::wifi, 0) == 2);
    CHECK(band(Bands::wifi, 18) == 2);  // AF21
    CHECK(band(Bands::wifi, kCs1) == 3);
    CHECK(band(Bands::wifi, 1) == 3);
    for (const std::uint32_t dscp : {0u, kAf41, kCs5, kCs1}) CHECK(band(Bands::expedited, dscp) == 1);
    for (const Bands bands : {Bands::class_selector, Bands::linux_prio, Bands::wifi, Bands::expedited})
        for (std::uint32_t dscp = 0; dscp < 64; ++dscp) CHECK(band(bands, dscp) < priority::kBands);
}

TEST_CASE("a band is served only while none before it has a packet", "[priority]")
{
    // 1 ms each.
    LinkOptions link;
    link.rate = 12e6;
    FlowLink w(link, Discipline::priority, {double(Bands::class_selector)});
    const auto dscp = [](std::uint32_t selector) { return static_cast<std::uint8_t>(selector << 5); };
    for (std::uint32_t i = 0; i < 4; ++i) w.offer({i, 0, 1500, 0, dscp(0)});
    for (std::uint32_t i = 10; i < 13; ++i) w.offer({i, 0, 1500, 0, dscp(3)});
    w.offer({20, 1500 * kMicrosecond, 1500, 0, dscp(7)});
    w.offer({21, 1600 * kMicrosecond, 1500, 0, dscp(5)});
    w.offer({22, 4500 * kMicrosecond, 1500, 0, dscp(5)});
    w.simulator.run_until(kSecond);
    CHECK(w.order() == std::vector<std::uint32_t>{0, 10, 20, 21, 11, 22, 12, 1, 2, 3});
    CHECK(test::silent(w.simulator));
}

TEST_CASE("each band has the bounds of the queue for itself", "[priority]")
{
    LinkOptions packets, bytes;
    packets.rate = bytes.rate = 12e6;
    packets.queue_packets = 3;
    bytes.queue = 4500;
    for (const LinkOptions& link : {packets, bytes}) {
        FlowLink w(link, Discipline::priority, {double(Bands::expedited)});
        for (std::uint32_t i = 0; i < 10; ++i) w.offer({i, 0});
        for (std::uint32_t i = 10; i < 20; ++i) w.offer({i, 0, 1500, 0, kEf << 2});
        w.simulator.run_until(kSecond);
        CHECK(w.order() == std::vector<std::uint32_t>{0, 10, 11, 12, 1, 2, 3});
        CHECK(w.counters().dropped == 13);
    }
}

}  // namespace ANML_UNIT_FILE
