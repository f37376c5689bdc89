// Connections for several requests: between simulated hosts against arithmetic, and what a client makes of the ways in
// which a real server ends them.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "image_builder.h"
#include "real_server.h"
#include "simulator/simulator.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::tcp_flag;
using test::ChainModel;
using test::keeping;
using test::Real;
using test::requests_in;
using test::response;

namespace {

struct Run {
    Run(const test::Chain& chain, Time duration) : built(chain), model(built.model()), simulator(model, 1)
    {
        simulator.start_workloads(0, 0, duration);
        simulator.run_until(duration);
    }
    const WorkloadStatistics& result() { return simulator.statistics().workloads[0]; }

    ChainModel built;
    Model model;
    Simulator simulator;
};

constexpr Time kRoundTrip = 2400 * kMicrosecond;

}  // namespace

TEST_CASE("n requests of a connection take a round trip each, and one to connect", "[app]")
{
    const auto n = GENERATE(2u, 3u, 10u, 100u);
    Run run(keeping(n), (n + 1) * kRoundTrip * 10 + kRoundTrip / 2);
    CAPTURE(n);
    CHECK(run.result().completed == 10 * n);
    CHECK(run.result().connections == 10 + (run.result().in_progress == 1 && run.result().requests > 10 * n));
    CHECK(run.result().connect.count() == 10);
    CHECK(run.result().failed() == 0);
    CHECK(run.result().retried == 0);
    CHECK(run.result().response_time.took.minimum() == Approx(kRoundTrip).epsilon(0.001));
    CHECK(run.result().response_time.took.maximum() == Approx(2 * kRoundTrip).epsilon(0.001));
    CHECK(run.simulator.statistics().retransmissions == 0);
}

TEST_CASE("a pipeline of depth p takes as many round trips as it is filled", "[app]")
{
    const auto p = GENERATE(2u, 3u, 4u, 10u, 25u);
    constexpr unsigned n = 20;
    test::Chain chain = keeping(n);
    chain.pipeline = p;
    Run run(chain, (1 + (n + p - 1) / p) * kRoundTrip * 5 + kRoundTrip / 2);
    CAPTURE(p);
    CHECK(run.result().completed == 5 * n);
    CHECK(run.result().connect.count() == 5);
    CHECK(run.result().failed() == 0);
    CHECK(run.result().retried == 0);
}

TEST_CASE("connections of one client are independent of each other", "[app]")
{
    test::Chain chain = keeping(10);
    chain.connections = 6;
    Run run(chain, 11 * kRoundTrip * 4 + kRoundTrip / 2);
    CHECK(run.result().completed == 6 * 40);
    CHECK(run.result().connect.count() == 6 * 4);
    chain.requests = 1;
    Run plain(chain, 2 * kRoundTrip * 10 + kRoundTrip / 2);
    CHECK(plain.result().completed == 6 * 10);
    CHECK(plain.result().connections >= 6 * 10);
}

TEST_CASE("who lets a connection go when nobody uses it", "[app]")
{
    test::Chain chain = keeping(1000);
    chain.think = {abi::DistributionKind::constant, 1e9, 0};
    SECTION("nobody") {}
    SECTION("the client") { chain.idle = 0.5e9; }
    SECTION("the server") { chain.keep_alive = 0.5e9; }
    SECTION("the server, at once") { chain.keep_alive = 0; }
    Run run(chain, 100 * kSecond);
    const bool kept = chain.idle == 0 && chain.keep_alive > 1e9;
    CHECK(run.result().completed == Approx(100).margin(1));
    CHECK(run.result().connections == (kept ? 1u : run.result().requests));
    CHECK(run.result().failed() == 0);
    CHECK(run.result().retried == 0);
    CHECK(run.result().connect.count() == (kept ? 1u : run.result().completed));
}

TEST_CASE("a server that closes while the request is on its way gets it again", "[app]")
{
    // Half of a one-way delay after the request has left, and before it comes.
    test::Chain chain = keeping(1000);
    chain.think = {abi::DistributionKind::constant, 10e6, 0};
    chain.keep_alive = 10e6 + 0.75 * kRoundTrip;
    Run run(chain, 10 * kSecond);
    CHECK(run.result().retried > 100);
    CHECK(run.result().failed() == 0);
    CHECK(run.result().completed > 500);
    CHECK(run.result().requests == run.result().completed + run.result().retried + run.result().in_progress);
}

TEST_CASE("large documents are whole, whatever is lost, one behind the other", "[app]")
{
    test::Chain chain = keeping(7);
    for (test::LinkOptions* link : {&chain.backbone, &chain.uplink, &chain.edge}) link->rate = 1e8;
    chain.client_tcp = chain.server_tcp = test::linux_tcp();
    chain.documents = {1 << 20, 100, 3000, 70000};
    chain.edge.queue = 8192;
    chain.backbone.queue = 20000;
    chain.hosts = 3;
    chain.pipeline = GENERATE(1.0, 3.0);
    chain.timeout = 0;
    Run run(chain, 60 * kSecond);
    CHECK(run.simulator.statistics().dropped.queue > 0);
    CHECK(run.result().completed > 100);
    CHECK(run.result().failed() == 0);
    CHECK(run.result().unexpected_size == 0);
    CHECK(run.result().retried == 0);
}

TEST_CASE("a worker of a process per connection waits with an idle one", "[app]")
{
    test::Chain chain = keeping(100);
    chain.hosts = 4;
    chain.workers = 2;
    chain.think = {abi::DistributionKind::constant, 100e6, 0};
    chain.timeout = 0;
    chain.connect_timeout = 0;
    chain.hold = test::WorkerHold::connection;
    Run run(chain, 5 * kSecond);
    // Two of them have all that there is, until their connections are over.
    CHECK(run.result().in_progress >= 2);
    CHECK(run.result().completed == Approx(2 * 5 / (0.1 + kRoundTrip / 1e9)).margin(3));
    chain.hold = test::WorkerHold::request;
    CHECK(Run(chain, 5 * kSecond).result().completed == Approx(4 * 5 / (0.1 + kRoundTrip / 1e9)).margin(5));
}

// From the client's acknowledgment of the handshake, with which its request comes, to its FIN, which answers the server's.
TEST_CASE("a worker of a process per connection stays until the client has closed, too", "[app]")
{
    const auto close = GENERATE(test::CloseMode::at_once, test::CloseMode::after_ack);
    const double round_trips = close == test::CloseMode::at_once ? 1 : 2;
    constexpr double kService = 0.01;
    test::Chain chain = keeping(1);
    chain.hosts = 8;
    chain.workers = 1;
    chain.service = {abi::DistributionKind::constant, kService * 1e9, 0};
    chain.timeout = 0;
    chain.connect_timeout = 0;
    chain.close = close;
    chain.until = test::TransactionEnd::closed;  // the client waits for the server's FIN
    chain.hold = test::WorkerHold::connection;
    const double held = kService + round_trips * kRoundTrip / 1e9;
    CHECK(Run(chain, 20 * kSecond).result().completed == Approx(20 / held).epsilon(0.01));
    chain.hold = test::WorkerHold::response;  // until the acknowledgment, whenever the FIN goes
    CHECK(Run(chain, 20 * kSecond).result().completed == Approx(20 / (kService + kRoundTrip / 1e9)).epsilon(0.01));
    chain.hold = test::WorkerHold::request;
    CHECK(Run(chain, 20 * kSecond).result().completed == Approx(20 / kService).epsilon(0.01));
}

TEST_CASE("requests of HTTP/1.1 name their host, the last closes", "[app]")
{
    Real real(keeping(3));
    for (int i = 0; i < 3; ++i) {
        CHECK(real.last.starts_with("GET /100 HTTP/1.1\r\nHost: anml\r\n"));
        CHECK(real.last.ends_with("\r\n\r\n"));
        CHECK((real.last.find("\r\nConnection: close\r\n") != real.last.npos) == (i == 2));
        real.say(response());
        if (i < 2) real.take();
    }
    CHECK(real.result().completed == 3);
    CHECK(real.syns() == 1);  // the client has closed, and begun again
}

TEST_CASE("what ends a connection, and whether its requests are sent again", "[app]")
{
    test::Chain chain = keeping(100);
    Real real(chain);
    SECTION("the response says so")
    {
        real.say(response("Connection: close\r\n"));
        CHECK(real.result().completed == 1);
        CHECK(real.syns() == 1);
        CHECK(real.result().retried == 0);
    }
    SECTION("HTTP/1.0")
    {
        real.say(response("", "HTTP/1.0 200 OK"));
        CHECK(real.result().completed == 1);
        CHECK(real.syns() == 1);
    }
    SECTION("HTTP/1.0 that stays")
    {
        real.say(response("Connection: foo, Keep-Alive\r\n", "HTTP/1.0 200 OK"));
        CHECK(requests_in(real.take()) == 1);
        CHECK(real.result().connections == 1);
    }
    SECTION("its end is that of the response")
    {
        real.say("HTTP/1.1 200 OK\r\n\r\nabc");
        CHECK(real.result().completed == 0);
        real.say_flags(fin | ack);
        CHECK(real.result().completed == 1);
        CHECK(real.syns() == 1);
        CHECK(real.result().retried == 0);
    }
    SECTION("FIN before the first response: a failure")
    {
        real.say_flags(fin | ack);
        CHECK(real.result().failed(FailureCause::truncated) == 1);
        CHECK(real.result().retried == 0);
    }
    SECTION("RST before the first response: a failure")
    {
        real.say_flags(rst | ack);
        CHECK(real.result().failed(FailureCause::reset) == 1);
        CHECK(real.result().retried == 0);
    }
    SECTION("between responses the request is sent again")
    {
        const std::uint8_t how = GENERATE(fin | ack, rst | ack);
        real.say(response());
        real.take();
        real.say_flags(how);
        CHECK(real.result().retried == 1);
        CHECK(real.result().failed() == 0);
        REQUIRE(real.syns() == 1);
        real.accept();
        CHECK(requests_in(real.last) == 1);
        real.say(response());
        CHECK(real.result().completed == 2);
        CHECK(real.result().in_progress == 1);
    }
    SECTION("within a response it has failed")
    {
        const std::uint8_t how = GENERATE(fin | ack, rst | ack);
        real.say(response());
        real.take();
        real.say("HTTP/1.1 2");
        real.say_flags(how);
        CHECK(real.result().retried == 0);
        CHECK(real.result().failed() == 1);
    }
    SECTION("bytes that nobody asked for")
    {
        real.say(response() + "HTTP/1.1 200 OK\r\n");
        CHECK(real.result().completed == 1);
        CHECK(real.result().retried == 0);
        CHECK(real.syns() == 1);
    }
    SECTION("no body, and an interim response")
    {
        real.say("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n");
        CHECK(real.result().completed == 1);
        real.take();
        real.say("HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n");
        CHECK(real.result().completed == 2);
        CHECK(real.result().connections == 1);
    }
    SECTION("a status is a failure, the connection stays")
    {
        real.say(response("", "HTTP/1.1 404 Not Found"));
        CHECK(real.result().failed(FailureCause::status) == 1);
        CHECK(requests_in(real.take()) == 1);
        CHECK(real.result().connections == 1);
    }
}

TEST_CASE("bodies are compared with their hashes, each of a pipeline for itself", "[app]")
{
    std::string large(300000, '\0');  // more than the window: else it would not all be shown
    for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * i >> 5);
    test::Chain chain = keeping(100);
    chain.pipeline = 2;
    chain.check_content = 1;
    chain.listed = {large, "abc", ""};
    const std::size_t wrong = GENERATE(300000u, 0u, 150000u, 299999u);
    std::string sent = large;
    if (wrong < sent.size()) sent[wrong] ^= 1;
    Real real(chain);
    std::string text = "HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + sent +
                       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n";
    for (; !text.empty(); text.erase(0, 1459)) real.say(text.substr(0, 1459));
    real.take();
    real.say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 500 No\r\nContent-Length: 1\r\n\r\n?");
    CHECK(real.result().completed == 3);
    CHECK(real.result().checked_content == 3);
    CHECK(real.result().unexpected_content == (wrong < sent.size()));
    CHECK(real.result().first_unexpected_content.document == 0);
    real.take();
    real.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabd");
    CHECK(real.result().unexpected_size == 0);
    CHECK(real.result().checked_content == 4);
    CHECK(real.result().unexpected_content == 1 + (wrong < sent.size()));
    real.take();
    real.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc");
    real.say_flags(rst | ack);
    CHECK(real.result().failed(FailureCause::reset) == 1);
    CHECK(real.result().checked_content == 4);
}

TEST_CASE("simulated servers' bodies are not compared", "[app]")
{
    test::Chain chain = keeping(10);
    chain.check_content = 1;
    chain.listed = {"abc", ""};
    Run run(chain, 50 * kRoundTrip);
    CHECK(run.result().completed > 40);
    CHECK(run.result().unexpected_size == 0);
    CHECK(run.result().checked_content == 0);
}

TEST_CASE("pipelined responses belong to requests in order, however they are cut", "[app]")
{
    test::Chain chain = keeping(100);
    chain.pipeline = 4;
    Real real(chain);
    CHECK(requests_in(real.last) == 4);
    SECTION("several in a segment, one in several")
    {
        const std::string all = response() + response("Transfer-Encoding: identity\r\n") + response() + response();
        const std::size_t step = GENERATE(1u, 7u, 50u, 1000u);
        for (std::size_t at = 0; at < all.size(); at += step) {
            real.server.send_text(real.segment(ack), std::string_view(all).substr(at, step), real.model,
                                  real.simulator.now());
            real.at += static_cast<std::uint32_t>(std::min(step, all.size() - at));
        }
        real.pass();
        CHECK(real.result().completed == 4);
        CHECK(requests_in(real.take()) == 4);
    }
    SECTION("those behind the last response are sent again, pipelined if it said so")
    {
        const bool says = GENERATE(true, false);
        real.say(response() + response(says ? "Connection: close\r\n" : ""));
        if (!says) {
            real.take();
            real.say_flags(fin | ack);
        }
        CHECK(real.result().completed == 2);
        CHECK(real.result().retried == (says ? 2 : 4));
        CHECK(real.result().failed() == 0);
        REQUIRE(real.syns() == 1);
        real.accept();
        CHECK(requests_in(real.last) == (says ? 4 : 1));
        real.say(response());
        if (!says) CHECK(requests_in(real.take()) >= 3);
        CHECK(real.result().completed == 3);
    }
    SECTION("a connection that never answered: its first has failed, the others are sent again, one at first")
    {
        real.say_flags(rst | ack);
        CHECK(real.result().failed(FailureCause::reset) == 1);
        CHECK(real.result().retried == 3);
        REQUIRE(real.syns() == 1);
        real.accept();
        CHECK(requests_in(real.last) == 1);
    }
}

TEST_CASE("a time-out ends the connection, and fails the request that it is of", "[app]")
{
    test::Chain chain = keeping(100);
    chain.timeout = 1e9;
    chain.pipeline = 2;
    Real real(chain);
    real.pass(500 * kMillisecond);
    real.say(response());
    real.take();
    real.pass(600 * kMillisecond);
    CHECK(real.result().failed(FailureCause::timeout) == 1);
    CHECK(real.result().retried == 1);
    CHECK(real.syns() == 1);
}

}  // namespace ANML_UNIT_FILE
