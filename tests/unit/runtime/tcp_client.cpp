// The virtual client against a scripted real server: every packet it sends is compared.
#include <catch2/catch.hpp>
#include <optional>

#include "app/content.h"
#include "fake_host.h"
#include "image_builder.h"
#include "net/node/icmp_messages.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::tcp_flag;
using test::ChainModel;
using test::FakeHost;

namespace {

constexpr std::uint32_t kIsn = 0xfffff000;  // so that the sequence numbers of the data wrap
const std::string kHead = "HTTP/1.0 200 OK\r\n\r\n";

test::Chain once(test::Chain chain = {})
{
    chain.think = {abi::DistributionKind::constant, 1e12, 0};
    return chain;
}

struct World {
    explicit World(const test::Chain& chain)
        : built(chain), model(built.model()), simulator(model, 1), server(simulator, 0, ChainModel::server_address())
    {
        simulator.start_workloads(0, 0, 1000 * kSecond);
    }

    // Runs until the server gets a packet, and gives it.
    std::optional<Packet> next()
    {
        while (server.received.size() == seen && simulator.next_event() != kNever &&
               simulator.next_event() < 1000 * kSecond)
            simulator.run_until(simulator.next_event());
        if (server.received.size() == seen) return std::nullopt;
        return server.received[seen++].packet;
    }
    Packet must()
    {
        auto packet = next();
        REQUIRE(packet);
        return *packet;
    }
    // Nothing more reaches the server within 20 ms.
    bool quiet()
    {
        simulator.run_until(simulator.now() + 20 * kMillisecond);
        return server.received.size() == seen;
    }

    // Answers the SYN; the client's ISN stays in `isn`. Gives the request.
    Packet handshake(std::uint16_t mss = 1460)
    {
        Packet syn = must();
        isn = syn.tcp().sequence;
        port = syn.source_port;
        Packet reply = segment(tcp_flag::syn | ack, kIsn, isn + 1);
        reply.tcp_syn().mss = mss;
        reply.length += 4;
        send(reply);
        Packet acknowledgment = must();
        CHECK(acknowledgment.tcp().flags == ack);
        CHECK(acknowledgment.payload == 0);
        CHECK(acknowledgment.tcp().acknowledgment == kIsn + 1);
        Packet request = must();
        CHECK(request.tcp().sequence == isn + 1);
        return request;
    }
    Packet segment(std::uint8_t flags, std::uint32_t sequence, std::uint32_t acknowledgment, std::uint16_t payload = 0)
    {
        return FakeHost::segment(ChainModel::client_address(0, 0), 80, port, flags, sequence, acknowledgment, payload);
    }
    void send(const Packet& packet) { server.send(packet, simulator.now()); }
    void send_text(const Packet& packet, std::string_view text)
    {
        server.send_text(packet, text, model, simulator.now());
    }
    const WorkloadStatistics& result() { return simulator.statistics().workloads[0]; }

    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost server;
    std::size_t seen = 0;
    std::uint32_t isn = 0;
    std::uint16_t port = 0;
};

}  // namespace

TEST_CASE("the client opens, asks, acknowledges every segment, and closes with the server", "[tcp]")
{
    World w(once());
    Packet request = w.handshake();
    auto length = static_cast<std::uint16_t>(content::length(w.model, content::request(0)));
    CHECK(w.server.received[0].packet.tcp().flags == syn);
    CHECK(w.server.received[0].packet.tcp_syn().mss == 1460);
    CHECK(w.server.received[0].packet.tcp().window == 65535);
    CHECK(w.port == 1024);
    CHECK(request.payload == length);
    CHECK(request.tcp().flags == (ack | psh));
    CHECK(content::request_number(request.content) == 0);

    std::uint32_t asked = w.isn + 1 + length, at = kIsn + 1;
    w.send_text(w.segment(ack, at, asked), kHead + std::string(1000, 'x'));
    w.send_text(w.segment(ack, at + 1019, asked), std::string(1400, 'y'));
    CHECK(w.must().tcp().acknowledgment == at + 1019);
    CHECK(w.must().tcp().acknowledgment == at + 2419);
    // Data, and the FIN with it, from where the sequence numbers have wrapped.
    w.send_text(w.segment(ack | fin, at + 2419, asked), std::string(1460, 'z'));
    Packet last = w.must();
    CHECK(last.tcp().flags == (ack | fin));
    CHECK(last.tcp().acknowledgment == at + 2419 + 1461);
    CHECK(last.tcp().sequence == asked);
    CHECK(w.result().completed == 1);
    CHECK(w.result().response_bytes == 2419 + 1460);
    CHECK(w.simulator.pending().connections == 1);  // LAST_ACK
    w.send(w.segment(ack, at + 3880, asked + 1));
    CHECK(w.quiet());
    CHECK(test::silent(w.simulator));
}

TEST_CASE("RFC 9293 3.10.7.4: out-of-order segments are kept, overlaps and repetitions are harmless", "[tcp]")
{
    World w(once());
    Packet request = w.handshake();
    std::uint32_t asked = w.isn + 1 + request.payload, at = kIsn + 1;
    auto data = [&](std::uint32_t from, std::uint16_t size, std::uint8_t flags = ack) {
        w.send_text(w.segment(flags, at + from, asked), std::string(size, 'x'));
        return w.must().tcp().acknowledgment - at;
    };
    // Before the status line is known nothing is kept out of order: its bytes must be seen.
    CHECK(data(500, 100) == 0);
    w.send_text(w.segment(ack, at, asked), "HTTP/1");
    CHECK(w.must().tcp().acknowledgment == at + 6);
    w.send_text(w.segment(ack, at + 6, asked), ".1 200 Fine\r\n\r\n");
    CHECK(w.must().tcp().acknowledgment == at + 21);

    CHECK(data(1000, 500) == 21);
    CHECK(data(2000, 500) == 21);
    CHECK(data(1400, 200) == 21);  // overlaps the first
    CHECK(data(5000, 100, ack | fin) == 21);
    CHECK(data(1500, 600) == 21);   // joins two
    CHECK(data(0, 21) == 21);       // old
    CHECK(data(10, 1000) == 2500);  // fills the first hole, partly old
    CHECK(data(2500, 1400) == 3900);
    w.send_text(w.segment(ack, at + 3900, asked), std::string(1100, 'x'));
    Packet last = w.must();
    CHECK(last.tcp().acknowledgment - at == 5101);
    CHECK(last.tcp().flags == (ack | fin));
    CHECK(w.result().completed == 1);
    CHECK(w.result().response_bytes == 5100);
}

TEST_CASE("more holes than the receiver keeps cost a repetition, no more", "[tcp]")
{
    World w(once());
    Packet request = w.handshake();
    std::uint32_t asked = w.isn + 1 + request.payload, at = kIsn + 1;
    w.send_text(w.segment(ack, at, asked), kHead);
    w.must();
    at += static_cast<std::uint32_t>(kHead.size());
    for (std::uint32_t i = 8; i >= 1; --i) {
        w.send_text(w.segment(ack, at + 200 * i, asked), std::string(100, 'x'));
        CHECK(w.must().tcp().acknowledgment == at);
    }
    std::uint32_t reached = 0;
    for (int repeat = 0; repeat < 3; ++repeat)
        for (std::uint32_t i = 0; i <= 8; ++i) {
            w.send_text(w.segment(ack, at + 200 * i, asked), std::string(200, 'x'));
            reached = w.must().tcp().acknowledgment - at;
        }
    CHECK(reached == 1800);
    w.send(w.segment(ack | fin, at + 1800, asked));
    w.must();
    CHECK(w.result().response_bytes == 1800 + kHead.size());
}

TEST_CASE("a SYN is sent once; a late SYN/ACK gets a reset, ports go up", "[tcp]")
{
    World w(test::Chain{});
    Packet first = w.must();
    CHECK(first.source_port == 1024);
    Time sent = w.server.received[0].at;
    Packet second = w.must();
    CHECK(second.source_port == 1025);
    CHECK(second.tcp().sequence != first.tcp().sequence);
    CHECK(w.server.received[1].at - sent == 5 * kSecond);
    CHECK(w.result().failed(FailureCause::connect) == 1);
    w.port = 1024;
    w.send(w.segment(syn | ack, kIsn, first.tcp().sequence + 1));
    Packet reset = w.must();
    CHECK(reset.tcp().flags == rst);
    CHECK(reset.tcp().sequence == first.tcp().sequence + 1);
    // The wrong acknowledgment on the open one as well.
    w.port = 1025;
    w.send(w.segment(syn | ack, kIsn, second.tcp().sequence + 7));
    reset = w.must();
    CHECK(reset.tcp().flags == rst);
    CHECK(reset.tcp().sequence == second.tcp().sequence + 7);
}

TEST_CASE("RFC 6298 5.5: an unanswered request is repeated at 1, 2, 4, 8 ... seconds, then given up", "[tcp]")
{
    World w(test::Chain{});
    Packet request = w.handshake();
    Time last = w.server.received[2].at;
    for (Time wait = kSecond, i = 0; i < 8; ++i) {
        Packet again = w.must();
        CHECK(again.tcp().sequence == request.tcp().sequence);
        CHECK(again.payload == request.payload);
        // The first request waited for the acknowledgment before it on the access link: 3.2 us.
        CHECK(w.server.received.back().at - last == (i == 0 ? wait - 3200 : wait));
        last = w.server.received.back().at;
        wait = std::min(2 * wait, 60 * kSecond);
    }
    CHECK(w.simulator.statistics().retransmissions == 8);
    Packet next = w.must();
    CHECK(next.tcp().flags == syn);
    CHECK(w.result().failed(FailureCause::timeout) == 1);
}

TEST_CASE("as from Linux, an unanswered request is repeated 15 times, and given up after 924 s", "[tcp]")
{
    test::Chain chain = once();
    chain.client_tcp = test::linux_tcp();
    World w(chain);
    Packet request = w.handshake();
    const Time begin = w.server.received.back().at;
    for (double after : {0.2, 0.6, 1.4, 3.0, 6.2, 12.6, 25.4, 51.0, 102.2, 204.6, 324.6, 444.6, 564.6, 684.6, 804.6}) {
        Packet again = w.must();
        CHECK(again.tcp().sequence == request.tcp().sequence);
        CHECK(again.payload == request.payload);
        // The time-out is that much and the round trip's mean of 2.4 ms.
        CHECK(static_cast<double>(w.server.received.back().at - begin) / kSecond == Approx(after).epsilon(0.015));
    }
    w.simulator.run_until(begin + 920 * kSecond);
    CHECK(w.result().failed(FailureCause::timeout) == 0);
    w.simulator.run_until(begin + 930 * kSecond);
    CHECK(w.result().failed(FailureCause::timeout) == 1);
    CHECK_FALSE(w.next());
}

TEST_CASE("RFC 6069 3: where what was repeated is said to be unreachable, one back-off is taken back", "[tcp]")
{
    test::Chain chain = once();
    chain.client_tcp = test::linux_tcp();
    World w(chain);
    w.handshake();
    const Time begin = w.server.received.back().at;
    w.must();
    w.must();
    for (double after : {1.0, 1.4, 1.8}) {  // not 1.4, 3.0 and 6.2
        Packet error;
        REQUIRE(wire::make_icmp_error(w.server.received.back().packet, ChainModel::server_address(), 3, 0, 0, w.model,
                                      w.simulator.buffers(), error));
        w.send(error);
        w.must();
        CHECK(static_cast<double>(w.server.received.back().at - begin) / kSecond == Approx(after).epsilon(0.02));
    }
}

TEST_CASE("RFC 5681 4.2: two segments are acknowledged at once, however small the peer's are", "[tcp]")
{
    test::Chain chain = once();
    chain.client_tcp.delayed_ack = 40e6;
    World w(chain);
    Packet request = w.handshake();
    const std::uint32_t asked = w.isn + 1 + request.payload;
    std::uint32_t at = kIsn + 1;
    w.send_text(w.segment(ack, at, asked), kHead + std::string(500 - kHead.size(), 'x'));
    CHECK(w.quiet());
    const std::uint32_t second = GENERATE(500u, 499u);  // or nearly: what is left of a message, say
    w.send_text(w.segment(ack, at += 500, asked), std::string(second, 'y'));
    CHECK_FALSE(w.quiet());  // 40 ms have not passed
    CHECK(w.must().tcp().acknowledgment == at + second);
}

TEST_CASE("refusals: RST and unreachable fail the transaction, and the next begins", "[tcp]")
{
    World w(test::Chain{});
    Packet first = w.must();
    w.port = first.source_port;
    SECTION("RST to the SYN")
    {
        w.send(w.segment(rst | ack, 0, first.tcp().sequence + 1));
        CHECK(w.must().source_port == 1025);
        CHECK(w.result().failed(FailureCause::reset) == 1);
    }
    SECTION("RST that acknowledges something else is ignored")
    {
        w.send(w.segment(rst | ack, 0, first.tcp().sequence + 2));
        w.send(w.segment(rst, 0, 0));
        CHECK(w.quiet());
        CHECK(w.result().failed() == 0);
    }
    SECTION("port unreachable")
    {
        Packet error;
        REQUIRE(wire::make_icmp_error(w.server.received[0].packet, ChainModel::server_address(), 3, 3, 0, w.model,
                                      w.simulator.buffers(), error));
        w.send(error);
        CHECK(w.must().source_port == 1025);
        CHECK(w.result().failed(FailureCause::reset) == 1);
        CHECK(w.simulator.pending().buffers == 0);
    }
    SECTION("RST in the middle, outside the window and inside")
    {
        w.seen = 0;
        w.handshake();
        w.send(w.segment(rst | ack, kIsn - 5, 0));
        CHECK(w.quiet());
        w.send(w.segment(rst | ack, kIsn + 1, 0));
        CHECK(w.must().source_port == 1025);
        CHECK(w.result().failed(FailureCause::reset) == 1);
    }
}

TEST_CASE("what is not HTTP, or says 404, is a failed status", "[tcp]")
{
    for (std::string_view answer : {"HTTP/1.0 404 Not Found\r\n\r\n", "HTTP/1.1 500 No\r\n\r\n", "hello"}) {
        World w(once());
        Packet request = w.handshake();
        w.send_text(w.segment(ack | fin, kIsn + 1, w.isn + 1 + request.payload), answer);
        CHECK(w.must().tcp().flags == (ack | fin));
        CHECK(w.result().failed(FailureCause::status) == 1);
        CHECK(w.result().completed == 0);
    }
}

TEST_CASE("a transaction that lasts too long is reset", "[tcp]")
{
    test::Chain chain = once();
    chain.timeout = 3e8;
    World w(chain);
    Packet request = w.handshake();
    w.send_text(w.segment(ack, kIsn + 1, w.isn + 1 + request.payload), kHead);
    CHECK(w.must().tcp().acknowledgment == kIsn + 1 + kHead.size());
    Packet reset = w.must();
    CHECK((reset.tcp().flags & rst) != 0);
    CHECK(reset.tcp().sequence == w.isn + 1 + request.payload);
    CHECK(w.result().failed(FailureCause::timeout) == 1);
}

TEST_CASE("RFC 9293 3.8.6.1: a closed window is probed until it opens", "[tcp]")
{
    World w(once());
    Packet first = w.must();
    w.port = first.source_port;
    Packet reply = w.segment(syn | ack, kIsn, first.tcp().sequence + 1);
    reply.tcp().window = 0;
    w.send(reply);
    CHECK(w.must().tcp().flags == ack);
    double last = 0, gap = 1e9;
    for (int i = 0; i < 12; ++i) {  // more often than a connection would be repeated
        Packet probe = w.must();
        const auto at = static_cast<double>(w.server.received.back().at);
        if (i > 0) {
            gap = std::min(2 * gap, 60e9);  // the time-out, then twice as long each time
            CHECK(at - last == Approx(gap).epsilon(0.001));
        }
        last = at;
        CHECK(probe.payload == 1);
        CHECK(probe.tcp().sequence == first.tcp().sequence + 1);
        Packet closed = w.segment(ack, kIsn + 1, first.tcp().sequence + 1);
        closed.tcp().window = 0;
        w.send(closed);
    }
    w.send(w.segment(ack, kIsn + 1, first.tcp().sequence + 1));
    Packet request = w.must();
    CHECK(request.tcp().sequence == first.tcp().sequence + 1);
    CHECK(request.payload == content::length(w.model, content::request(0)));
}

}  // namespace ANML_UNIT_FILE
