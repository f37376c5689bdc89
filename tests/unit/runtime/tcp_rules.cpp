// What arrives in a connection that is open, by the sentences of RFC 9293, 3.10.7.4, and RFC 7323, 5.3; and
// keep-alives.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "net/packet/real_bytes.h"
#include "talk.h"
#include "wire/packet_codec.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::ChainModel;
using test::FakeHost;
using test::Talk;

namespace {

// The one answer to a segment, and that it is an acknowledgment alone.
Packet answer(Talk& talk, const Packet& segment)
{
    talk.client.send(segment, talk.simulator.now());
    talk.wait(100 * kMillisecond);
    REQUIRE(talk.heard.size() == 1);
    CHECK(talk.heard[0].tcp().flags == tcp_flag::ack);
    CHECK(talk.heard[0].payload == 0);
    return talk.heard[0];
}

}  // namespace

TEST_CASE("RFC 9293 3.10.7.4: an acknowledgment of what was not sent is answered, and its segment dropped", "[tcp]")
{
    Talk talk({});
    talk.client.send_text(talk.segment(talk.sequence, talk.start + 1000), "GET ", talk.model, talk.simulator.now());
    talk.wait(100 * kMillisecond);
    REQUIRE(talk.heard.size() == 1);
    CHECK(talk.heard[0].tcp().acknowledgment == talk.sequence);
    talk.ask();  // it is open as before
    talk.wait(100 * kMillisecond);
    CHECK(talk.data() > 100);
}

TEST_CASE("RFC 9293 3.10.7.4: a segment outside of the window is acknowledged, and dropped", "[tcp]")
{
    Talk talk({});
    for (const std::uint32_t off : {70'000u, 0u - 10u}) {
        Packet far = talk.segment(talk.sequence + off, talk.start);
        far.payload = 5;
        far.length = 45;
        CHECK(answer(talk, far).tcp().acknowledgment == talk.sequence);
    }
}

TEST_CASE("RFC 9293 3.10.7.4: a reset counts only with the next sequence number; within the window it is questioned",
          "[tcp]")
{
    Talk talk({});
    Packet reset = talk.segment(talk.sequence + 100'000, talk.start);
    reset.tcp().flags = tcp_flag::rst;
    talk.client.send(reset, talk.simulator.now());
    talk.wait(100 * kMillisecond);
    CHECK(talk.heard.empty());
    reset.tcp().sequence = talk.sequence + 1;
    CHECK(answer(talk, reset).tcp().acknowledgment == talk.sequence);
    CHECK(talk.simulator.pending().connections == 1);
    reset.tcp().sequence = talk.sequence;
    talk.client.send(reset, talk.simulator.now());
    talk.wait(100 * kMillisecond);
    CHECK(talk.heard.empty());
    CHECK(talk.simulator.pending().connections == 0);
}

TEST_CASE("RFC 9293 3.10.7.4: a SYN in an open connection is questioned, wherever it lies", "[tcp]")
{
    Talk talk({});
    for (const std::uint32_t off : {0u, 10u, 100'000u}) {
        Packet syn = talk.segment(talk.sequence + off, 0);
        syn.tcp().flags = tcp_flag::syn;
        CHECK(answer(talk, syn).tcp().acknowledgment == talk.sequence);
    }
    CHECK(talk.simulator.pending().connections == 1);
}

TEST_CASE("RFC 9293 3.7.1: who is not told a segment size sends 536 bytes at most", "[tcp]")
{
    Talk talk({}, 3000);
    talk.ask("3000");
    talk.wait(100 * kMillisecond);
    REQUIRE(talk.data() > 3000);
    CHECK(talk.heard[1].payload == 536);
    for (const Packet& p : talk.heard) CHECK(p.payload <= 536);
}

TEST_CASE("RFC 7323 5.3: a segment with an older timestamp is acknowledged, and dropped", "[tcp]")
{
    Talk talk(test::linux_tcp(), 100, 1000);
    const auto stamped = [&](std::uint32_t stamp) {
        Packet p = talk.segment(talk.sequence, talk.start);
        p.payload = 4;
        tcp_options::set_timestamps(p, stamp, 0);
        p.length = static_cast<std::uint16_t>(44 + tcp_options::length(p));
        return p;
    };
    CHECK(answer(talk, stamped(999)).tcp().acknowledgment == talk.sequence);
    talk.client.send(stamped(1000), talk.simulator.now());
    talk.wait(100 * kMillisecond);
    REQUIRE(!talk.heard.empty());
    CHECK(talk.heard[0].tcp().acknowledgment == talk.sequence + 4);
}

TEST_CASE("RFC 1122 4.2.3.6: a keep-alive is answered, whether it has a byte or not", "[tcp]")
{
    Talk talk({});
    for (const char* text : {"", "x"}) {
        const Packet probe = talk.segment(talk.sequence - 1, talk.start);
        if (*text != 0)
            talk.client.send_text(probe, text, talk.model, talk.simulator.now());
        else
            talk.client.send(probe, talk.simulator.now());
        talk.wait(100 * kMillisecond);
        REQUIRE(talk.heard.size() == 1);
        CHECK(talk.heard[0].tcp().acknowledgment == talk.sequence);
        CHECK(talk.heard[0].tcp().flags == tcp_flag::ack);
    }
}

TEST_CASE("RFC 2018 8: blocks of what was never sent are nothing, wherever they begin and end", "[tcp]")
{
    test::TcpOptions tcp;
    tcp.sack = 1;
    test::Download d(50'000, tcp, packet_flag::sack);
    const auto block = [&](std::uint32_t offset, std::uint32_t length) {
        Packet p = FakeHost::segment(ChainModel::server_address(), test::kPort, 80, tcp_flag::ack, d.asked, d.start);
        p.flags |= packet_flag::sack | packet_flag::far_sack;
        p.tcp_far_sack().offset = offset;
        p.tcp_far_sack().length = length;
        p.length = static_cast<std::uint16_t>(40 + tcp_options::length(p));
        d.client.send(p, d.simulator.now());
    };
    block(0x7fffffff, 0x7fffffff);
    block(test::kMss, test::kMss);
    d.fetch({3, 7});
    CHECK(d.retransmissions() >= 2);
}

TEST_CASE("RFC 2018 3: a FIN that comes out of order is in a block, for its number", "[tcp]")
{
    test::TcpOptions tcp;
    tcp.sack = 1;
    test::Download d(50'000, tcp, packet_flag::sack);
    const auto answered = [&](std::uint32_t offset, std::uint8_t flags, const char* text) {
        const auto length = static_cast<std::uint16_t>(std::strlen(text));
        Packet p =
            FakeHost::segment(ChainModel::server_address(), test::kPort, 80, flags, d.asked + offset, d.start, length);
        if (length > 0)
            d.client.send_text(p, text, d.model, d.simulator.now());
        else
            d.client.send(p, d.simulator.now());
        Packet reply = d.next();
        while (reply.payload > 0) reply = d.next();
        return reply;
    };
    const Packet alone = answered(20, tcp_flag::fin | tcp_flag::ack, "");
    REQUIRE(tcp_options::block_count(alone) == 1);
    CHECK(tcp_options::block(alone, 0).begin == d.asked + 20);
    CHECK(tcp_options::block(alone, 0).end == d.asked + 21);
    const Packet joined = answered(10, tcp_flag::ack, "0123456789");
    REQUIRE(tcp_options::block_count(joined) == 1);
    CHECK(tcp_options::block(joined, 0).begin == d.asked + 10);
    CHECK(tcp_options::block(joined, 0).end == d.asked + 21);
    CHECK(answered(0, tcp_flag::ack, "0123456789").tcp().acknowledgment == d.asked + 21);
}

TEST_CASE("RFC 2018 3: an acknowledgment has four blocks, three beside timestamps, the latest first", "[tcp]")
{
    for (const bool stamped : {false, true}) {
        test::TcpOptions tcp;
        tcp.sack = tcp.timestamps = 1;
        test::Download d(50'000, tcp,
                         static_cast<std::uint8_t>(packet_flag::sack | (stamped ? packet_flag::timestamps : 0)));
        std::vector<std::uint32_t> begins;
        const std::size_t most = stamped ? 3 : 4;
        for (const std::uint32_t far : {100u, 20'000u, 300u, 400u, 500u, 320u}) {
            Packet p = FakeHost::segment(ChainModel::server_address(), test::kPort, 80, tcp_flag::ack, d.asked + far,
                                         d.start, 10);
            d.client.send_text(p, "0123456789", d.model, d.simulator.now());
            begins.insert(begins.begin(), d.asked + far);
            if (begins.size() > most) begins.pop_back();
            Packet reply = d.next();
            while (reply.payload > 0) reply = d.next();
            const std::vector<std::uint8_t>& bytes = d.client.received[d.seen - 1].bytes;
            std::vector<std::uint32_t> said;
            if (bytes.empty()) {
                for (int i = 0; i < tcp_options::block_count(reply); ++i)
                    said.push_back(tcp_options::block(reply, i).begin);
            } else {
                wire::SackNumbers numbers;
                const std::size_t count = wire::sack_numbers(bytes, numbers);
                for (std::size_t i = 0; i < count; i += 2) {
                    said.push_back(numbers[i]);
                    CHECK(numbers[i + 1] == numbers[i] + 10);
                }
                Packet back;
                CHECK(wire::parse(bytes, true, back) == wire::ParseError::none);
                CHECK(bytes.size() == reply.length);
            }
            CHECK(said == begins);
            CHECK(reply.length == 40 + (stamped ? 12 : 0) + 4 + 8 * begins.size());
        }
    }
}

TEST_CASE("SACK blocks that end half of the numbers away are not said", "[tcp]")
{
    Packet p = FakeHost::segment(ChainModel::server_address(), test::kPort, 80, tcp_flag::ack, 1, 1000);
    CHECK_FALSE(tcp_options::add_block(p, {1000 + 0x7fffffffu, 1000 + 0xfffffffeu}));
    CHECK(tcp_options::add_block(p, {1000 + 0x3fffffffu, 1000 + 0x7fffffffu}));
}

TEST_CASE("a server that is at work does not give its client up, however long it takes", "[tcp]")
{
    test::Chain chain = test::Download::chain(100, {});
    chain.service = {abi::DistributionKind::constant, 100e9, 0};
    Talk talk(0, chain);
    talk.ask();
    talk.wait(99 * kSecond);
    REQUIRE(talk.heard.size() == 1);
    CHECK(talk.heard[0].tcp().flags == tcp_flag::ack);
    talk.wait(2 * kSecond);
    CHECK(talk.data() > 100);
}

}  // namespace ANML_UNIT_FILE
