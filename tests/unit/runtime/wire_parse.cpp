// Parsing: packets from a real kernel, what is refused, and truncation at every length.
#include <algorithm>
#include <catch2/catch.hpp>

#include "transport/options/tcp_options.h"
#include "wire/bytes.h"
#include "wire/checksum.h"
#include "wire/ipv4.h"
#include "wire/packet_codec.h"
#include "wire_packets.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;
using namespace wire_test;
using wire::ParseError;

namespace {

Packet parsed(const Bytes& bytes)
{
    Packet packet;
    REQUIRE(wire::parse(bytes, true, packet) == ParseError::none);
    return packet;
}

// The same with a byte changed and, if asked for, the IP checksum made right again.
ParseError error_of(Bytes bytes, std::size_t at, std::uint8_t value, bool fix = true)
{
    bytes[at] = value;
    if (fix && (bytes[0] & 15) >= 5) wire::finish_ipv4(bytes.data());
    Packet packet;
    return wire::parse(bytes, true, packet);
}

}  // namespace

TEST_CASE("the checksum is that of RFC 1071", "[wire]")
{
    const Bytes example = from_hex("0001f203f4f5f6f7");
    CHECK(wire::fold(wire::sum_bytes(example)) == 0xddf2);
    CHECK(wire::checksum(example) == 0x220d);
    CHECK(wire::checksum(Bytes{}) == 0xffff);
    CHECK(wire::checksum(Bytes{0x12}) == 0xedff);  // an odd byte is a word's high half

    // every length, against the obvious loop
    Bytes bytes;
    for (unsigned length = 0; length < 200; ++length) {
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) sum += i % 2 ? bytes[i] : bytes[i] << 8;
        CHECK(wire::fold(wire::sum_bytes(bytes)) == wire::fold(sum));
        CHECK(wire::fold(wire::sum_bytes(bytes, 0x1fffe)) == wire::fold(sum + 0x1fffe));
        bytes.push_back(static_cast<std::uint8_t>(length * 151 + 0xf1));
    }
}

TEST_CASE("an updated checksum is the one that is computed anew", "[wire]")
{
    Bytes bytes = kRequest;
    for (std::uint32_t value = 0; value < 0x10000; value += 257) {
        const std::uint16_t before = wire::load16(bytes.data() + 30), old = wire::checksum(bytes);
        wire::store16(bytes.data() + 30, static_cast<std::uint16_t>(value));
        CHECK(wire::update(old, before, static_cast<std::uint16_t>(value)) == wire::checksum(bytes));
    }
    // RFC 1624's own example, where RFC 1141 is wrong
    CHECK(wire::update(0xdd2f, 0x5555, 0x3285) == 0x0000);
}

TEST_CASE("a SYN is read", "[wire]")
{
    const Packet syn = parsed(kSyn);
    CHECK(syn.source == Address{0x0a090001});
    CHECK(syn.destination == Address{0x0a090002});
    CHECK(syn.length == 60);
    CHECK(syn.ttl == 64);
    CHECK(syn.protocol == protocol::tcp);
    CHECK(syn.traffic_class == 0);
    CHECK(syn.flags == (packet_flag::dont_fragment | packet_flag::timestamps | packet_flag::sack));
    CHECK(tcp_options::timestamp(syn) == 0x7e0c9e9f);
    CHECK(tcp_options::timestamp_echo(syn) == 0);
    CHECK(tcp_options::window_scale(syn) == 10);
    CHECK(syn.tcp().flags == tcp_flag::syn);
    CHECK(syn.source_port == 0x9fb0);
    CHECK(syn.destination_port == 8080);
    CHECK(syn.tcp().sequence == 0x005e9ebf);
    CHECK(syn.tcp().window == 0xfaf0);
    CHECK(syn.tcp_syn().mss == 1460);
    CHECK(syn.payload == 0);
    CHECK(syn.buffer == kNone);
}

TEST_CASE("data, datagrams and ICMP are read", "[wire]")
{
    const Packet request = parsed(kRequest);
    CHECK(request.tcp().flags == (tcp_flag::ack | tcp_flag::psh));
    CHECK(request.payload == 133 - 52);
    CHECK(request.tcp().acknowledgment == 0xcb5573ee);
    CHECK(request.tcp_syn().mss == 0);
    const Packet datagram = parsed(kDatagram);
    CHECK(datagram.protocol == protocol::udp);
    CHECK(datagram.destination_port == 9999);
    CHECK(datagram.payload == 5);
    const Packet echo = parsed(kEchoRequest);
    CHECK(echo.icmp().type == 8);
    CHECK(echo.icmp().rest == 0x3ea00001);
    CHECK(echo.payload == 8);
    const Packet unreachable = parsed(kPortUnreachable);
    CHECK(unreachable.icmp().type == 3);
    CHECK(unreachable.icmp().code == 3);
    CHECK(unreachable.flags == 0);
}

TEST_CASE("bytes after the total length are ignored", "[wire]")
{
    for (const Bytes* packet : kAll) {
        Bytes padded = *packet;
        padded.resize(padded.size() + 18, 0xaa);
        CHECK(parsed(padded).length == packet->size());
    }
}

TEST_CASE("a packet cut short anywhere is refused", "[wire]")
{
    for (const Bytes* packet : kAll) {
        for (std::size_t length = 0; length < packet->size(); ++length) {
            const Bytes cut(packet->begin(), packet->begin() + static_cast<std::ptrdiff_t>(length));
            Packet out;
            CHECK(wire::parse(cut, true, out) == ParseError::truncated);
            if (length < 20) continue;
            // and where the total length owns up to it, the transport's own lengths and checksums tell
            Bytes honest = cut;
            wire::store16(honest.data() + 2, static_cast<std::uint16_t>(length));
            wire::finish_ipv4(honest.data());
            CHECK(wire::parse(honest, true, out) != ParseError::none);
        }
    }
}

TEST_CASE("headers that contradict themselves are refused", "[wire]")
{
    CHECK(error_of(kSyn, 0, 0x65) == ParseError::not_ipv4);
    CHECK(error_of(kSyn, 0, 0x44) == ParseError::bad_header);         // header of 16 bytes
    CHECK(error_of(kSyn, 3, 19) == ParseError::bad_header);           // total length below the header's
    CHECK(error_of(kSyn, 8, 63, false) == ParseError::bad_checksum);  // IP header
    CHECK(error_of(kSyn, 59, 0x0b) == ParseError::bad_checksum);      // TCP
    CHECK(error_of(kSyn, 32, 0x40) == ParseError::bad_header);        // TCP header of 16 bytes
    CHECK(error_of(kSyn, 32, 0xf0) == ParseError::truncated);         // TCP header of 60 bytes
    CHECK(error_of(kDatagram, 25, 7) == ParseError::bad_header);      // UDP length below its header's
    CHECK(error_of(kDatagram, 25, 14) == ParseError::bad_header);     // and beyond the packet
    CHECK(error_of(kDatagram, 32, 'p') == ParseError::bad_checksum);
    CHECK(error_of(kEchoRequest, 35, 0xff) == ParseError::bad_checksum);
}

TEST_CASE("without verification the transport checksum does not matter", "[wire]")
{
    for (const Bytes* packet : {&kSyn, &kRequest, &kDatagram, &kEchoRequest}) {
        Bytes partial = *packet;
        partial.back() ^= 0x55;
        Packet out;
        CHECK(wire::parse(partial, true, out) == ParseError::bad_checksum);
        CHECK(wire::parse(partial, false, out) == ParseError::none);
    }
}

TEST_CASE("a UDP checksum of zero means that there is none", "[wire]")
{
    Bytes none = kDatagram;
    none[26] = none[27] = 0;
    CHECK(parsed(none).payload == 5);
}

TEST_CASE("fragments are flagged and their transport is not read", "[wire]")
{
    for (std::uint16_t field : {0x2000, 0x2001, 0x0001, 0x1fff}) {
        Bytes fragment = kSyn;
        wire::store16(fragment.data() + 6, field);
        wire::finish_ipv4(fragment.data());
        const Packet packet = parsed(fragment);
        CHECK(packet.flags == packet_flag::fragment);
        CHECK(packet.destination_port == 0);
        CHECK(packet.payload == 40);
    }
}

TEST_CASE("the MSS is found behind other options, and bad options end the search", "[wire]")
{
    const auto mss_of = [](std::string_view options) {
        Bytes bytes = kSyn;
        const Bytes replaced = from_hex(options);
        std::copy(replaced.begin(), replaced.end(), bytes.begin() + 40);
        Packet packet;
        REQUIRE(wire::parse(bytes, false, packet) == ParseError::none);
        return packet.tcp_syn().mss;
    };
    CHECK(mss_of("0101010103030a02040218010101010101010101") == 536);  // NOPs, window scale, then MSS
    CHECK(mss_of("00020405b4") == 0);                                  // after the end of the list
    CHECK(mss_of("0800020405b4") == 0);                                // a length of zero
    CHECK(mss_of("0203050101") == 0);                                  // an MSS option of a wrong length
    CHECK(mss_of("0101010101010101010101010101010101010102") == 0);    // a kind at the very end
    CHECK(mss_of("0101010101010101010101010101010101010204") == 0);    // a length beyond the header
}

}  // namespace ANML_UNIT_FILE
