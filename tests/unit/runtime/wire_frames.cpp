// Frames of transparent links: what queues read of them, and what leaves.
#include <catch2/catch.hpp>

#include "net/link/buffers.h"
#include "net/packet/ecn.h"
#include "net/packet/flow.h"
#include "wire/frames.h"
#include "wire_packets.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;
using namespace wire_test;

namespace {

Bytes framed(const Bytes& payload, std::uint16_t type, std::vector<std::uint16_t> tags = {})
{
    Bytes bytes{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
    const auto put = [&](std::uint16_t word) {
        bytes.push_back(static_cast<std::uint8_t>(word >> 8));
        bytes.push_back(static_cast<std::uint8_t>(word));
    };
    for (const std::uint16_t tag : tags) {
        put(tags.size() > 1 && &tag == tags.data() ? 0x88a8 : 0x8100);
        put(tag);
    }
    put(type);
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    return bytes;
}

Packet described(const Bytes& frame)
{
    Packet packet;
    wire::describe_frame(frame, packet);
    return packet;
}

Bytes emitted(const Bytes& frame, std::uint8_t traffic_class, std::uint8_t flags = 0)
{
    BufferPool buffers;
    Packet packet = described(frame);
    packet.buffer = buffers.store(frame);
    packet.traffic_class = traffic_class;
    packet.flags |= flags;
    Bytes out(65600);
    out.resize(wire::emit_frame(packet, buffers, out));
    return out;
}

Bytes ipv4(std::uint8_t traffic_class)
{
    Bytes packet = kDatagram;
    packet[1] = traffic_class;
    wire::finish_ipv4(packet.data());
    return packet;
}

}  // namespace

TEST_CASE("a frame is as long as what is behind its header", "[wire]")
{
    const Bytes packet = ipv4(0);
    const Packet plain = described(framed(packet, 0x0800)), tagged = described(framed(packet, 0x0800, {7, 9}));
    CHECK(is_frame(plain));
    CHECK(plain.length == packet.size());
    CHECK(plain.payload == packet.size());
    CHECK(tagged.length == packet.size() + 8);
    CHECK(tagged.payload == packet.size());
    CHECK(described(framed({}, 0x88b5)).length == 0);
    CHECK(described(framed({0, 1}, 0x8100)).payload == 2);  // no whole tag
}

TEST_CASE("the class of a frame is its code point, or its tag's priority", "[wire]")
{
    CHECK(described(framed(ipv4(0xb9), 0x0800)).traffic_class == 0xb9);
    CHECK(described(framed(ipv4(0xb9), 0x0800, {0x2007})).traffic_class == 0xb9);
    CHECK(described(framed(ipv4(1), 0x0800, {0xc007})).traffic_class == 0xc1);
    CHECK(described(framed({1, 2, 3}, 0x88b5, {0xe007})).traffic_class == 0xe0);
    CHECK(described(framed({1, 2, 3}, 0x88b5)).traffic_class == 0);
    Bytes six(48);
    six[0] = 0x6b;
    six[1] = 0x80;
    six[5] = 8;
    six[6] = 17;
    CHECK(described(framed(six, 0x86dd)).traffic_class == 0xb8);
}

TEST_CASE("frames of one connection are one flow", "[wire]")
{
    const auto flow = [](const Bytes& frame) { return flow_hash(flow_of(described(frame)), 1); };
    Bytes one = ipv4(0), same = one, other = one;
    same.back() ^= 1;
    other[21] ^= 1;  // a port
    CHECK(flow(framed(one, 0x0800)) == flow(framed(same, 0x0800)));
    CHECK(flow(framed(one, 0x0800)) != flow(framed(other, 0x0800)));
    CHECK(flow(framed(one, 0x0800)) == flow(framed(one, 0x0800, {5})));
}

TEST_CASE("a frame leaves as it came, but for a mark", "[wire]")
{
    for (const std::uint16_t type : {0x0800, 0x86dd, 0x88cc, 0x05dc})
        for (std::size_t size : {0u, 1u, 45u, 1500u, 9004u}) {
            Bytes payload(size);
            for (std::size_t i = 0; i < size; ++i) payload[i] = static_cast<std::uint8_t>(i * 31);
            const Bytes frame = framed(payload, type);
            CHECK(emitted(frame, described(frame).traffic_class) == frame);
        }
    const Bytes frame = framed(ipv4(0x02), 0x0800, {42});
    CHECK(emitted(frame, 0x02) == frame);
    CHECK(emitted(frame, 0x03) == framed(ipv4(0x03), 0x0800, {42}));
}

TEST_CASE("one bit of a corrupted frame is wrong, behind its header", "[wire]")
{
    const Bytes frame = framed(ipv4(0), 0x0800), out = emitted(frame, 0, packet_flag::corrupted);
    unsigned bits = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        bits += static_cast<unsigned>(__builtin_popcount(frame[i] ^ out[i]));
        CHECK((i >= 14 || frame[i] == out[i]));
    }
    CHECK(bits == 1);
    CHECK(emitted(framed({}, 0x88b5), 0, packet_flag::corrupted) == framed({}, 0x88b5));
}

TEST_CASE("a capture of IP has a bridged frame's packet, or all of it in EtherIP", "[wire]")
{
    const auto captured = [](const Bytes& frame) {
        BufferPool buffers;
        Packet packet = described(frame);
        packet.source = Address{0x0a000001};
        packet.destination = Address{0x0a000002};
        packet.frame().link = kNone;
        packet.buffer = buffers.store(frame);
        Bytes out(65535);
        out.resize(wire::emit_bridged(packet, buffers, out));
        return out;
    };
    CHECK(captured(framed(kDatagram, 0x0800)) == kDatagram);
    for (const Bytes& frame : {framed(kDatagram, 0x0800, {42}), framed({1, 2, 3}, 0x88cc), framed({}, 0x0800),
                               framed(Bytes(65535 - 14, 7), 0x88b5)})
    {
        const Bytes out = captured(frame);
        wire::Ipv4View ip;
        REQUIRE(wire::Ipv4View::check(out, true, ip) == wire::ParseError::none);
        CHECK(ip.protocol() == 97);  // RFC 3378
        const std::span<const std::uint8_t> payload = ip.payload();
        REQUIRE(payload.size() >= 2);
        CHECK((payload[0] == 0x30 && payload[1] == 0));
        CHECK(std::equal(payload.begin() + 2, payload.end(), frame.begin()));
        CHECK(payload.size() == std::min<std::size_t>(frame.size() + 2, 65535 - 20));
    }
}

TEST_CASE("a super-frame is cut behind its tags", "[wire]")
{
    for (const Bytes* packet : kAll) {
        if ((*packet)[9] != protocol::tcp) continue;
        Bytes super(packet->begin(), packet->begin() + 40);
        super[32] = 0x50;  // no options
        super.resize(40 + 2500, 7);
        wire::store16(super.data() + 2, static_cast<std::uint16_t>(super.size()));
        wire::finish_ipv4(super.data());
        Bytes room(9216);
        std::vector<Bytes> made;
        REQUIRE(wire::split_frame(framed(super, 0x0800, {42}), 1000, wire::Cwr::once, room,
                                  [&](std::span<const std::uint8_t> bytes) {
                                      made.emplace_back(bytes.begin(), bytes.end());
                                  }) == wire::ParseError::none);
        REQUIRE(made.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(made[i].size() == 18 + 40 + (i < 2 ? 1000 : 500));
            CHECK(std::equal(made[i].begin(), made[i].begin() + 18, framed({}, 0x0800, {42}).begin()));
        }
    }
}

TEST_CASE("a checksum is completed from where it begins", "[wire]")
{
    Bytes frame = framed({1, 2, 0, 0, 5, 6}, 0x88b5);
    wire::complete_checksum_from(frame, 14, 2);
    CHECK(wire::load16(frame.data() + 16) == static_cast<std::uint16_t>(~(0x0102 + 0x0506)));
    const Bytes before = frame;
    wire::complete_checksum_from(frame, 14, 5);  // beyond the frame
    CHECK(frame == before);
}

}  // namespace ANML_UNIT_FILE
