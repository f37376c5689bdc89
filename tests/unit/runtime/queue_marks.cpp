// Congestion that is marked: RED with ECN, and a threshold.
#include <catch2/catch.hpp>
#include <vector>

#include "flow_link.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::FlowLink;
using test::LinkOptions;

namespace {

// A queue that decides at admission, of a link that transmits a byte per ns.
template <class Parameters, class State>
struct Marking {
    explicit Marking(const Parameters& given) : parameters(given)
    {
        line.rate = 8e9;
        line.capacity = LinkState::kUnbounded;
        line.mtu = 1500;
    }
    bool offer(std::uint8_t codepoint, Time now, std::uint32_t length = 1000)
    {
        packet.length = static_cast<std::uint16_t>(length);
        packet.traffic_class = 0x28 | codepoint;
        Arrival arrival{line, starts, packet, now, LinkDraws(1, 7, draws), marked};
        return admit(state, parameters, arrival).accepted;
    }
    bool was_marked() const { return packet.traffic_class == (0x28 | ecn::kCongestion); }

    Parameters parameters;
    State state;
    LinkState line;
    StartTimes starts;
    Packet packet;
    std::uint64_t draws = 0, marked = 0;
};
using Red = Marking<red::Parameters, red::State>;

// Thresholds 10 kB and 30 kB, the average stays.
red::Parameters marking(bool gentle = true, bool hard_drop = true)
{
    return red::parameters_of(FieldReader(
        std::vector<double>{10000, 30000, 0.1, 0, 1000, double(gentle), 1, double(hard_drop), 0, 5e8, 0.01, 0.9}));
}

}  // namespace

TEST_CASE("RED marks exactly the packets that it would drop", "[red][ecn]")
{
    Red marks(marking()), drops(marking());
    drops.parameters.ecn = false;
    marks.state.average = drops.state.average = 25000;
    int told = 0;
    for (Time now = 0; now < 20'000'000; now += 2000) {
        const bool accepted = drops.offer(ecn::kEct0, now);
        REQUIRE(marks.offer(ecn::kEct0, now));
        REQUIRE(marks.was_marked() == !accepted);
        told += !accepted;
    }
    CHECK(told > 500);
    CHECK(marks.marked == static_cast<std::uint64_t>(told));
    CHECK(drops.marked == 0);
}

TEST_CASE("RED drops those who don't know of ECN, and leaves other bits of the traffic class alone", "[red][ecn]")
{
    Red queue(marking());
    queue.state.average = 25000;
    int refused = 0;
    for (Time now = 0; now < 20'000'000; now += 2000) {
        refused += !queue.offer(ecn::kNotCapable, now);
        REQUIRE(queue.packet.traffic_class == 0x28);
    }
    CHECK(refused > 500);
    CHECK(queue.marked == 0);
}

TEST_CASE("RFC 3168, section 7: above the upper threshold RED drops rather than marks, unless told otherwise",
          "[red][ecn]")
{
    for (const bool gentle : {true, false}) {
        Red hard(marking(gentle)), soft(marking(gentle, false));
        hard.state.average = soft.state.average = gentle ? 60000 : 30000;
        for (Time now = 0; now < 200'000; now += 2000) {
            REQUIRE_FALSE(hard.offer(ecn::kEct0, now));
            REQUIRE(soft.offer(ecn::kEct1, now));
            REQUIRE(soft.was_marked());
            REQUIRE_FALSE(soft.offer(ecn::kNotCapable, now));
        }
    }
}

TEST_CASE("RED is DCTCP's queue as ns-3 has it", "[red][ecn]")
{
    // MinTh 50, MaxTh 150, MeanPktSize 1500, QW 1, LInterm 50, UseHardDrop false.
    Red queue(red::parameters_of(
        FieldReader(std::vector<double>{50 * 1500, 150 * 1500, 0.02, 1, 1500, 0, 1, 0, 0, 5e8, 0.01, 0.9})));
    for (int i = 0; i < 400; ++i) {
        const std::uint64_t before = queue.marked;
        REQUIRE(queue.offer(ecn::kEct0, 0, 1500));
        CHECK(queue.state.average == 1500.0 * i);  // the present queue
        if (i < 50) CHECK(queue.marked == 0);
        if (i >= 150) CHECK(queue.marked == before + 1);
    }
    CHECK(queue.marked > 250);
    CHECK(queue.marked < 250 + 10);  // 100 packets at 1 % on average
}

namespace {

using Threshold = Marking<threshold::Parameters, threshold::State>;
threshold::Parameters at(double bytes, bool drop_others = false)
{
    return threshold::parameters_of(FieldReader(std::vector<double>{bytes, double(drop_others)}));
}

}  // namespace

TEST_CASE("RFC 8257, section 3.1: what finds more than the threshold is marked", "[threshold][ecn]")
{
    Threshold queue(at(5000));
    for (int i = 0; i < 20; ++i) {
        REQUIRE(queue.offer(ecn::kEct0, 0));
        CHECK(queue.was_marked() == (i > 5));  // it finds i packets
    }
    CHECK(queue.marked == 14);
    REQUIRE(queue.offer(ecn::kEct0, 15000));  // five are left: as much as the threshold, not more
    CHECK_FALSE(queue.was_marked());
    REQUIRE(queue.offer(ecn::kEct0, 15000));
    CHECK(queue.was_marked());
    REQUIRE(queue.offer(ecn::kEct1, 1'000'000));  // idle
    CHECK_FALSE(queue.was_marked());
}

TEST_CASE("a threshold is drop-tail for those who don't know of ECN, unless they are to be dropped", "[threshold][ecn]")
{
    Threshold waits(at(5000)), drops(at(5000, true));
    for (int i = 0; i < 20; ++i) {
        CHECK(waits.offer(ecn::kNotCapable, 0));
        CHECK(drops.offer(ecn::kNotCapable, 0) == (i <= 5));
    }
    CHECK(waits.marked + drops.marked == 0);
    CHECK(drops.offer(ecn::kCongestion, 0));  // marked by somebody else: it can be marked
    Threshold small(at(0));
    small.line.capacity = 3000;
    CHECK(small.offer(ecn::kEct0, 0));
    CHECK_FALSE(small.was_marked());
    CHECK(small.offer(ecn::kEct0, 0));
    CHECK(small.was_marked());
    CHECK(small.offer(ecn::kEct0, 0));
    CHECK_FALSE(small.offer(ecn::kEct0, 0));
    CHECK_FALSE(small.was_marked());  // what is dropped is not counted
    CHECK(small.marked == 2);
}

TEST_CASE("a link counts what its queue marks, in the measured window", "[threshold][ecn]")
{
    // 1 ms each, all at once: the first is in transmission, three wait unmarked.
    LinkOptions link;
    link.rate = 12e6;
    FlowLink w(link, Discipline::threshold, {4500, 0});
    for (std::uint32_t i = 0; i < 10; ++i) w.offer({i, 0, 1500, 0, ecn::kEct0});
    w.offer({10, 100 * kMillisecond, 1500, 0, ecn::kEct0});
    w.simulator.run_until(kSecond);
    CHECK(w.marked() == std::vector<std::uint32_t>{4, 5, 6, 7, 8, 9});
    CHECK(w.counters().rare->marked == 6);
    CHECK(w.counters().dropped == 0);
}

}  // namespace ANML_UNIT_FILE
