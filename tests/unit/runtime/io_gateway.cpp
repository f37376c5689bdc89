// The gateway on one segment: ARP, packets in and out, and the probe that waits for a server; no kernel involved.
#include <catch2/catch.hpp>

#include "gateway_segment.h"
#include "wire/icmpv6.h"
#include "wire/ipv6_nodes.h"
#include "wire/neighbour_discovery.h"
#include "wire/offloads.h"
#include "wire/translate.h"
#include "wire_packets.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace wire_test;
using namespace gateway_test;

namespace {

Packet packet_of(const Bytes& frame)
{
    wire::EthernetView ethernet;
    REQUIRE(wire::EthernetView::check(frame, ethernet));
    REQUIRE(ethernet.type() == wire::ether_type::ipv4);
    CHECK(ethernet.destination() == kHostMac);
    Packet packet;
    REQUIRE(wire::parse(ethernet.payload(), true, packet) == wire::ParseError::none);
    return packet;
}

}  // namespace

TEST_CASE("the model's MAC is a unicast address of local administration", "[io]")
{
    Segment segment;
    CHECK((segment.mac[0] & 3) == 2);
    CHECK(segment.mac == Segment().mac);
}

TEST_CASE("ARP is answered for the gateway and virtual hosts, never for the real host", "[io]")
{
    Segment segment;
    CHECK(segment.answers_arp(kServer, kGateway));
    CHECK(segment.answers_arp(kServer, segment.chain.client_address(0, 0)));
    CHECK(segment.answers_arp(kServer, segment.chain.gateway_address(0)));
    CHECK_FALSE(segment.answers_arp(kServer, Address{0x0ac80001}));  // nobody's
    CHECK_FALSE(segment.answers_arp(Address::none, kServer));        // RFC 5227 probe for its own address
    CHECK_FALSE(segment.answers_arp(kServer, kServer));              // announcement
    CHECK_FALSE(segment.answers_arp(segment.chain.client_address(0, 0), kServer));  // another host asks
    CHECK(segment.answers_arp(Address::none,
                              segment.chain.client_address(0, 0)));  // a probe for an address that is taken
    segment.receive_arp(wire::arp_operation::reply, kServer, kGateway);
    CHECK(segment.sent().empty());
    CHECK(segment.report.malformed == 0);
}

TEST_CASE("an endpoint on another device is reached through this one", "[io]")
{
    test::Chain chain;
    chain.peer = true;
    Segment segment(chain);
    CHECK(segment.answers_arp(kServer, test::ChainModel::peer_address()));
}

TEST_CASE("the real host's MAC is asked for, once a second, and packets wait for it", "[io]")
{
    Segment segment;
    segment.gateway.tick(0);
    segment.gateway.tick(kSecond / 2);
    const Bytes question = segment.sent();
    wire::Arp arp;
    REQUIRE(question.size() == 14 + wire::Arp::kLength);
    REQUIRE(wire::parse_arp(std::span(question).subspan(14), arp));
    CHECK(arp.operation == wire::arp_operation::request);
    CHECK(arp.sender == kGateway);
    CHECK(arp.target == kServer);
    CHECK(std::equal(wire::kBroadcastMac.begin(), wire::kBroadcastMac.end(), question.begin()));
    CHECK(segment.sent().empty());
    segment.gateway.tick(kSecond);
    CHECK_FALSE(segment.sent().empty());

    Packet packet;
    packet.source = segment.chain.client_address(0, 0);
    packet.destination = kServer;
    packet.protocol = protocol::udp;
    packet.length = 28;
    for (std::uint16_t i = 0; i < 1000; ++i) {
        packet.source_port = i;
        segment.gateway.send(packet, 0);
    }
    CHECK(segment.sent().empty());
    CHECK(segment.report.unreachable == 1000 - 256);  // the queue is bounded

    segment.receive_arp(wire::arp_operation::reply, kServer, kGateway, segment.mac);
    for (std::uint16_t i = 0; i < 256; ++i) CHECK(packet_of(segment.sent()).source_port == i);
    CHECK(segment.sent().empty());
    CHECK(segment.report.counters.all().released == 256);
    segment.gateway.tick(10 * kSecond);
    CHECK(segment.sent().empty());
}

TEST_CASE("a ping goes through the model and comes back", "[io]")
{
    Segment segment;
    const Address client = segment.chain.client_address(0, 0);
    Bytes frame = segment.framed(kEchoRequest, kServer, client);
    frame.resize(60, 0xee);  // padded to Ethernet's minimum
    segment.receive(frame);
    CHECK(segment.report.counters.all().received == 1);
    segment.simulator.run_until(2 * kMillisecond);
    CHECK(segment.sent().empty());
    segment.simulator.run_until(3 * kMillisecond);
    const Packet reply = packet_of(segment.sent());
    CHECK(reply.source == client);
    CHECK(reply.icmp().type == 0);
    CHECK(reply.length == kEchoRequest.size());
    CHECK(reply.ttl == 63);
}

TEST_CASE("a partial checksum is complete when the packet is seen again", "[io]")
{
    test::Chain chain;
    Segment segment(chain);
    // A router answers the expired packet with a quote of its first 8 bytes, UDP checksum included.
    Bytes frame = segment.framed(kDatagram, kServer, segment.chain.client_address(0, 0));
    frame[14 + 8] = 1;
    wire::finish_ipv4(frame.data() + 14);
    Bytes partial = frame;
    partial[14 + 26] ^= 0x77;
    segment.receive(partial, true);
    segment.simulator.run_until(kSecond);
    const Bytes answer = segment.sent();
    CHECK(packet_of(answer).icmp().type == 11);
    REQUIRE(answer.size() == frame.size() + 28);  // quotes all of it
    CHECK(Bytes(answer.begin() + 14 + 28 + 20, answer.end()) == Bytes(frame.begin() + 34, frame.end()));
}

TEST_CASE("what is not the model's is ignored, what is broken is counted", "[io]")
{
    Segment segment;
    const Bytes good = segment.framed(kDatagram, kServer, segment.chain.client_address(0, 0));

    Bytes other = good;
    other[5] ^= 1;  // somebody else's MAC
    segment.receive(other);
    std::copy(wire::kBroadcastMac.begin(), wire::kBroadcastMac.end(), other.begin());
    segment.receive(other);
    Bytes ipv6 = good;
    ipv6[12] = 0x86;
    ipv6[13] = 0xdd;
    segment.receive(ipv6);
    CHECK(segment.report.ipv6 == 1);
    Bytes tagged = good;
    tagged[12] = 0x81;
    tagged[13] = 0;
    segment.receive(tagged);
    CHECK(segment.report.tagged == 1);
    CHECK(segment.report.malformed == 0);

    segment.receive(segment.framed(kDatagram, Address{0x0a000063}, segment.chain.client_address(0, 0)));
    CHECK(segment.report.foreign == 1);
    CHECK(segment.gateway.foreign_source() == Address{0x0a000063});

    Bytes broken = good;
    broken.back() ^= 1;
    segment.receive(broken);
    segment.receive(Bytes(good.begin(), good.begin() + 13));
    segment.receive(Bytes(good.begin(), good.begin() + 40));
    CHECK(segment.report.malformed == 3);
    CHECK(segment.report.counters.all().received == 0);
    CHECK(segment.simulator.buffers().in_use() == 0);
    CHECK(segment.simulator.next_event() == kNever);
}

TEST_CASE("super-segments enter as packets", "[io]")
{
    Segment segment;
    Bytes super = segment.framed(kRequest, kServer, segment.chain.client_address(0, 0));
    super.resize(14 + 52 + 4000, 'x');
    wire::store16(super.data() + 16, static_cast<std::uint16_t>(super.size() - 14));
    wire::finish_ipv4(super.data() + 14);
    io::Frame frame;
    frame.bytes = super;
    frame.checksum_partial = true;
    frame.segments = io::Frame::Segments::tcp;
    frame.segment_size = 1448;
    segment.gateway.receive(frame, 0);
    CHECK(segment.report.counters.all().received == 3);
    CHECK(segment.simulator.buffers().in_use() == 3);
    frame.segment_size = 0;
    segment.gateway.receive(frame, 0);
    CHECK(segment.report.malformed == 1);
}

TEST_CASE("the probe asks every 50 ms until the server accepts, and resets what it opened", "[io]")
{
    Segment segment;
    io::Probe probe(segment.gateway, kServer, 80);
    segment.gateway.on_tcp = [&](const Packet& packet) { return probe.answer(packet); };
    probe.tick(0);
    CHECK(segment.sent().empty());  // nobody knows the MAC address yet
    segment.receive_arp(wire::arp_operation::request, kServer, kGateway);
    segment.sent();

    const auto answer = [&](const Packet& syn, std::uint8_t flags) {
        Bytes bytes = kAck;
        bytes.resize(40);
        bytes[3] = 40;
        bytes[32] = 0x50;
        bytes[33] = flags;
        wire::store16(bytes.data() + 20, 80);
        wire::store16(bytes.data() + 22, syn.source_port);
        wire::store32(bytes.data() + 28, syn.tcp().sequence + 1);
        segment.receive(segment.framed(bytes, kServer, kGateway));
    };
    probe.tick(50 * kMillisecond);
    const Packet first = packet_of(segment.sent());
    CHECK(first.source == kGateway);
    CHECK(first.destination_port == 80);
    CHECK(first.tcp().flags == tcp_flag::syn);
    probe.tick(99 * kMillisecond);
    CHECK(segment.sent().empty());
    answer(first, tcp_flag::rst | tcp_flag::ack);
    CHECK(probe.seen() == io::Probe::Seen::refused);
    CHECK(segment.sent().empty());

    probe.tick(100 * kMillisecond);
    const Packet second = packet_of(segment.sent());
    CHECK(second.source_port != first.source_port);
    answer(second, tcp_flag::syn | tcp_flag::ack);
    CHECK(probe.seen() == io::Probe::Seen::accepted);
    const Packet reset = packet_of(segment.sent());
    CHECK(reset.tcp().flags == tcp_flag::rst);
    CHECK(reset.source_port == second.source_port);
    CHECK(reset.tcp().sequence == second.tcp().sequence + 1);
    probe.tick(kSecond);
    CHECK(segment.sent().empty());
    CHECK(segment.simulator.buffers().in_use() == 0);  // the model saw none of it
}

TEST_CASE("packets leave for the host's latest Ethernet address, and never for a group's or the model's", "[io]")
{
    Segment segment;
    const Bytes good = segment.framed(kDatagram, kServer, segment.chain.client_address(0, 0));
    const auto from = [&](Bytes frame, const wire::MacAddress& mac) {
        std::copy(mac.begin(), mac.end(), frame.begin() + 6);
        segment.receive(frame);
    };
    const auto leaves_for = [&] {
        Packet packet;
        packet.source = segment.chain.client_address(0, 0);
        packet.destination = kServer;
        packet.protocol = protocol::udp;
        packet.length = 28;
        segment.gateway.send(packet, 0);
        const Bytes frame = segment.sent();
        wire::MacAddress mac{};
        if (!frame.empty()) std::copy_n(frame.begin(), mac.size(), mac.begin());
        return mac;
    };
    from(good, wire::kBroadcastMac);
    from(good, segment.mac);
    from(good, wire::MacAddress{});
    CHECK(segment.report.malformed == 3);
    CHECK_FALSE(segment.gateway.knows_host());
    segment.receive(good);
    CHECK(leaves_for() == kHostMac);
    const wire::MacAddress other{0x02, 9, 9, 9, 9, 9};
    from(good, other);  // it came back with another interface
    CHECK(leaves_for() == other);
    segment.receive(good);
    CHECK(leaves_for() == kHostMac);

    Bytes announcement(14 + wire::Arp::kLength);
    const auto announce = [&](const wire::MacAddress& mac) {
        wire::write_ethernet(announcement.data(), wire::kBroadcastMac, other, wire::ether_type::arp);
        wire::write_arp(announcement.data() + 14, {wire::arp_operation::request, mac, kServer, {}, kServer});
        segment.receive(announcement);
    };
    announce(wire::kBroadcastMac);
    announce(segment.mac);
    CHECK(leaves_for() == kHostMac);
    announce(other);
    CHECK(leaves_for() == other);
}

TEST_CASE("segments that a real host sends again are counted", "[io]")
{
    Segment segment;
    const Address client = segment.chain.client_address(0, 0);
    Bytes request = segment.framed(kRequest, kServer, client);
    const auto again = [&] { return segment.report.counters.all().host_retransmissions; };
    segment.receive(segment.framed(kSyn, kServer, client));
    CHECK(again() == 0);
    segment.receive(segment.framed(kSyn, kServer, client));
    CHECK(again() == 1);
    segment.receive(segment.framed(kAck, kServer, client));
    segment.receive(segment.framed(kAck, kServer, client));  // carries nothing
    CHECK(again() == 1);
    segment.receive(request);
    CHECK(again() == 1);
    segment.receive(request);
    CHECK(again() == 2);
    Bytes fresh = segment.framed(kSyn, kServer, client);  // the ports are used for another connection
    wire::store32(fresh.data() + 14 + 24, 0x12345678);
    wire::complete_checksum(std::span(fresh).subspan(14));
    segment.receive(fresh);
    CHECK(again() == 2);
    CHECK(segment.report.malformed == 0);
}

TEST_CASE("external hosts behind the endpoint's host enter, and answers to them go to it", "[io]")
{
    Segment segment;
    const Address client = segment.chain.client_address(0, 0), stranger{0xc0a80705};
    const Bytes echo = segment.framed(kEchoRequest, stranger, client);
    segment.receive(echo);
    CHECK(segment.report.foreign == 1);
    segment.simulator.external_hosts().add({false, {192, 168, 7}, 24}, 0);
    segment.receive_arp(wire::arp_operation::reply, kServer, kGateway, segment.mac);
    Bytes elsewhere = echo;
    elsewhere[11] ^= 1;  // from another Ethernet address, which is not the host's
    segment.receive(elsewhere);
    segment.simulator.run_until(3 * kMillisecond);
    const Packet reply = packet_of(segment.sent());
    CHECK(reply.source == client);
    CHECK(reply.destination == stranger);
    // Nobody's address, and expired: the network tells the stranger.
    segment.receive(segment.framed(kDatagram, stranger, Address{0x0b000001}));
    segment.simulator.run_until(4 * kMillisecond);
    CHECK(packet_of(segment.sent()).destination == stranger);
    Bytes expired = segment.framed(kDatagram, stranger, client);
    expired[14 + 8] = 1;
    wire::finish_ipv4(expired.data() + 14);
    segment.receive(expired);
    segment.simulator.run_until(8 * kMillisecond);
    const Packet error = packet_of(segment.sent());
    CHECK(error.icmp().type == 11);
    CHECK(error.destination == stranger);
    // Other subnets, and what is no address of a host: a handle cannot be written on the wire.
    for (const std::uint32_t other : {0xc0a80805u, 0xf0000000u, 0xf0000001u, 0xffffffffu, 0u})
        segment.receive(segment.framed(kEchoRequest, Address{other}, client));
    CHECK(segment.report.foreign == 6);
    for (const std::uint32_t other : {0xf0000000u, 0xf0000001u, 0xffffffffu})
        segment.receive(segment.framed(kEchoRequest, stranger, Address{other}));
    segment.simulator.run_until(kSecond);
    CHECK(segment.sent().empty());
    CHECK(segment.report.malformed == 0);
    CHECK(segment.simulator.buffers().in_use() == 0);
}

TEST_CASE("IPv6 goes from a subnet behind one endpoint to one behind another", "[io]")
{
    test::Chain description;
    description.peer = true;
    Segment segment(description);
    struct Other : Edge {
        Segment& segment;
        test::FakeDevice device{"fake1", segment.clock, segment.report};
        io::Gateway gateway{device, 1, segment.model, segment.simulator, segment.report};
        explicit Other(Segment& s) : segment(s) {}
        void release(std::uint32_t, const Packet& packet, Time at) override { gateway.send(packet, at); }
    } other(segment);
    segment.simulator.attach(1, other);
    const Bytes echo = from_hex(
        "600bd23800103a40fd000007000000000000000000000001fd00000700000000000000000000000280000d106c810001000102030405"
        "0607");
    const auto framed = [&](Bytes packet) {
        Bytes frame(14);
        wire::write_ethernet(frame.data(), segment.mac, kHostMac, wire::ether_type::ipv6);
        frame.insert(frame.end(), packet.begin(), packet.end());
        return frame;
    };
    segment.receive(framed(echo));
    CHECK(segment.report.ipv6 == 1);  // nobody said that it is spoken
    ExternalHosts& external_hosts = segment.simulator.external_hosts();
    external_hosts.add({true, {0xfd, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128}, 0);
    external_hosts.add({true, {0xfd, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}, 128}, 1);

    // The other end's host is known by ARP.
    Bytes reply(14 + wire::Arp::kLength);
    const wire::MacAddress host{0x02, 5, 5, 5, 5, 5};
    wire::write_ethernet(reply.data(), segment.mac, host, wire::ether_type::arp);
    wire::write_arp(reply.data() + 14,
                    {wire::arp_operation::reply, host, test::ChainModel::peer_address(), segment.mac, kGateway});
    io::Frame frame;
    frame.bytes = reply;
    other.gateway.receive(frame, 0);

    segment.receive(framed(echo));
    segment.simulator.run_until(kSecond);
    other.device.flush();
    REQUIRE(other.device.sent.size() == 1);
    Bytes wanted = framed(echo);
    std::copy(host.begin(), host.end(), wanted.begin());
    std::copy(segment.mac.begin(), segment.mac.end(), wanted.begin() + 6);
    const std::uint8_t hops = 64 - other.device.sent[0][14 + 7];
    CHECK(hops > 0);
    wanted[14 + 7] -= hops;
    CHECK(other.device.sent[0] == wanted);

    // To nobody, and too far: errors come back, from 64:ff9b:1::/96, once the host is known.
    segment.receive_arp(wire::arp_operation::reply, kServer, kGateway, segment.mac);
    for (const bool far : {false, true}) {
        Bytes offender = from_hex(
            "600bd23800083b40fd000007000000000000000000000001fd0000070000000000000000000000020000000000000000");
        offender[6] = 59;
        if (far)
            offender[7] = 1;
        else
            offender[39] = 3;
        segment.receive(framed(offender));
        segment.simulator.run_until(segment.simulator.now() + kSecond);
        const Bytes error = segment.sent();
        REQUIRE(error.size() == 14 + 48 + offender.size());
        CHECK(wire::load16(error.data() + 12) == wire::ether_type::ipv6);
        CHECK(wire::load32(error.data() + 14 + 8) == 0x0064ff9b);
        CHECK(error[14 + 40] == (far ? 3 : 1));
    }

    // Neighbours ask for the emulator, and are answered.
    Bytes question = from_hex(
        "6000000000203afffd000007000000000000000000000001ff0200000000000000000001ff00000287007cfb00000000fd000007000000"
        "0"
        "0000000000000000201019a0837c830be");
    const Ipv6 own = wire::link_local(segment.mac);
    std::copy(own.begin(), own.end(), question.begin() + 48);
    wire::store16(question.data() + 42, 0);
    wire::Ipv6View ip;
    REQUIRE(wire::Ipv6View::check(question, ip) == wire::ParseError::none);
    wire::store16(question.data() + 42, wire::checksum(ip.payload(), ip.pseudo(32)));
    Bytes asked = framed(question);
    asked[0] = asked[1] = 0x33;
    segment.receive(asked);
    const Bytes answer = segment.sent();
    REQUIRE(answer.size() == 14 + wire::kMostDiscovery);
    CHECK(std::equal(kHostMac.begin(), kHostMac.end(), answer.begin()));
    CHECK(answer[14 + 40] == 136);

    // Whoever is not behind this endpoint is ignored, and takes no room.
    const std::size_t known = external_hosts.table().size();
    Bytes forged = echo;
    forged[23] = 2;
    segment.receive(framed(forged));
    forged[23] = 9;
    segment.receive(framed(forged));
    CHECK(segment.report.foreign == 2);
    CHECK(external_hosts.table().size() == known);
    CHECK(segment.report.malformed == 0);
    CHECK(segment.simulator.buffers().in_use() == 0);
}

TEST_CASE("hosts take virtual places under real addresses of their own", "[io]")
{
    const Address real{0xc0a80709}, client = test::ChainModel::client_address(0, 0);
    Segment segment;
    segment.gateway.translate(io::AddressMap({{kServer, real}}));
    // ARP is about real addresses: the host answers for its own, and nobody has its place's.
    segment.gateway.tick(0);
    wire::Arp arp;
    const Bytes question = segment.sent();
    REQUIRE(wire::parse_arp(std::span(question).subspan(14), arp));
    CHECK(arp.target == real);
    CHECK_FALSE(segment.answers_arp(real, real));
    CHECK_FALSE(segment.answers_arp(real, kServer));
    CHECK(segment.answers_arp(real, client));
    CHECK(segment.gateway.knows_host());
    // Its place's address is not for anybody to use.
    segment.receive(segment.framed(kEchoRequest, kServer, client));
    CHECK(segment.report.foreign == 1);
    segment.receive(segment.framed(kEchoRequest, real, client));
    segment.simulator.run_until(3 * kMillisecond);
    const Packet reply = packet_of(segment.sent());  // with right checksums
    CHECK(reply.source == client);
    CHECK(reply.destination == real);
    // The network's error quotes what the host sent, and the host's what it received.
    Bytes expired = segment.framed(kDatagram, real, client);
    expired[14 + 8] = 1;
    wire::finish_ipv4(expired.data() + 14);
    segment.receive(expired);
    segment.simulator.run_until(6 * kMillisecond);
    const Bytes error = segment.sent();
    CHECK(packet_of(error).destination == real);
    CHECK(wire::quoted_address(std::span(error).subspan(14), wire::AddressField::source) == real);
    Bytes unreachable = segment.framed(kPortUnreachable, real, client);
    wire::replace_quoted_address(std::span(unreachable).subspan(14), wire::AddressField::destination, real);
    wire::replace_quoted_address(std::span(unreachable).subspan(14), wire::AddressField::source, client);
    segment.receive(unreachable);
    segment.simulator.run_until(9 * kMillisecond);
    CHECK(segment.report.malformed == 0);
    CHECK(segment.sent().empty());
    CHECK(segment.simulator.buffers().in_use() == 0);
}

TEST_CASE("a table of addresses is one to one", "[io]")
{
    const io::AddressMap map({{Address{1}, Address{2}}, {Address{2}, Address{3}}});
    CHECK(map.real_of(Address{1}) == Address{2});
    CHECK(map.real_of(Address{2}) == Address{3});
    CHECK(map.real_of(Address{3}) == Address::none);  // taken by another place's host
    CHECK(map.real_of(Address{4}) == Address{4});
    CHECK(map.virtual_of(Address{3}) == Address{2});
    CHECK(map.virtual_of(Address{1}) == Address::none);
    CHECK(map.virtual_of(Address{4}) == Address{4});
}

}  // namespace ANML_UNIT_FILE
