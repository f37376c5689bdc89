// What the digest tells apart.
#include <catch2/catch.hpp>
#include <cstring>
#include <set>

#include "net/digest.h"
#include "transport/options/tcp_options.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

namespace {

std::uint64_t hash(const Packet& packet) { return packet_hash(packet, 0, DropReason::none, 5); }

}  // namespace

TEST_CASE("each bit of a packet's record is in the digest, but for where its buffer lies", "[digest]")
{
    const Packet plain;
    std::set<std::uint64_t> seen{hash(plain)};
    for (std::size_t bit = 0; bit < 8 * sizeof(Packet); ++bit) {
        unsigned char bytes[sizeof(Packet)];
        std::memcpy(bytes, &plain, sizeof bytes);
        bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ 1u << bit % 8);
        Packet changed;
        std::memcpy(&changed, bytes, sizeof bytes);
        const bool place = bit / 32 == offsetof(Packet, buffer) / 4;
        INFO("bit " << bit);
        CHECK(seen.insert(hash(changed)).second == !place);
    }
}

TEST_CASE("options, payload, bytes, drop reason and time are in the digest", "[digest]")
{
    Packet plain, other;
    plain.protocol = other.protocol = protocol::tcp;
    plain.tcp().flags = other.tcp().flags = tcp_flag::ack;
    other.content = 7;
    CHECK(hash(plain) != hash(other));
    other = plain;
    tcp_options::set_timestamps(plain, 1, 2);
    tcp_options::set_timestamps(other, 1, 3);
    CHECK(hash(plain) != hash(other));
    other = plain;
    tcp_options::add_block(plain, {1000, 2000});
    tcp_options::add_block(other, {1000, 2500});
    CHECK(hash(plain) != hash(other));
    other = plain;
    tcp_options::add_block(plain, {5000, 6000});
    CHECK(hash(plain) != hash(other));

    std::set<std::uint64_t> seen;
    for (int reason = 0; reason <= static_cast<int>(DropReason::middlebox); ++reason)
        for (Time time : {0, 1, 2, 3, 4, 8})
            CHECK(seen.insert(packet_hash(plain, 0, static_cast<DropReason>(reason), time)).second);

    std::uint8_t bytes[40] = {};
    seen.clear();
    for (std::size_t length = 0; length <= sizeof bytes; ++length)
        CHECK(seen.insert(bytes_hash({bytes, length})).second);
    for (std::uint8_t& byte : bytes) {
        byte = 1;
        CHECK(seen.insert(bytes_hash(bytes)).second);
    }
    CHECK(packet_hash(plain, bytes_hash(bytes), DropReason::none, 1) != packet_hash(plain, 0, DropReason::none, 1));
}

TEST_CASE("a trail tells which links a packet took, when it arrived over each, and in which order", "[digest]")
{
    std::set<std::uint64_t> seen{0};
    for (std::uint64_t trail : {std::uint64_t{0}, follow(0, 1, 1)})
        for (LinkId link = 0; link < 64; ++link)
            for (Time time = 1; time < 64; ++time) CHECK(seen.insert(follow(trail, link, time)).second);
    CHECK(follow(follow(0, 3, 5), 4, 9) != follow(follow(0, 4, 5), 3, 9));
    CHECK(follow(follow(0, 3, 5), 4, 9) != follow(follow(0, 3, 9), 4, 5));
}

}  // namespace ANML_UNIT_FILE
