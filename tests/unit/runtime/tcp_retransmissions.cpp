// When what was sent again is told to be lost, too: RACK's rule (RFC 8985, 6.2).
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "transport/recovery/range_set.h"
#include "transport/recovery/retransmissions.h"
#include "transport/sequence.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using tcp::Retransmissions;

namespace {

constexpr std::uint32_t kMss = 1000;
constexpr Time kLeast = 10 * kMillisecond;

}  // namespace

TEST_CASE("RFC 8985 6.2: of two that were sent again, the second tells of the first if it comes later than the window",
          "[tcp]")
{
    Retransmissions retransmissions;
    retransmissions.sent(1000, 2000, 9000, 100 * kMillisecond);
    retransmissions.sent(3000, 4000, 9000, 103 * kMillisecond);
    retransmissions.arrived(3000, 4000, 115 * kMillisecond, kLeast);
    CHECK(retransmissions.newest() == 103 * kMillisecond);
    CHECK(retransmissions.sent_before() == 9000);
    const Time now = 115 * kMillisecond;
    // Not more than the window later.
    retransmissions.judge({0, retransmissions.newest() - 3 * kMillisecond, now - kLeast});
    CHECK(retransmissions.lost() == 0);
    CHECK(!retransmissions.next_lost());
    retransmissions.judge({0, retransmissions.newest() - 2 * kMillisecond, now - kLeast});
    CHECK(retransmissions.lost() == kMss);
    const auto lost = retransmissions.next_lost();
    REQUIRE(lost);
    CHECK(lost->begin == 1000);
    CHECK(lost->end == 2000);
    CHECK(!retransmissions.next_lost());
    CHECK(retransmissions.lost() == kMss);  // until it is sent once more, or comes after all
    retransmissions.sent(1000, 2000, 9000, now);
    CHECK(retransmissions.lost() == 0);
    retransmissions.acknowledged(4000, now + 2 * kLeast, kLeast);
    CHECK(retransmissions.newest() == now);
    CHECK(retransmissions.empty());
}

TEST_CASE("what was sent for the first time behind one that was sent again tells of it", "[tcp]")
{
    Retransmissions retransmissions;
    retransmissions.sent(1000, 2000, 9000, 100 * kMillisecond);
    retransmissions.judge({9000, 0, 200 * kMillisecond});
    CHECK(retransmissions.lost() == 0);
    retransmissions.judge({9001, 0, 99 * kMillisecond});  // it cannot have come yet
    CHECK(retransmissions.lost() == 0);
    retransmissions.judge({9001, 0, 100 * kMillisecond});
    CHECK(retransmissions.lost() == kMss);
    retransmissions.arrived(1000, 2000, 201 * kMillisecond, kLeast);
    CHECK(retransmissions.lost() == 0);
    CHECK(!retransmissions.next_lost());
}

TEST_CASE("RFC 8985 6.2: what comes sooner than any round trip is the first, and tells nothing of others", "[tcp]")
{
    Retransmissions retransmissions;
    retransmissions.sent(1000, 2000, 9000, 100 * kMillisecond);
    retransmissions.sent(3000, 4000, 9000, 120 * kMillisecond);
    retransmissions.arrived(3000, 4000, 125 * kMillisecond, kLeast);
    CHECK(retransmissions.newest() == 0);
}

TEST_CASE("segments in any order, cut in any way, are told of once each, and all bytes are accounted for", "[tcp]")
{
    std::mt19937 draw(5);
    for (int round = 0; round < 200; ++round) {
        Retransmissions retransmissions;
        tcp::RangeSet arrived;
        const std::uint32_t origin = 0xffff8000u;  // wraps
        std::uint32_t una = origin;
        retransmissions.clear(una);
        Time now = kSecond;
        for (int step = 0; step < 400; ++step) {
            now += 1 + draw() % 5 * kMillisecond;
            const std::uint32_t begin = tcp::later(una, origin + draw() % 100 * 500);
            const std::uint32_t end = begin + 1 + draw() % 2000;
            switch (draw() % 4) {
                case 0:
                case 1:
                    if (!arrived.holds(begin)) retransmissions.sent(begin, end, origin + 60000, now);
                    break;
                case 2:
                    arrived.missing(begin, end, [&](std::uint32_t from, std::uint32_t to) {
                        CHECK(!arrived.holds(from));
                        retransmissions.arrived(from, to, now, kLeast);
                    });
                    arrived.add(begin, end);
                    break;
                default:
                    una = tcp::later(una, origin + draw() % 100 * 50);
                    retransmissions.acknowledged(una, now, kLeast);
            }
            retransmissions.judge({origin, now - 20 * kMillisecond, now});
            std::uint32_t told = 0;
            while (const auto lost = retransmissions.next_lost()) {
                CHECK(tcp::after(lost->end, una));
                told += lost->end - lost->begin;
            }
            CHECK(retransmissions.lost() >= told);
        }
        retransmissions.acknowledged(origin + 200000, now, kLeast);
        CHECK(retransmissions.lost() == 0);
        CHECK(retransmissions.empty());
    }
}

}  // namespace ANML_UNIT_FILE
