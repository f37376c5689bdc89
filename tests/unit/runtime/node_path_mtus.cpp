// What hosts believe of the MTU of ways, and how much of it they keep.
#include <catch2/catch.hpp>

#include "net/node/icmp_messages.h"
#include "net/node/node.h"
#include "net/path_mtus.h"
#include "talk.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::ChainModel;
using test::FakeHost;
using test::Talk;

namespace {

// Tells the server that a packet of its own was too long.
void tell(Talk& talk, std::uint8_t protocol, std::uint16_t length, std::uint32_t mtu)
{
    Packet offender;
    offender.source = ChainModel::server_address();
    offender.destination = ChainModel::peer_address();
    offender.protocol = protocol;
    offender.flags = packet_flag::dont_fragment;
    offender.length = length;
    offender.payload = static_cast<std::uint16_t>(length - (protocol == protocol::tcp ? 40 : 28));
    if (protocol == protocol::icmp) {
        offender.icmp().type = node::icmp::echo_reply;
    } else {
        offender.source_port = 80;
        offender.destination_port = test::kPort;
    }
    Packet error;
    REQUIRE(wire::make_icmp_error(offender, ChainModel::peer_address(), node::icmp::unreachable,
                                  node::icmp::fragmentation_needed, mtu, talk.model, talk.simulator.buffers(), error));
    talk.client.send(error, talk.simulator.now());
    talk.wait(100 * kMillisecond);
}

// The MSS that the server offers in a connection that begins.
int offered(Talk& talk, std::uint16_t port)
{
    talk.client.send(FakeHost::segment(ChainModel::server_address(), port, 80, tcp_flag::syn, 100, 0),
                     talk.simulator.now());
    talk.wait(100 * kMillisecond);
    return talk.heard.at(0).tcp_syn().mss;
}

}  // namespace

TEST_CASE("RFC 8201 4: who is told of a packet that it has not sent believes nothing", "[node]")
{
    Talk talk({});
    tell(talk, protocol::tcp, 1500, 1300);   // of nothing that is under way
    tell(talk, protocol::udp, 1500, 1300);   // from a port that nobody has
    tell(talk, protocol::icmp, 1300, 1300);  // which fits
    CHECK(offered(talk, 41000) == 1460);
    tell(talk, protocol::icmp, 1500, 1300);
    CHECK(offered(talk, 41001) == 1260);
}

TEST_CASE("of a source's ways the latest are kept, for ten minutes", "[node]")
{
    PathMtus mtus;
    const auto most = [&](std::uint32_t source, std::uint32_t destination, Time now) {
        return mtus.most_of(Address{source}, Address{destination}, 1500, now);
    };
    mtus.learn(Address{1}, Address{0}, 1400, 0);
    mtus.learn(Address{2}, Address{0}, 1400, 0);
    mtus.learn(Address{2}, Address{0}, 1450, 1);  // no longer than it knows
    CHECK(most(2, 0, 1) == 1400);
    for (std::uint32_t i = 1; i <= PathMtus::kMost; ++i) mtus.learn(Address{1}, Address{i}, 1300, i);
    CHECK(most(1, 0, 1) == 1500);
    CHECK(most(1, 1, 1) == 1300);
    mtus.learn(Address{1}, Address{1}, 1290, PathMtus::kMost);  // is the latest again
    mtus.learn(Address{1}, Address{0}, 1300, PathMtus::kMost);
    CHECK(most(1, 1, PathMtus::kMost) == 1290);
    CHECK(most(1, 2, PathMtus::kMost) == 1500);
    CHECK(most(2, 0, PathMtus::kKept - 1) == 1400);
    CHECK(most(2, 0, PathMtus::kKept) == 1500);
    mtus.learn(Address{2}, Address{0}, 1450, PathMtus::kKept);
    CHECK(most(2, 0, PathMtus::kKept) == 1450);
}

TEST_CASE("RFC 8201 4: of less than 1280 bytes nobody is believed of IPv6; of IPv4 552 are kept", "[node]")
{
    PathMtus mtus;
    mtus.learn(Address{1}, Address{2}, 552, 0);
    REQUIRE(mtus.known(Address{1}, Address{2}, 1) != nullptr);
    CHECK(mtus.known(Address{1}, Address{2}, 1)->mtu == 552);
    mtus.learn(Address{1}, Address{3}, 551, 0);
    CHECK(mtus.known(Address{1}, Address{3}, 1) == nullptr);
    const Address remote = ipv6_of(3);
    mtus.learn(Address{1}, remote, 1279, 0);
    CHECK(mtus.known(Address{1}, remote, 1) == nullptr);
    mtus.learn(Address{1}, remote, 1280, 0);
    CHECK(mtus.known(Address{1}, remote, 1) != nullptr);
    CHECK(mtus.known(Address{1}, remote, PathMtus::kKept) == nullptr);
}

}  // namespace ANML_UNIT_FILE
