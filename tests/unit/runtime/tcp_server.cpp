// The simulated server against a scripted real client at the other end of the chain: what it sends, when, and how it
// recovers, segment by segment.
#include <catch2/catch.hpp>
#include <optional>

#include "app/content.h"
#include "fake_host.h"
#include "image_builder.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::tcp_flag;
using test::ChainModel;
using test::FakeHost;

namespace {

constexpr std::uint32_t kIsn = 5000;
constexpr std::uint16_t kMss = 1000, kPort = 40000;

struct World {
    explicit World(double size, test::CloseMode close = test::CloseMode::at_once, Time service = 0)
        : World(chain(size, close, service))
    {
    }
    explicit World(const test::Chain& chain)
        : built(chain), model(built.model()), simulator(model, 1), client(simulator, 1, ChainModel::peer_address())
    {
        simulator.measure(0, kNever);
    }
    static test::Chain chain(double size, test::CloseMode close, Time service)
    {
        test::Chain chain;
        chain.peer = true;
        chain.documents = {size};
        chain.close = close;
        chain.service = {abi::DistributionKind::constant, static_cast<double>(service), 0};
        chain.backbone.queue = 4 << 20;
        return chain;
    }

    void send(std::uint8_t flags, std::uint32_t sequence, std::uint32_t acknowledgment, std::uint16_t window = 65535)
    {
        Packet p = FakeHost::segment(ChainModel::server_address(), kPort, 80, flags, sequence, acknowledgment);
        p.tcp().window = window;
        if (flags & syn) {
            p.tcp_syn().mss = mss;
            p.length += 4;
        }
        client.send(p, simulator.now());
    }
    void acknowledge(std::uint32_t offset, std::uint16_t window = 65535) { send(ack, asked, start + offset, window); }
    void ask(std::string_view text)
    {
        Packet p = FakeHost::segment(ChainModel::server_address(), kPort, 80, ack, asked, start);
        client.send_text(p, text, model, simulator.now());
        asked += static_cast<std::uint32_t>(text.size());
    }
    // Everything that arrives within 100 ms, which is less than a time-out.
    std::vector<Packet> burst(Time within = 100 * kMillisecond)
    {
        simulator.run_until(simulator.now() + within);
        std::vector<Packet> packets;
        for (; seen < client.received.size(); ++seen) packets.push_back(client.received[seen].packet);
        return packets;
    }
    std::optional<Packet> next(Time within = 100 * kSecond)
    {
        Time limit = simulator.now() + within;
        while (seen == client.received.size() && simulator.next_event() <= limit)
            simulator.run_until(simulator.next_event());
        if (seen == client.received.size()) return std::nullopt;
        return client.received[seen++].packet;
    }
    // The whole handshake; `start` is the sequence number of the server's first byte.
    void handshake()
    {
        send(syn, kIsn, 0);
        auto reply = next();
        REQUIRE(reply);
        CHECK(reply->tcp().flags == (syn | ack));
        CHECK(reply->tcp().acknowledgment == kIsn + 1);
        CHECK(reply->tcp_syn().mss == server_mss);
        start = reply->tcp().sequence + 1;
        asked = kIsn + 1;
        send(ack, asked, start);
    }
    void get(const std::string& path)
    {
        handshake();
        ask("GET " + path + " HTTP/1.0\r\nHost: x\r\n\r\n");
    }
    // Offsets of the segments with payload.
    std::vector<std::uint32_t> offsets(const std::vector<Packet>& packets)
    {
        std::vector<std::uint32_t> result;
        for (const Packet& p : packets)
            if (p.payload > 0) result.push_back(p.tcp().sequence - start);
        return result;
    }
    std::uint32_t length() { return static_cast<std::uint32_t>(content::length(model, content::response(0))); }

    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost client;
    std::size_t seen = 0;
    std::uint32_t start = 0, asked = 0;
    std::uint16_t mss = kMss, server_mss = 1460;
};

using Offsets = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("the server answers a real request, and closes with the last segment", "[tcp]")
{
    World w(1500, test::CloseMode::at_once, 5 * kMillisecond);
    w.get("/1500");
    auto packets = w.burst();
    REQUIRE(packets.size() == 3);  // the request's acknowledgment, and two segments
    CHECK(packets[0].payload == 0);
    CHECK(packets[0].tcp().acknowledgment == w.asked);
    CHECK(packets[1].payload == kMss);
    CHECK(packets[1].tcp().flags == ack);
    CHECK(packets[2].tcp().flags == (ack | psh | fin));
    CHECK(packets[1].payload + packets[2].payload == static_cast<int>(w.length()));
    // Service time from the last byte of the request to the first of the response.
    Time waited = w.client.received[2].at - w.client.received[1].at;
    CHECK(waited == 5 * kMillisecond + 2 * (1040 - 40) * 8);
    std::vector<std::uint8_t> bytes(packets[1].length);
    wire::emit(packets[1], w.model, w.simulator.buffers(), bytes);
    CHECK(std::string(bytes.begin() + 40, bytes.begin() + 55) == "HTTP/1.0 200 OK");

    w.send(ack | fin, w.asked, w.start + w.length() + 1);
    auto last = w.burst();
    REQUIRE(last.size() == 1);
    CHECK(last[0].tcp().acknowledgment == w.asked + 1);
    CHECK(test::silent(w.simulator));

    // In TIME_WAIT a repeated FIN is acknowledged again, a new SYN opens a new connection; later it is refused.
    w.send(ack | fin, w.asked, w.start + w.length() + 1);
    last = w.burst();
    REQUIRE(last.size() == 1);
    CHECK(last[0].tcp().flags == ack);
    CHECK(last[0].tcp().sequence == w.start + w.length() + 1);
    w.get("/1500");
    CHECK(w.offsets(w.burst()) == Offsets{0, 1000});
    w.send(ack | fin, w.asked, w.start + w.length() + 1);
    w.burst(5 * kSecond);
    w.send(ack | fin, w.asked, w.start + w.length() + 1);
    last = w.burst();
    REQUIRE(last.size() == 1);
    CHECK(last[0].tcp().flags == rst);
}

TEST_CASE("after_ack: the FIN waits for the data's acknowledgment", "[tcp]")
{
    World w(500, test::CloseMode::after_ack);
    w.get("/500");
    auto packets = w.burst();
    CHECK(packets.back().tcp().flags == (ack | psh));
    w.acknowledge(w.length());
    packets = w.burst();
    REQUIRE(packets.size() == 1);
    CHECK(packets[0].tcp().flags == (ack | fin));
    CHECK(packets[0].payload == 0);
    w.send(ack, w.asked, w.start + w.length() + 1);  // FIN_WAIT_2
    CHECK(w.burst().empty());
    w.send(ack | fin, w.asked, w.start + w.length() + 1);
    CHECK(w.burst().size() == 1);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("requests in pieces, other paths and other methods", "[tcp]")
{
    World w(300);
    w.handshake();
    for (std::string_view piece : {"G", "ET /3", "00 HT", "TP/1.1\r\nHost: b\r", "\n\r"}) {
        w.ask(piece);
        CHECK(w.offsets(w.burst()).empty());
    }
    auto expect_status = [&](std::string_view status) {
        auto packets = w.burst();
        REQUIRE_FALSE(packets.empty());
        std::vector<std::uint8_t> bytes(packets.back().length);
        wire::emit(packets.back(), w.model, w.simulator.buffers(), bytes);
        CHECK(std::string(bytes.begin() + 49, bytes.begin() + 52) == status);
        w.send(rst | ack, w.asked, w.start);
        w.burst();
    };
    w.ask("\n");
    expect_status("200");
    w.get("/301");
    expect_status("404");
    w.handshake();
    w.ask("BREWS /300 HTTP/1.0\r\n\r\n");
    expect_status("501");
    w.handshake();
    w.ask("GET /300 HTTP/1.1\r\n\r\n");
    expect_status("400");
    w.handshake();
    w.ask("GET /300\n");
    expect_status("200");
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a document goes on behind its first 4 GiB", "[tcp]")
{
    test::Chain chain = World::chain(4.4e9, test::CloseMode::at_once, 0);
    chain.backbone.mtu = chain.uplink.mtu = chain.edge.mtu = 65000;
    World w(chain);
    w.mss = 60000;  // the window holds one
    w.server_mss = 64960;
    w.handshake();
    w.ask("GET /4400000000 HTTP/1.0\r\n\r\n");
    const std::uint64_t length = content::length(w.model, content::response(0));
    std::uint64_t reached = 0, elsewhere = 0;
    while (reached < length) {
        const auto packet = w.next();
        REQUIRE(packet);
        if (packet->payload == 0) continue;
        elsewhere += packet->offset_in_content() != reached;
        reached += packet->payload;
        w.acknowledge(static_cast<std::uint32_t>(reached));
    }
    CHECK(reached == length);
    CHECK(elsewhere == 0);
    CHECK(w.simulator.statistics().retransmissions == 0);
}

TEST_CASE("RFC 5681 3.1: slow start is ten segments, then two for each acknowledgment", "[tcp]")
{
    World w(100000);
    w.get("/100000");
    CHECK(w.offsets(w.burst()) == Offsets{0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000});
    w.acknowledge(1000);
    CHECK(w.offsets(w.burst()) == Offsets{10000, 11000});
    w.acknowledge(3000);  // one acknowledgment for two segments
    CHECK(w.offsets(w.burst()) == Offsets{12000, 13000, 14000});
    w.acknowledge(15000, 3500);  // the receiver's window binds; no small segment while others are under way
    CHECK(w.offsets(w.burst()) == Offsets{15000, 16000, 17000});
}

TEST_CASE("RFC 6582 3.2: a lost segment is repeated after three duplicates, another one after a partial acknowledgment",
          "[tcp]")
{
    World w(100000);
    w.get("/100000");
    CHECK(w.burst().size() == 11);
    w.acknowledge(2000);  // slow start: 11 segments
    CHECK(w.offsets(w.burst()) == Offsets{10000, 11000, 12000});
    // 2000 and 5000 are lost: 11 under way.
    w.acknowledge(2000);
    CHECK(w.offsets(w.burst()) == Offsets{13000});  // limited transmit
    w.acknowledge(2000);
    CHECK(w.offsets(w.burst()) == Offsets{14000});
    w.acknowledge(2000);
    // ssthresh = 11000 / 2, without limited transmit; cwnd = 5500 + 3000: only the lost one.
    CHECK(w.offsets(w.burst()) == Offsets{2000});
    for (int i = 0; i < 4; ++i) {
        w.acknowledge(2000);  // cwnd 9500, 10500, 11500, 12500 with 13000 under way
        CHECK(w.burst().empty());
    }
    w.acknowledge(2000);  // 13500: 500 bytes of room, and no small segments
    CHECK(w.burst().empty());
    w.acknowledge(2000);  // 14500
    CHECK(w.offsets(w.burst()) == Offsets{15000});
    w.acknowledge(5000);  // partial: 14500 - 3000 + 1000 = 12500, with 11000 under way
    CHECK(w.offsets(w.burst()) == Offsets{5000, 16000});
    w.acknowledge(15000);  // full: min(5500, 2000 + 1000) and what lies beyond recovery
    CHECK(w.offsets(w.burst()) == Offsets{17000});
    CHECK(w.simulator.statistics().retransmissions == 2);
}

TEST_CASE("RFC 6298 5.5: without acknowledgments the first segment is repeated, twice as late each time, until the end",
          "[tcp]")
{
    World w(100000);
    w.get("/100000");
    auto first = w.burst();
    Time last = w.client.received[w.seen - 10].at;
    for (Time wait = kSecond, i = 0; i < 8; ++i) {
        auto again = w.next();
        REQUIRE(again);
        CHECK(again->tcp().sequence == w.start);
        CHECK(w.client.received.back().at - last == Approx(static_cast<double>(wait)).epsilon(0.01));
        last = w.client.received.back().at;
        wait = std::min(2 * wait, 60 * kSecond);
    }
    CHECK_FALSE(w.next(200 * kSecond));
    CHECK(test::silent(w.simulator));
}

TEST_CASE("RFC 5681 3.1: after a time-out what was sent goes out again in slow start", "[tcp]")
{
    World w(20000);
    w.get("/20000");
    CHECK(w.burst().size() == 11);
    auto again = w.next(2 * kSecond);
    REQUIRE(again);
    CHECK(again->tcp().sequence == w.start);
    w.acknowledge(1000);
    CHECK(w.offsets(w.burst()) == Offsets{1000, 2000});
    w.acknowledge(3000);
    CHECK(w.offsets(w.burst()) == Offsets{3000, 4000, 5000});
    w.acknowledge(10000);  // the receiver had the rest
    CHECK(w.offsets(w.burst()).front() == 10000);
    CHECK(w.simulator.statistics().retransmissions == 1 + 2 + 3);
}

TEST_CASE("RFC 9293 3.10.7.4: an acknowledgment lies behind all that was sent, after a time-out, too", "[tcp]")
{
    World w(20000);
    w.get("/20000");
    w.burst();
    const auto again = w.next(2 * kSecond);
    REQUIRE(again);
    CHECK(again->tcp().sequence == w.start);
    w.ask("GET ");
    const std::vector<Packet> answers = w.burst();
    REQUIRE(answers.size() == 1);
    CHECK(answers[0].payload == 0);
    CHECK(answers[0].tcp().sequence == w.start + 10000);
}

TEST_CASE("RFC 5681 3.1: a SYN/ACK is repeated, and behind a lost one the initial window is a segment", "[tcp]")
{
    World w(100000);
    w.send(syn, kIsn, 0);
    auto reply = w.next();
    REQUIRE(reply);
    w.send(syn, kIsn, 0);  // the client repeats its SYN
    CHECK(w.next()->tcp().flags == (syn | ack));
    auto again = w.next();  // the server's own time-out
    REQUIRE(again);
    CHECK(again->tcp().sequence == reply->tcp().sequence);
    w.start = reply->tcp().sequence + 1;
    w.asked = kIsn + 1;
    w.ask("GET /100000 HTTP/1.0\r\n\r\n");
    CHECK(w.offsets(w.burst()) == Offsets{0});  // a window of one segment
    auto repeat = w.next();
    REQUIRE(repeat);
    // RFC 6298, 5.7: three seconds; the first one waited for the acknowledgment of the request, 320 ns.
    CHECK(w.client.received.back().at - w.client.received[w.seen - 2].at == 3 * kSecond - 320);
}

TEST_CASE("a client that says nothing, or never closes, is forgotten", "[tcp]")
{
    World w(300);
    SECTION("no request")
    {
        w.handshake();
        auto reset = w.next();
        REQUIRE(reset);
        CHECK((reset->tcp().flags & rst) != 0);
        CHECK(w.simulator.now() > 60 * kSecond);
    }
    SECTION("no FIN")
    {
        w.get("/300");
        w.burst();
        w.acknowledge(w.length() + 1);
        CHECK(w.burst(50 * kSecond).empty());
        CHECK(w.simulator.pending().connections == 1);
        CHECK(w.burst(20 * kSecond).size() == 1);
    }
    SECTION("no final acknowledgment of the handshake")
    {
        w.send(syn, kIsn, 0);
        CHECK(w.burst(100 * kSecond).size() == 6);
    }
    w.burst(kSecond);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("RFC 9293 3.6: a client that closes its side first still gets its answer", "[tcp]")
{
    World w(300, test::CloseMode::after_ack, 10 * kMillisecond);
    w.handshake();
    w.ask("GET /300 HTTP/1.0\r\n\r\n");
    w.send(ack | fin, w.asked, w.start);
    auto packets = w.burst();
    REQUIRE(w.offsets(packets) == Offsets{0});
    CHECK(packets.back().tcp().acknowledgment == w.asked + 1);
    ++w.asked;
    w.acknowledge(w.length());
    packets = w.burst();
    REQUIRE(packets.size() == 1);
    CHECK(packets[0].tcp().flags == (ack | fin));
    w.acknowledge(w.length() + 1);
    CHECK(w.burst().empty());
    CHECK(test::silent(w.simulator));
}

TEST_CASE("RFC 9293 3.10.7.1: a SYN to a closed port is answered with a reset", "[tcp]")
{
    World w(300);
    Packet p = FakeHost::segment(ChainModel::server_address(), kPort, 81, syn, 9, 0);
    w.client.send(p, 0);
    auto packets = w.burst();
    REQUIRE(packets.size() == 1);
    CHECK(packets[0].tcp().flags == (rst | ack));
}

}  // namespace ANML_UNIT_FILE
