// Virtual clients of real web servers that end their responses and connections in every way there is: what each
// transaction comes to, and which packet the client sends behind it.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

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

constexpr std::uint32_t kIsn = 1000;
const std::string kHead = "HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n";
const std::string kBody(1024, 'x');

test::Chain chain(test::TransactionEnd until)
{
    test::Chain chain;
    chain.think = {abi::DistributionKind::constant, 1e12, 0};
    chain.until = until;
    return chain;
}

// A server behind the model that has got the request.
struct World {
    explicit World(test::TransactionEnd until = test::TransactionEnd::complete)
        : built(chain(until)),
          model(built.model()),
          simulator(model, 1),
          server(simulator, 0, ChainModel::server_address())
    {
        simulator.start_workloads(0, 0, 1000 * kSecond);
        pass();
        const Packet syn_packet = server.received.back().packet;
        port = syn_packet.source_port;
        asked = syn_packet.tcp().sequence + 1;
        Packet reply = segment(syn | ack, kIsn);
        reply.tcp_syn().mss = 1460;
        reply.length += 4;
        server.send(reply, simulator.now());
        pass();
        asked += server.received.back().packet.payload;
        server.received.clear();
    }
    Packet segment(std::uint8_t flags, std::uint32_t sequence)
    {
        return FakeHost::segment(ChainModel::client_address(0, 0), 80, port, flags, sequence, asked);
    }
    void pass(Time time = 20 * kMillisecond) { simulator.run_until(simulator.now() + time); }
    // The next bytes of the response, with these flags.
    void say(std::string_view text, std::uint8_t flags = ack)
    {
        server.send_text(segment(flags, at), text, model, simulator.now());
        at += static_cast<std::uint32_t>(text.size());
        pass();
    }
    void reset()
    {
        server.send(segment(rst | ack, at), simulator.now());
        pass();
    }
    std::uint8_t last() { return server.received.empty() ? 0 : server.received.back().packet.tcp().flags; }
    const WorkloadStatistics& result() { return simulator.statistics().workloads[0]; }

    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost server;
    std::uint16_t port = 0;
    std::uint32_t asked = 0, at = kIsn + 1;
};

}  // namespace

TEST_CASE("a whole response ends the transaction, and the client closes", "[http]")
{
    World w;
    w.say(kHead + kBody.substr(0, 1000));
    CHECK(w.result().completed == 0);
    CHECK(w.last() == ack);
    w.say(kBody.substr(1000));
    const WorkloadStatistics counted = w.result();
    CHECK(counted.completed == 1);
    CHECK(counted.in_progress == 0);
    CHECK(counted.response_bytes == kHead.size() + kBody.size());
    CHECK(counted.unexpected_size == 0);
    CHECK(counted.statuses.at(200) == 1);
    CHECK(w.last() == (ack | fin));
    SECTION("a server that closes late")
    {
        ++w.asked;
        w.pass(10 * kSecond);
        w.say("", ack | fin);
        CHECK(w.last() == ack);
    }
    SECTION("a server that resets")
    {
        ++w.asked;
        w.reset();
    }
    SECTION("a server that never closes")
    {
        ++w.asked;
        w.server.send(w.segment(ack, w.at), w.simulator.now());
        w.pass(61 * kSecond);
        CHECK((w.last() & rst) != 0);
    }
    SECTION("a server that says more")
    {
        ++w.asked;
        w.say("more");
        CHECK((w.last() & rst) != 0);
    }
    w.pass(10 * kSecond);
    CHECK(w.result().failed() == 0);
    CHECK(w.result().completed == 1);
    CHECK(w.simulator.pending().connections == 0);
}

TEST_CASE("a FIN with the last segment is acknowledged with the client's own", "[http]")
{
    World w;
    w.say(kHead + kBody, ack | fin);
    REQUIRE(w.server.received.size() == 1);
    CHECK(w.last() == (ack | fin));
    CHECK(w.server.received.back().packet.tcp().acknowledgment == w.at + 1);
    CHECK(w.result().completed == 1);
}

TEST_CASE("clients that read until the close wait for it", "[http]")
{
    World w(test::TransactionEnd::closed);
    w.say(kHead + kBody);
    w.pass(kSecond);
    CHECK(w.result().completed == 0);
    SECTION("FIN") { w.say("", ack | fin); }
    SECTION("RST") { w.reset(); }
    CHECK(w.result().completed == 1);
    CHECK(w.result().failed() == 0);
    CHECK(w.result().response_time.took.maximum() > kSecond);
}

TEST_CASE("responses without framing end with the close", "[http]")
{
    World w;
    w.say("HTTP/1.0 200 OK\r\n\r\n" + kBody);
    CHECK(w.result().completed == 0);
    SECTION("FIN")
    {
        w.say("", ack | fin);
        CHECK(w.result().completed == 1);
        CHECK(w.result().unexpected_size == 0);
    }
    SECTION("RST")
    {
        w.reset();
        CHECK(w.result().failed(FailureCause::reset) == 1);
    }
}

TEST_CASE("a response that is cut short or broken is truncated", "[http]")
{
    const auto until = GENERATE(test::TransactionEnd::complete, test::TransactionEnd::closed);
    for (const std::string& text :
         {kHead + kBody.substr(1), std::string("HTTP/1.1 200 OK\r\nContent-Le"), std::string("HTTP/1"), std::string(),
          std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n") + kBody + "\r\n"})
    {
        World w(until);
        w.say(text, ack | fin);
        CHECK(w.result().failed(FailureCause::truncated) == 1);
        CHECK(w.result().failed() == 1);
        CHECK(w.result().statuses.empty());
        CHECK(w.last() == (ack | fin));
    }
    World w;
    w.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n");
    CHECK(w.result().failed(FailureCause::truncated) == 1);
    CHECK((w.last() & rst) != 0);
}

TEST_CASE("chunks are read over segments", "[http]")
{
    World w;
    w.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3f");
    w.say("f\r\n" + kBody.substr(1) + "\r");
    w.say("\n1\r\nx\r\n0\r\n");
    CHECK(w.result().completed == 0);
    w.say("\r\n");
    CHECK(w.result().completed == 1);
    CHECK(w.result().unexpected_size == 0);
}

TEST_CASE("segments of a real response that come before their turn are kept, and read in it", "[http]")
{
    World w;
    const std::string whole =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n400\r\n" + kBody + "\r\n0\r\n\r\n";
    const std::uint32_t begin = w.at;
    const auto say = [&](std::size_t from, std::size_t to) {
        w.at = begin + static_cast<std::uint32_t>(from);
        w.say(whole.substr(from, to - from));
    };
    say(900, 1000);
    say(60, 500);
    say(400, 950);  // overlaps both
    say(1000, whole.size());
    CHECK(w.result().completed == 0);
    say(0, 70);  // and nothing a second time
    CHECK(w.result().completed == 1);
    CHECK(w.result().response_bytes == whole.size());
    CHECK(w.result().statuses.at(200) == 1);
}

TEST_CASE("statuses and sizes are counted", "[http]")
{
    SECTION("a redirect is completed")
    {
        World w;
        w.say("HTTP/1.1 301 Moved\r\nLocation: /x\r\nContent-Length: 3\r\n\r\nabc");
        CHECK(w.result().completed == 1);
        CHECK(w.result().statuses.at(301) == 1);
        CHECK(w.result().unexpected_size == 0);
    }
    SECTION("an error has failed when it is whole")
    {
        World w;
        w.say("HTTP/1.1 500 No\r\nContent-Length: 3\r\n\r\nabc");
        CHECK(w.result().failed(FailureCause::status) == 1);
        CHECK(w.result().statuses.at(500) == 1);
        CHECK(w.result().first_bad_status.what == 500);
        CHECK(w.last() == (ack | fin));
    }
    SECTION("another size is completed, and noted")
    {
        World w;
        w.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc");
        CHECK(w.result().completed == 1);
        CHECK(w.result().unexpected_size == 1);
        CHECK(w.result().first_unexpected_size.what == 3);
    }
}

TEST_CASE("simulated servers are asked in two round trips where the response ends it", "[http]")
{
    test::Chain options = chain(GENERATE(test::TransactionEnd::complete, test::TransactionEnd::closed));
    options.service.a = 0;
    test::ChainModel built(options);
    const Model model = built.model();
    Simulator simulator(model, 1);
    simulator.start_workloads(0, 0, 10 * kSecond);
    simulator.run_until(10 * kSecond);
    const WorkloadStatistics& w = simulator.statistics().workloads[0];
    const double trips = options.until == test::TransactionEnd::complete ? 2 : 3;  // the server closes after_ack
    CHECK(w.completed == 1);
    CHECK(w.response_time.took.mean() == Approx(trips * 2.4e6).epsilon(0.05));
    CHECK(w.unexpected_size == 0);
    CHECK(test::silent(simulator));
}

TEST_CASE("what is open at the end has an age", "[http]")
{
    World w;
    w.say(kHead);
    w.pass(6 * kSecond);
    const WorkloadStatistics& counted = w.result();
    REQUIRE(counted.open_ages.size() == 1);
    CHECK(counted.in_progress == 1);
    CHECK(counted.open_ages[0] == w.simulator.now());  // it began at 0
}

}  // namespace ANML_UNIT_FILE
