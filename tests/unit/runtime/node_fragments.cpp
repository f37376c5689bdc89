// Fragments on their way and at their end: routers and endpoints cut, hosts, routers and the gateway put together
// (RFC 791, 1122, 1812).
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "fake_host.h"
#include "image_builder.h"
#include "net/node/reassembly.h"
#include "net/packet/fragments.h"
#include "simulator/statistics.h"
#include "wire/ipv4.h"
#include "wire/udp.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::ChainModel;
using test::FakeHost;
using Bytes = std::vector<std::uint8_t>;

namespace {

test::Chain narrow(std::uint16_t mtu)
{
    test::Chain chain;
    chain.routers = 2;
    chain.hosts = 2;
    chain.uplink.mtu = mtu;
    chain.edge.mtu = mtu;
    return chain;
}

struct Path {
    explicit Path(const test::Chain& chain)
        : built(chain), model(built.model()), simulator(model, 1), host(simulator, 0, ChainModel::server_address())
    {
        simulator.measure(0, kNever);
    }
    // With its bytes, as a real host sends it; DF is clear.
    Packet real(Packet packet, std::uint16_t identification = 1)
    {
        packet.source = ChainModel::server_address();
        packet.flags = 0;
        if (packet.protocol == protocol::icmp) packet.icmp().identification = identification;
        if (packet.protocol == protocol::udp) packet.udp().identification = identification;
        Bytes bytes(packet.length);
        wire::emit(packet, model, simulator.buffers(), bytes);
        packet.buffer = simulator.buffers().store(bytes);
        return packet;
    }
    std::vector<Packet> cut(const Packet& packet, std::uint32_t mtu)
    {
        std::vector<Packet> pieces;
        {
            wire::Cutter cutter(packet, mtu, model, simulator.buffers());
            for (Packet piece; cutter.next(piece);) pieces.push_back(piece);
        }
        simulator.buffers().release(packet.buffer);
        return pieces;
    }
    Packet echo(Address to, std::uint16_t length, std::uint16_t identification = 1)
    {
        return real(FakeHost::echo(to, length), identification);
    }
    Packet datagram(Address to, std::uint16_t length, std::uint16_t identification = 1)
    {
        Packet packet;
        packet.destination = to;
        packet.protocol = protocol::udp;
        packet.source_port = 1000;
        packet.destination_port = 53;
        packet.length = length;
        packet.payload = static_cast<std::uint16_t>(length - 28);
        return real(packet, identification);
    }
    // The fragments that have come back, by source and identification, in the places that they say.
    std::map<std::pair<Address, std::uint16_t>, Bytes> put_together() const
    {
        std::map<std::pair<Address, std::uint16_t>, Bytes> all;
        for (const FakeHost::Received& got : host.received) {
            wire::FragmentView view;
            if (!wire::view_fragment(got.bytes, view)) continue;
            Bytes& payload = all[{got.packet.source, view.identification}];
            payload.resize(std::max<std::size_t>(payload.size(), view.end));
            std::copy(view.payload.begin(), view.payload.end(), payload.begin() + view.begin);
        }
        return all;
    }
    const Statistics& statistics() { return simulator.statistics(); }

    ChainModel built;
    Model model;
    Simulator simulator;
    FakeHost host;
};

Address client() { return ChainModel::client_address(1, 0); }

}  // namespace

TEST_CASE("an echo request above the MTU goes in fragments, and so does the reply", "[fragments]")
{
    Path path(narrow(576));
    path.host.send(path.echo(client(), 1000), 0);
    path.simulator.run_until(kSecond);
    REQUIRE(path.host.received.size() == 2);
    const auto replies = path.put_together();
    REQUIRE(replies.size() == 1);
    const Bytes& reply = replies.begin()->second;
    CHECK(reply.size() == 980);
    CHECK(reply[0] == 0);
    CHECK(wire::load32(reply.data() + 4) == 0x12340001);
    CHECK(wire::checksum(reply) == 0);
    for (const auto& got : path.host.received) CHECK(got.packet.source == client());
    CHECK(path.statistics().fragmented == 2);
    CHECK(path.statistics().fragments == 4);
    CHECK(path.statistics().reassembled == 1);
    CHECK(path.statistics().packets_sent == 2);
    CHECK(path.statistics().packets_delivered == 4);
    CHECK(path.statistics().dropped.mtu == 0);
    CHECK(path.statistics().dropped.unfragmented == 0);
    CHECK(test::silent(path.simulator));
}

TEST_CASE("65507 bytes in pieces of any order are one datagram", "[fragments]")
{
    Path path(narrow(1500));
    std::vector<Packet> pieces = path.cut(path.echo(client(), 65535), 1500);
    REQUIRE(pieces.size() == 45);
    SECTION("as they come") {}
    SECTION("backwards") { std::reverse(pieces.begin(), pieces.end()); }
    SECTION("the even ones first")
    {
        std::stable_partition(pieces.begin(), pieces.end(), [n = 0](const Packet&) mutable { return n++ % 2 == 0; });
    }
    SECTION("twice each")
    {
        for (std::size_t i = 0, count = pieces.size() - 1; i < count; i += 2) {
            Packet copy = pieces[i];
            copy.buffer = path.simulator.buffers().store(path.simulator.buffers().bytes(copy.buffer));
            pieces.insert(pieces.begin(), copy);
        }
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) path.host.send(pieces[i], static_cast<Time>(i) * kMillisecond);
    path.simulator.run_until(kSecond);
    const auto replies = path.put_together();
    REQUIRE(replies.size() == 1);
    CHECK(replies.begin()->second.size() == 65515);
    CHECK(wire::checksum(replies.begin()->second) == 0);
    CHECK(path.statistics().reassembled == 1);
    path.simulator.run_until(40 * kSecond);
    CHECK(path.statistics().reassembly_timed_out == 0);
    CHECK(test::silent(path.simulator));
}

TEST_CASE("routers and the gateway put together what is for them", "[fragments]")
{
    Path path(narrow(1500));
    const Address gateway{path.built.image().gateway};
    for (const Packet& piece : path.cut(path.echo(ChainModel::gateway_address(0), 4000), 1500))
        path.host.send(piece, 0);
    for (const Packet& piece : path.cut(path.echo(gateway, 5000, 2), 1000)) path.host.send(piece, kSecond);
    path.simulator.run_until(2 * kSecond);
    const auto replies = path.put_together();
    REQUIRE(replies.size() == 2);
    std::size_t of_gateway = 0;
    for (const auto& got : path.host.received) {
        if (got.packet.source != gateway) continue;
        ++of_gateway;
        CHECK(got.at == kSecond);
        CHECK(got.packet.length <= 1000);  // as the host's own
    }
    CHECK(of_gateway == 6);
    CHECK(path.statistics().reassembled == 2);
    CHECK(test::silent(path.simulator));
}

TEST_CASE("a datagram that stays incomplete is given up after 30 s", "[fragments]")
{
    Path path(narrow(1500));
    const std::vector<Packet> pieces = path.cut(path.datagram(client(), 3000), 1500);
    REQUIRE(pieces.size() == 3);
    bool told = true;
    SECTION("and the sender hears of it, if the first fragment is there")
    {
        path.host.send(pieces[0], 0);
        path.host.send(pieces[2], 0);
        path.simulator.buffers().release(pieces[1].buffer);
    }
    SECTION("and nobody does, if it is not")
    {
        told = false;
        path.host.send(pieces[1], 0);
        path.host.send(pieces[2], 0);
        path.simulator.buffers().release(pieces[0].buffer);
    }
    path.simulator.run_until(30 * kSecond);
    CHECK(path.host.received.empty());
    path.simulator.run_until(31 * kSecond);
    CHECK(path.statistics().reassembly_timed_out == 1);
    CHECK(path.statistics().reassembled == 0);
    REQUIRE(path.host.received.size() == (told ? 1 : 0));
    if (told) {
        const FakeHost::Received& error = path.host.received[0];
        CHECK(error.packet.source == client());
        CHECK(error.packet.icmp().type == 11);
        CHECK(error.packet.icmp().code == 1);
        CHECK(error.packet.traffic_class == 0xc0);
        CHECK(error.packet.length == 576);
        wire::Ipv4View quoted;
        REQUIRE(wire::Ipv4View::check(std::span(error.bytes).subspan(28), false, quoted) == wire::ParseError::none);
        CHECK(quoted.total_length() == 1500);
        CHECK(quoted.is_fragment());
        CHECK(quoted.fragment_offset() == 0);
    }
    CHECK(test::silent(path.simulator));
}

TEST_CASE("overlaps discard a datagram, repetitions don't", "[fragments]")
{
    Path path(narrow(1500));
    std::vector<Packet> pieces = path.cut(path.echo(client(), 4000), 1500);
    REQUIRE(pieces.size() == 3);
    BufferPool& buffers = path.simulator.buffers();
    const auto moved = [&](const Packet& piece, int units) {
        Packet copy = piece;
        copy.buffer = buffers.store(buffers.bytes(piece.buffer));
        std::uint8_t* bytes = buffers.bytes(copy.buffer).data();
        wire::store16(bytes + 6, static_cast<std::uint16_t>(wire::load16(bytes + 6) + units));
        wire::finish_ipv4(bytes);
        return copy;
    };
    bool whole = false;
    SECTION("the second begins before the first ends") { pieces[1] = moved(pieces[1], -1); }
    SECTION("the last ends before another") { pieces.insert(pieces.begin() + 2, moved(pieces[2], -2)); }
    SECTION("two last ones differ") { pieces.insert(pieces.begin(), moved(pieces[2], 1)); }
    SECTION("the second comes twice")
    {
        whole = true;
        pieces.insert(pieces.begin() + 1, moved(pieces[1], 0));
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) path.host.send(pieces[i], static_cast<Time>(i) * kMillisecond);
    path.simulator.run_until(60 * kSecond);
    CHECK(path.statistics().reassembled == (whole ? 1 : 0));
    CHECK(path.statistics().reassembly_discarded == (whole ? 0 : 1));
    CHECK(path.put_together().empty() == !whole);
}

TEST_CASE("datagrams with the same identification are told apart by source, destination and protocol", "[fragments]")
{
    Path path(narrow(1500));
    const auto other = ChainModel::client_address(1, 1);
    const std::vector<Packet> a = path.cut(path.echo(client(), 2000, 7), 1500);
    const std::vector<Packet> b = path.cut(path.echo(other, 2000, 7), 1500);
    const std::vector<Packet> c = path.cut(path.datagram(client(), 2000, 7), 1500);
    for (const auto* pieces : {&a, &b, &c}) path.host.send((*pieces)[0], 0);
    for (const auto* pieces : {&b, &c, &a}) path.host.send((*pieces)[1], kMillisecond);
    path.simulator.run_until(kSecond);
    CHECK(path.statistics().reassembled == 3);
    CHECK(path.put_together().size() <= 2);
    CHECK(std::count_if(path.host.received.begin(), path.host.received.end(), [](const FakeHost::Received& got) {
              return got.packet.icmp().type == 3 && got.packet.icmp().code == 3;  // nobody listens at the port
          }) == 1);
    CHECK(test::silent(path.simulator));
}

TEST_CASE("unfinished datagrams have room for 4 MiB, and no other one is begun meanwhile", "[fragments]")
{
    Path path(narrow(1500));
    // The last fragment of 65507 bytes: each takes room for all of them.
    constexpr std::uint16_t kDatagrams = 200;
    for (std::uint16_t i = 0; i < kDatagrams; ++i) {
        const std::vector<Packet> pieces =
            path.cut(path.echo(client(), 65535, static_cast<std::uint16_t>(i + 1)), 1500);
        path.host.send(pieces.back(), i * kMillisecond);
        for (std::size_t p = 0; p + 1 < pieces.size(); ++p) {
            if (i == 0)
                path.host.send(pieces[p], kSecond);
            else if (i == 100 && p == 0)
                path.host.send(pieces[p], 500 * kMillisecond);
            else
                path.simulator.buffers().release(pieces[p].buffer);
        }
    }
    path.simulator.run_until(2 * kSecond);
    CHECK(path.statistics().reassembled == 1);
    CHECK(path.statistics().reassembly_no_room == 1);
    path.simulator.run_until(60 * kSecond);
    CHECK(path.statistics().reassembly_timed_out > 50);  // 64 KiB each, and what else is known of them
    CHECK(path.statistics().reassembly_timed_out < 66);
    CHECK(test::silent(path.simulator));
}

TEST_CASE("a protocol that nobody speaks is unreachable, in fragments too", "[fragments]")
{
    Path path(narrow(1500));
    Packet packet = path.datagram(client(), 2000);
    const BufferId buffer = packet.buffer;
    path.simulator.buffers().bytes(buffer)[9] = 47;
    wire::finish_ipv4(path.simulator.buffers().bytes(buffer).data());
    packet.protocol = 47;
    for (const Packet& piece : path.cut(packet, 1500)) path.host.send(piece, 0);
    path.simulator.run_until(kSecond);
    REQUIRE(path.host.received.size() == 1);
    CHECK(path.host.received[0].packet.icmp().type == 3);
    CHECK(path.host.received[0].packet.icmp().code == 2);
    CHECK(test::silent(path.simulator));
}

TEST_CASE("the first fragment of an echo request may cause an error, others and those of errors may not", "[fragments]")
{
    Path path(narrow(1500));
    Packet packet = path.echo(client(), 4000);
    packet.ttl = 1;
    for (const Packet& piece : path.cut(packet, 1500)) path.host.send(piece, 0);
    Packet error = path.echo(client(), 4000, 2);
    error.ttl = 1;
    path.simulator.buffers().bytes(error.buffer)[20] = 3;
    for (const Packet& piece : path.cut(error, 1500)) path.host.send(piece, kSecond);
    path.simulator.run_until(2 * kSecond);
    REQUIRE(path.host.received.size() == 1);
    CHECK(path.host.received[0].packet.icmp().type == 11);
    CHECK(path.host.received[0].packet.icmp().code == 0);
    CHECK(path.statistics().dropped.ttl == 6);
    CHECK(test::silent(path.simulator));
}

TEST_CASE("a fragment beyond the end of any datagram is not cut, and completes none", "[fragments]")
{
    Path path(narrow(576));
    Packet packet = path.echo(client(), 1000);
    std::uint8_t* bytes = path.simulator.buffers().bytes(packet.buffer).data();
    wire::store16(bytes + 6, 0x1fff);
    wire::finish_ipv4(bytes);
    packet.flags = packet_flag::fragment;
    path.host.send(packet, 0);
    packet.buffer = path.simulator.buffers().store({bytes, 500});
    bytes = path.simulator.buffers().bytes(packet.buffer).data();
    wire::store16(bytes + 2, 500);
    wire::finish_ipv4(bytes);
    packet.length = 500;
    path.host.send(packet, kSecond);
    path.simulator.run_until(40 * kSecond);
    CHECK(path.statistics().dropped.malformed == 2);
    CHECK(path.statistics().fragmented == 0);
    CHECK(path.host.received.empty());
    CHECK(test::silent(path.simulator));
}

}  // namespace ANML_UNIT_FILE
