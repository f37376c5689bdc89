// What sending kernels leave to their device: checksums and segments.
#include <catch2/catch.hpp>

#include "io/device/virtio_header.h"
#include "net/link/buffers.h"
#include "wire/bytes.h"
#include "wire/offloads.h"
#include "wire_packets.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;
using namespace wire_test;
using wire::ParseError;

namespace {

// A packet with `payload` bytes after the first `header` bytes of `from`, its checksums unfinished.
Bytes super_packet(const Bytes& from, std::size_t header, std::size_t payload)
{
    Bytes bytes(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(header));
    for (std::size_t i = 0; i < payload; ++i) bytes.push_back(static_cast<std::uint8_t>(i * 7 + i / 251));
    wire::store16(bytes.data() + 2, static_cast<std::uint16_t>(bytes.size()));
    wire::finish_ipv4(bytes.data());
    return bytes;
}

std::vector<Bytes> split(const Bytes& bytes, std::size_t size, wire::Cwr cwr = wire::Cwr::once)
{
    std::vector<Bytes> made;
    Bytes room(9216);
    REQUIRE(wire::split_segments(bytes, size, cwr, room, [&](std::span<const std::uint8_t> segment) {
                made.emplace_back(segment.begin(), segment.end());
            }) == ParseError::none);
    return made;
}

}  // namespace

TEST_CASE("a partial checksum is completed", "[wire]")
{
    for (const Bytes* packet : kAll) {
        Bytes partial = *packet;
        if (partial[9] == protocol::tcp) partial[36] ^= 0x5a;
        if (partial[9] == protocol::udp) partial[26] ^= 0x5a;
        wire::complete_checksum(partial);
        CHECK(partial == *packet);
    }
}

TEST_CASE("a TCP super-segment is cut as a device would", "[wire]")
{
    constexpr std::size_t kHeader = 52, kSize = 1448;
    for (std::size_t payload : {std::size_t{1}, kSize, kSize + 1, 3 * kSize, std::size_t{60000}}) {
        Bytes whole = super_packet(kRequest, kHeader, payload);
        whole[20 + 13] = 0x80 | tcp_flag::fin | tcp_flag::psh | tcp_flag::ack;
        const std::vector<Bytes> segments = split(whole, kSize);
        REQUIRE(segments.size() == (payload + kSize - 1) / kSize);
        std::uint32_t sequence = wire::load32(whole.data() + 24);
        Bytes together;
        for (std::size_t i = 0; i < segments.size(); ++i) {
            Packet packet;
            REQUIRE(wire::parse(segments[i], true, packet) == ParseError::none);
            const bool last = i + 1 == segments.size();
            CHECK(packet.tcp().sequence == sequence);
            CHECK(packet.payload <= kSize);
            CHECK((last || packet.payload == kSize));
            const int first = i == 0 ? tcp_flag::cwr : 0;  // RFC 3168: one segment says it
            CHECK(packet.tcp().flags ==
                  ((last ? tcp_flag::fin | tcp_flag::psh | tcp_flag::ack : +tcp_flag::ack) | first));
            CHECK(wire::load16(segments[i].data() + 4) == static_cast<std::uint16_t>(0xead4 + i));
            sequence += packet.payload;
            together.insert(together.end(), segments[i].begin() + kHeader, segments[i].end());
        }
        CHECK(together == Bytes(whole.begin() + kHeader, whole.end()));
    }
}

TEST_CASE("RFC 9768 3.2.2: the counter of accurate ECN is in each segment that is cut", "[wire]")
{
    // CWR alone is the counter's where the frame says so, and wherever AE, which RFC 3168 has not, is set.
    for (const bool ae : {false, true}) {
        Bytes whole = super_packet(kRequest, 52, 3000);
        whole[20 + 12] |= ae;
        whole[20 + 13] = 0x80 | tcp_flag::ack;
        const std::vector<Bytes> segments = split(whole, 1448, ae ? wire::Cwr::once : wire::Cwr::counter);
        REQUIRE(segments.size() == 3);
        for (const Bytes& segment : segments) {
            CHECK(segment[20 + 13] == (0x80 | tcp_flag::ack));
            CHECK((segment[20 + 12] & 1) == ae);
        }
    }
}

TEST_CASE("virtio's flag says that CWR is RFC 3168's", "[wire][io]")
{
    const auto cwr_of = [](std::uint8_t segments) {
        io::Frame frame;
        io::describe({0, segments, 0, 1448, 0, 0}, frame);
        CHECK(frame.segments == io::Frame::Segments::tcp);
        return frame.cwr;
    };
    CHECK(cwr_of(io::VirtioHeader::kTcp4 | io::VirtioHeader::kEcn) == wire::Cwr::once);
    CHECK(cwr_of(io::VirtioHeader::kTcp6) == wire::Cwr::counter);
}

TEST_CASE("a UDP super-datagram is cut into datagrams", "[wire]")
{
    const Bytes whole = super_packet(kDatagram, 28, 2500);
    const std::vector<Bytes> datagrams = split(whole, 1200);
    REQUIRE(datagrams.size() == 3);
    std::size_t total = 0;
    for (const Bytes& datagram : datagrams) {
        Packet packet;
        REQUIRE(wire::parse(datagram, true, packet) == ParseError::none);
        total += packet.payload;
    }
    CHECK(total == 2500);
}

TEST_CASE("nonsense is not cut", "[wire]")
{
    Bytes room(2000);
    const auto error_of = [&](const Bytes& bytes, std::size_t size) {
        return wire::split_segments(bytes, size, wire::Cwr::once, room, [](std::span<const std::uint8_t>) { FAIL("made a segment"); });
    };
    const Bytes whole = super_packet(kRequest, 52, 3000);
    CHECK(error_of(whole, 0) == ParseError::bad_header);
    CHECK(error_of(whole, 1990) == ParseError::bad_header);  // larger than the room
    CHECK(error_of(kEchoRequest, 1000) == ParseError::bad_header);
    Bytes fragment = whole;
    fragment[6] = 0x20;
    CHECK(error_of(fragment, 1000) == ParseError::bad_header);
    for (std::size_t length = 0; length < 52; ++length) {
        CHECK(error_of(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)), 1000) !=
              ParseError::none);
    }
}

}  // namespace ANML_UNIT_FILE
