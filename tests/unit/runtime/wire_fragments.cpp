// Fragments of IPv4: what a packet is cut into, against RFC 791, and that it can be put together again.
#include <algorithm>
#include <catch2/catch.hpp>

#include "common/mix.h"
#include "image_builder.h"
#include "net/net.h"
#include "net/packet/fragments.h"
#include "wire/icmp.h"
#include "wire/ipv4.h"
#include "wire/udp.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using Bytes = std::vector<std::uint8_t>;
using wire::ParseError;

namespace {

struct Cutting {
    test::ChainModel chain{test::Chain{}};
    Model model = chain.model();
    BufferPool buffers;

    // An echo request without DF, of so many bytes behind the ICMP header; options may follow the header.
    Bytes echo(std::size_t payload, const Bytes& options = {})
    {
        const std::size_t header = 20 + options.size();
        Bytes bytes(header + 8 + payload);
        bytes[0] = static_cast<std::uint8_t>(0x40 | header / 4);
        wire::store16(bytes.data() + 2, static_cast<std::uint16_t>(bytes.size()));
        wire::store16(bytes.data() + 4, 0x1234);
        bytes[8] = 9;
        bytes[9] = protocol::icmp;
        wire::store32(bytes.data() + 12, 0x0a090001);
        wire::store32(bytes.data() + 16, 0x0a090002);
        std::copy(options.begin(), options.end(), bytes.begin() + 20);
        wire::finish_ipv4(bytes.data());
        bytes[header] = wire::icmp_type::echo_request;
        for (std::size_t i = 0; i < payload; ++i) bytes[header + 8 + i] = static_cast<std::uint8_t>(mix(i));
        wire::store16(bytes.data() + header + 2, wire::checksum(std::span(bytes).subspan(header)));
        return bytes;
    }
    Packet stored(const Bytes& bytes)
    {
        Packet packet;
        REQUIRE(wire::parse(bytes, true, packet) == ParseError::none);
        packet.buffer = buffers.store(bytes);
        return packet;
    }
    std::vector<Packet> cut(const Packet& packet, std::uint32_t mtu)
    {
        std::vector<Packet> pieces;
        wire::Cutter cutter(packet, mtu, model, buffers);
        for (Packet piece; cutter.next(piece);) pieces.push_back(piece);
        return pieces;
    }
    Bytes bytes_of(const Packet& packet)
    {
        Bytes out(packet.length);
        REQUIRE(wire::emit(packet, model, buffers, out) == packet.length);
        return out;
    }
    // The payloads in their places.
    Bytes payload_of(const std::vector<Packet>& pieces)
    {
        Bytes all;
        for (const Packet& piece : pieces) {
            const Bytes bytes = bytes_of(piece);
            wire::FragmentView view;
            REQUIRE(wire::view_fragment(bytes, view));
            all.resize(std::max<std::size_t>(all.size(), view.end));
            std::copy(view.payload.begin(), view.payload.end(), all.begin() + view.begin);
        }
        return all;
    }
};

}  // namespace

TEST_CASE_METHOD(Cutting, "a packet is cut into pieces of eight bytes each but the last", "[fragments]")
{
    const Bytes whole = echo(3000);
    Packet packet = stored(whole);
    packet.ttl = 7;  // as routers leave it
    packet.traffic_class = 0x28;
    const std::vector<Packet> pieces = cut(packet, 1500);
    REQUIRE(pieces.size() == 3);
    const std::uint32_t begins[] = {0, 1480, 2960}, lengths[] = {1480, 1480, 48};
    for (std::size_t i = 0; i < 3; ++i) {
        const Bytes bytes = bytes_of(pieces[i]);
        Packet back;
        REQUIRE(wire::parse(bytes, true, back) == ParseError::none);  // its header's checksum is right
        CHECK(back.flags == packet_flag::fragment);
        CHECK(back.ttl == 7);
        CHECK(back.traffic_class == 0x28);
        wire::FragmentView view;
        REQUIRE(wire::view_fragment(bytes, view));
        CHECK(view.identification == 0x1234);
        CHECK(view.begin == begins[i]);
        CHECK(view.payload.size() == lengths[i]);
        CHECK(view.last == (i == 2));
        CHECK(pieces[i].length == 20 + lengths[i]);
        CHECK(is_head(bytes) == (i == 0));
    }
    CHECK(payload_of(pieces) == Bytes(whole.begin() + 20, whole.end()));
}

TEST_CASE_METHOD(Cutting, "a fragment is cut again, and only the last of all is the last", "[fragments]")
{
    const Bytes whole = echo(3000);
    std::vector<Packet> small;
    for (const Packet& piece : cut(stored(whole), 1500))
        for (const Packet& again : piece.length > 576 ? cut(piece, 576) : std::vector{piece}) small.push_back(again);
    REQUIRE(small.size() == 3 + 3 + 1);
    std::size_t last = 0;
    for (const Packet& piece : small) {
        CHECK(piece.length <= 576);
        wire::FragmentView view;
        REQUIRE(wire::view_fragment(bytes_of(piece), view));
        last += view.last;
    }
    CHECK(last == 1);
    CHECK(payload_of(small) == Bytes(whole.begin() + 20, whole.end()));
}

TEST_CASE_METHOD(Cutting, "options are in each fragment if they say so, else in the first", "[fragments]")
{
    // record route (7, not copied), no operation, loose source route (131, copied), end
    const Bytes options{7, 7, 4, 0, 0, 0, 0, 1, 131, 7, 4, 10, 9, 0, 9, 0};
    const std::vector<Packet> pieces = cut(stored(echo(200, options)), 100);
    REQUIRE(pieces.size() > 2);
    const Bytes first = bytes_of(pieces[0]);
    CHECK(first[0] == 0x49);
    CHECK(Bytes(first.begin() + 20, first.begin() + 36) == options);
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        const Bytes bytes = bytes_of(pieces[i]);
        CHECK(bytes[0] == 0x47);
        CHECK(Bytes(bytes.begin() + 20, bytes.begin() + 28) == Bytes{131, 7, 4, 10, 9, 0, 9, 0});
        CHECK(pieces[i].length <= 100);
    }
    // The first one's header leaves less room for data, and options that make no sense are in none but the first.
    const Bytes senseless{131, 30, 4, 0};
    const std::vector<Packet> others = cut(stored(echo(200, senseless)), 100);
    CHECK(bytes_of(others[0])[0] == 0x46);
    CHECK(bytes_of(others[1])[0] == 0x45);
}

TEST_CASE_METHOD(Cutting, "every MTU leaves pieces that are no longer, and all of the bytes", "[fragments]")
{
    for (const std::size_t payload : {0u, 1u, 7u, 8u, 60u, 1472u, 9000u, 65507u}) {
        const Bytes whole = echo(payload);
        const Packet packet = stored(whole);
        for (const std::uint32_t mtu : {68u, 69u, 75u, 76u, 296u, 1500u, 65535u}) {
            if (packet.length <= mtu) continue;
            const std::vector<Packet> pieces = cut(packet, mtu);
            const std::uint32_t each = (mtu - 20) / 8 * 8;
            CHECK(pieces.size() == (payload + 8 + each - 1) / each);
            for (const Packet& piece : pieces) {
                REQUIRE(piece.length <= mtu);
                buffers.release(piece.buffer);
            }
        }
        buffers.release(packet.buffer);
    }
    CHECK(buffers.in_use() == 0);
    CHECK(cut(stored(echo(100)), 27).empty());  // no room for eight bytes
}

TEST_CASE_METHOD(Cutting, "a virtual datagram is cut as the packet that it would be", "[fragments]")
{
    Packet packet;
    packet.source = Address{0x0a010001};
    packet.destination = Address{0x0a010002};
    packet.protocol = protocol::udp;
    packet.source_port = 5;
    packet.destination_port = 6;
    packet.payload = 3000;
    packet.length = 3028;
    packet.udp().identification = 77;
    packet.udp().set_sent_at(123456789012);
    const Bytes whole = bytes_of(packet);
    CHECK(wire::load16(whole.data() + 4) == 77);
    const std::vector<Packet> pieces = cut(packet, 1500);
    REQUIRE(pieces.size() == 3);
    CHECK(payload_of(pieces) == Bytes(whole.begin() + 20, whole.end()));
    for (const Packet& piece : pieces) CHECK(piece.udp().sent_at() == 123456789012);

    SECTION("and a corrupted bit is in one of them")
    {
        packet.flags |= packet_flag::corrupted;
        const Bytes wrong = bytes_of(packet);
        CHECK(wrong != whole);
        const std::vector<Packet> of_it = cut(packet, 1500);
        for (const Packet& piece : of_it) CHECK_FALSE(piece.flags & packet_flag::corrupted);
        CHECK(payload_of(of_it) == Bytes(wrong.begin() + 20, wrong.end()));
    }
}

TEST_CASE_METHOD(Cutting, "what is no fragment, or of no datagram, is not taken for one", "[fragments]")
{
    const Bytes whole = echo(100);
    wire::FragmentView view;
    CHECK_FALSE(wire::view_fragment(whole, view));
    const auto with = [&](std::uint16_t field, std::size_t length) {
        Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        wire::store16(bytes.data() + 2, static_cast<std::uint16_t>(length));
        wire::store16(bytes.data() + 6, field);
        return wire::view_fragment(bytes, view);
    };
    CHECK(with(0x2000, 28));
    CHECK_FALSE(with(0x2000, 27));    // more follow, and the next one's place could not be said
    CHECK(with(0x0001, 27));          // the last one may have any length
    CHECK_FALSE(with(0x0001, 20));    // but some
    CHECK(with(0x1fff - 2, 20 + 3));  // up to 65535 bytes with its header
    CHECK_FALSE(with(0x1fff - 2, 20 + 4));
    CHECK_FALSE(with(0x1fff, 20 + 8));
}

TEST_CASE_METHOD(Cutting, "an identification goes with a clear DF", "[fragments]")
{
    Bytes bytes = echo(10);
    bytes[6] = 0x40;
    wire::finish_ipv4(bytes.data());
    Packet packet = stored(bytes);
    REQUIRE(packet.flags & packet_flag::dont_fragment);
    wire::identify(packet, 0xbeef, buffers);
    const Bytes now = bytes_of(packet);
    CHECK(packet.flags == 0);
    CHECK(wire::load16(now.data() + 4) == 0xbeef);
    CHECK(now[6] == 0);
    Packet back;
    CHECK(wire::parse(now, true, back) == ParseError::none);
}

}  // namespace ANML_UNIT_FILE
