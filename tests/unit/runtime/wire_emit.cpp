// Emitting: virtual packets parse back to themselves, buffers change in their TTL only.
#include <algorithm>
#include <catch2/catch.hpp>

#include "app/content.h"
#include "image_builder.h"
#include "net/link/buffers.h"
#include "net/node/icmp_messages.h"
#include "transport/options/tcp_options.h"
#include "wire/bytes.h"
#include "wire/packet_codec.h"
#include "wire_packets.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace wire_test;
using wire::ParseError;

namespace {

struct Fixture {
    test::ChainModel chain{test::Chain{}};
    Model model = chain.model();
    BufferPool buffers;

    Bytes emitted(const Packet& packet)
    {
        Bytes out(packet.length + 16, 0xcc);
        REQUIRE(wire::emit(packet, model, buffers, out) == packet.length);
        CHECK(std::count(out.end() - 16, out.end(), 0xcc) == 16);  // nothing beyond its length
        out.resize(packet.length);
        return out;
    }
    Packet stored(const Bytes& bytes)
    {
        Packet packet;
        REQUIRE(wire::parse(bytes, true, packet) == ParseError::none);
        packet.buffer = buffers.store(bytes);
        return packet;
    }
};

Packet tcp_packet()
{
    Packet packet;
    packet.source = Address{0x0a010001};
    packet.destination = Address{0x0a000050};
    packet.ttl = 63;
    packet.protocol = protocol::tcp;
    packet.traffic_class = 0xb9;
    packet.flags = packet_flag::dont_fragment;
    packet.tcp().flags = tcp_flag::ack | tcp_flag::psh;
    packet.source_port = 1025;
    packet.destination_port = 80;
    packet.tcp().sequence = 0xfffffff0;
    packet.tcp().acknowledgment = 0x80000001;
    packet.tcp().window = 65535;
    packet.length = 40;
    return packet;
}

void check_same(const Packet& a, const Packet& b)
{
    CHECK(a.source == b.source);
    CHECK(a.destination == b.destination);
    CHECK(a.length == b.length);
    CHECK(a.ttl == b.ttl);
    CHECK(a.protocol == b.protocol);
    CHECK(a.traffic_class == b.traffic_class);
    CHECK(a.flags == b.flags);
    CHECK(a.source_port == b.source_port);
    CHECK(a.destination_port == b.destination_port);
    CHECK(a.payload == b.payload);
    if (a.protocol == protocol::tcp) {
        CHECK(a.tcp().flags == b.tcp().flags);
        CHECK(a.tcp().sequence == b.tcp().sequence);
        CHECK(a.tcp().acknowledgment == b.tcp().acknowledgment);
        CHECK(a.tcp().window == b.tcp().window);
        CHECK(a.tcp().timestamp == b.tcp().timestamp);
        CHECK(a.tcp().timestamp_echo == b.tcp().timestamp_echo);
        CHECK(a.tcp_syn().mss == b.tcp_syn().mss);
        CHECK(a.tcp_syn().window_scale == b.tcp_syn().window_scale);
    }
    if (a.protocol == protocol::tcp && a.payload == 0) {
        CHECK(a.tcp_sack().first == b.tcp_sack().first);
        CHECK(a.tcp_sack().first_length == b.tcp_sack().first_length);
        CHECK(a.tcp_sack().second == b.tcp_sack().second);
        CHECK(a.tcp_sack().second_length_high == b.tcp_sack().second_length_high);
        CHECK(a.tcp_sack().second_length_middle == b.tcp_sack().second_length_middle);
    }
    if (a.protocol == protocol::icmp) {
        CHECK(a.icmp().type == b.icmp().type);
        CHECK(a.icmp().code == b.icmp().code);
        CHECK(a.icmp().rest == b.icmp().rest);
    }
}

}  // namespace

TEST_CASE_METHOD(Fixture, "virtual packets parse back to themselves", "[wire]")
{
    std::vector<Packet> packets;
    packets.push_back(tcp_packet());
    Packet syn = tcp_packet();
    syn.tcp().flags = tcp_flag::syn;
    syn.tcp_syn().mss = 1460;
    syn.length = 44;
    packets.push_back(syn);
    for (int options = 1; options < 8; ++options) {  // each set of options, on a SYN and on an acknowledgment
        Packet first = syn, later = tcp_packet();
        later.tcp().flags = tcp_flag::ack;
        if (options & 1) tcp_options::set_window_scale(first, 7);
        if (options & 2) {
            tcp_options::set_timestamps(first, 0x12345678, 0);
            tcp_options::set_timestamps(later, 0x12345678, 0x9abcdef0);
        }
        if (options & 4) {
            first.flags |= packet_flag::sack;
            // The last one is longer than fits beside another.
            const std::uint32_t end = options == 7 ? 0x3fffff00 : 0x1fffe00;
            CHECK(tcp_options::add_block(later,
                                         {later.tcp().acknowledgment + 0xffff00, later.tcp().acknowledgment + end}));
            CHECK(tcp_options::block(later, 0).end == later.tcp().acknowledgment + end);
            if (options & 1)
                CHECK(tcp_options::add_block(later, {later.tcp().acknowledgment + 1448,
                                                     later.tcp().acknowledgment + 4344}) == (options != 7));
        }
        for (Packet* packet : {&first, &later}) {
            packet->length = static_cast<std::uint16_t>(40 + tcp_options::length(*packet));
            packets.push_back(*packet);
        }
    }
    for (std::uint16_t payload : {1, 2, 77, 1459, 1460}) {
        Packet data = tcp_packet();
        data.payload = payload;
        data.length = static_cast<std::uint16_t>(40 + payload);
        data.content = content::response(0);
        packets.push_back(data);
        data.tcp().flags = 0;
        data.tcp().sequence = data.tcp().acknowledgment = data.tcp().window = 0;
        data.protocol = protocol::udp;
        data.length = static_cast<std::uint16_t>(28 + payload);
        packets.push_back(data);
        data.protocol = protocol::icmp;
        data.source_port = data.destination_port = 0;
        data.icmp().type = 8;
        data.icmp().rest = 0x00070001;
        packets.push_back(data);
    }
    for (const Packet& packet : packets) {
        Packet back;
        REQUIRE(wire::parse(emitted(packet), true, back) == ParseError::none);
        check_same(packet, back);
    }
}

TEST_CASE_METHOD(Fixture, "payload is the content from its offset", "[wire]")
{
    Packet data = tcp_packet();
    data.content = content::request(0);
    Bytes whole(content::length(model, data.content));
    content::produce(model, data.content, 0, whole);
    data.content_offset = 4;
    data.payload = static_cast<std::uint16_t>(whole.size() - 4);
    data.length = static_cast<std::uint16_t>(40 + data.payload);
    const Bytes out = emitted(data);
    CHECK(Bytes(out.begin() + 40, out.end()) == Bytes(whole.begin() + 4, whole.end()));
}

TEST_CASE_METHOD(Fixture, "a UDP checksum is never zero", "[wire]")
{
    Packet packet = tcp_packet();
    packet.protocol = protocol::udp;
    packet.length = 28;
    packet.source_port = 0;
    // the port that makes the sum 0xffff, and so the checksum 0
    bool met = false;
    for (unsigned port = 0; port < 0x10000; ++port) {
        packet.destination_port = static_cast<std::uint16_t>(port);
        Bytes out(packet.length);
        wire::emit(packet, model, buffers, out);
        REQUIRE(wire::load16(out.data() + 26) != 0);
        met |= wire::load16(out.data() + 26) == 0xffff;
    }
    CHECK(met);
}

TEST_CASE_METHOD(Fixture, "a buffer leaves with the record's TTL and is else unchanged", "[wire]")
{
    for (const Bytes* bytes : kAll) {
        Packet packet = stored(*bytes);
        packet.ttl = 17;
        Bytes out = emitted(packet);
        Packet back;
        REQUIRE(wire::parse(out, true, back) == ParseError::none);
        CHECK(back.ttl == 17);
        out[8] = (*bytes)[8];
        out[10] = (*bytes)[10];
        out[11] = (*bytes)[11];
        CHECK(out == *bytes);
        buffers.release(packet.buffer);
    }
}

TEST_CASE_METHOD(Fixture, "an echo request becomes its reply in place", "[wire]")
{
    Packet echo = stored(kEchoRequest);
    wire::make_echo_reply(echo, buffers);
    Packet back;
    REQUIRE(wire::parse(emitted(echo), true, back) == ParseError::none);
    check_same(echo, back);
    CHECK(back.source == Address{0x0a090002});
    CHECK(back.destination == Address{0x0a090001});
    CHECK(back.icmp().type == 0);
    CHECK(back.ttl == 64);
    CHECK(back.icmp().rest == 0x3ea00001);
    const Bytes out = emitted(echo);
    CHECK(Bytes(out.begin() + 20, out.end()) == Bytes(kEchoReply.begin() + 20, kEchoReply.end()));
}

TEST_CASE_METHOD(Fixture, "an echo of nothing but zeros has a right checksum too", "[wire]")
{
    Bytes zeros = kEchoRequest;
    std::fill(zeros.begin() + 24, zeros.end(), 0);
    wire::store16(zeros.data() + 22, 0xf7ff);
    Packet echo = stored(zeros);
    wire::make_echo_reply(echo, buffers);
    Packet back;
    CHECK(wire::parse(emitted(echo), true, back) == ParseError::none);
}

TEST_CASE_METHOD(Fixture, "an error quotes all of a short packet, from the router", "[wire]")
{
    constexpr Address kRouter{0x0a010001};
    for (const Bytes* bytes : {&kSyn, &kRequest, &kDatagram, &kEchoRequest}) {
        Packet offender = stored(*bytes);
        offender.ttl = 1;
        Packet error;
        REQUIRE(wire::make_icmp_error(offender, kRouter, 11, 0, 0, model, buffers, error));
        Packet back;
        REQUIRE(wire::parse(emitted(error), true, back) == ParseError::none);
        check_same(error, back);
        CHECK(back.source == kRouter);
        CHECK(back.destination == offender.source);
        CHECK(back.length == 20 + 8 + offender.length);
        CHECK(back.traffic_class == (0xc0 | (offender.traffic_class & 0x1c)));
        Packet about;
        REQUIRE(wire::quoted(error, buffers, about));
        CHECK(about.source == offender.source);
        CHECK(about.destination == offender.destination);
        CHECK(about.length == offender.length);
        CHECK(about.ttl == 1);
        CHECK(about.protocol == offender.protocol);
        CHECK(about.source_port == offender.source_port);
        CHECK(about.destination_port == offender.destination_port);
        if (offender.protocol == protocol::tcp) CHECK(about.tcp().sequence == offender.tcp().sequence);
        if (offender.protocol == protocol::icmp) CHECK(about.icmp().rest == offender.icmp().rest);
    }
}

TEST_CASE_METHOD(Fixture, "an error about a virtual packet quotes what it would be on the wire", "[wire]")
{
    Packet syn = tcp_packet();
    syn.payload = 100;
    syn.length = 140;
    const Bytes whole = emitted(syn);
    Packet error;
    REQUIRE(wire::make_icmp_error(syn, Address{0x0a000050}, 3, 4, 576, model, buffers, error));
    CHECK(error.icmp().rest == 576);
    const auto bytes = buffers.bytes(error.buffer);
    CHECK(Bytes(bytes.begin() + 28, bytes.end()) == Bytes(whole.begin(), whole.end()));
}

TEST_CASE_METHOD(Fixture, "no error is sent where none may be", "[wire]")
{
    Packet error;
    const auto allowed = [&](const Packet& offender) {
        return wire::make_icmp_error(offender, Address{0x0a010001}, 11, 0, 0, model, buffers, error);
    };
    CHECK_FALSE(allowed(stored(kPortUnreachable)));
    CHECK(allowed(stored(kEchoReply)));
    for (Address source : {Address::none, Address{0x7f000001}, Address{0xffffffff}}) {
        Packet packet = tcp_packet();
        packet.source = source;
        CHECK_FALSE(allowed(packet));
        std::swap(packet.source, packet.destination);
        packet.source = Address{0x0a000050};
        packet.destination = source;
        CHECK_FALSE(allowed(packet));
    }
    for (std::uint16_t field : {0x2000, 0x0001}) {
        Bytes fragment = kRequest;
        wire::store16(fragment.data() + 6, field);
        wire::store16(fragment.data() + 10, 0);
        wire::store16(fragment.data() + 10, wire::checksum(std::span(fragment).first(20)));
        CHECK(allowed(stored(fragment)) == (field == 0x2000));  // the first fragment only
    }
}

TEST_CASE_METHOD(Fixture, "quotes that are too short or no quotes are refused", "[wire]")
{
    Packet about;
    CHECK_FALSE(wire::quoted(stored(kEchoRequest), buffers, about));
    CHECK_FALSE(wire::quoted(stored(kSyn), buffers, about));
    REQUIRE(wire::quoted(stored(kPortUnreachable), buffers, about));
    CHECK(about.destination_port == 9999);
    for (std::size_t cut = 1; cut <= kPortUnreachable.size() - 28; ++cut) {
        Packet error = stored(kPortUnreachable);
        Bytes bytes(kPortUnreachable.begin(), kPortUnreachable.end() - static_cast<std::ptrdiff_t>(cut));
        wire::store16(bytes.data() + 2, static_cast<std::uint16_t>(bytes.size()));
        error.buffer = buffers.store(bytes);
        CHECK(wire::quoted(error, buffers, about) == (bytes.size() >= 28 + 20 + 8));
    }
}

}  // namespace ANML_UNIT_FILE
