// What impaired links do to single packets of real hosts. tests/differential/test_impairments.py counts many.
#include <catch2/catch.hpp>

#include "fake_host.h"
#include "image_builder.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::ChainModel;
using test::FakeHost;
using test::Random;

namespace {

constexpr Random kAlways{abi::DistributionKind::constant, 1, 0};

// Two real hosts on both sides of a router; the link to `server` is impaired towards it.
struct World {
    explicit World(const test::Impairments& impairments)
        : built(chain_of(impairments)),
          model(built.model()),
          simulator(model, 1),
          server(simulator, 0, ChainModel::server_address()),
          peer(simulator, 1, ChainModel::peer_address())
    {
        simulator.measure(0, kNever);
    }
    static test::Chain chain_of(const test::Impairments& impairments)
    {
        test::Chain chain;
        chain.peer = true;
        chain.backbone.impairments = impairments;
        return chain;
    }
    // From the peer to the server: a segment that holds `text`, in a buffer.
    void send(std::string_view text, Time at)
    {
        peer.send_text(FakeHost::segment(ChainModel::server_address(), 5000, 80, tcp_flag::ack, 1, 1), text, model, at);
    }
    std::vector<std::uint8_t> emitted(const Packet& packet)
    {
        std::vector<std::uint8_t> bytes(packet.length);
        wire::emit(packet, model, simulator.buffers(), bytes);
        return bytes;
    }
    LinkCounters counters()
    {
        for (const LinkCounters& c : simulator.statistics().links)
            if (c.link == built.entry_up()) return c;
        return {};
    }
    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost server, peer;
};

}  // namespace

TEST_CASE("a lost packet has had its time on the link, and leaves nothing behind", "[impair]")
{
    World w({.loss = kAlways});
    w.send("hello", 0);
    w.simulator.run_until(kSecond);
    CHECK(w.server.received.empty());
    CHECK(w.counters().packets == 1);
    CHECK(w.counters().rare->lost == 1);
    CHECK(w.simulator.statistics().dropped.lost == 1);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a duplicated packet arrives twice, its bytes too", "[impair]")
{
    World w({.duplicate = kAlways});
    w.send("hello", 0);
    w.simulator.run_until(kSecond);
    REQUIRE(w.server.received.size() == 2);
    CHECK(w.server.received[0].at == w.server.received[1].at);
    CHECK(w.server.received[0].bytes == w.server.received[1].bytes);
    CHECK(w.server.received[0].bytes.size() == 45);
    CHECK(w.counters().rare->duplicated == 1);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a corrupted packet has one bit flipped where it leaves, and a wrong checksum", "[impair]")
{
    World w({.corrupt = kAlways});
    // A virtual host answers; its answer is corrupted on its way.
    w.server.send(FakeHost::echo(ChainModel::client_address(0, 0)), 0);
    w.simulator.run_until(kSecond);
    REQUIRE(w.server.received.size() == 1);
    Packet packet = w.server.received[0].packet, parsed;
    REQUIRE((packet.flags & packet_flag::corrupted) != 0);
    const std::vector<std::uint8_t> wrong = w.emitted(packet);
    CHECK(wire::parse(wrong, true, parsed) == wire::ParseError::bad_checksum);
    packet.flags ^= packet_flag::corrupted;
    const std::vector<std::uint8_t> right = w.emitted(packet);
    CHECK(wire::parse(right, true, parsed) == wire::ParseError::none);
    int bits = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        bits += __builtin_popcount(static_cast<unsigned>(right[i] ^ wrong[i]));
        if (i < 20) CHECK(right[i] == wrong[i]);  // routers check the IP header
    }
    CHECK(bits == 1);
    CHECK(w.simulator.statistics().dropped.corrupted == 1);
    CHECK(w.simulator.statistics().packets_delivered == 1);  // the request
    CHECK(test::silent(w.simulator));
}

TEST_CASE("jitter keeps the order, a packet that is held back does not", "[impair]")
{
    World jittery({.jitter = {abi::DistributionKind::uniform, 0, 50e6}});
    World held({.reorder = {abi::DistributionKind::constant, 0.5, 0},
                .reorder_delay = {abi::DistributionKind::constant, 10.5e6, 0}});
    for (World* w : {&jittery, &held}) {
        for (int i = 0; i < 200; ++i) w->send(std::string(static_cast<std::size_t>(1 + i), 'x'), i * kMillisecond);
        w->simulator.run_until(kSecond);
        REQUIRE(w->server.received.size() == 200);
    }
    std::size_t passed = 0;
    for (std::size_t i = 0; i < 200; ++i) {
        CHECK(jittery.server.received[i].bytes.size() == 41 + i);
        passed += held.server.received[i].bytes.size() != 41 + i;
    }
    CHECK(jittery.counters().rare->reordered == 0);
    CHECK(passed > 50);
    CHECK(held.counters().rare->reordered > 50);
    CHECK(held.counters().rare->reordered < 150);
}

TEST_CASE("an endpoint without a real host drops what is corrupted", "[impair]")
{
    test::Chain chain = World::chain_of({.corrupt = kAlways});
    chain.server = false;
    ChainModel built(chain);
    Model model = built.model();
    Simulator simulator(model, 1);
    FakeHost peer(simulator, 1, ChainModel::peer_address());
    simulator.measure(0, kNever);
    peer.send(FakeHost::echo(ChainModel::server_address()), 0);
    simulator.run_until(kSecond);
    CHECK(simulator.statistics().dropped.corrupted == 1);
    CHECK(peer.received.empty());
    CHECK(test::silent(simulator));
}

}  // namespace ANML_UNIT_FILE
