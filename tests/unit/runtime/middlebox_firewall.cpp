// A stateful firewall: rules in their order, what answers, and what is about it.
#include <catch2/catch.hpp>

#include "middlebox_world.h"
#include "net/middlebox/address_set.h"
#include "net/middlebox/firewall.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::BoxWorld;
using test::packet_of;

namespace {

using Action = abi::record::firewall::Action;
using RuleRow = abi::record::firewall_rule;

constexpr Address kInside{0xc0a80001}, kServer{0x08080808}, kStranger{0x09090909};
constexpr std::uint8_t kUdp = protocol::udp, kTcp = protocol::tcp, kIcmp = protocol::icmp;

struct FirewallWorld {
    // What comes from inside passes, HTTP from anywhere too, pings of one prefix are refused.
    explicit FirewallWorld(Action otherwise = Action::drop, double sessions = 65536)
        : record(add(otherwise, sessions)), world(records), box(firewall::make(world.model, record))
    {
    }
    std::uint32_t rule(RuleRow::Action action, std::vector<abi::AddressRange> source, abi::AddressRange source_prefix,
                       RuleRow::Protocol protocol, double first_port, double last_port)
    {
        return records.record(RuleRow{.action = action,
                                      .source = records.addresses(source),
                                      .destination = records.addresses({{0, 0xffffffff}}),
                                      .source_prefix = records.addresses({source_prefix}),
                                      .destination_prefix = records.addresses({{0, 0xffffffff}}),
                                      .protocol = protocol,
                                      .first_port = records.value(first_port),
                                      .last_port = records.value(last_port)});
    }
    std::uint32_t add(Action otherwise, double sessions)
    {
        const abi::AddressRange all{0, 0xffffffff};
        const auto rules = records.list({
            rule(RuleRow::Action::reject, {}, all, RuleRow::Protocol::any, 0, 65535),  // nobody's
            rule(RuleRow::Action::reject, {all}, {0x09000000, 0x09ffffff}, RuleRow::Protocol::icmp, 0, 65535),
            rule(RuleRow::Action::allow, {{0xc0a80000, 0xc0a800ff}}, all, RuleRow::Protocol::any, 0, 65535),
            rule(RuleRow::Action::allow, {all}, all, RuleRow::Protocol::tcp, 80, 81),
            rule(RuleRow::Action::allow, {all}, all, RuleRow::Protocol::icmp, 0, 65535),
        });
        return records.record(abi::record::firewall{.rules = rules,
                                                    .otherwise = otherwise,
                                                    .sessions = records.value(sessions),
                                                    .udp_timeout = records.value(120e9),
                                                    .icmp_timeout = records.value(30e9),
                                                    .tcp_timeout = records.value(432e12),
                                                    .tcp_transitory_timeout = records.value(120e9)});
    }
    Decision::What see(const Packet& packet, Time at = 0) { return world.see(*box, packet, at).what; }

    test::RecordImage records;
    std::uint32_t record;
    BoxWorld world;
    std::unique_ptr<Middlebox> box;
};

}  // namespace

TEST_CASE("what answers an allowed packet passes until the session is over", "[middlebox]")
{
    FirewallWorld w;
    const Packet there = packet_of(kUdp, kInside, 5000, kServer, 53),
                 back = packet_of(kUdp, kServer, 53, kInside, 5000);
    CHECK(w.see(back) == Decision::drop);
    CHECK(w.see(there) == Decision::pass);
    CHECK(w.see(back, 119 * kSecond) == Decision::pass);
    CHECK(w.see(packet_of(kUdp, kServer, 54, kInside, 5000), 119 * kSecond) == Decision::drop);
    CHECK(w.see(back, 239 * kSecond) == Decision::drop);
    CHECK(BoxWorld::figure(*w.box, "expired", 239 * kSecond) == 1);
    CHECK(BoxWorld::figure(*w.box, "dropped", 239 * kSecond) == 3);
}

TEST_CASE("the first rule that applies decides", "[middlebox]")
{
    FirewallWorld w;
    CHECK(w.see(packet_of(kTcp, kServer, 5000, kInside, 80, tcp_flag::syn)) == Decision::pass);
    CHECK(w.see(packet_of(kTcp, kInside, 80, kServer, 5000, tcp_flag::syn | tcp_flag::ack)) == Decision::pass);
    CHECK(w.see(packet_of(kTcp, kServer, 5000, kInside, 81, tcp_flag::syn)) == Decision::pass);
    CHECK(w.see(packet_of(kTcp, kServer, 5000, kInside, 82, tcp_flag::syn)) == Decision::drop);
    CHECK(w.see(packet_of(kUdp, kServer, 5000, kInside, 80)) == Decision::drop);
    CHECK(w.see(packet_of(kIcmp, kServer, 7, kInside, 0)) == Decision::pass);
    const Decision refused = w.world.see(*w.box, packet_of(kIcmp, kStranger, 7, kInside, 0), 0);
    CHECK(refused.what == Decision::reject);
    CHECK(refused.code == 13);  // RFC 1812, 5.2.7.1
}

TEST_CASE("what no rule is about has what `otherwise` says", "[middlebox]")
{
    const Packet packet = packet_of(kTcp, kServer, 5000, kInside, 22, tcp_flag::syn);
    CHECK(FirewallWorld(Action::drop).see(packet) == Decision::drop);
    CHECK(FirewallWorld(Action::reject).see(packet) == Decision::reject);
    CHECK(FirewallWorld(Action::allow).see(packet) == Decision::pass);
}

TEST_CASE("prefixes of IPv6 stand behind ranges, and are for addresses of external hosts, too", "[middlebox]")
{
    const std::vector<abi::AddressRange> words{
        {0x0a000000, 0x0affffff}, {33 + 1, 0}, {0x20010db8, 0x80000000}, {0, 0}, {128 + 1, 0}, {0x20020000, 0}, {0, 7}};
    const AddressSet set(words);
    FirewallWorld w;
    AddressTable table;
    const BufferPool buffers(&table);
    const auto has = [&](const Ipv6& bytes) { return set.has(table.handle(bytes, 0), w.world.model, buffers); };
    CHECK(has({0x20, 0x01, 0x0d, 0xb8, 0x80, 0, 1}));
    CHECK_FALSE(has({0x20, 0x01, 0x0d, 0xb8, 0x7f, 0xff, 1}));
    CHECK(has({0x20, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7}));
    CHECK_FALSE(has({0x20, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6}));
    CHECK(set.has(Address{0x0a123456}, w.world.model, buffers));
    CHECK_FALSE(set.has(Address{0x20010db8}, w.world.model, buffers));
}

TEST_CASE("errors about a session pass, others by the rules", "[middlebox]")
{
    FirewallWorld w(Action::drop);
    const Packet there = packet_of(kUdp, kInside, 5000, kServer, 53);
    Packet error = w.world.error(kStranger, there);
    CHECK(w.see(error) == Decision::reject);  // the prefix's ICMP
    CHECK(w.see(there) == Decision::pass);
    CHECK(w.see(error) == Decision::pass);
}

TEST_CASE("a session for which there is no room does not begin", "[middlebox]")
{
    FirewallWorld w(Action::drop, 1);
    CHECK(w.see(packet_of(kUdp, kInside, 5000, kServer, 53)) == Decision::pass);
    CHECK(w.see(packet_of(kUdp, kInside, 5001, kServer, 53)) == Decision::drop);
    CHECK(w.see(packet_of(kUdp, kInside, 5000, kServer, 53)) == Decision::pass);
    CHECK(BoxWorld::figure(*w.box, "refused", 0) == 1);
}

}  // namespace ANML_UNIT_FILE
