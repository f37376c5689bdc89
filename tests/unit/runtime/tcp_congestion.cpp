// Congestion control and the retransmission time-out against the numbers of their RFCs; the table of connections.
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "tcp/congestion.h"
#include "tcp/connection_table.h"
#include "tcp/rto.h"
#include "tcp/time_wait.h"

using namespace anml::rt;
using namespace anml::rt::tcp;

namespace {

// A connection that has `flight` bytes under way.
Connection sending(std::uint32_t flight, std::uint16_t mss = 1000)
{
    Connection c;
    c.mss = mss;
    c.una = 1;
    congestion::open(c, 10);
    c.nxt = c.max = c.una + flight;
    return c;
}

bool acknowledge(Connection& c, std::uint32_t bytes)
{
    c.una += bytes;
    return congestion::acknowledge(c, bytes);
}

}  // namespace

TEST_CASE("the initial window is ten segments, at most 14600 bytes (RFC 6928)", "[tcp]")
{
    CHECK(sending(0, 1460).cwnd == 14600);
    CHECK(sending(0, 536).cwnd == 5360);
    CHECK(sending(0, 8960).cwnd == 17920);
    Connection c;
    c.mss = 1460;
    c.una = 1;
    c.syn_repeated = true;
    congestion::open(c, 10);
    CHECK(c.cwnd == 1460);
    c.syn_repeated = false;
    congestion::open(c, 3);
    CHECK(c.cwnd == 4380);
}

TEST_CASE("slow start grows by a segment per acknowledgment, avoidance by one per window", "[tcp]")
{
    Connection c = sending(100000);
    acknowledge(c, 1000);
    CHECK(c.cwnd == 11000);
    acknowledge(c, 300);
    CHECK(c.cwnd == 11300);
    acknowledge(c, 5000);
    CHECK(c.cwnd == 12300);
    c.ssthresh = 12000;
    c.cwnd = 20000;
    acknowledge(c, 1000);
    CHECK(c.cwnd == 20050);  // 1000 * 1000 / 20000
}

TEST_CASE("three duplicates start fast recovery, each further one inflates the window (RFC 5681)", "[tcp]")
{
    Connection c = sending(20000);
    c.cwnd = 20000;
    CHECK_FALSE(congestion::duplicate(c));
    CHECK(congestion::window(c) == 21000);  // limited transmit
    CHECK_FALSE(congestion::duplicate(c));
    CHECK(congestion::window(c) == 22000);
    CHECK(congestion::duplicate(c));
    CHECK(c.recovering);
    CHECK(c.ssthresh == 10000);
    CHECK(c.cwnd == 13000);
    CHECK_FALSE(congestion::duplicate(c));
    CHECK(c.cwnd == 14000);

    SECTION("a partial acknowledgment deflates and retransmits (RFC 6582)")
    {
        CHECK(acknowledge(c, 3000));
        CHECK(c.recovering);
        CHECK(c.cwnd == 14000 - 3000 + 1000);
    }
    SECTION("a full acknowledgment ends recovery at ssthresh, or a segment above the flight")
    {
        c.max += 4000;  // sent during recovery
        CHECK_FALSE(acknowledge(c, 20000));
        CHECK_FALSE(c.recovering);
        CHECK(c.cwnd == 5000);
        // Duplicates for what was sent before recovery ended start no second one.
        c = sending(20000);
        c.recover = c.una;
        for (int i = 0; i < 5; ++i) CHECK_FALSE(congestion::duplicate(c));
    }
    SECTION("a time-out in recovery ends it")
    {
        congestion::time_out(c, true);
        CHECK(c.cwnd == 1000);
        CHECK(c.ssthresh == 10000);
        CHECK_FALSE(c.recovering);
        c.nxt = c.una + 1000;
        congestion::time_out(c, false);  // the same segment again: ssthresh stays
        CHECK(c.ssthresh == 10000);
    }
}

TEST_CASE("ssthresh is at least two segments", "[tcp]")
{
    Connection c = sending(1000);
    congestion::time_out(c, true);
    CHECK(c.ssthresh == 2000);
}

TEST_CASE("the time-out follows RFC 6298", "[tcp]")
{
    Connection c;
    c.rto = rto::kInitial;
    CHECK(c.rto == kSecond);
    rto::sample(c, 800 * kMillisecond, kSecond);
    CHECK(c.srtt == 800 * kMillisecond);
    CHECK(c.rttvar == 400 * kMillisecond);
    CHECK(c.rto == 2400 * kMillisecond);
    rto::sample(c, 400 * kMillisecond, kSecond);
    CHECK(c.rttvar == 400 * kMillisecond);  // 3/4 * 400 + 1/4 * |800 - 400|
    CHECK(c.srtt == 750 * kMillisecond);    // 7/8 * 800 + 1/8 * 400
    CHECK(c.rto == 2350 * kMillisecond);
    rto::back_off(c);
    CHECK(c.rto == 4700 * kMillisecond);
    for (int i = 0; i < 10; ++i) rto::back_off(c);
    CHECK(c.rto == 60 * kSecond);
    Connection fast;
    rto::sample(fast, kMillisecond, kSecond);
    CHECK(fast.rto == kSecond);
    rto::sample(fast, kMillisecond, 200 * kMillisecond);
    CHECK(fast.rto == 200 * kMillisecond);
}

TEST_CASE("the table finds what was put in, and nothing else", "[tcp]")
{
    std::mt19937 random(1);
    ConnectionTable table;
    std::map<std::uint32_t, Tuple> tuples;  // by slot
    auto find = [&](const Tuple& t) {
        return table.find(t, [&](std::uint32_t slot) {
            const Tuple& other = tuples.at(slot);
            return other.node == t.node && other.remote == t.remote && other.local_port == t.local_port &&
                   other.remote_port == t.remote_port;
        });
    };
    for (std::uint32_t slot = 0; slot < 20000; ++slot) {
        Tuple t{slot % 7, static_cast<std::uint32_t>(random()), static_cast<std::uint16_t>(random()), 80};
        REQUIRE(find(t) == kNone);
        tuples[slot] = t;
        table.insert(t, slot);
        if (random() % 3 == 0) {
            auto victim = tuples.lower_bound(static_cast<std::uint32_t>(random() % (tuples.rbegin()->first + 1)));
            Tuple gone = victim->second;
            table.erase(gone, victim->first);
            tuples.erase(victim);
            REQUIRE(find(gone) == kNone);
        }
    }
    for (const auto& [slot, t] : tuples) REQUIRE(find(t) == slot);
}

TEST_CASE("TIME_WAIT lasts four seconds", "[tcp]")
{
    TimeWait waiting;
    Time now = 0;
    auto tuple = [](std::uint32_t i) { return Tuple{1, i, 80, 1024}; };
    for (std::uint32_t i = 0; i < 100000; ++i) {
        now = static_cast<Time>(i) * kMillisecond;
        waiting.insert({tuple(i), i, 0, now + kTimeWait}, now);
        if (i >= 3999) {
            TimeWaitRecord* record = waiting.find(tuple(i - 3999), now);
            REQUIRE(record != nullptr);
            REQUIRE(record->sequence == i - 3999);
        }
        if (i >= 4000) REQUIRE(waiting.find(tuple(i - 4000), now) == nullptr);
    }
    TimeWaitRecord* record = waiting.find(tuple(99999), now);
    REQUIRE(record != nullptr);
    TimeWait::forget(*record);
    CHECK(waiting.find(tuple(99999), now) == nullptr);
}
