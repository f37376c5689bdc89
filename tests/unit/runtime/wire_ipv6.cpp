// IPv6: packets of a Linux kernel into records and back, errors about them, and the neighbour that is asked for.
#include <algorithm>
#include <catch2/catch.hpp>

#include "image_builder.h"
#include "net/buffers.h"
#include "net/icmp_messages.h"
#include "net/strangers.h"
#include "wire/icmpv6.h"
#include "wire/ipv4_address.h"
#include "wire/ipv6_nodes.h"
#include "wire/offloads.h"
#include "wire/packet_codec.h"
#include "wire_packets.h"

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
    Strangers strangers{8};
    BufferPool buffers{&strangers.table()};

    Fixture() { strangers.add({true, {0xfd, 0, 0, 7}, 64}, 3); }

    ParseError parse(const Bytes& bytes, Packet& packet, bool verify = true)
    {
        return wire::parse_ipv6(bytes, verify, strangers, packet);
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
        CHECK(strangers.table().address(packet.source) == kOne);
        CHECK(strangers.table().address(packet.destination) == kTwo);
        CHECK(strangers.endpoint_of(packet.destination) == 3);
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
    CHECK(strangers.table().size() == 0);
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
    Strangers small(1);
    small.add({true, {0xfd, 0, 0, 7}, 64}, 3);
    REQUIRE(wire::parse_ipv6(kEcho6, true, small, packet) == ParseError::none);
    CHECK(small.table().address(packet.source) == kOne);
    CHECK(packet.destination == Address::none);
    small.table().hold(small.handle(kTwo));
    CHECK(wire::parse_ipv6(kEcho6, true, small, packet) == ParseError::no_room);
}

TEST_CASE_METHOD(Fixture, "routers tell strangers of IPv6 why a packet goes no further", "[wire]")
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
        CHECK(strangers.table().address(error.destination) == kOne);
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
                back.source = strangers.handle(kTwo);
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
    REQUIRE(wire::split_segments(super, 1428, room, [&](std::span<const std::uint8_t> bytes) {
                Packet packet;
                REQUIRE(wire::parse_ipv6(bytes, true, strangers, packet) == ParseError::none);
                cut.push_back(packet);
            }) == ParseError::none);
    REQUIRE(cut.size() == 3);
    CHECK(cut[0].length == 1500);
    CHECK(cut[1].tcp().sequence == cut[0].tcp().sequence + 1428);
    CHECK(cut[2].payload == 4000 - 2 * 1428);
    CHECK((cut[0].tcp().flags & tcp_flag::psh) == 0);
    CHECK((cut[2].tcp().flags & tcp_flag::psh) != 0);
}

TEST_CASE("a question for a neighbour is told from others, and answered", "[wire]")
{
    wire::Ipv6View ip;
    REQUIRE(wire::Ipv6View::check(kSolicitation, ip) == ParseError::none);
    CHECK(wire::asks_for(ip, kTwo));
    CHECK_FALSE(wire::asks_for(ip, kOne));
    for (const std::size_t i : {7u, 40u, 41u, 43u, 55u, 63u}) {
        Bytes other = kSolicitation;
        other[i] ^= 2;
        REQUIRE(wire::Ipv6View::check(other, ip) == ParseError::none);
        CHECK_FALSE(wire::asks_for(ip, kTwo));
    }
    const wire::MacAddress mac{0x02, 'A', 1, 2, 3, 4};
    CHECK(wire::link_local(mac) == Ipv6{0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 'A', 1, 0xff, 0xfe, 2, 3, 4});
    Bytes answer(wire::kAdvertisement);
    wire::write_advertisement(answer.data(), kTwo, mac, kOne);
    REQUIRE(wire::Ipv6View::check(answer, ip) == ParseError::none);
    CHECK(ip.source() == kTwo);
    CHECK(ip.destination() == kOne);
    CHECK(ip.hop_limit() == 255);
    CHECK(ip.payload()[0] == 136);
    CHECK(std::equal(mac.begin(), mac.end(), ip.payload().begin() + 26));
    CHECK(wire::fold(wire::sum_bytes(ip.payload(), ip.pseudo(32))) == 0xffff);
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
