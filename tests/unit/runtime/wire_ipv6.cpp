// IPv6: packets of a Linux kernel into records and back, errors about them, and the neighbour that is asked for.
#include <algorithm>
#include <catch2/catch.hpp>

#include "image_builder.h"
#include "net/external_hosts.h"
#include "net/link/buffers.h"
#include "net/node/icmp_messages.h"
#include "net/packet/fragments.h"
#include "wire/icmpv6.h"
#include "wire/ipv4_address.h"
#include "wire/ipv6_nodes.h"
#include "wire/neighbour_discovery.h"
#include "wire/offloads.h"
#include "wire/packet_codec.h"
#include "wire_packets.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace wire_test;
using wire::ParseError;

namespace {

// From fd00:7::1 to fd00:7::2, by Linux 6.18 over a veth pair with its offloads off: ping -s 8; 5 bytes of UDP; a SYN;
// a request of HTTP; the question who has fd00:7::2.
const Bytes kEcho6 = from_hex(
    "600bd23800103a40fd000007000000000000000000000001fd00000700000000000000000000000280000d106c81000100010203040506"
    "07");
const Bytes kDatagram6 = from_hex(
    "6007407c000d1140fd000007000000000000000000000001fd000007000000000000000000000002ddf9270f000dbce668656c6c6f");
const Bytes kSyn6 = from_hex(
    "600be0e900280640fd000007000000000000000000000001fd000007000000000000000000000002ac481f9026c0e48700000000a002fd206c"
    "c60000020405a00402080aff210dd5000000000103030a");
const Bytes kRequest6 = from_hex(
    "600be0e900700640fd000007000000000000000000000001fd000007000000000000000000000002ac481f9026c0e488f055e2cd8018004"
    "03cd600000101080aff210ddb31fa0d1e474554202f20485454502f312e310d0a486f73743a205b666430303a373a3a325d3a383038300d"
    "0a557365722d4167656e743a206375726c2f372e38382e310d0a4163636570743a202a2f2a0d0a0d0a");
const Bytes kSolicitation = from_hex(
    "6000000000203afffd000007000000000000000000000001ff0200000000000000000001ff00000287007cfb00000000fd0000070000000000"
    "0"
    "000000000000201019a0837c830be");
const Ipv6 kOne{0xfd, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
    kTwo{0xfd, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};

struct Fixture {
    test::ChainModel chain{{}};
    Model model = chain.model();
    ExternalHosts external_hosts{8};
    BufferPool buffers{&external_hosts.table()};

    Fixture() { external_hosts.add({true, {0xfd, 0, 0, 7}, 64}, 3); }

    ParseError parse(const Bytes& bytes, Packet& packet, bool verify = true)
    {
        return wire::parse_ipv6(bytes, verify, external_hosts, packet);
    }
    Packet stored(const Bytes& bytes)
    {
        Packet packet;
        REQUIRE(parse(bytes, packet) == ParseError::none);
        packet.buffer = buffers.store(bytes);
        buffers.hold_addresses(packet);
        return packet;
    }
    Bytes emitted(const Packet& packet)
    {
        Bytes out(packet.length);
        REQUIRE(wire::emit(packet, model, buffers, out) == packet.length);
        return out;
    }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "IPv6 packets are parsed, and written again with their hop limit", "[wire]")
{
    for (const Bytes* bytes : {&kEcho6, &kDatagram6, &kSyn6, &kRequest6}) {
        Packet packet = stored(*bytes);
        CHECK(external_hosts.table().address(packet.source) == kOne);
        CHECK(external_hosts.table().address(packet.destination) == kTwo);
        CHECK(external_hosts.endpoint_of(packet.destination) == 3);
        CHECK(packet.length == bytes->size());
        CHECK(packet.ttl == 64);
        CHECK((packet.flags & packet_flag::dont_fragment) != 0);
        CHECK(emitted(packet) == *bytes);
        packet.ttl = 9;
        Bytes wanted = *bytes;
        wanted[7] = 9;
        CHECK(emitted(packet) == wanted);
        packet.flags |= packet_flag::corrupted;
        const Bytes flipped = emitted(packet);
        CHECK(std::equal(wanted.begin(), wanted.begin() + 40, flipped.begin()));
        CHECK(flipped != wanted);
        buffers.release(packet.buffer);
    }
    Packet syn;
    REQUIRE(parse(kSyn6, syn) == ParseError::none);
    CHECK(syn.protocol == protocol::tcp);
    CHECK(syn.destination_port == 8080);
    CHECK(syn.tcp().flags == tcp_flag::syn);
    CHECK(syn.tcp_syn().mss == 1440);
    Packet datagram;
    REQUIRE(parse(kDatagram6, datagram) == ParseError::none);
    CHECK(datagram.destination_port == 9999);
    CHECK(datagram.payload == 5);
}

TEST_CASE_METHOD(Fixture, "IPv6 that is cut, lies or is broken is refused, and leaves no address behind", "[wire]")
{
    Packet packet;
    for (const Bytes* bytes : {&kEcho6, &kDatagram6, &kSyn6, &kRequest6}) {
        for (std::size_t length = 0; length < bytes->size(); ++length)
            CHECK(parse(Bytes(bytes->begin(), bytes->begin() + static_cast<std::ptrdiff_t>(length)), packet) !=
                  ParseError::none);
        for (std::size_t i = 8; i < bytes->size(); ++i) {
            Bytes other = *bytes;
            other[i] ^= 0x10;
            CHECK(parse(other, packet) != ParseError::none);  // all of it is below a checksum
        }
    }
    Bytes unsummed = kDatagram6;
    unsummed[46] = unsummed[47] = 0;
    CHECK(parse(unsummed, packet) == ParseError::bad_checksum);  // UDP needs one here
    CHECK(parse(kSyn, packet) == ParseError::not_ipv6);
    CHECK(external_hosts.table().size() == 0);
}

TEST_CASE_METHOD(Fixture, "extension headers are seen through, and fragments are told", "[wire]")
{
    // Destination options of 8 bytes before the datagram.
    Bytes options = kDatagram6;
    options[5] += 8;
    options[6] = 60;
    const Bytes header{17, 0, 1, 4, 0, 0, 0, 0};
    options.insert(options.begin() + 40, header.begin(), header.end());
    Packet packet;
    REQUIRE(parse(options, packet) == ParseError::none);
    CHECK(packet.protocol == protocol::udp);
    CHECK(packet.destination_port == 9999);

    Bytes fragment = options;
    fragment[6] = 44;
    std::copy_n(Bytes{17, 0, 0, 1, 0, 0, 0, 9}.begin(), 8, fragment.begin() + 40);
    REQUIRE(parse(fragment, packet) == ParseError::none);
    CHECK((packet.flags & packet_flag::fragment) != 0);
    CHECK(packet.source_port == 0);
    fragment[43] = 0;  // offset 0, and no more of them
    REQUIRE(parse(fragment, packet) == ParseError::none);
    CHECK((packet.flags & packet_flag::fragment) == 0);
    CHECK(packet.destination_port == 9999);

    Bytes endless = options;
    for (std::size_t i = 40; i + 1 < endless.size(); i += 8) endless[i] = 60;
    endless[41] = 255;
    CHECK(parse(endless, packet) == ParseError::truncated);
}

TEST_CASE_METHOD(Fixture, "a full table takes no new source, and the destination does not take the source's place",
                 "[wire]")
{
    Packet packet;
    ExternalHosts small(1);
    small.add({true, {0xfd, 0, 0, 7}, 64}, 3);
    REQUIRE(wire::parse_ipv6(kEcho6, true, small, packet) == ParseError::none);
    CHECK(small.table().address(packet.source) == kOne);
    CHECK(packet.destination == Address::none);
    small.table().hold(small.handle(kTwo));
    CHECK(wire::parse_ipv6(kEcho6, true, small, packet) == ParseError::no_room);
}

TEST_CASE_METHOD(Fixture, "routers tell external hosts of IPv6 why a packet goes no further", "[wire]")
{
    const Address router{0x0a010001};
    struct Case {
        std::uint8_t type, code;
        std::uint32_t rest;
        std::uint8_t type6;
    };
    for (const Case& c : {Case{11, 0, 0, 3}, Case{3, 0, 0, 1}, Case{3, 4, 1400, 2}}) {
        Packet offender = stored(kRequest6), error;
        offender.ttl = 1;
        REQUIRE(wire::make_icmp_error(offender, router, c.type, c.code, c.rest, model, buffers, error));
        CHECK(error.source == router);
        CHECK(error.destination == offender.source);
        buffers.release(offender.buffer);
        CHECK(external_hosts.table().address(error.destination) == kOne);
        const Bytes bytes = emitted(error);
        wire::Ipv6View ip;
        REQUIRE(wire::Ipv6View::check(bytes, ip) == ParseError::none);
        CHECK(ip.source() == Ipv6{0, 0x64, 0xff, 0x9b, 0, 1, 0, 0, 0, 0, 0, 0, 0x0a, 1, 0, 1});
        CHECK(ip.destination() == kOne);
        CHECK(ip.protocol() == protocol::icmpv6);
        CHECK(ip.payload()[0] == c.type6);
        CHECK(ip.payload()[1] == 0);
        CHECK(wire::load32(ip.payload().data() + 4) == c.rest);
        CHECK(wire::fold(wire::sum_bytes(ip.payload(), ip.pseudo(ip.payload().size()))) == 0xffff);
        Bytes quoted = kRequest6;
        quoted[7] = 1;
        CHECK(std::equal(quoted.begin(), quoted.end(), ip.payload().begin() + 8, ip.payload().end()));
        // None about it.
        Packet again;
        CHECK_FALSE(wire::make_icmp_error(
            [&] {
                Packet back = error;
                back.source = external_hosts.handle(kTwo);
                return back;
            }(),
            router, 11, 0, 0, model, buffers, again));
        buffers.release(error.buffer);
    }
    Bytes large = kDatagram6;  // an error is no longer than every link takes
    large.resize(48 + 4000);
    wire::store16(large.data() + 4, 4008);
    wire::store16(large.data() + 44, 4008);
    wire::complete_checksum(large);
    Packet error;
    REQUIRE(wire::make_icmp_error(stored(large), router, 3, 4, 1500, model, buffers, error));
    CHECK(error.length == 1280);
}

TEST_CASE_METHOD(Fixture, "a parameter problem points at what is not understood", "[wire]")
{
    const auto problem = [&](const Bytes& bytes) {
        Packet error;
        REQUIRE(wire::make_icmp_error(stored(bytes), Address{0x0a010001}, 3, 2, 0, model, buffers, error));
        const Bytes sent = emitted(error);
        CHECK(sent[40] == 4);
        return std::pair{sent[41], wire::load32(sent.data() + 44)};
    };
    Bytes unknown = kDatagram6;
    unknown[6] = 253;
    CHECK(problem(unknown) == std::pair{std::uint8_t{1}, 6u});
    // Behind destination options (RFC 4443, 3.4).
    const Bytes header{253, 0, 1, 4, 0, 0, 0, 0};
    unknown[5] += 8;
    unknown[6] = 60;
    unknown.insert(unknown.begin() + 40, header.begin(), header.end());
    CHECK(problem(unknown) == std::pair{std::uint8_t{1}, 40u});
    // A routing header of type 0 with a segment left is not obeyed (RFC 5095), and one with none is passed over.
    Bytes routed = kEcho6;
    const Bytes routing{58, 2, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    routed[5] += 24;
    routed[6] = 43;
    routed.insert(routed.begin() + 40, routing.begin(), routing.end());
    wire::Ipv6View ip;
    REQUIRE(wire::Ipv6View::check(routed, ip) == ParseError::none);
    CHECK(ip.protocol() == 43);
    CHECK(problem(routed) == std::pair{std::uint8_t{0}, 42u});
    routed[43] = 0;
    REQUIRE(wire::Ipv6View::check(routed, ip) == ParseError::none);
    CHECK(ip.protocol() == protocol::icmpv6);
}

TEST_CASE_METHOD(Fixture, "a fragment within a fragment is no whole packet", "[wire]")
{
    Bytes head = kDatagram6;
    head[6] = 44;
    const Bytes outer{44, 0, 0, 0, 0, 0, 0, 9}, inner{17, 0, 0, 1, 0, 0, 0, 9};
    head.insert(head.begin() + 40, outer.begin(), outer.end());
    head[5] += 8;
    Bytes payload = inner;
    payload.insert(payload.end(), kDatagram6.begin() + 40, kDatagram6.end());
    Packet packet;
    CHECK_FALSE(wire::join(head, payload, 0, buffers, packet));
    payload[3] = 0;  // one of its own
    CHECK(wire::join(head, payload, 0, buffers, packet));
}

TEST_CASE_METHOD(Fixture, "super-segments of IPv6 are cut, and checksums completed", "[wire]")
{
    Bytes partial = kSyn6;
    partial[56] ^= 0x55;
    wire::complete_checksum(partial);
    CHECK(partial == kSyn6);

    Bytes super = kRequest6;
    super.resize(40 + 32 + 4000, 'x');
    wire::store16(super.data() + 4, 4032);
    std::vector<std::uint8_t> room(9216);
    std::vector<Packet> cut;
    REQUIRE(wire::split_segments(super, 1428, wire::Cwr::once, room, [&](std::span<const std::uint8_t> bytes) {
                Packet packet;
                REQUIRE(wire::parse_ipv6(bytes, true, external_hosts, packet) == ParseError::none);
                cut.push_back(packet);
            }) == ParseError::none);
    REQUIRE(cut.size() == 3);
    CHECK(cut[0].length == 1500);
    CHECK(cut[1].tcp().sequence == cut[0].tcp().sequence + 1428);
    CHECK(cut[2].payload == 4000 - 2 * 1428);
    CHECK((cut[0].tcp().flags & tcp_flag::psh) == 0);
    CHECK((cut[2].tcp().flags & tcp_flag::psh) != 0);
}

namespace {

// With the right checksum; false: the receiver has to discard it.
bool discovered(Bytes bytes, wire::Discovery& message)
{
    wire::Ipv6View ip;
    if (wire::Ipv6View::check(bytes, ip) != ParseError::none) return false;
    if (bytes.size() >= 44) {
        wire::store16(bytes.data() + 42, 0);
        wire::store16(bytes.data() + 42, wire::checksum(ip.payload(), ip.pseudo(ip.payload().size())));
    }
    return wire::parse_discovery(ip, message);
}

}  // namespace

TEST_CASE("a question for a neighbour is told from others", "[wire]")
{
    wire::Discovery message;
    REQUIRE(discovered(kSolicitation, message));
    CHECK(message.type == 135);
    CHECK(message.source == kOne);
    CHECK(message.target == kTwo);
    CHECK((message.mac == wire::MacAddress{0x9a, 0x08, 0x37, 0xc8, 0x30, 0xbe}));
    // RFC 4861, 7.1.1: hop limit, code, target of a group, options without length or beyond the end.
    const auto broken = [&](std::size_t at, std::uint8_t value) {
        Bytes other = kSolicitation;
        other[at] = value;
        return !discovered(other, message);
    };
    CHECK(broken(7, 254));
    CHECK(broken(7, 0));
    CHECK(broken(8, 0xff));  // nobody sends from a group
    CHECK(broken(41, 1));
    CHECK(broken(48, 0xff));
    CHECK(broken(65, 0));
    CHECK(broken(65, 2));
    CHECK(broken(65, 255));
    CHECK(broken(40, 134));  // an advertisement of a router, and a redirect
    CHECK(broken(40, 137));
    wire::Ipv6View ip;
    for (const std::size_t i : {42u, 43u, 55u, 63u, 71u}) {  // the checksum
        Bytes other = kSolicitation;
        other[i] ^= 2;
        REQUIRE(wire::Ipv6View::check(other, ip) == ParseError::none);
        CHECK_FALSE(wire::parse_discovery(ip, message));
    }
    // Cut at each place: what is left says its length right.
    for (std::size_t length = 0; length < kSolicitation.size(); ++length) {
        Bytes cut(kSolicitation.begin(), kSolicitation.begin() + static_cast<std::ptrdiff_t>(length));
        if (length >= 40) wire::store16(cut.data() + 4, static_cast<std::uint16_t>(length - 40));
        CHECK(discovered(cut, message) == (length == 64));  // without its option
    }
    // Options of kinds that nobody knows are passed over; a second MAC address does not count.
    Bytes more = kSolicitation;
    const Bytes unknown{14, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 1, 1, 2, 2, 2, 2, 2, 2};
    more.insert(more.end(), unknown.begin(), unknown.end());
    wire::store16(more.data() + 4, static_cast<std::uint16_t>(more.size() - 40));
    REQUIRE(discovered(more, message));
    CHECK(message.mac->front() == 0x9a);
    // A fragment is none, and behind other headers it is one.
    Bytes fragment = kSolicitation;
    fragment[6] = 44;
    fragment.insert(fragment.begin() + 40, {58, 0, 0, 1, 0, 0, 0, 9});
    fragment[5] += 8;
    CHECK_FALSE(discovered(fragment, message));
}

TEST_CASE("one that looks whether an address is taken says so by having none", "[wire]")
{
    wire::Discovery message;
    Bytes probe(kSolicitation.begin(), kSolicitation.begin() + 64);
    probe[5] = 24;
    std::fill_n(probe.begin() + 8, 16, std::uint8_t{0});
    const Ipv6 group = wire::solicited_node(kTwo);
    CHECK((group == Ipv6{0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff, 0, 0, 2}));
    std::copy(group.begin(), group.end(), probe.begin() + 24);
    REQUIRE(discovered(probe, message));
    CHECK(message.source == Ipv6{});
    CHECK_FALSE(message.mac);
    Bytes to_one = probe;
    std::copy(kTwo.begin(), kTwo.end(), to_one.begin() + 24);
    CHECK_FALSE(discovered(to_one, message));
    Bytes with_mac = probe;
    with_mac.insert(with_mac.end(), {1, 1, 2, 2, 2, 2, 2, 2});
    with_mac[5] = 32;
    CHECK_FALSE(discovered(with_mac, message));
    // Of routers the same (6.1.1).
    Bytes router(probe.begin(), probe.begin() + 48);
    router[5] = 8;
    router[40] = 133;
    REQUIRE(discovered(router, message));
    router.insert(router.end(), {1, 1, 2, 2, 2, 2, 2, 2});
    router[5] = 16;
    CHECK_FALSE(discovered(router, message));
}

TEST_CASE("what the emulator says as a neighbour and a router is what it would believe, and Linux does", "[wire]")
{
    const wire::MacAddress mac{0x02, 'A', 1, 2, 3, 4};
    const Ipv6 own = wire::link_local(mac);
    CHECK(own == Ipv6{0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 'A', 1, 0xff, 0xfe, 2, 3, 4});
    wire::Ipv6View ip;
    wire::Discovery message;
    Bytes bytes(wire::kMostDiscovery);
    const auto view = [&](std::size_t length) {
        REQUIRE(length <= bytes.size());
        REQUIRE(wire::Ipv6View::check(std::span(bytes).first(length), ip) == ParseError::none);
        REQUIRE(ip.total_length() == length);
        CHECK(ip.hop_limit() == 255);
        CHECK(ip.source() == own);
        CHECK(wire::fold(wire::sum_bytes(ip.payload(), ip.pseudo(ip.payload().size()))) == 0xffff);
    };
    for (const bool to_group : {true, false}) {
        view(wire::write_solicitation(bytes.data(), own, mac, kTwo, to_group));
        CHECK(ip.destination() == (to_group ? wire::solicited_node(kTwo) : kTwo));
        REQUIRE(wire::parse_discovery(ip, message));
        CHECK((message.type == 135 && message.source == own && message.target == kTwo && message.mac == mac));
    }
    for (const Ipv6& asker : {kOne, Ipv6{}}) {
        view(wire::write_advertisement(bytes.data(), {own, kTwo, mac, false, true}, asker));
        CHECK(ip.destination() == (asker == kOne ? kOne : wire::kAllNodes));
        REQUIRE(wire::parse_discovery(ip, message));
        CHECK((message.type == 136 && message.target == kTwo && message.mac == mac && message.overrides));
        CHECK(message.solicited == (asker == kOne));
        CHECK(ip.payload()[4] == (asker == kOne ? 0x60 : 0x20));
    }
    Bytes lies = bytes;  // to all, and an answer to one
    lies[44] |= 0x40;
    CHECK_FALSE(discovered(lies, message));
    view(wire::write_router_advertisement(bytes.data(), own, mac, Ipv6{}, 1800, 1400));
    CHECK(ip.destination() == wire::kAllNodes);
    CHECK(ip.payload().size() == 32);
    CHECK(wire::load16(ip.payload().data() + 6) == 1800);
    CHECK(wire::load32(ip.payload().data() + 28) == 1400);
    CHECK(wire::is_discovery(ip));
    CHECK_FALSE(wire::parse_discovery(ip, message));  // hosts' messages alone
    view(wire::write_router_advertisement(bytes.data(), own, mac, kOne, 0, 0));
    CHECK(ip.payload().size() == 24);
}

TEST_CASE("records of nodes say with ICMP's numbers what ICMPv6's say on the wire", "[wire]")
{
    struct Case {
        std::uint8_t type, code, type6, code6;
    };
    // Echo, no route, address, prohibited, next header, port, too big, hop limit, time of reassembly (RFC 4443).
    for (const Case& c : {Case{8, 0, 128, 0}, Case{0, 0, 129, 0}, Case{3, 0, 1, 0}, Case{3, 1, 1, 3}, Case{3, 13, 1, 1},
                          Case{3, 2, 4, 1}, Case{3, 3, 1, 4}, Case{3, 4, 2, 0}, Case{11, 0, 3, 0}, Case{11, 1, 3, 1}})
    {
        const wire::IcmpKind six = wire::icmpv6_kind({c.type, c.code});
        CHECK((six.type == c.type6 && six.code == c.code6));
        const auto back = wire::icmp_kind(six);
        REQUIRE(back);
        CHECK((back->type == c.type && back->code == c.code));
    }
    CHECK_FALSE(wire::icmp_kind({135, 0}));
}

TEST_CASE("what IPv4 writes for a node that has IPv6 alone, and reads for addresses of groups", "[wire]")
{
    std::uint8_t bytes[4];
    wire::store_ipv4(bytes, ipv6_of(7));
    CHECK(wire::load32(bytes) == 0xc0000008);  // RFC 7600
    for (const std::uint32_t group : {0xe0000001u, 0xefffffffu, 0xf0000000u, 0xffffffffu}) {
        wire::store32(bytes, group);
        CHECK(wire::load_ipv4(bytes) == Address::none);
    }
}

}  // namespace ANML_UNIT_FILE
