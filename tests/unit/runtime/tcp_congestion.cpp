// Congestion control and the retransmission time-out against the numbers of their RFCs; the table of connections.
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "image_builder.h"
#include "transport/congestion.h"
#include "transport/connection_table.h"
#include "transport/ports/time_wait.h"
#include "transport/recovery/rto.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::tcp;

namespace {

// Their law is NewReno's, which keeps nothing and asks for no time.
law::Sender sender(Connection& c)
{
    static law::States none;
    return {c, none, 0};
}

// A connection that has `flight` bytes under way.
Connection sending(std::uint32_t flight, std::uint16_t mss = 1000)
{
    Connection c;
    c.mss = mss;
    c.una = 1;
    congestion::open(sender(c), 10);
    c.nxt = c.max = c.una + flight;
    return c;
}

Settings settings_of(const test::TcpOptions& options)
{
    test::Chain chain;
    chain.client_tcp = options;
    const test::ChainModel built(chain);
    const Model model = built.model();
    const std::uint32_t record = model.node_row(built.client(0, 0)).tcp;
    return Settings(model, abi::row_of<abi::record::tcp>(built.image(), record));
}

// Of a sender that has just sent what it could.
bool acknowledge(Connection& c, std::uint32_t bytes)
{
    congestion::note_use(c, c.max - c.una, true);
    c.una += bytes;
    return congestion::acknowledge(sender(c), bytes, bytes);
}

}  // namespace

TEST_CASE("RFC 6928 2: the initial window is ten segments, at most 14600 bytes", "[tcp]")
{
    CHECK(sending(0, 1460).cwnd == 14600);
    CHECK(sending(0, 536).cwnd == 5360);
    CHECK(sending(0, 8960).cwnd == 17920);
    Connection c;
    c.mss = 1460;
    c.una = 1;
    congestion::open(sender(c), 1);
    CHECK(c.cwnd == 1460);
    congestion::open(sender(c), 3);
    CHECK(c.cwnd == 4380);
}

TEST_CASE("RFC 5681 3.1: slow start grows by a segment per acknowledgment, avoidance by one per window", "[tcp]")
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
    acknowledge(c, 5000);
    CHECK(c.cwnd == 20099);
}

TEST_CASE("RFC 3465 2: with byte counting delayed acknowledgments make no slower growth", "[tcp]")
{
    Connection c = sending(100000);
    c.byte_counting = true;
    acknowledge(c, 2000);
    CHECK(c.cwnd == 12000);
    acknowledge(c, 5000);
    CHECK(c.cwnd == 17000);
    c.ssthresh = 18000;
    acknowledge(c, 3000);  // 1000 in slow start, the rest is 2000 of a window of 18000
    CHECK(c.cwnd == 18111);
    acknowledge(c, 18000);
    CHECK(c.cwnd == 19104);
}

TEST_CASE("what arrived before a time-out opens no window behind it", "[tcp]")
{
    Connection c = sending(20000);
    c.byte_counting = true;
    congestion::time_out(sender(c), true);
    acknowledge(c, 12000);
    CHECK(c.cwnd == 2000);
}

TEST_CASE("a window that something else keeps from being filled does not grow", "[tcp]")
{
    Connection c = sending(3000);
    c.cwnd = 10000;
    acknowledge(c, 1000);
    CHECK(c.cwnd == 10000);
    c = sending(6000);
    acknowledge(c, 1000);
    CHECK(c.cwnd == 11000);  // slow start: half of it is enough
    c = sending(8000);
    c.ssthresh = c.cwnd = 10000;
    acknowledge(c, 1000);
    CHECK(c.cwnd == 10000);
}

// As Linux 6.18 does beside it: the tail of a response makes room for the next one.
TEST_CASE("the window grows by all acknowledgments of a round trip that used it", "[tcp]")
{
    Connection c = sending(8000);  // in slow start: up to twice of what was under way
    acknowledge(c, 1000);
    for (int i = 0; i < 7; ++i) {
        c.una += 1000;
        congestion::acknowledge(sender(c), 1000, 1000);
    }
    CHECK(c.cwnd == 16000);
    c = sending(10000);  // in avoidance: full once
    c.ssthresh = c.cwnd;
    acknowledge(c, 1000);
    c.nxt = c.max += 1000;
    congestion::note_use(c, 9000, true);  // of the last response, which ends
    for (int i = 0; i < 9; ++i) {
        c.una += 1000;
        congestion::acknowledge(sender(c), 1000, 1000);
    }
    CHECK(c.cwnd == 10956);
    c.nxt = c.max += 3000;  // the next one is short
    congestion::note_use(c, 3000, true);
    c.una += 3000;
    congestion::acknowledge(sender(c), 3000, 3000);
    CHECK(c.cwnd == 10956);
}

TEST_CASE("fast retransmit works when the numbers have wrapped past the last recovery", "[tcp]")
{
    Connection c = sending(20000);
    const std::uint32_t start = c.una;
    for (std::uint64_t sent = 0; sent < 3'000'000'000; sent += 1'000'000'000) {
        c.nxt = c.max = c.una + 1'000'000'000;
        acknowledge(c, 1'000'000'000);
    }
    CHECK(before(c.una, start));  // half the numbers away and more
    c.nxt = c.max = c.una + 20000;
    CHECK_FALSE(congestion::duplicate(sender(c)));
    CHECK_FALSE(congestion::duplicate(sender(c)));
    CHECK(congestion::duplicate(sender(c)));
}

TEST_CASE("RFC 5681 3.2: what limited transmit has sent does not count into ssthresh", "[tcp]")
{
    Connection c = sending(20000);
    c.cwnd = 20000;
    congestion::duplicate(sender(c));
    congestion::duplicate(sender(c));
    c.nxt = c.max = c.una + congestion::window(c);
    CHECK(congestion::duplicate(sender(c)));
    CHECK(c.ssthresh == 10000);
}

TEST_CASE("RFC 5681 3.2: three duplicates start fast recovery, each further one inflates the window", "[tcp]")
{
    Connection c = sending(20000);
    c.cwnd = 20000;
    CHECK_FALSE(congestion::duplicate(sender(c)));
    CHECK(congestion::window(c) == 21000);  // limited transmit
    CHECK_FALSE(congestion::duplicate(sender(c)));
    CHECK(congestion::window(c) == 22000);
    CHECK(congestion::duplicate(sender(c)));
    CHECK(c.recovering);
    CHECK(c.ssthresh == 10000);
    CHECK(c.cwnd == 13000);
    CHECK_FALSE(congestion::duplicate(sender(c)));
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
        for (int i = 0; i < 5; ++i) CHECK_FALSE(congestion::duplicate(sender(c)));
    }
    SECTION("a time-out in recovery ends it")
    {
        congestion::time_out(sender(c), true);
        CHECK(c.cwnd == 1000);
        CHECK(c.ssthresh == 10000);
        CHECK_FALSE(c.recovering);
        c.nxt = c.una + 1000;
        congestion::time_out(sender(c), false);  // the same segment again: ssthresh stays
        CHECK(c.ssthresh == 10000);
    }
}

TEST_CASE("RFC 5681 3.1: ssthresh is at least two segments", "[tcp]")
{
    Connection c = sending(1000);
    congestion::time_out(sender(c), true);
    CHECK(c.ssthresh == 2000);
}

TEST_CASE("RFC 6298 2: the time-out is the mean round trip and four times its variation, a second at least", "[tcp]")
{
    test::TcpOptions options;
    const auto settings = [&] { return settings_of(options); };
    Connection c;
    rto::sample(c, 800'000, settings());
    CHECK(rto::mean(c) == 800 * kMillisecond);
    CHECK(c.deviation == 4 * 400'000);
    CHECK(rto::of(c) == 2400 * kMillisecond);
    rto::sample(c, 400'000, settings());
    CHECK(c.deviation == 4 * 400'000);          // 3/4 * 400 + 1/4 * |800 - 400|
    CHECK(rto::mean(c) == 750 * kMillisecond);  // 7/8 * 800 + 1/8 * 400
    CHECK(rto::of(c) == 2350 * kMillisecond);
    rto::back_off(c, settings());
    CHECK(rto::of(c) == 4700 * kMillisecond);
    for (int i = 0; i < 10; ++i) rto::back_off(c, settings());
    CHECK(rto::of(c) == 60 * kSecond);
    Connection fast;
    rto::sample(fast, 1000, settings());
    CHECK(rto::of(fast) == kSecond);
    options.minimum_rto = 2e8;
    rto::sample(fast, 1000, settings());
    CHECK(rto::of(fast) == 200 * kMillisecond);
}

TEST_CASE("Linux's time-out: the variation is at least 200 ms, and remembers the largest of a round trip", "[tcp]")
{
    const Settings settings = settings_of(test::linux_tcp());
    Connection c;
    c.una = 1;
    c.max = 10000;
    rto::sample(c, 100'000, settings);
    CHECK(rto::of(c) == 300 * kMillisecond);  // 100 + max(4 * 50, 200)
    for (int i = 0; i < 100; ++i) rto::sample(c, 100'000, settings);
    CHECK(rto::of(c) == 300 * kMillisecond);
    // A round trip of 500 ms, then many of 100 ms before what was sent then is acknowledged: it is not forgotten.
    rto::sample(c, 500'000, settings);
    CHECK(rto::mean(c) == 150 * kMillisecond);
    CHECK(rto::of(c) / kMillisecond == 550);
    for (int i = 0; i < 100; ++i) rto::sample(c, 100'000, settings);
    CHECK(rto::of(c) > 490 * kMillisecond);
    // Then a quarter of it in a round trip.
    for (int i = 0; i < 30; ++i) {
        c.una = c.max;
        c.max += 10000;
        rto::sample(c, 100'000, settings);
    }
    CHECK(rto::of(c) < 310 * kMillisecond);
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
        Tuple t{slot % 7, Address{static_cast<std::uint32_t>(random())}, static_cast<std::uint16_t>(random()), 80};
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

TEST_CASE("TIME_WAIT lasts as long as it is told", "[tcp]")
{
    constexpr Time kTimeWait = 4 * kSecond;
    TimeWait waiting(kTimeWait);
    Time now = 0;
    auto tuple = [](std::uint32_t i) { return Tuple{1, Address{i}, 80, 1024}; };
    for (std::uint32_t i = 0; i < 100000; ++i) {
        now = static_cast<Time>(i) * kMillisecond;
        waiting.insert({.tuple = tuple(i), .sequence = i, .expires = now + kTimeWait}, now);
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

}  // namespace ANML_UNIT_FILE
