// Keep-alive: a virtual client whose connection rests, and a real server that answers probes, or does not.
#include <catch2/catch.hpp>

#include "real_server.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::tcp_flag;
using test::Real;

namespace {

constexpr Time kIdle = 10 * kSecond, kInterval = 2 * kSecond;
constexpr int kProbes = 3;

// The client's second request comes after an hour.
test::Chain resting(double idle = kIdle)
{
    test::Chain chain = test::keeping(1000);
    chain.think = {abi::DistributionKind::constant, 3600e9, 0};
    chain.client_tcp.keep_alive = idle;
    chain.client_tcp.keep_alive_interval = kInterval;
    chain.client_tcp.keep_alive_probes = kProbes;
    return chain;
}

// The first request is answered, and the client's acknowledgment has come; what the server says last reaches the client
// `kWay` later.
constexpr Time kWay = 1200 * kMicrosecond;

struct Resting : Real {
    explicit Resting(const test::Chain& chain = resting()) : Real(chain)
    {
        heard = simulator.now() + kWay;
        say(test::response());
        server.received.clear();
    }
    // All that comes until then.
    std::vector<test::FakeHost::Received> until(Time time)
    {
        simulator.run_until(time);
        return std::exchange(server.received, {});
    }
    Time heard = 0;  // when the client got something last
};

bool is_probe(const Packet& p, std::uint32_t next)
{
    return p.tcp().flags == ack && p.payload == 0 && p.tcp().sequence == next - 1;
}

}  // namespace

TEST_CASE("RFC 1122 4.2.3.6: keep-alive is off where nobody asks for it", "[tcp]")
{
    Resting w(resting(0));
    CHECK(w.until(3000 * kSecond).empty());
    CHECK(w.simulator.pending().connections == 1);
}

TEST_CASE("RFC 9293 3.8.4: a probe is sent when nothing has come for the interval, and asks for an acknowledgment",
          "[tcp]")
{
    Resting w;
    auto came = w.until(w.heard + kIdle - kMillisecond);
    CHECK(came.empty());
    came = w.until(w.heard + kIdle + 2 * kWay);
    REQUIRE(came.size() == 1);
    CHECK(is_probe(came[0].packet, w.asked));
    CHECK(came[0].at - (w.heard + kIdle) == Approx(kWay).epsilon(0.01));
    // What comes before the next one is due puts it off.
    w.heard = w.simulator.now() + kWay;
    w.say_flags(ack);
    came = w.until(w.heard + kIdle - kMillisecond);
    CHECK(came.empty());
    CHECK(w.until(w.heard + kIdle + 2 * kWay).size() == 1);
}

TEST_CASE("RFC 1122 4.2.3.6: one probe that is not answered does not end a connection, so many do", "[tcp]")
{
    Resting w;
    // Two are lost, the third is answered; then none is.
    Time due = w.heard + kIdle;
    for (int i = 0; i < kProbes; ++i, due += kInterval) {
        auto came = w.until(due + 2 * kWay);
        REQUIRE(came.size() == 1);
        CHECK(is_probe(came[0].packet, w.asked));
    }
    w.heard = w.simulator.now() + kWay;
    w.say_flags(ack);
    due = w.heard + kIdle;
    for (int i = 0; i < kProbes; ++i, due += kInterval) REQUIRE(w.until(due + 2 * kWay).size() == 1);
    CHECK(w.until(due - kMillisecond).empty());
    CHECK(w.simulator.pending().connections == 1);
    const auto last = w.until(due + 2 * kWay);
    REQUIRE(last.size() == 1);
    CHECK(last[0].packet.tcp().flags == (rst | ack));
    CHECK(last[0].packet.tcp().sequence == w.asked);
    CHECK(w.simulator.pending().connections == 0);
    CHECK(w.result().failed() == 0);  // no transaction was under way
}

TEST_CASE("RFC 9293 3.8.4: who waits for an answer of a peer that is gone fails by keep-alive", "[tcp]")
{
    // The request is acknowledged, and nothing comes behind that.
    Real w(resting());
    const Time heard = w.simulator.now() + kWay;
    w.say_flags(ack);
    w.pass(heard + kIdle + kProbes * kInterval - kMillisecond - w.simulator.now());
    CHECK(w.result().failed() == 0);
    w.pass(2 * kMillisecond);
    CHECK(w.result().failed(FailureCause::timeout) == 1);
}

TEST_CASE("RFC 1122 4.2.3.6: no probe is sent while data are under way", "[tcp]")
{
    test::Chain chain = resting(200e6);
    Real w(chain);  // the request is not acknowledged
    w.server.received.clear();
    w.pass(900 * kMillisecond);
    CHECK(w.server.received.empty());
    w.pass(300 * kMillisecond);
    REQUIRE(w.server.received.size() == 1);  // the time-out
    CHECK(w.server.received[0].packet.payload > 0);
}

TEST_CASE("RFC 9293 3.8.4: a peer that is there answers a probe", "[tcp]")
{
    test::Chain chain = resting(1e9);
    chain.keep_alive = 1e13;  // of the server, ns
    test::ChainModel built(chain);
    Model model = built.model();
    Simulator simulator(model, 1);
    simulator.start_workloads(0, 0, 4000 * kSecond);
    simulator.run_until(3599 * kSecond);
    CHECK(simulator.pending().connections == 2);
    simulator.run_until(3601 * kSecond);
    CHECK(simulator.statistics().workloads[0].completed == 2);
    CHECK(simulator.statistics().workloads[0].connections == 1);
}

}  // namespace ANML_UNIT_FILE
