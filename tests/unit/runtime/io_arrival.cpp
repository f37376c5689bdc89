// When frames arrived, by stamps of a clock that somebody sets, and what is sent again.
#include <catch2/catch.hpp>

#include "io/arrival_clock.h"
#include "io/gateway/sent_sequences.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

namespace {

constexpr Time kEpoch = 1'700'000'000 * kSecond;

struct Machine {  // the time of day runs `ahead` of the run's time
    Time ahead = kEpoch;
    io::ArrivalClock clock;
    // The process was kept for `slow` between its readings.
    void look(Time at, Time slow = 40) { clock.observe({at - slow / 2, at + ahead, at + slow / 2}); }
    Time arrival(Time at) const { return clock.arrival(at + ahead); }
};

}  // namespace

TEST_CASE("stamps are taken for what they were, never for earlier", "[io]")
{
    Machine machine;
    machine.look(10 * kMillisecond, 5 * kMillisecond);  // interrupted while it looked
    CHECK(machine.arrival(8 * kMillisecond) >= 8 * kMillisecond);
    CHECK(machine.arrival(8 * kMillisecond) <= 11 * kMillisecond);
    CHECK(machine.clock.error() == 5 * kMillisecond + 200);
    machine.look(20 * kMillisecond);
    machine.look(30 * kMillisecond, 3 * kMillisecond);  // what was known better stays known
    for (Time at : {21, 25, 29}) {
        CHECK(machine.arrival(at * kMillisecond) >= at * kMillisecond);
        CHECK(machine.arrival(at * kMillisecond) <= at * kMillisecond + 200);
    }
    CHECK(machine.clock.error() == 40 + 200);
    CHECK(machine.clock.arrival(kEpoch + kSecond) == 30 * kMillisecond + 3 * kMillisecond / 2);  // not in the future
}

TEST_CASE("a step of the time of day moves no arrival by more than the time between two looks", "[io]")
{
    for (const Time step : {3600 * kSecond, -3600 * kSecond, 5 * kMillisecond, -5 * kMillisecond}) {
        Machine machine;
        machine.look(kSecond);
        machine.look(2 * kSecond);
        const Time stamp_before = 2 * kSecond + 300 * kMicrosecond + machine.ahead;
        machine.ahead += step;
        const Time at = 2 * kSecond + 800 * kMicrosecond;
        machine.look(2 * kSecond + kMillisecond);
        for (const Time arrival : {machine.clock.arrival(stamp_before), machine.arrival(at)}) {
            CHECK(arrival >= 2 * kSecond);
            CHECK(arrival <= 2 * kSecond + kMillisecond + 100);
        }
        CHECK(machine.arrival(at) >= at);
        CHECK(machine.arrival(at) <= at + 200);
        machine.look(3 * kSecond);
        CHECK(machine.arrival(3 * kSecond - kMillisecond) - (3 * kSecond - kMillisecond) <= 200);
    }
}

TEST_CASE("the table of connections is bounded and forgets the idle ones", "[io]")
{
    io::SentSequences sequences;
    Packet packet;
    packet.protocol = protocol::tcp;
    packet.payload = 100;
    std::uint32_t forgotten = 0;
    for (int round = 0; round < 2; ++round) {
        for (std::uint32_t connection = 0; connection < 1000; ++connection) {
            packet.source_port = static_cast<std::uint16_t>(connection);
            packet.tcp().sequence = 4294967200u;  // wraps
            CHECK(sequences.again(packet) == (round == 1));
            packet.tcp().sequence += 100;
            CHECK(sequences.again(packet) == (round == 1));
        }
    }
    for (std::uint32_t connection = 0; connection < 100000; ++connection) {
        packet.destination = Address{connection + 1};
        packet.tcp().sequence = 0;
        CHECK_FALSE(sequences.again(packet));
    }
    for (std::uint32_t connection = 0; connection < 100000; ++connection) {
        packet.destination = Address{connection + 1};
        forgotten += !sequences.again(packet);
    }
    CHECK(forgotten > 0);
    packet.destination = Address{100000};
    CHECK(sequences.again(packet));
}

}  // namespace ANML_UNIT_FILE
