// Address translation, by the requirements of RFC 4787 (UDP), 5382 (TCP) and 5508 (ICMP).
#include <catch2/catch.hpp>

#include "middlebox_world.h"
#include "net/middlebox/nat.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::BoxWorld;
using test::packet_of;

namespace {

using Filtering = abi::record::nat::Filtering;

constexpr Address kInside{0xc0a80001}, kOther{0xc0a80002}, kServer{0x08080808}, kStranger{0x09090909},
    kRouter{0x0a636363};
constexpr std::uint8_t kUdp = protocol::udp, kTcp = protocol::tcp, kIcmp = protocol::icmp;
constexpr Time kMinute = 60 * kSecond;

struct NatOptions {
    Filtering filtering = Filtering::address_and_port_dependent;
    bool hairpinning = true, clamp_mss = false;
    double first_port = 1024, last_port = 65535, sessions = 65536;
};

struct NatWorld {
    explicit NatWorld(const NatOptions& o = {}) : record(add(o)), world(records), box(nat::make(world.model, record)) {}

    std::uint32_t add(const NatOptions& o)
    {
        return records.record(abi::record::nat{.inside = records.addresses({{0xc0a80000, 0xc0a800ff}}),
                                               .filtering = o.filtering,
                                               .hairpinning = records.value(o.hairpinning),
                                               .clamp_mss = records.value(o.clamp_mss),
                                               .first_port = records.value(o.first_port),
                                               .last_port = records.value(o.last_port),
                                               .sessions = records.value(o.sessions),
                                               .udp_timeout = records.value(5.0 * kMinute),
                                               .icmp_timeout = records.value(kMinute),
                                               .tcp_timeout = records.value(124.0 * kMinute),
                                               .tcp_transitory_timeout = records.value(4.0 * kMinute)});
    }
    Decision see(const Packet& packet, Time at = 0) { return world.see(*box, packet, at); }
    std::uint64_t figure(std::string_view name, Time now = 0) { return BoxWorld::figure(*box, name, now); }
    // The port outside of what the host sends to the server.
    std::uint16_t out(std::uint8_t protocol, Address from, std::uint16_t port, Time at = 0,
                      std::uint8_t flags = tcp_flag::syn, Address to = kServer)
    {
        const Decision v = see(packet_of(protocol, from, port, to, protocol == kIcmp ? 0 : 53, flags), at);
        REQUIRE(v.what == Decision::pass);
        CHECK(v.ends.source == address());
        CHECK(v.ends.destination == to);
        return v.ends.source_port;
    }
    bool comes_in(std::uint8_t protocol, Address from, std::uint16_t port, std::uint16_t to, Time at = 0,
                  std::uint8_t flags = tcp_flag::ack)
    {
        const Decision v = see(packet_of(protocol, from, port, address(), to, flags), at);
        return v.what == Decision::pass && v.ends.destination == kInside;
    }
    Address address() const { return world.self.address(); }

    test::RecordImage records;
    std::uint32_t record;
    BoxWorld world;
    std::unique_ptr<Middlebox> box;
};

}  // namespace

TEST_CASE("RFC 4787 REQ-1: a mapping is the same for all whom the end talks to", "[middlebox]")
{
    NatWorld w;
    const std::uint16_t port = w.out(kUdp, kInside, 5000);
    CHECK(w.out(kUdp, kInside, 5000, kSecond, 0, kStranger) == port);
    CHECK(w.out(kUdp, kInside, 5001) != port);
    CHECK(w.figure("mappings") == 2);
    CHECK(w.figure("sessions") == 3);
}

TEST_CASE("RFC 4787 REQ-3: no two ends share a port; one keeps its own where it is free", "[middlebox]")
{
    NatWorld w;
    CHECK(w.out(kUdp, kInside, 5000) == 5000);
    const std::uint16_t other = w.out(kUdp, kOther, 5000);
    CHECK(other == 1024);
    CHECK(w.out(kUdp, kOther, 80) == 1025);    // outside of the range
    CHECK(w.out(kTcp, kOther, 5000) == 5000);  // ports of TCP are others
}

TEST_CASE("RFC 4787 REQ-5: a mapping of UDP lives five minutes from its last use", "[middlebox]")
{
    NatWorld w;
    const std::uint16_t port = w.out(kUdp, kInside, 5000);
    CHECK(w.comes_in(kUdp, kServer, 53, port, 5 * kMinute - 1));
    CHECK(w.comes_in(kUdp, kServer, 53, port, 10 * kMinute - 2));  // REQ-6: what comes in is a use, too
    CHECK_FALSE(w.comes_in(kUdp, kServer, 53, port, 15 * kMinute - 2));
    CHECK(w.figure("expired", 15 * kMinute) == 1);
    CHECK(w.figure("open", 15 * kMinute) == 0);
}

TEST_CASE("RFC 4787 REQ-8: who may answer", "[middlebox]")
{
    const auto filtering =
        GENERATE(Filtering::endpoint_independent, Filtering::address_dependent, Filtering::address_and_port_dependent);
    NatWorld w({.filtering = filtering});
    const std::uint16_t port = w.out(kUdp, kInside, 5000);
    CHECK(w.comes_in(kUdp, kServer, 53, port));
    CHECK(w.comes_in(kUdp, kServer, 54, port) == (filtering != Filtering::address_and_port_dependent));
    CHECK(w.comes_in(kUdp, kStranger, 53, port) == (filtering == Filtering::endpoint_independent));
    CHECK_FALSE(w.comes_in(kUdp, kServer, 53, static_cast<std::uint16_t>(port + 1)));
    CHECK_FALSE(w.comes_in(kTcp, kServer, 53, port));
    // What is addressed to a host inside never passes.
    CHECK(w.see(packet_of(kUdp, kServer, 53, kInside, 5000)).what == Decision::drop);
}

TEST_CASE("RFC 4787 REQ-9: hosts inside reach each other by their outside ends", "[middlebox]")
{
    NatWorld w;
    const std::uint16_t first = w.out(kUdp, kInside, 5000), second = w.out(kUdp, kOther, 6000);
    const Packet there = packet_of(kUdp, kOther, 6000, w.address(), first);
    CHECK(w.see(there).what == Decision::drop);  // the first one has not sent to the second one
    const Decision back = w.see(packet_of(kUdp, kInside, 5000, w.address(), second));
    REQUIRE(back.what == Decision::pass);
    // Its source is the outside end (REQ-9a).
    CHECK(back.ends == Ends{w.address(), kOther, first, 6000});
    CHECK(w.see(there).ends == Ends{w.address(), kInside, second, 5000});

    NatWorld without({.hairpinning = false});
    const std::uint16_t port = without.out(kUdp, kInside, 5000);
    CHECK(without.see(packet_of(kUdp, kOther, 6000, without.address(), port)).what == Decision::drop);
}

TEST_CASE("RFC 5382 REQ-5: an established connection lives two hours and four minutes, another one four", "[middlebox]")
{
    NatWorld w;
    const std::uint16_t port = w.out(kTcp, kInside, 5000);
    SECTION("nobody has answered")
    {
        CHECK(w.comes_in(kTcp, kServer, 53, port, 4 * kMinute - 1));
        NatWorld late;
        late.out(kTcp, kInside, 5000);
        CHECK_FALSE(late.comes_in(kTcp, kServer, 53, port, 4 * kMinute));
    }
    SECTION("a SYN-ACK alone does not establish it")
    {
        CHECK(w.comes_in(kTcp, kServer, 53, port, kSecond, tcp_flag::syn | tcp_flag::ack));
        CHECK(w.comes_in(kTcp, kServer, 53, port, kSecond + 2 * kMinute, tcp_flag::syn | tcp_flag::ack));
        CHECK_FALSE(w.comes_in(kTcp, kServer, 53, port, kSecond + 6 * kMinute));
    }
    SECTION("it is established")
    {
        CHECK(w.comes_in(kTcp, kServer, 53, port, kSecond, tcp_flag::syn | tcp_flag::ack));
        w.out(kTcp, kInside, 5000, kSecond, tcp_flag::ack);
        CHECK(w.comes_in(kTcp, kServer, 53, port, kSecond, tcp_flag::syn | tcp_flag::ack));  // once more: it is there
        CHECK(w.comes_in(kTcp, kServer, 53, port, kSecond + 124 * kMinute - 1));
        CHECK_FALSE(w.comes_in(kTcp, kServer, 53, port, kSecond + 248 * kMinute - 1));
    }
    SECTION("both ends have closed it")
    {
        constexpr std::uint8_t kFin = tcp_flag::fin | tcp_flag::ack;
        CHECK(w.comes_in(kTcp, kServer, 53, port, 0, tcp_flag::syn | tcp_flag::ack));
        w.out(kTcp, kInside, 5000, kSecond, kFin);
        CHECK(w.comes_in(kTcp, kServer, 53, port, 100 * kMinute));  // half of it is open
        CHECK(w.comes_in(kTcp, kServer, 53, port, 100 * kMinute, kFin));
        CHECK_FALSE(w.comes_in(kTcp, kServer, 53, port, 104 * kMinute));
    }
    SECTION("one has reset it")
    {
        CHECK(w.comes_in(kTcp, kServer, 53, port, 0, tcp_flag::rst | tcp_flag::ack));
        CHECK_FALSE(w.comes_in(kTcp, kServer, 53, port, 4 * kMinute));
    }
}

TEST_CASE("a SYN from outside that nobody answers is no established connection", "[middlebox]")
{
    NatWorld w({.filtering = Filtering::endpoint_independent});
    const std::uint16_t port = w.out(kTcp, kInside, 5000);
    CHECK(w.comes_in(kTcp, kStranger, 80, port, 0, tcp_flag::syn));
    CHECK(w.figure("open", 4 * kMinute - 1) == 2);
    CHECK(w.figure("open", 4 * kMinute) == 0);

    NatWorld other({.filtering = Filtering::endpoint_independent});
    other.out(kTcp, kInside, 5000);
    CHECK(other.comes_in(kTcp, kStranger, 80, port, 0, tcp_flag::syn));
    const Packet answer = packet_of(kTcp, kInside, 5000, kStranger, 80, tcp_flag::syn | tcp_flag::ack);
    REQUIRE(other.see(answer, kSecond).what == Decision::pass);
    CHECK(other.comes_in(kTcp, kStranger, 80, port, 2 * kSecond, tcp_flag::ack));
    CHECK(other.figure("open", 2 * kSecond + 124 * kMinute - 1) == 1);
}

TEST_CASE("RFC 5382 REQ-4: a SYN that nobody asked for is dropped in silence", "[middlebox]")
{
    NatWorld w;
    CHECK(w.see(packet_of(kTcp, kServer, 80, w.address(), 5000, tcp_flag::syn)).what == Decision::drop);
    CHECK(w.figure("filtered") == 1);
}

TEST_CASE("RFC 5508 REQ-1 to 3: echo requests have their identifier for a port, for a minute", "[middlebox]")
{
    NatWorld w;
    const std::uint16_t first = w.out(kIcmp, kInside, 7), second = w.out(kIcmp, kOther, 7);
    CHECK(first != second);
    const Decision reply = w.see(packet_of(kIcmp, kServer, 0, w.address(), first), kMinute - 1);
    REQUIRE(reply.what == Decision::pass);
    CHECK(reply.ends == Ends{kServer, kInside, 0, 7});
    // The other one has not been used for a minute: the reply is for the router, which knows nothing of it.
    CHECK(w.see(packet_of(kIcmp, kServer, 0, w.address(), second), kMinute).ends.destination == w.address());
    CHECK(w.see(packet_of(kIcmp, kStranger, 9, w.address(), 0)).ends.destination == w.address());  // ping
}

TEST_CASE("RFC 5508 REQ-4 and 5: errors pass with what they quote", "[middlebox]")
{
    NatWorld w;
    Packet sent = packet_of(kUdp, kInside, 5000, kServer, 53);
    const Decision out = w.see(sent);
    Packet as_outside = sent;
    wire::rewrite(as_outside, out.ends, w.world.net.buffers);
    SECTION("about what a host inside has sent, from a router on the way")
    {
        Packet error = w.world.error(kStranger, as_outside);
        const Decision v = w.see(error);
        REQUIRE(v.what == Decision::pass);
        REQUIRE(v.quote);
        Packet quote;
        REQUIRE(wire::quoted(error, w.world.net.buffers, quote));
        wire::rewrite_quoted(error, quote, v.quoted, w.world.net.buffers);
        wire::rewrite(error, v.ends, w.world.net.buffers);
        CHECK(error.source == kStranger);
        CHECK(error.destination == kInside);
        Packet now;
        REQUIRE(wire::parse(w.world.net.buffers.bytes(error.buffer), true, now) == wire::ParseError::none);
        REQUIRE(wire::quoted(error, w.world.net.buffers, quote));
        CHECK(ends_of(quote) == ends_of(sent));
    }
    SECTION("about another session of the same port")
    {
        as_outside.destination = kStranger;
        CHECK(w.see(w.world.error(kStranger, as_outside)).what == Decision::drop);
    }
    SECTION("about what has come in, from the host")
    {
        const Packet came = packet_of(kUdp, kServer, 53, kInside, 5000);
        Packet error = w.world.error(kInside, came);
        const Decision v = w.see(error);
        REQUIRE(v.quote);
        Packet quote;
        REQUIRE(wire::quoted(error, w.world.net.buffers, quote));
        wire::rewrite_quoted(error, quote, v.quoted, w.world.net.buffers);
        wire::rewrite(error, v.ends, w.world.net.buffers);
        CHECK(error.source == w.address());
        Packet now;
        REQUIRE(wire::parse(w.world.net.buffers.bytes(error.buffer), true, now) == wire::ParseError::none);
        REQUIRE(wire::quoted(error, w.world.net.buffers, quote));
        CHECK(ends_of(quote) == Ends{kServer, w.address(), 53, out.ends.source_port});
    }
    SECTION("about what has come in, from a router before the host that is not inside itself")
    {
        const Packet error = w.world.error(kRouter, packet_of(kUdp, kServer, 53, kInside, 5000));
        const Decision v = w.see(error);
        REQUIRE(v.what == Decision::pass);
        REQUIRE(v.quote);
        CHECK(v.ends.source == w.address());
        CHECK(v.ends.destination == kServer);
        CHECK(v.quoted == Ends{kServer, w.address(), 53, out.ends.source_port});
        CHECK(w.see(w.world.error(kRouter, packet_of(kUdp, kServer, 54, kInside, 5000))).what == Decision::drop);
        // What stays inside is not translated, nor what passes by.
        const Packet between = w.world.error(kRouter, packet_of(kUdp, kOther, 53, kInside, 5000));
        CHECK(w.see(between).what == Decision::pass);
        CHECK(w.see(between).ends == ends_of(between));
        const Packet other = w.world.error(kRouter, packet_of(kUdp, kServer, 53, kStranger, 5000));
        CHECK(w.see(other).ends == ends_of(other));
    }
}

TEST_CASE("RFC 6888: without room a packet is dropped and its sender told", "[middlebox]")
{
    NatOptions options;
    SECTION("ports") { options.first_port = 2000, options.last_port = 2001; }
    SECTION("sessions") { options.sessions = 2; }
    NatWorld w(options);
    w.out(kUdp, kInside, 1);
    w.out(kUdp, kInside, 2, kMinute);
    const Decision v = w.see(packet_of(kUdp, kInside, 3, kServer, 53), kMinute);
    CHECK(v.what == Decision::tell);
    CHECK(v.code == node::icmp::host);
    CHECK(w.figure("refused", kMinute) == 1);
    w.out(kUdp, kInside, 1, 2 * kMinute);  // who is known goes on
    w.out(kUdp, kInside, 3, 6 * kMinute);  // the second one's time is up
}

TEST_CASE("a range without a free port is not searched", "[middlebox]")
{
    NatWorld w;
    for (std::uint32_t i = 0; i < 64512; ++i)
        w.out(kUdp, Address{0xc0a80000 + i % 64}, static_cast<std::uint16_t>(i / 64));
    // Searching all ports for each would take minutes.
    for (std::uint32_t i = 0; i < 200'000; ++i)
        REQUIRE(w.see(packet_of(kUdp, kInside, 2000, kServer, 53)).what == Decision::tell);
    CHECK(w.out(kTcp, kInside, 2000) == 2000);  // ports of TCP are others
}

TEST_CASE("what has neither ports nor identifiers does not leave; the router's other packets are its own",
          "[middlebox]")
{
    NatWorld w;
    Packet tunnel;
    tunnel.protocol = 47;
    tunnel.source = kInside;
    tunnel.destination = kServer;
    CHECK(w.see(tunnel).what == Decision::drop);
    tunnel.source = kStranger;
    CHECK(w.see(tunnel).ends == ends_of(tunnel));  // it passes by, from outside to outside
    tunnel.source = kInside, tunnel.destination = kOther;
    CHECK(w.see(tunnel).ends == ends_of(tunnel));
}

}  // namespace ANML_UNIT_FILE
