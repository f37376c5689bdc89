// A load balancer of layer 4: whom it chooses, in closed form, and what it does with packets, by IPVS of Linux.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "middlebox_world.h"
#include "net/middlebox/load_balancer.h"
#include "net/middlebox/scheduling.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using load_balancer::BackEnd;
using load_balancer::Scheduling;
using test::BoxWorld;
using test::packet_of;

namespace {

constexpr std::uint8_t kUdp = protocol::udp, kTcp = protocol::tcp, kIcmp = protocol::icmp;
constexpr std::uint8_t kSyn = tcp_flag::syn, kAck = tcp_flag::ack, kFin = tcp_flag::fin | tcp_flag::ack;
constexpr Time kMinute = 60 * kSecond;
constexpr Address kClient{0x08080808}, kOther{0x08080809}, kRouter{0x09090909};

std::vector<BackEnd> back_ends(const std::vector<std::uint64_t>& weights)
{
    std::vector<BackEnd> all;
    for (std::uint32_t i = 0; i < weights.size(); ++i)
        all.push_back({i, Address{0x0a000001 + i}, weights[i], Mappings(1024, 65535)});
    return all;
}

// The numbers of whom it chooses for each of so many clients.
std::vector<std::uint32_t> chosen(std::vector<BackEnd>& of, Scheduling how, std::uint32_t clients, Time now = 0)
{
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < clients; ++i)
        all.push_back(choose(of, how, {Address{0x08000000 + i}, 4000, kTcp}, now)->node);
    return all;
}

struct BalancerOptions {
    double max_fails = 0, sessions = 1000;
    Scheduling scheduling = Scheduling::round_robin;
};

// Behind it are the chain's client and its server.
struct BalancerWorld {
    explicit BalancerWorld(const BalancerOptions& o = {})
        : record(add(o)), world(records), box(load_balancer::make(world.model, record))
    {
    }
    std::uint32_t add(const BalancerOptions& o)
    {
        const auto group = [&](std::uint32_t i) {
            const std::uint32_t address = number(back_end(i));
            return records.record(
                abi::record::back_end{.nodes = records.addresses({{address, address}}), .weight = records.value(1)});
        };
        const std::vector<std::uint32_t> groups{group(0), group(1)};
        return records.record(abi::record::load_balancer{.back_ends = records.list(groups),
                                                         .scheduling = o.scheduling,
                                                         .port = records.value(80),
                                                         .to_port = records.value(8080),
                                                         .max_fails = records.value(o.max_fails),
                                                         .fail_timeout = records.value(10.0 * kSecond),
                                                         .sessions = records.value(o.sessions),
                                                         .udp_timeout = records.value(5.0 * kMinute),
                                                         .tcp_timeout = records.value(15.0 * kMinute),
                                                         .tcp_transitory_timeout = records.value(2.0 * kMinute)});
    }
    Decision see(const Packet& packet, Time at = 0) { return world.see(*box, packet, at); }
    std::uint64_t figure(std::string_view name, Time now = 0) { return BoxWorld::figure(*box, name, now); }
    std::uint64_t of(std::size_t back_end, std::string_view name, Time now = 0)
    {
        const std::vector<BackEndCounters> all = box->back_ends(now);
        for (const auto& [known, value] : all[back_end].figures)
            if (known == name) return value;
        return ~std::uint64_t{0};
    }
    Address address() const { return world.self.address(); }
    Address back_end(std::uint32_t i) const
    {
        return i == 0 ? records.built.client_address(0, 0) : records.built.server_address();
    }
    // A segment of a client's connection, which goes to this back end.
    Decision asks(std::uint16_t port, std::uint32_t to, std::uint8_t flags, Time at = 0)
    {
        const Decision v = see(packet_of(kTcp, kClient, port, address(), 80, flags), at);
        REQUIRE(v.what == Decision::pass);
        CHECK(v.ends == Ends{address(), back_end(to), v.ends.source_port, 8080});
        return v;
    }
    // What answers it, and gets to the client.
    void answers(const Decision& asked, std::uint8_t flags, Time at = 0, std::uint16_t port = 4000)
    {
        const Ends& e = asked.ends;
        const Decision v = see(packet_of(kTcp, e.destination, 8080, e.source, e.source_port, flags), at);
        REQUIRE(v.what == Decision::pass);
        CHECK(v.ends == Ends{address(), kClient, 80, port});
    }

    test::RecordImage records;
    std::uint32_t record;
    BoxWorld world;
    std::unique_ptr<Middlebox> box;
};

}  // namespace

TEST_CASE("round robin is smooth, and exact in each turn", "[middlebox]")
{
    auto even = back_ends({1, 1, 1});
    CHECK(chosen(even, Scheduling::round_robin, 6) == std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2});
    // The sequence that nginx documents for 5, 1, 1.
    auto weighted = back_ends({5, 1, 1});
    CHECK(chosen(weighted, Scheduling::round_robin, 7) == std::vector<std::uint32_t>{0, 0, 1, 0, 2, 0, 0});
    auto without = back_ends({0, 2, 1});
    CHECK(chosen(without, Scheduling::round_robin, 3) == std::vector<std::uint32_t>{1, 2, 1});
    auto out = back_ends({1, 1, 1});
    out[1].back = kSecond;
    CHECK(chosen(out, Scheduling::round_robin, 3, kSecond - 1) == std::vector<std::uint32_t>{0, 2, 0});
}

TEST_CASE("least connections: (256 active + inactive) / weight, the first of several", "[middlebox]")
{
    auto of = back_ends({1, 1, 2});
    const auto one = [&] { return chosen(of, Scheduling::least_connections, 1)[0]; };
    CHECK(one() == 0);
    of[0].active = 1, of[1].inactive = 255, of[2].active = 1;
    CHECK(one() == 2);
    of[2].active = 2;
    CHECK(one() == 1);
    of[1].inactive = 257;
    CHECK(one() == 0);
}

TEST_CASE("a hash shares by weight, keeps clients, and moves those alone whose back end is out", "[middlebox]")
{
    constexpr std::uint32_t kClients = 20000;
    auto of = back_ends({1, 2, 5});
    const auto first = chosen(of, Scheduling::source_hash, kClients);
    CHECK(chosen(of, Scheduling::source_hash, kClients) == first);
    for (std::uint32_t i = 0; i < 3; ++i) {
        const double p = static_cast<double>(of[i].weight) / 8;
        const auto n = static_cast<double>(std::count(first.begin(), first.end(), i));
        CHECK(std::abs(n - kClients * p) < 4 * std::sqrt(kClients * p * (1 - p)));
    }
    of[1].back = kSecond;
    const auto then = chosen(of, Scheduling::source_hash, kClients);
    for (std::uint32_t i = 0; i < kClients; ++i) REQUIRE((first[i] == 1 ? then[i] != 1 : then[i] == first[i]));
    // Ports are another matter to a hash of flows.
    of[1].back = 0;
    std::uint32_t moved = 0;
    for (std::uint16_t port = 1; port <= 100; ++port)
        moved += choose(of, Scheduling::flow_hash, {kClient, port, kTcp}, 0)->node !=
                 choose(of, Scheduling::flow_hash, {kClient, 0, kTcp}, 0)->node;
    CHECK(moved > 10);
    CHECK(moved < 100);
}

TEST_CASE("a connection goes to one back end, and its answers come from the virtual address", "[middlebox]")
{
    BalancerWorld w;
    const Decision first = w.asks(4000, 0, kSyn), second = w.asks(4001, 1, kSyn), third = w.asks(4002, 0, kSyn);
    CHECK(first.ends.source_port != third.ends.source_port);  // to the same back end
    w.answers(first, kSyn | kAck);
    w.answers(second, kSyn | kAck, 0, 4001);
    CHECK(w.asks(4000, 0, kAck, kSecond).ends == first.ends);
    CHECK(w.figure("connections") == 3);
    CHECK(w.of(0, "connections") == 2);
    CHECK(w.of(0, "active") == 2);
    CHECK(w.of(1, "active") == 1);
    // What is no connection's is reset (IPVS schedules a SYN alone), and pings are the router's.
    CHECK(w.see(packet_of(kTcp, kOther, 4000, w.address(), 80, kAck)).what == Decision::reject);
    CHECK(w.figure("reset") == 1);
    const Packet ping = packet_of(kIcmp, kClient, 9, w.address(), 0);
    CHECK(w.see(ping).ends == ends_of(ping));
    const Packet other = packet_of(kTcp, kClient, 4000, w.address(), 81, kSyn);
    CHECK(w.see(other).ends == ends_of(other));
    const Packet by = packet_of(kTcp, kClient, 4000, w.back_end(0), 8080, kSyn);
    CHECK(w.see(by).ends == ends_of(by));
    // UDP needs no beginning.
    CHECK(w.see(packet_of(kUdp, kClient, 4000, w.address(), 80)).ends.destination == w.back_end(1));
}

TEST_CASE("timeouts of IPVS: 15 minutes established, 2 when closed, 5 of UDP", "[middlebox]")
{
    BalancerWorld w;
    const Decision asked = w.asks(4000, 0, kSyn);
    SECTION("unanswered")
    {
        CHECK(w.figure("open", 2 * kMinute - 1) == 1);
        CHECK(w.figure("open", 2 * kMinute) == 0);
        CHECK(w.figure("expired", 2 * kMinute) == 1);
        CHECK(w.of(0, "active", 2 * kMinute) == 0);
    }
    SECTION("established, then closed")
    {
        w.answers(asked, kSyn | kAck);
        w.asks(4000, 0, kAck);
        CHECK(w.figure("open", 15 * kMinute - 1) == 1);
        w.asks(4000, 0, kFin, 15 * kMinute - 1);
        CHECK(w.of(0, "active", 15 * kMinute) == 0);  // inactive, for least connections
        w.answers(asked, kFin, 15 * kMinute);
        CHECK(w.figure("open", 17 * kMinute - 1) == 1);
        CHECK(w.figure("open", 17 * kMinute) == 0);
    }
    SECTION("a SYN of the same ends behind both FINs is another connection")
    {
        w.answers(asked, kSyn | kAck);
        w.asks(4000, 0, kFin);
        w.answers(asked, kFin);
        w.asks(4000, 1, kSyn, kSecond);
        CHECK(w.figure("connections") == 2);
        CHECK(w.figure("open") == 1);
    }
    SECTION("UDP")
    {
        w.see(packet_of(kUdp, kClient, 4000, w.address(), 80));
        CHECK(w.figure("open", 5 * kMinute - 1) == 1);
        CHECK(w.figure("open", 5 * kMinute) == 0);
    }
}

TEST_CASE("errors get to whom they are about with the ends that it knows", "[middlebox]")
{
    BalancerWorld w;
    Packet sent = packet_of(kTcp, kClient, 4000, w.address(), 80, kSyn);
    const Decision asked = w.see(sent);
    wire::rewrite(sent, asked.ends, w.world.net.buffers);
    const Decision there = w.see(w.world.error(kRouter, sent, node::icmp::fragmentation_needed));
    REQUIRE(there.what == Decision::pass);
    CHECK(there.ends == Ends{w.address(), kClient, 0, 0});
    CHECK(there.quoted == Ends{kClient, w.address(), 4000, 80});
    const Packet answer = packet_of(kTcp, w.address(), 80, kClient, 4000, kAck);
    const Decision back = w.see(w.world.error(kRouter, answer, node::icmp::fragmentation_needed));
    CHECK(back.ends == Ends{w.address(), w.back_end(0), 0, 0});
    CHECK(back.quoted == Ends{w.back_end(0), w.address(), 8080, asked.ends.source_port});
    // About what the router itself has sent.
    const Packet own = packet_of(kUdp, w.address(), 9, kClient, 10);
    const Packet error = w.world.error(kRouter, own);
    CHECK(w.see(error).ends == ends_of(error));
}

TEST_CASE("a back end that fails is left out for its time, and who waits for it is sent to another", "[middlebox]")
{
    BalancerWorld w({.max_fails = 2});
    w.asks(4000, 0, kSyn);
    w.asks(4001, 1, kSyn);
    w.asks(4000, 0, kSyn, kSecond);      // once more: one failure
    w.asks(4000, 1, kSyn, 3 * kSecond);  // the second one
    CHECK(w.of(0, "failed", 3 * kSecond) == 2);
    for (std::uint16_t port = 5000; port < 5004; ++port) w.asks(port, 1, kSyn, 13 * kSecond - 1);
    w.asks(5004, 0, kSyn, 13 * kSecond);
    // A refusal is one, too; an answer forgets what was.
    BalancerWorld refusing({.max_fails = 1});
    refusing.answers(refusing.asks(4000, 0, kSyn), tcp_flag::rst | kAck);
    refusing.asks(4001, 1, kSyn);
    refusing.asks(4002, 1, kSyn);
}

TEST_CASE("attempts that fail in a row do so beside connections that go on", "[middlebox]")
{
    BalancerWorld w({.max_fails = 2});
    const Decision open = w.asks(4000, 0, kSyn);
    w.answers(open, kSyn | kAck);
    w.asks(4000, 0, kAck);
    w.asks(4001, 1, kSyn);
    w.answers(w.asks(4002, 0, kSyn), tcp_flag::rst | kAck, 0, 4002);
    w.answers(open, kAck, kSecond);  // says nothing about new ones
    w.asks(4003, 1, kSyn, kSecond);
    w.answers(w.asks(4004, 0, kSyn, kSecond), tcp_flag::rst | kAck, kSecond, 4004);
    CHECK(w.of(0, "failed", kSecond) == 2);
    w.asks(4005, 1, kSyn, kSecond);
    w.asks(4006, 1, kSyn, kSecond);
    w.asks(4000, 0, kAck, kSecond);  // stays
}

TEST_CASE("an attempt that gets nowhere is over, and counts once", "[middlebox]")
{
    BalancerWorld w;
    Packet syn = packet_of(kTcp, kClient, 4000, w.address(), 80, kSyn);
    wire::rewrite(syn, w.see(syn).ends, w.world.net.buffers);
    CHECK(w.of(0, "active") == 1);
    const Decision told = w.see(w.world.error(kRouter, syn, node::icmp::host));
    CHECK(told.ends.destination == kClient);
    CHECK(w.of(0, "active") == 0);
    CHECK(w.figure("open") == 0);
    w.asks(4000, 1, kSyn, kSecond);
    CHECK(w.of(0, "failed", kSecond) + w.of(1, "failed", kSecond) == 1);
}

TEST_CASE("datagrams fail until there is an answer, and then go where somebody answers", "[middlebox]")
{
    BalancerWorld w({.max_fails = 1});
    Packet datagram = packet_of(kUdp, kClient, 4000, w.address(), 80);
    const Ends asked = w.see(datagram).ends;
    wire::rewrite(datagram, asked, w.world.net.buffers);
    w.see(packet_of(kUdp, asked.destination, 8080, asked.source, asked.source_port));
    w.see(w.world.error(kRouter, datagram, node::icmp::host));
    CHECK(w.of(0, "failed") == 0);  // the session is established
    Packet other = packet_of(kUdp, kOther, 4000, w.address(), 80);
    CHECK(w.see(other).ends.destination == w.back_end(1));
    w.box->without_way(w.world.net, other);
    CHECK(w.of(1, "failed") == 1);
    CHECK(w.see(other).ends.destination == w.back_end(0));
}

TEST_CASE("a back end without a free port is passed over", "[middlebox]")
{
    auto of = back_ends({1, 1});
    for (std::uint32_t i = 0; i < 64512; ++i)
        REQUIRE(of[0].mappings.make({Address{0x08000000 + i}, static_cast<std::uint16_t>(1024 + i), kTcp}));
    CHECK(of[0].mappings.full(kTcp));
    for (const Scheduling how : {Scheduling::round_robin, Scheduling::least_connections, Scheduling::source_hash})
        CHECK(chosen(of, how, 3) == std::vector<std::uint32_t>{1, 1, 1});
    CHECK(choose(of, Scheduling::round_robin, {kClient, 9, kUdp}, 0)->node == 0);
}

TEST_CASE("without room, or a back end, the sender is told", "[middlebox]")
{
    BalancerWorld w({.sessions = 2});
    w.asks(4000, 0, kSyn);
    w.asks(4001, 1, kSyn);
    const Decision v = w.see(packet_of(kTcp, kClient, 4002, w.address(), 80, kSyn));
    CHECK(v.what == Decision::tell);
    CHECK(v.code == node::icmp::port);
    CHECK(w.figure("refused") == 1);
    BalancerWorld none({.max_fails = 1});
    none.asks(4000, 0, kSyn);
    none.asks(4000, 1, kSyn, kSecond);
    CHECK(none.see(packet_of(kTcp, kClient, 4000, none.address(), 80, kSyn), 3 * kSecond).what == Decision::tell);
}

}  // namespace ANML_UNIT_FILE
