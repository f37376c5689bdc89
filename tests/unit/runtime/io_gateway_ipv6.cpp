// The gateway as a neighbour and a router to a host that speaks IPv6 (RFC 4861, 4862), and what goes through it.
#include "gateway_segment.h"
#include "wire/icmpv6.h"
#include "wire/ipv6_nodes.h"
#include "wire/neighbour_discovery.h"

namespace ANML_UNIT_FILE {

using namespace gateway_test;

namespace {

// A segment whose host has both families; its messages have right checksums.
struct Segment6 : Segment {
    const Ipv6 own = wire::link_local(mac), host = six(kServer), client = six(test::ChainModel::client_address(0, 0));

    Segment6() : Segment({}, true) {}
    static Ipv6 six(Address ipv4)
    {
        Ipv6 address{0x20, 0x01, 0x0d, 0xb8};
        wire::store32(address.data() + 12, number(ipv4));
        return address;
    }
    void receive6(Bytes message, const Ipv6& from, const Ipv6& to, std::uint8_t limit = 255, bool sums = true)
    {
        Bytes frame(14 + 40);
        const bool group = to[0] == 0xff;
        wire::write_ethernet(frame.data(), group ? wire::group_mac(to) : mac, kHostMac, wire::ether_type::ipv6);
        wire::write_ipv6(frame.data() + 14, from, to, 58, message.size(), limit);
        frame.insert(frame.end(), message.begin(), message.end());
        wire::Ipv6View ip;
        if (sums && wire::Ipv6View::check(std::span(frame).subspan(14), ip) == wire::ParseError::none)
            wire::store16(frame.data() + 56, wire::checksum(ip.payload(), ip.pseudo(message.size())));
        receive(frame);
    }
    static Bytes about(std::uint8_t type, const Ipv6& target, std::uint8_t flags = 0, const Bytes& options = {})
    {
        Bytes message{type, 0, 0, 0, flags, 0, 0, 0};
        message.insert(message.end(), target.begin(), target.end());
        message.insert(message.end(), options.begin(), options.end());
        return message;
    }
    void asks(const Ipv6& target, const Ipv6& from)
    {
        receive6(about(135, target), from, wire::solicited_node(target));
    }
    struct Sent {
        wire::MacAddress to{};
        Ipv6 source{}, destination{};
        Bytes message;
    };
    // The first packet of ICMPv6 since the last call, of type 0 where nothing was sent.
    Sent sent6()
    {
        const Bytes frame = sent();
        Sent found{.message = {0}};
        if (frame.empty()) return found;
        REQUIRE(wire::load16(frame.data() + 12) == wire::ether_type::ipv6);
        std::copy_n(frame.begin(), 6, found.to.begin());
        wire::Ipv6View ip;
        REQUIRE(wire::Ipv6View::check(std::span(frame).subspan(14), ip) == wire::ParseError::none);
        REQUIRE(ip.protocol() == 58);
        CHECK(wire::fold(wire::sum_bytes(ip.payload(), ip.pseudo(ip.payload().size()))) == 0xffff);
        found.source = ip.source();
        found.destination = ip.destination();
        found.message.assign(ip.payload().begin(), ip.payload().end());
        return found;
    }
    std::uint8_t sent_type() { return sent6().message[0]; }
    void tick(Time at)
    {
        simulator.run_until(at);
        gateway.tick(at);
    }
};

const Bytes kEcho6{128, 0, 0, 0, 0, 7, 0, 1, 'a', 'b', 'c'};

}  // namespace

TEST_CASE_METHOD(Segment6, "solicitations are answered for the gateway and virtual hosts, never for the real host",
                 "[io]")
{
    for (const Ipv6& target : {own, client, wire::embedded(kGateway)}) {
        asks(target, host);
        const Sent answer = sent6();
        REQUIRE(answer.message[0] == 136);
        CHECK(answer.to == kHostMac);
        CHECK(answer.source == own);
        CHECK(answer.destination == host);
        CHECK(std::equal(target.begin(), target.end(), answer.message.begin() + 8));
        CHECK(std::equal(mac.begin(), mac.end(), answer.message.begin() + 26));
        CHECK(answer.message[4] == (target == client ? 0x40 : 0xe0));  // router, solicited, override
        CHECK(sent().empty());
    }
    // Duplicate address detection (RFC 4862): all are told of a node's address, nobody of the host's.
    asks(client, {});
    const Sent taken = sent6();
    CHECK(taken.message[0] == 136);
    CHECK(taken.message[4] == 0);
    CHECK(taken.destination == wire::kAllNodes);
    CHECK(taken.to == wire::group_mac(wire::kAllNodes));
    asks(host, {});
    asks(host, host);
    asks(host, client);
    asks(six(Address{0x0ac80001}), host);  // nobody's
    CHECK(sent().empty());
    CHECK(report.malformed == 0);
    CHECK(gateway.knows_host(ipv6_of(0)));
    CHECK_FALSE(gateway.knows_host());  // by IPv4 nobody has heard of it
}

TEST_CASE_METHOD(Segment6, "messages of neighbours that are wrong change nothing", "[io]")
{
    const Bytes right = about(136, host, 0x60, {2, 1, 2, 9, 9, 9, 9, 9});
    const auto wrong = [&](const Bytes& message, const Ipv6& from, const Ipv6& to, std::uint8_t limit,
                           bool sums = true) {
        const std::uint64_t before = report.malformed;
        receive6(message, from, to, limit, sums);
        CHECK(report.malformed == before + 1);
        CHECK(sent().empty());
        CHECK_FALSE(gateway.knows_host(ipv6_of(0)));
    };
    wrong(right, host, own, 254);
    wrong(right, host, own, 255, false);
    wrong(right, host, wire::kAllNodes, 255);  // an answer, to all
    Bytes other = right;
    other[1] = 1;
    wrong(other, host, own, 255);
    other = right;
    other[25] = 0;
    wrong(other, host, own, 255);
    other[25] = 2;
    wrong(other, host, own, 255);
    other = right;
    other[26] = 3;  // the MAC address of a group
    wrong(other, host, own, 255);
    std::copy(mac.begin(), mac.end(), other.begin() + 26);  // and the emulator's own
    wrong(other, host, own, 255);
    wrong(Bytes(right.begin(), right.begin() + 23), host, own, 255);
    wrong(about(135, host), {}, own, 255);
    wrong(about(135, client), Ipv6{0xff, 2}, wire::solicited_node(client), 255);
    receive6(about(137, host, 0, Bytes(16)), host, own);  // a redirect, and another router
    receive6(about(134, host), host, own);
    CHECK(sent().empty());
    CHECK(report.ipv6 == 2);
    CHECK(report.foreign == 0);
    CHECK(simulator.buffers().in_use() == 0);
    receive6(right, host, own);
    CHECK(gateway.knows_host(ipv6_of(0)));
}

TEST_CASE_METHOD(Segment6, "the host is asked for before it is sent to, and again when it is silent", "[io]")
{
    const auto asked = [&](bool all) {
        const Sent question = sent6();
        REQUIRE(question.message[0] == 135);
        CHECK(question.source == own);
        CHECK(question.destination == (all ? wire::solicited_node(host) : host));
        CHECK(question.to == (all ? wire::group_mac(wire::solicited_node(host)) : kHostMac));
        CHECK(std::equal(host.begin(), host.end(), question.message.begin() + 8));
        CHECK(std::equal(mac.begin(), mac.end(), question.message.begin() + 26));
    };
    gateway.tick(0);
    CHECK(sent().size() == 14 + 72);
    CHECK(sent().size() == 14 + wire::Arp::kLength);  // and by the other family
    CHECK(sent().empty());
    Packet packet;
    packet.source = ipv6_of(*model.node_with(test::ChainModel::client_address(0, 0)));
    packet.destination = ipv6_of(0);
    packet.protocol = protocol::udp;
    packet.length = 48;
    for (std::uint16_t i = 0; i < 100; ++i) {
        packet.source_port = i;
        gateway.send(packet, 0);
    }
    CHECK(sent().empty());
    CHECK(report.unreachable == 100 - io::AddressResolution::kPackets);
    gateway.tick(kMillisecond);
    asked(true);
    receive6(about(136, host, 0x60, {2, 1, 2, 1, 2, 3, 4, 5}), host, own);
    for (std::size_t i = 0; i < io::AddressResolution::kPackets; ++i) {
        const Bytes frame = sent();
        REQUIRE(frame.size() == 14 + 48);
        CHECK(std::equal(kHostMac.begin(), kHostMac.end(), frame.begin()));
        CHECK(wire::load16(frame.data() + 14 + 40) == 100 - io::AddressResolution::kPackets + i);
    }
    CHECK(sent().empty());
    CHECK(simulator.buffers().in_use() == 0);

    // An advertisement that overrides nothing does not move it; one that does, does.
    receive6(about(136, host, 0, {2, 1, 2, 9, 9, 9, 9, 9}), host, wire::kAllNodes);
    gateway.send(packet, 0);
    CHECK(sent()[1] == kHostMac[1]);
    receive6(about(136, host, 0x20, {2, 1, 2, 9, 9, 9, 9, 9}), host, wire::kAllNodes);
    gateway.send(packet, 0);
    CHECK(sent()[1] == 9);
    receive6(about(136, host, 0x60), host, own);  // without the option: from where it came
    gateway.send(packet, 0);
    CHECK(sent()[1] == kHostMac[1]);

    // Silent for long, it is asked at its Ethernet address (RFC 4861, 7.3), and forgotten when it does not answer.
    for (int i = 1; i <= 3; ++i) {
        tick((30 + 2 * i) * kSecond);
        while (!sent().empty()) {
        }
        gateway.send(packet, 0);
        CHECK(sent().size() == 14 + 48);
        asked(false);
    }
    tick(40 * kSecond);
    while (!sent().empty()) {
    }
    gateway.send(packet, 0);
    CHECK(sent().size() == 14 + 48);
    CHECK_FALSE(gateway.knows_host(ipv6_of(0)));
    // As at first, it is asked for until it is there (docs/decisions/0080).
    tick(40 * kSecond);
    asked(true);
    while (!sent().empty()) {
    }
    // Three questions to all, then the sender is told (7.2.2).
    gateway.send(packet, 0);
    for (int i = 1; i <= 3; ++i) {
        tick((40 + i) * kSecond);
        asked(true);
        while (!sent().empty()) {
        }
    }
    CHECK(report.unreachable == 100 - io::AddressResolution::kPackets);
    tick(44 * kSecond);
    CHECK(report.unreachable == 101 - io::AddressResolution::kPackets);
    simulator.run_until(50 * kSecond);
    CHECK(simulator.buffers().in_use() == 0);
}

TEST_CASE_METHOD(Segment6, "a router is advertised to those who ask and to all, where it is wanted", "[io]")
{
    const Bytes question{133, 0, 0, 0, 0, 0, 0, 0};
    const Ipv6 routers{0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}, linked{0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 1};
    receive6(question, linked, routers);
    CHECK(sent().empty());
    asks(own, host);
    CHECK(sent_type() == 136);
    receive_arp(wire::arp_operation::reply, kServer, kGateway, mac);
    gateway.discovery().advertise();
    const auto advertised = [&](const Ipv6& to) {
        const Sent said = sent6();
        REQUIRE(said.message[0] == 134);
        CHECK(said.source == own);
        CHECK(said.destination == to);
        CHECK(said.message[5] == 0);       // neither managed nor other configuration
        CHECK(said.message.size() == 32);  // MAC address and MTU, no prefix
        CHECK(wire::load32(said.message.data() + 28) == 1500);
        return wire::load16(said.message.data() + 6);
    };
    // The gateway's groups, for switches that look (RFC 3810).
    const auto listens = [&](std::uint8_t kind) {
        const Sent said = sent6();
        REQUIRE(said.message[0] == 143);
        CHECK(said.source == own);
        CHECK(said.destination == wire::kMldRouters);
        CHECK(said.message.size() == 8 + 3 * 20);
        CHECK(said.message[7] == 3);
        CHECK(said.message[8] == kind);
        const Ipv6 group = wire::solicited_node(own);
        CHECK(std::equal(group.begin(), group.end(), said.message.begin() + 12));
    };
    tick(kSecond);
    CHECK(advertised(wire::kAllNodes) == 1800);
    listens(4);
    Bytes query(28);
    query[0] = 130;
    receive6(query, linked, wire::kAllNodes, 1);
    listens(2);
    receive6(query, linked, wire::kAllNodes, 2);
    CHECK(sent().empty());
    receive6(question, linked, routers);
    CHECK(advertised(linked) == 1800);
    // Who has no address yet makes it speak to all, and not too often.
    receive6(question, {}, routers);
    tick(2 * kSecond);
    CHECK(sent().empty());
    tick(4 * kSecond);
    CHECK(advertised(wire::kAllNodes) == 1800);
    listens(4);
    receive6({133, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 1, 2, 3, 4, 5}, linked, routers);  // an option of length 0
    receive6({133, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 1, 2, 3, 4, 5}, {}, routers);
    receive6({133, 0, 0, 0, 0, 0, 0}, linked, routers);
    CHECK(report.malformed == 3);
    CHECK(sent().empty());
    std::size_t more = 0;
    for (Time at = 5; at < 1000; ++at) {
        tick(at * kSecond);
        if (sent().empty()) continue;
        ++more;
        listens(4);
    }
    CHECK(more == 1 + (999 - 20) / 200);
    gateway.discovery().cease();
    CHECK(advertised(wire::kAllNodes) == 0);
    receive6(question, linked, routers);
    CHECK(sent().empty());
}

TEST_CASE_METHOD(Segment6, "IPv6 of the host alone enters, and the gateway answers by both of its addresses", "[io]")
{
    receive6(kEcho6, host, wire::embedded(kGateway), 64);
    simulator.run_until(kMillisecond);
    const Sent reply = sent6();
    REQUIRE(reply.message.size() == kEcho6.size());
    CHECK(reply.message[0] == 129);
    CHECK(reply.source == wire::embedded(kGateway));
    CHECK(reply.destination == host);
    CHECK(reply.to == kHostMac);  // as the packet said
    CHECK(std::equal(kEcho6.begin() + 4, kEcho6.end(), reply.message.begin() + 4));
    const Ipv6 linked{0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 1};
    receive6(kEcho6, linked, own, 64);
    const Sent here = sent6();
    CHECK(here.message[0] == 129);
    CHECK(here.source == own);
    CHECK(here.destination == linked);
    const auto entered = [&] { return report.counters.all().received; };
    CHECK(entered() == 1);
    receive6(kEcho6, host, client, 64);
    receive6({200, 0, 0, 0, 1, 2, 3, 4}, host, client, 64);  // what nodes have no use for, and too short for them
    receive6({128, 0, 0, 0}, host, client, 64);
    receive6(kEcho6, host, Ipv6{0x20, 1, 9, 9}, 64);
    CHECK(entered() == 5);
    // What is for groups stays out, and so do sources that are not the host's, and what is broken.
    receive6(kEcho6, host, wire::kAllNodes, 64);
    receive6(kEcho6, client, host, 64);
    receive6(kEcho6, six(Address{0x0ac80001}), client, 64);
    receive6(kEcho6, Ipv6{}, client, 64);
    receive6(kEcho6, linked, client, 64);
    CHECK(report.foreign == 4);
    CHECK(gateway.foreign_ipv6() == Ipv6{});
    receive6(kEcho6, host, client, 64, false);
    receive6(kEcho6, linked, own, 64, false);
    CHECK(report.malformed == 2);
    CHECK(entered() == 5);
    CHECK(sent().empty());
    simulator.run_until(10 * kSecond);
    CHECK(simulator.buffers().in_use() == 0);
}

TEST_CASE_METHOD(Segment6, "the probe asks a server over IPv6", "[io]")
{
    io::Probe probe(gateway, ipv6_of(0), 80);
    gateway.on_tcp = [&](const Packet& packet) { return probe.answer(packet); };
    probe.tick(0);
    CHECK(sent().empty());
    asks(own, host);
    sent();
    probe.tick(50 * kMillisecond);
    const Bytes syn = sent();
    REQUIRE(syn.size() == 14 + 64);
    wire::Ipv6View ip;
    REQUIRE(wire::Ipv6View::check(std::span(syn).subspan(14), ip) == wire::ParseError::none);
    CHECK(ip.source() == wire::embedded(kGateway));
    CHECK(ip.destination() == host);
    Bytes answer(14 + 60);
    wire::write_ethernet(answer.data(), mac, kHostMac, wire::ether_type::ipv6);
    wire::write_ipv6(answer.data() + 14, host, ip.source(), 6, 20, 64);
    std::uint8_t* tcp = answer.data() + 54;
    wire::store16(tcp, 80);
    wire::store16(tcp + 2, wire::load16(ip.payload().data()));
    tcp[12] = 0x50;
    tcp[13] = tcp_flag::syn | tcp_flag::ack;
    wire::complete_checksum(std::span(answer).subspan(14));
    receive(answer);
    CHECK(probe.seen() == io::Probe::Seen::accepted);
    CHECK(sent().size() == 14 + 60);
}

}  // namespace ANML_UNIT_FILE
