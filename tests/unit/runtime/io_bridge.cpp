// Endpoints that are subnets: neighbours on a segment, and one subnet on two of them; no kernel involved.
#include <catch2/catch.hpp>

#include "fake_device.h"
#include "image_builder.h"
#include "io/gateway/bridge.h"
#include "io/gateway/gateway.h"
#include "io/live.h"
#include "net/external_hosts.h"
#include "simulator/simulator.h"
#include "wire/icmp.h"
#include "wire/ipv4.h"
#include "wire/offloads.h"
#include "wire_packets.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace wire_test;

namespace {

constexpr std::uint32_t kSubnet = 0xc0a80700;

Address host(std::uint32_t last) { return Address{kSubnet + last}; }
wire::MacAddress mac_of(std::uint32_t last)
{
    return {0x02, 7, 0, 0, static_cast<std::uint8_t>(last >> 8), static_cast<std::uint8_t>(last)};
}

test::Chain two_ends(abi::PrefixKind kind)
{
    test::Chain chain;
    chain.peer = true;
    chain.prefixes = {{kSubnet, 24, kind}};
    return chain;
}

// The endpoints `server` and `peer`, each with the subnet; of an on-link one only the first.
struct TwoSides : Edge {
    test::ChainModel chain;
    Model model;
    Simulator simulator;
    LiveReport report;
    io::Clock clock;
    test::FakeDevice devices[2];
    io::Gateway gateways[2];
    io::Bridge bridge;
    const wire::MacAddress mac;

    explicit TwoSides(abi::PrefixKind kind = abi::PrefixKind::bridged)
        : chain(two_ends(kind)),
          model(chain.model()),
          simulator(model, 1),
          devices{{"fake0", clock, report}, {"fake1", clock, report}},
          gateways{{devices[0], 0, model, simulator, report}, {devices[1], 1, model, simulator, report}},
          bridge(model, simulator.external_hosts(), report),
          mac(io::model_mac(model))
    {
        const bool bridged = kind == abi::PrefixKind::bridged;
        simulator.external_hosts().add_hosts(host(1), host(254), bridged ? kNone : 0);
        for (std::uint32_t i = 0; i < 2; ++i) {
            simulator.attach(i, *this);
            if (bridged) gateways[i].join(bridge);
        }
    }
    void release(std::uint32_t endpoint, const Packet& packet, Time at) override
    {
        gateways[endpoint].send(packet, at);
    }

    void run(Time until)
    {
        for (Time now = simulator.now(); now < until;) {
            now = std::min(until, now + 10 * kMillisecond);
            simulator.run_until(now);
            for (io::Gateway& gateway : gateways) gateway.tick(now);
            bridge.tick(now);
        }
    }
    void receive(int side, const Bytes& bytes)
    {
        io::Frame frame;
        frame.bytes = bytes;
        gateways[side].receive(frame, simulator.now());
    }
    void arp(int side, std::uint16_t operation, std::uint32_t from, Address sender, Address target)
    {
        Bytes frame(14 + wire::Arp::kLength);
        wire::write_ethernet(frame.data(), operation == wire::arp_operation::reply ? mac : wire::kBroadcastMac,
                             mac_of(from), wire::ether_type::arp);
        wire::write_arp(frame.data() + 14, {operation, mac_of(from), sender, {}, target});
        receive(side, frame);
    }
    void says_hello(int side, std::uint32_t last)
    {
        arp(side, wire::arp_operation::request, last, host(last), host(last));
    }
    void ping(int side, std::uint32_t from, Address to)
    {
        Bytes packet = kEchoRequest;
        wire::store_ipv4(packet.data() + 12, host(from));
        wire::store_ipv4(packet.data() + 16, to);
        wire::finish_ipv4(packet.data());
        Bytes frame(14);
        wire::write_ethernet(frame.data(), mac, mac_of(from), wire::ether_type::ipv4);
        frame.insert(frame.end(), packet.begin(), packet.end());
        receive(side, frame);
    }
    Bytes sent(int side)
    {
        devices[side].flush();
        if (devices[side].sent.empty()) return {};
        Bytes frame = devices[side].sent.front();
        devices[side].sent.pop_front();
        return frame;
    }
    // The ARP message that was sent; nothing: none was.
    std::optional<wire::Arp> arp_sent(int side)
    {
        const Bytes frame = sent(side);
        wire::Arp arp;
        if (frame.size() != 14 + wire::Arp::kLength || !wire::parse_arp(std::span(frame).subspan(14), arp)) return {};
        return arp;
    }
    bool asks(int side, Address target, Address sender)
    {
        const auto arp = arp_sent(side);
        return arp && arp->operation == wire::arp_operation::request && arp->target == target && arp->sender == sender;
    }
    // A packet that was sent to this host's own Ethernet address.
    std::optional<Packet> packet_sent(int side, std::uint32_t to)
    {
        const Bytes frame = sent(side);
        wire::EthernetView ethernet;
        Packet packet;
        if (frame.empty() || !wire::EthernetView::check(frame, ethernet) || ethernet.type() != wire::ether_type::ipv4 ||
            ethernet.destination() != mac_of(to) ||
            wire::parse(ethernet.payload(), true, packet) != wire::ParseError::none)
            return {};
        return packet;
    }
    std::uint32_t place(std::uint32_t last) { return simulator.external_hosts().endpoint_of(host(last)); }
    bool quiet() { return sent(0).empty() && sent(1).empty(); }
};

}  // namespace

TEST_CASE("a table of neighbours has a bound, and forgets who was silent the longest", "[io]")
{
    io::Neighbours neighbours(2);
    CHECK(neighbours.hear(host(1), mac_of(1), 1) == Address::none);
    CHECK(neighbours.hear(host(2), mac_of(2), 2) == Address::none);
    CHECK(neighbours.hear(host(1), mac_of(9), 3) == Address::none);  // again, elsewhere
    CHECK(neighbours.hear(host(3), mac_of(3), 4) == host(2));
    CHECK(neighbours.find(host(2)) == nullptr);
    REQUIRE(neighbours.find(host(1)));
    CHECK(neighbours.find(host(1))->mac == mac_of(9));
    neighbours.forget(host(1));
    CHECK(neighbours.size() == 1);
}

TEST_CASE("hosts of an on-link subnet are asked for, and packets wait", "[io]")
{
    TwoSides sides(abi::PrefixKind::on_link);
    // The second endpoint has no attached hosts here: its gateway sends into the model on behalf of nobody.
    const Address client = sides.chain.client_address(0, 0);
    sides.ping(0, 5, client);
    sides.run(20 * kMillisecond);
    const auto reply = sides.packet_sent(0, 5);  // heard of by its packet
    REQUIRE(reply);
    CHECK(reply->source == client);
    CHECK(reply->destination == host(5));
    // A packet for one that is not known.
    Packet packet = *reply;
    packet.destination = host(6);
    packet.buffer = kNone;
    for (int i = 0; i < 20; ++i) sides.gateways[0].send(packet, sides.simulator.now());
    CHECK(sides.report.unreachable == 20 - io::AddressResolution::kPackets);
    CHECK(sides.quiet());
    sides.run(30 * kMillisecond);
    CHECK(sides.asks(0, host(6), sides.gateways[0].address()));
    CHECK(sides.quiet());
    sides.arp(0, wire::arp_operation::reply, 6, host(6), sides.gateways[0].address());
    for (std::size_t i = 0; i < io::AddressResolution::kPackets; ++i) CHECK(sides.packet_sent(0, 6));
    CHECK(sides.quiet());
    // Nobody answers: three requests, and the sender hears of it.
    packet.destination = host(7);
    sides.gateways[0].send(packet, sides.simulator.now());
    sides.run(sides.simulator.now() + 5 * kSecond);
    for (int i = 0; i < 3; ++i) CHECK(sides.asks(0, host(7), sides.gateways[0].address()));
    CHECK(sides.quiet());
    CHECK(sides.report.unreachable == 20 - io::AddressResolution::kPackets + 1);
    CHECK(sides.simulator.buffers().in_use() == 0);
    // What no host has: borders of the subnet, other subnets.
    const std::uint64_t before = sides.report.foreign;
    for (const Address source : {Address{kSubnet}, host(255), Address{kSubnet + 256}}) {
        sides.ping(0, number(source) - kSubnet, client);
    }
    CHECK(sides.report.foreign == before + 3);
}

TEST_CASE("as many resolutions as there is room for, and no more", "[io]")
{
    TwoSides sides(abi::PrefixKind::on_link);
    io::AddressResolutions resolutions;
    for (std::uint32_t i = 0; i < io::AddressResolutions::kMost; ++i) REQUIRE(resolutions.about(Address{i + 1}));
    CHECK(resolutions.about(Address{1}));
    CHECK_FALSE(resolutions.about(Address{9999}));
    std::size_t asked = 0, failed = 0;
    const auto count = [](std::size_t& n) { return [&n](Address, const io::AddressResolution&) { ++n; }; };
    for (Time now = 0; now <= 3 * kSecond; now += kSecond) resolutions.tick(now, count(asked), count(failed));
    CHECK(asked == 3 * io::AddressResolutions::kMost);
    CHECK(failed == io::AddressResolutions::kMost);
    CHECK(resolutions.empty());
}

TEST_CASE("a host of a bridged subnet learns of one on the other side, which is asked for first", "[io]")
{
    TwoSides sides;
    sides.arp(0, wire::arp_operation::request, 1, host(1), host(2));
    sides.run(10 * kMillisecond);
    CHECK(sides.place(1) == 0);
    CHECK(sides.asks(1, host(2), host(1)));  // in the asker's name
    CHECK(sides.quiet());
    sides.arp(1, wire::arp_operation::reply, 2, host(2), host(1));
    CHECK(sides.place(2) == 1);
    const auto answer = sides.arp_sent(0);
    REQUIRE(answer);
    CHECK(answer->operation == wire::arp_operation::reply);
    CHECK(answer->sender == host(2));
    CHECK(answer->sender_mac == sides.mac);
    CHECK(answer->target_mac == mac_of(1));
    // It is known now, and who asks is answered at once; on its own side it answers itself.
    sides.arp(0, wire::arp_operation::request, 1, host(1), host(2));
    CHECK(sides.arp_sent(0));
    sides.arp(1, wire::arp_operation::request, 3, host(3), host(2));
    sides.run(sides.simulator.now() + kSecond);
    CHECK(sides.quiet());
    sides.ping(0, 1, host(2));
    sides.run(sides.simulator.now() + kSecond);
    const auto packet = sides.packet_sent(1, 2);
    REQUIRE(packet);
    CHECK(packet->source == host(1));
    CHECK(sides.quiet());
    // Nobody has it: no answer, and no more requests.
    sides.arp(0, wire::arp_operation::request, 1, host(1), host(77));
    sides.run(sides.simulator.now() + 6 * kSecond);
    for (int i = 0; i < 3; ++i) CHECK(sides.asks(1, host(77), host(1)));
    CHECK(sides.quiet());
}

TEST_CASE("a packet to a host of an unknown side waits, and comes back as unreachable", "[io]")
{
    TwoSides sides;
    sides.ping(0, 1, host(2));
    sides.run(10 * kMillisecond);
    CHECK(sides.asks(1, host(2), host(1)));
    sides.arp(1, wire::arp_operation::reply, 2, host(2), host(1));
    sides.run(sides.simulator.now() + kSecond);
    CHECK(sides.packet_sent(1, 2));
    sides.ping(0, 1, host(3));
    sides.run(sides.simulator.now() + 5 * kSecond);
    const auto error = sides.packet_sent(0, 1);
    REQUIRE(error);
    CHECK(error->icmp().type == wire::icmp_type::unreachable);
    CHECK(error->icmp().code == 1);
    CHECK(sides.simulator.buffers().in_use() == 0);
    // To one on the own side: the sender is told the way.
    while (!sides.quiet()) {
    }
    sides.says_hello(0, 4);
    sides.ping(0, 1, host(4));
    const auto told = sides.arp_sent(0);
    REQUIRE(told);
    CHECK(told->sender == host(4));
    CHECK(told->sender_mac == mac_of(4));
    CHECK(sides.simulator.buffers().in_use() == 0);
}

TEST_CASE("nobody takes the place of a host that answers", "[io]")
{
    TwoSides sides;
    sides.says_hello(0, 1);
    sides.says_hello(1, 2);
    for (int i = 0; i < 100; ++i) {
        sides.says_hello(1, 1);
        sides.ping(1, 1, host(2));
    }
    CHECK(sides.place(1) == 0);
    CHECK(sides.report.foreign == 200);
    CHECK(sides.quiet());
    sides.run(10 * kMillisecond);
    CHECK(sides.asks(0, host(1), Address::none));  // a probe (RFC 5227)
    CHECK(sides.quiet());
    sides.arp(0, wire::arp_operation::reply, 1, host(1), Address::none);
    for (int i = 0; i < 300; ++i) {
        sides.says_hello(1, 1);
        sides.run(sides.simulator.now() + 10 * kMillisecond);
        if (const auto probe = sides.arp_sent(0)) sides.arp(0, wire::arp_operation::reply, 1, host(1), Address::none);
    }
    CHECK(sides.place(1) == 0);
    CHECK(sides.report.moved == 0);
    // A flood of addresses at one side pushes nobody of the other out, nor nodes of the model in.
    for (std::uint32_t i = 3; i < 255; ++i) sides.says_hello(1, i);
    CHECK(sides.place(1) == 0);
    sides.says_hello(1, number(sides.chain.client_address(0, 0)) - kSubnet);
    CHECK(sides.simulator.external_hosts().endpoint_of(sides.chain.client_address(0, 0)) == kNone);
}

TEST_CASE("stations are of the side that heard them, until they are silent there", "[io]")
{
    io::Stations stations(2);
    CHECK(stations.where(mac_of(1), 0) == kNone);
    CHECK(stations.hear(mac_of(1), 7, 0));
    CHECK_FALSE(stations.hear(mac_of(1), 8, io::Stations::kHeld - 1));
    CHECK(stations.hear(mac_of(1), 7, io::Stations::kHeld - 1));
    CHECK_FALSE(stations.hear(mac_of(1), 8, io::Stations::kHeld));
    CHECK(stations.where(mac_of(1), io::Stations::kHeld) == 7);
    Time now = 3 * io::Stations::kHeld;
    CHECK(stations.hear(mac_of(1), 8, now));
    CHECK(stations.where(mac_of(1), now) == 8);
    // A flood at one side pushes out its own, those that were silent the longest.
    for (std::uint32_t i = 100; i < 200; ++i) CHECK(stations.hear(mac_of(i), 7, ++now));
    CHECK(stations.size() == 3);
    CHECK(stations.where(mac_of(1), now) == 8);
    CHECK(stations.where(mac_of(198), now) == 7);
    CHECK(stations.where(mac_of(100), now) == kNone);
    CHECK(stations.where(mac_of(1), now + io::Stations::kAge + 1) == kNone);
}

TEST_CASE("what is not of IPv4 between two hosts crosses a bridge as it is", "[io]")
{
    TwoSides sides;
    const auto frame = [](const wire::MacAddress& to, std::uint32_t from, std::uint16_t type, std::size_t length = 60) {
        Bytes bytes(length, 0x5a);
        wire::write_ethernet(bytes.data(), to, mac_of(from), type);
        return bytes;
    };
    const wire::MacAddress group{0x33, 0x33, 0, 0, 0, 0xfb};
    const auto crossed = [&](int from, const Bytes& bytes) {
        sides.receive(from, bytes);
        sides.run(sides.simulator.now() + kSecond / 10);
        const bool there = sides.sent(1 - from) == bytes;
        CHECK(sides.quiet());
        return there;
    };
    CHECK(crossed(0, frame(group, 1, wire::ether_type::ipv6)));
    CHECK(crossed(0, frame(wire::kBroadcastMac, 1, wire::ether_type::ipv4)));
    CHECK(crossed(1, frame(mac_of(1), 2, 0x88b5)));
    CHECK(crossed(0, frame(mac_of(77), 1, 0x88b5)));  // of whom nobody knows
    CHECK(crossed(0, frame({0x01, 0x80, 0xc2, 0, 0, 0}, 1, 39)));
    CHECK_FALSE(crossed(0, frame({0x01, 0x80, 0xc2, 0, 0, 1}, 1, 0x8808)));
    CHECK_FALSE(crossed(0, frame(mac_of(3), 1, wire::ether_type::arp)));  // malformed
    CHECK_FALSE(crossed(0, frame(sides.mac, 1, 0x88b5)));
    // To one on the same side.
    CHECK(crossed(0, frame(wire::kBroadcastMac, 3, 0x88b5)));
    CHECK_FALSE(crossed(0, frame(mac_of(3), 1, 0x88b5)));
    // One that the other side holds, and the emulator's own that comes back.
    CHECK(sides.report.foreign == 0);
    CHECK_FALSE(crossed(1, frame(wire::kBroadcastMac, 1, 0x88b5)));
    CHECK(sides.report.foreign == 1);
    Bytes own = frame(wire::kBroadcastMac, 9, 0x88b5);
    wire::write_ethernet(own.data(), wire::kBroadcastMac, sides.mac, 0x88b5);
    CHECK_FALSE(crossed(1, own));
    // The MTU is of what is behind tags; nobody is told of what is too long.
    Bytes tagged = frame(wire::kBroadcastMac, 1, wire::ether_type::vlan, 14 + 4 + 1500);
    tagged[16] = 0x88;
    tagged[17] = 0xb5;
    CHECK(crossed(0, tagged));
    CHECK_FALSE(crossed(0, frame(wire::kBroadcastMac, 1, wire::ether_type::ipv4, 14 + 1501)));
    // ARP of other subnets than the bridged one.
    Bytes other(14 + wire::Arp::kLength);
    wire::write_ethernet(other.data(), wire::kBroadcastMac, mac_of(1), wire::ether_type::arp);
    const Address one{0xac100001}, two{0xac100002};
    wire::write_arp(other.data() + 14, {wire::arp_operation::request, mac_of(1), one, {}, two});
    CHECK(crossed(0, other));
    CHECK(sides.simulator.buffers().in_use() == 0);
}

TEST_CASE("a host that has gone over is found there", "[io]")
{
    TwoSides sides;
    sides.says_hello(0, 1);
    sides.says_hello(1, 2);
    sides.says_hello(1, 1);
    CHECK(sides.place(1) == 0);
    sides.run(2 * kSecond);
    for (unsigned i = 0; i < io::Bridge::kClaimTries; ++i) CHECK(sides.asks(0, host(1), Address::none));
    CHECK(sides.place(1) == 1);
    CHECK(sides.report.moved == 1);
    // The old side hears that the address is the model's now (RFC 5227).
    CHECK(sides.asks(0, host(1), host(1)));
    CHECK(sides.quiet());
    sides.says_hello(1, 1);
    CHECK(sides.gateways[1].neighbour(host(1)));
    CHECK_FALSE(sides.gateways[0].neighbour(host(1)));
}

TEST_CASE("a neighbour that was silent for long is asked whether it is there", "[io]")
{
    TwoSides sides;
    sides.says_hello(0, 1);
    sides.says_hello(1, 2);
    sides.run(io::Neighbours::kFresh + kSecond);
    for (unsigned i = 0; i <= io::Neighbours::kProbes; ++i) {
        sides.says_hello(0, 1);
        sides.ping(0, 1, host(2));
        sides.run(sides.simulator.now() + io::Neighbours::kInterval + 10 * kMillisecond);
        CHECK(sides.packet_sent(1, 2));
        if (i < io::Neighbours::kProbes) CHECK(sides.asks(1, host(2), Address::none));
    }
    CHECK(sides.place(2) == kNone);
    CHECK(sides.quiet());
}

}  // namespace ANML_UNIT_FILE
