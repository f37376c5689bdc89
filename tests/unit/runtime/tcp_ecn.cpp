// Explicit congestion notification by the sentences of RFC 3168, section 6, and RFC 8257, section 3.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "net/packet/ecn.h"
#include "transfers.h"
#include "transport/congestion.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::Chain;
using test::ChainModel;
using test::Download;
using test::FakeHost;

namespace {

constexpr std::uint8_t kAsks = tcp_flag::ece | tcp_flag::cwr;

test::TcpOptions with(abi::Ecn ecn, abi::Congestion law = abi::Congestion::newreno)
{
    test::TcpOptions tcp = test::linux_tcp();
    tcp.ecn = ecn;
    tcp.congestion = law;
    return tcp;
}

std::vector<Packet> data(const Download& download)
{
    std::vector<Packet> segments;
    for (const auto& got : download.client.received)
        if (got.packet.payload > 0) segments.push_back(got.packet);
    return segments;
}

// A real client that asks for ECN and sends its request in pieces.
struct Upload {
    explicit Upload(const test::TcpOptions& tcp)
        : built(Download::chain(1000, tcp)),
          model(built.model()),
          simulator(model, 1),
          client(simulator, 1, ChainModel::peer_address())
    {
        client.send(FakeHost::segment(ChainModel::server_address(), 4000, 80, tcp_flag::syn | kAsks, 100, 0), 0);
        simulator.run_until(kSecond / 2);
    }
    Packet answer_to(std::uint8_t codepoint, std::uint8_t flags)
    {
        const std::uint32_t start = client.received[0].packet.tcp().sequence + 1;
        Packet p = FakeHost::segment(ChainModel::server_address(), 4000, 80, tcp_flag::ack | flags, sequence, start);
        p.traffic_class = codepoint;
        const std::size_t before = client.received.size();
        client.send_text(p, "GET ", model, simulator.now());
        sequence += 4;
        simulator.run_until(simulator.now() + 100 * kMillisecond);
        REQUIRE(client.received.size() > before);
        return client.received[before].packet;
    }

    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost client;
    std::uint32_t sequence = 101;
};

}  // namespace

TEST_CASE("RFC 3168 6.1.1: a host that is asked answers with ECE alone, if it knows ECN", "[tcp][ecn]")
{
    Download asked(20'000, with(abi::Ecn::accepted), packet_flag::sack, kAsks);
    CHECK((asked.client.received.front().packet.tcp().flags & kAsks) == tcp_flag::ece);
    // "A host MUST NOT set ECT on SYN or SYN-ACK packets."
    CHECK(ecn::codepoint(asked.client.received.front().packet) == ecn::kNotCapable);

    Download not_asked(20'000, with(abi::Ecn::accepted), packet_flag::sack);
    CHECK((not_asked.client.received.front().packet.tcp().flags & kAsks) == 0);
    Download half(20'000, with(abi::Ecn::accepted), packet_flag::sack, tcp_flag::ece);
    CHECK((half.client.received.front().packet.tcp().flags & kAsks) == 0);
    Download ignores(20'000, with(abi::Ecn::none), packet_flag::sack, kAsks);
    CHECK((ignores.client.received.front().packet.tcp().flags & kAsks) == 0);
}

TEST_CASE("RFC 3168 6.1.2: segments with new data are ECT(0), others are not", "[tcp][ecn]")
{
    for (const bool agreed : {true, false}) {
        Download download(40'000, with(abi::Ecn::accepted), packet_flag::sack, agreed ? kAsks : std::uint8_t{0});
        download.fetch({3});
        std::uint32_t highest = download.start;
        int again = 0;
        for (const auto& got : download.client.received) {
            const Packet& p = got.packet;
            if (p.payload == 0) {
                CHECK(ecn::codepoint(p) == ecn::kNotCapable);  // 6.1.4: no pure acknowledgment is
                continue;
            }
            const bool fresh = !tcp::before(p.tcp().sequence, highest);
            highest = tcp::later(highest, p.tcp().sequence + p.payload);
            again += !fresh;
            // 6.1.5: "the TCP data sender MUST NOT set either an ECT codepoint on retransmitted data packets".
            CHECK(ecn::codepoint(p) == (agreed && fresh ? ecn::kEct0 : ecn::kNotCapable));
        }
        CHECK(again == 1);
    }
}

TEST_CASE("RFC 3168 6.1.2: an echo reduces the window once in a round trip, and the next new segment says so",
          "[tcp][ecn]")
{
    Download plain(400'000, with(abi::Ecn::accepted), packet_flag::sack, kAsks);
    const Time without = plain.fetch({});
    for (const Packet& p : data(plain)) CHECK((p.tcp().flags & tcp_flag::cwr) == 0);

    Download marked(400'000, with(abi::Ecn::accepted), packet_flag::sack, kAsks);
    marked.says = tcp_flag::ece;  // all of them: RFC 3168's receiver goes on until it sees CWR
    const Time with_marks = marked.fetch({});
    CHECK(with_marks > without);
    CHECK(marked.retransmissions() == 0);  // "without a drop"
    // One CWR in each round trip, which at the least window has two segments.
    int told = 0;
    for (const Packet& p : data(marked)) told += (p.tcp().flags & tcp_flag::cwr) != 0;
    CHECK(told > 1);
    CHECK(told <= static_cast<int>(data(marked).size()) / 2);
}

TEST_CASE("RFC 3168 6.1.3: a receiver echoes from a mark on until it sees CWR", "[tcp][ecn]")
{
    // A request in segments, of which the second is marked; the last has CWR where `answers`.
    for (const bool answers : {false, true}) {
        Upload upload(with(abi::Ecn::accepted));
        REQUIRE(upload.client.received.size() >= 1);
        std::vector<bool> echoed;
        const auto send = [&](std::uint8_t codepoint, std::uint8_t flags) {
            echoed.push_back(upload.answer_to(codepoint, flags).tcp().flags & tcp_flag::ece);
        };
        send(ecn::kEct0, 0);
        send(ecn::kCongestion, 0);
        send(ecn::kEct0, 0);
        send(ecn::kEct0, answers ? tcp_flag::cwr : std::uint8_t{0});
        CHECK(echoed == std::vector<bool>{false, true, true, !answers});
    }
}

TEST_CASE("RFC 8257 3.2: a DCTCP receiver says of each segment whether it was marked", "[tcp][ecn]")
{
    Upload upload(with(abi::Ecn::accepted, abi::Congestion::dctcp));
    // Linux labels all packets of such a connection, the SYN/ACK too.
    CHECK(ecn::codepoint(upload.client.received[0].packet) == ecn::kEct0);
    std::vector<bool> echoed;
    for (const std::uint8_t codepoint : {ecn::kEct0, ecn::kCongestion, ecn::kCongestion, ecn::kEct0, ecn::kCongestion})
    {
        const Packet answer = upload.answer_to(codepoint, 0);
        CHECK(answer.tcp().acknowledgment == upload.sequence);
        CHECK(ecn::codepoint(answer) == ecn::kEct0);
        echoed.push_back(answer.tcp().flags & tcp_flag::ece);
    }
    CHECK(echoed == std::vector<bool>{false, true, true, false, true});
}

TEST_CASE("RFC 8257 3.3: DCTCP's alpha follows the share of marked bytes, and a mark takes half of it", "[tcp][ecn]")
{
    tcp::Connection c;
    c.mss = 1000;
    c.una = 1;
    c.max = 1 + 100'000;
    c.cwnd = 100'000;
    tcp::law::Dctcp law;
    law.begin_window(c.max);
    double alpha = 1;
    for (int round = 0; round < 50; ++round) {
        for (int i = 0; i < 100; ++i) {  // a hundred segments, of which one in five is marked
            c.una += 1000;
            c.max += 1000;
            law.observe(c, 1000, i % 5 == 0 ? 1000 : 0);
        }
        CHECK(std::abs(law.alpha - alpha) < 0.07);
        alpha = alpha * 15 / 16 + 0.2 / 16;
    }
    CHECK(std::abs(law.alpha - 0.2) < 0.04);
    CHECK(law.threshold(c) == static_cast<std::uint32_t>(std::lround(100'000 * (1 - law.alpha / 2))));
    law.alpha = 1;
    c.cwnd = 3000;
    CHECK(law.threshold(c) == 2000);  // no less than two segments
}

TEST_CASE("the answer has the code point of what was asked", "[tcp][dscp]")
{
    Chain chain = Download::chain(3000, with(abi::Ecn::accepted));
    ChainModel built(chain);
    Model model = built.model();
    Simulator simulator(model, 1);
    FakeHost client(simulator, 1, ChainModel::peer_address());
    Packet syn = FakeHost::segment(ChainModel::server_address(), 4000, 80, tcp_flag::syn, 100, 0);
    syn.traffic_class = 46 << 2;
    client.send(syn, 0);
    simulator.run_until(kSecond / 2);
    REQUIRE(!client.received.empty());
    CHECK(client.received[0].packet.traffic_class == 46 << 2);
}

}  // namespace ANML_UNIT_FILE
