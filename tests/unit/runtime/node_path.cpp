// What packets from a real host meet on their way: delays to the nanosecond, routers, hosts, and ICMP.
#include <catch2/catch.hpp>

#include "fake_host.h"
#include "image_builder.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::ChainModel;
using test::FakeHost;

namespace {

struct World {
    explicit World(const test::Chain& chain)
        : built(chain), model(built.model()), simulator(model, 1), host(simulator, 0, ChainModel::server_address())
    {
        simulator.measure(0, kNever);
    }
    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost host;
};

test::Chain chain_of(std::uint32_t routers, std::uint32_t hosts = 2)
{
    test::Chain chain;
    chain.routers = routers;
    chain.hosts = hosts;
    return chain;
}

}  // namespace

TEST_CASE("a ping takes propagation and transmission time of each hop, exactly", "[node]")
{
    World w(chain_of(32));
    w.host.send(FakeHost::echo(ChainModel::client_address(31, 1)), 1000);
    w.simulator.run_until(kSecond);

    REQUIRE(w.host.received.size() == 1);
    const Packet& reply = w.host.received[0].packet;
    Time one_way = 32 * (kMillisecond + 672) + (100 * kMicrosecond + 672) + (100 * kMicrosecond + 6720);
    CHECK(w.host.received[0].at == 1000 + 2 * one_way);
    CHECK(reply.source == ChainModel::client_address(31, 1));
    CHECK(reply.destination == ChainModel::server_address());
    CHECK(reply.icmp().type == 0);
    CHECK(reply.icmp().rest == 0x12340001);
    CHECK(reply.length == 84);
    CHECK(reply.ttl == 64 - 32);
    CHECK(w.simulator.statistics().total_packet_hops == 2 * 34);
    CHECK(w.simulator.statistics().packets_sent == 2);
    CHECK(w.simulator.statistics().packets_delivered == 2);
    const std::vector<LinkCounters>& links = w.simulator.statistics().links;
    REQUIRE(links.size() == 2 * 34);  // each link of the path, both ways, and no other
    const auto entry = std::find_if(links.begin(), links.end(), [&](const LinkCounters& counters) {
        return counters.link == w.built.entry_down();
    });
    REQUIRE(entry != links.end());
    CHECK(entry->packets == 1);
    CHECK(entry->bytes == 84);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("packets queue behind each other", "[node]")
{
    World w(chain_of(1));
    for (int i = 0; i < 3; ++i) w.host.send(FakeHost::echo(ChainModel::client_address(0, 0), 1500), 0);
    w.simulator.run_until(kSecond);
    REQUIRE(w.host.received.size() == 3);
    // The slowest link, 100 Mbps, spaces them.
    CHECK(w.host.received[1].at - w.host.received[0].at == 120000);
    CHECK(w.host.received[2].at - w.host.received[1].at == 120000);
}

TEST_CASE("a full queue drops what the arithmetic says", "[node]")
{
    test::Chain chain = chain_of(1);
    chain.edge.queue = 8192;
    World w(chain);
    for (int i = 0; i < 20; ++i) w.host.send(FakeHost::echo(ChainModel::client_address(0, 0), 1500), 0);
    w.simulator.run_until(kSecond);
    // They reach the edge 12 us apart and leave it 120 us apart: packet i finds i*12 us transmitted, that is 150 i
    // bytes, of the 1500 each of those admitted. The first five are admitted, then one whenever 1500 bytes have gone.
    int admitted = 0;
    for (int i = 0; i < 20; ++i)
        if (1500 * admitted - 150 * i + 1500 <= 8192) ++admitted;
    CHECK(admitted == 7);
    CHECK(w.host.received.size() == static_cast<std::size_t>(admitted));
    const Statistics& statistics = w.simulator.statistics();
    CHECK(statistics.dropped.queue == 20u - admitted);
    CHECK(statistics.links[w.built.edge_down(0, 0)].dropped == 20u - admitted);
    CHECK(statistics.links[w.built.edge_down(0, 0)].packets == static_cast<std::uint64_t>(admitted));
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a queue bounded in packets drops what the arithmetic says", "[node]")
{
    test::Chain chain = chain_of(1);
    chain.edge.queue_packets = 3;
    World w(chain);
    for (int i = 0; i < 30; ++i) w.host.send(FakeHost::echo(ChainModel::client_address(0, 0), 1500), 0);
    w.simulator.run_until(kSecond);
    // They reach the edge 12 us apart and leave it 120 us apart: the first is transmitted at once, three wait, and then
    // one whenever another begins, every tenth: the eleventh and the twenty-first arrive in that very nanosecond.
    constexpr std::uint32_t kAdmitted = 1 + 3 + 2;
    CHECK(w.host.received.size() == kAdmitted);
    const Statistics& statistics = w.simulator.statistics();
    CHECK(statistics.dropped.queue == 30 - kAdmitted);
    CHECK(statistics.links[w.built.edge_down(0, 0)].dropped == 30 - kAdmitted);
    CHECK(statistics.links[w.built.edge_down(0, 0)].packets == kAdmitted);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("each router on the way answers a packet whose TTL ends there", "[node]")
{
    World w(chain_of(5));
    for (std::uint8_t ttl = 1; ttl <= 6; ++ttl) {
        Packet probe = FakeHost::segment(ChainModel::client_address(4, 0), 40000, 33434, 0, 0, 0, 20);
        probe.protocol = protocol::udp;
        probe.length = 60;
        probe.payload = 32;
        probe.ttl = ttl;
        w.host.send(probe, ttl * kSecond);
    }
    w.simulator.run_until(10 * kSecond);
    REQUIRE(w.host.received.size() == 6);
    for (std::uint32_t i = 0; i < 5; ++i) {
        const Packet& error = w.host.received[i].packet;
        CHECK(error.source == ChainModel::gateway_address(i));
        CHECK(error.icmp().type == 11);
        CHECK(error.icmp().code == 0);
        CHECK(error.ttl == 64 - i);
        REQUIRE_FALSE(w.host.received[i].bytes.empty());
        CHECK(w.host.received[i].bytes[20] == 11);
        CHECK(w.host.received[i].bytes[28 + 8] == 1);  // the quoted TTL
    }
    CHECK(w.host.received[5].packet.source == ChainModel::client_address(4, 0));
    CHECK(w.host.received[5].packet.icmp().type == 3);
    CHECK(w.host.received[5].packet.icmp().code == 3);
    CHECK(w.simulator.statistics().dropped.ttl == 5);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a packet above the next link's MTU", "[node]")
{
    test::Chain chain = chain_of(2);
    chain.uplink.mtu = 576;
    chain.edge.mtu = 576;
    World w(chain);
    SECTION("with DF set, the router says what fits")
    {
        w.host.send(FakeHost::echo(ChainModel::client_address(1, 0), 1000), 0);
        w.simulator.run_until(kSecond);
        REQUIRE(w.host.received.size() == 1);
        const Packet& error = w.host.received[0].packet;
        CHECK(error.source == ChainModel::gateway_address(1));
        CHECK(error.icmp().type == 3);
        CHECK(error.icmp().code == 4);
        CHECK(error.icmp().rest == 576);
        CHECK(error.length == 576);  // quotes what there is room for
        CHECK(error.traffic_class == 0xc0);
        CHECK(error.flags == 0);
    }
    SECTION("at the endpoint itself, the gateway says so, at once")
    {
        w.host.send(FakeHost::echo(ChainModel::client_address(1, 0), 2000), 5);
        w.simulator.run_until(kSecond);
        REQUIRE(w.host.received.size() == 1);
        CHECK(w.host.received[0].packet.source == rt::Address{w.built.image().gateway});
        CHECK(w.host.received[0].packet.icmp().code == 4);
        CHECK(w.host.received[0].packet.icmp().rest == 1500);
        CHECK(w.host.received[0].at == 5);
    }
    CHECK(w.simulator.statistics().dropped.mtu == 1);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a switch drops what is too long without a word", "[node]")
{
    test::Chain chain = chain_of(1);
    chain.edge.mtu = 576;
    World w(chain);
    w.host.send(FakeHost::echo(ChainModel::client_address(0, 0), 1000), 0);
    w.simulator.run_until(kSecond);
    CHECK(w.host.received.empty());
    CHECK(w.simulator.statistics().dropped.mtu == 1);
    CHECK(w.simulator.statistics().dropped.unfragmented == 0);
    Packet may_be_cut = FakeHost::echo(ChainModel::client_address(0, 0), 1000);
    may_be_cut.flags = 0;
    w.host.send(may_be_cut, kSecond);
    w.simulator.run_until(2 * kSecond);
    CHECK(w.host.received.empty());
    CHECK(w.simulator.statistics().dropped.mtu == 2);
    CHECK(w.simulator.statistics().dropped.unfragmented == 1);
}

TEST_CASE("routers and the gateway answer for themselves", "[node]")
{
    World w(chain_of(3));
    w.host.send(FakeHost::echo(ChainModel::gateway_address(2)), 0);
    w.host.send(FakeHost::echo(rt::Address{w.built.image().gateway}), kSecond);
    w.host.send(FakeHost::segment(ChainModel::gateway_address(1), 40000, 22, tcp_flag::syn, 77, 0), 2 * kSecond);
    w.host.send(FakeHost::echo(rt::Address{0x0b000001}), 3 * kSecond);             // not in the model
    w.host.send(FakeHost::echo(ChainModel::client_address(1, 100)), 4 * kSecond);  // in a subnetwork, nobody's
    w.simulator.run_until(10 * kSecond);
    REQUIRE(w.host.received.size() == 5);
    CHECK(w.host.received[0].packet.source == ChainModel::gateway_address(2));
    CHECK(w.host.received[0].packet.icmp().type == 0);
    CHECK(w.host.received[1].packet.source == rt::Address{w.built.image().gateway});
    CHECK(w.host.received[1].at == kSecond);
    const Packet& reset = w.host.received[2].packet;
    CHECK(reset.tcp().flags == (tcp_flag::rst | tcp_flag::ack));
    CHECK(reset.tcp().acknowledgment == 78);
    CHECK(reset.tcp().sequence == 0);
    CHECK(w.host.received[3].packet.icmp().type == 3);
    CHECK(w.host.received[3].packet.icmp().code == 0);
    CHECK(w.host.received[4].packet.icmp().type == 3);
    CHECK(w.host.received[4].packet.icmp().code == 0);
    CHECK(w.host.received[4].packet.source == ChainModel::gateway_address(1));
    CHECK(w.simulator.statistics().dropped.no_route == 2);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a host refuses datagrams and segments, and drops what it does not understand", "[node]")
{
    World w(chain_of(1));
    Packet datagram = FakeHost::segment(ChainModel::client_address(0, 0), 1, 53, 0, 0, 0);
    datagram.protocol = protocol::udp;
    w.host.send(datagram, 0);
    w.host.send(FakeHost::segment(ChainModel::client_address(0, 0), 1, 80, tcp_flag::ack, 5, 9), kSecond);
    w.host.send(FakeHost::segment(ChainModel::client_address(0, 0), 1, 80, tcp_flag::rst, 5, 9), 2 * kSecond);
    Packet fragment = datagram;
    fragment.flags = packet_flag::fragment;
    w.host.send(fragment, 3 * kSecond);
    Packet other = datagram;
    other.protocol = 47;
    w.host.send(other, 4 * kSecond);
    w.simulator.run_until(10 * kSecond);
    REQUIRE(w.host.received.size() == 3);
    CHECK(w.host.received[0].packet.icmp().type == 3);
    CHECK(w.host.received[0].packet.icmp().code == 3);
    CHECK(w.host.received[1].packet.tcp().flags == tcp_flag::rst);
    CHECK(w.host.received[1].packet.tcp().sequence == 9);
    CHECK(w.host.received[2].packet.icmp().type == 3);
    CHECK(w.host.received[2].packet.icmp().code == 2);
    CHECK(w.simulator.statistics().dropped.malformed == 2);
    CHECK(w.simulator.statistics().packets_delivered == 3 + 3);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("two real hosts reach each other across the chain, fragments included", "[node]")
{
    test::Chain chain = chain_of(4);
    chain.peer = true;
    World w(chain);
    FakeHost peer(w.simulator, 1, ChainModel::peer_address());
    Packet fragment = FakeHost::echo(ChainModel::peer_address());
    fragment.flags = packet_flag::fragment;
    w.host.send(fragment, 0);
    peer.send(FakeHost::echo(ChainModel::server_address()), 0);
    w.simulator.run_until(kSecond);
    REQUIRE(peer.received.size() == 1);
    REQUIRE(w.host.received.size() == 1);
    Time one_way = 5 * (kMillisecond + 672);
    CHECK(peer.received[0].at == one_way);
    CHECK(w.host.received[0].at == one_way);
    CHECK(peer.received[0].packet.ttl == 60);
    CHECK(test::silent(w.simulator));
}

TEST_CASE("a tap sees packets as their transmission starts", "[node]")
{
    struct Tap : LinkTap {
        void packet(LinkId, const Packet& p, Time, Time start) override { seen.emplace_back(p.length, start); }
        void rate_changed(LinkId, const RateChange&) override {}
        void failed(LinkId, Time) override {}
        std::vector<std::pair<int, Time>> seen;
    } tap;
    World w(chain_of(1));
    w.simulator.watch(w.built.entry_down(), tap);
    w.host.send(FakeHost::echo(ChainModel::client_address(0, 0), 1500), 100);
    w.host.send(FakeHost::echo(ChainModel::client_address(0, 0), 84), 200);
    w.simulator.run_until(kSecond);
    CHECK(tap.seen == std::vector<std::pair<int, Time>>{{1500, 100}, {84, 12100}});
}

}  // namespace ANML_UNIT_FILE
