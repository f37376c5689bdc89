// Where the overlays of a packet's record lie: digests are over its bytes, so no field may move.
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <utility>

#include "net/packet/packet.h"

using namespace anml::rt;

namespace {

using RecordBytes = std::array<std::uint8_t, sizeof(Packet)>;

// Whether what `set` gives a packet of `protocol` is the bytes [first, last] of its record, and no others.
template <typename Set>
constexpr bool lies_at(std::uint8_t protocol, std::size_t first, std::size_t last, Set set)
{
    Packet packet;
    packet.protocol = protocol;
    const auto before = std::bit_cast<RecordBytes>(packet);
    set(packet);
    const auto after = std::bit_cast<RecordBytes>(packet);
    for (std::size_t i = 0; i < sizeof(Packet); ++i)
        if ((before[i] != after[i]) != (i >= first && i <= last)) return false;
    return true;
}

#define LIES_AT(name, field, first, last, value) \
    static_assert(lies_at(protocol::name, first, last, [](Packet& packet) { packet.field = value; }))

LIES_AT(tcp, tcp().flags, 15, 15, 0xff);
LIES_AT(tcp, tcp().sequence, 20, 23, ~0u);
LIES_AT(tcp, tcp().acknowledgment, 24, 27, ~0u);
LIES_AT(tcp, tcp().window, 28, 29, 0xffff);
LIES_AT(tcp, tcp().timestamp, 48, 51, ~0u);
LIES_AT(tcp, tcp().timestamp_echo, 52, 55, ~0u);
LIES_AT(tcp, tcp_syn().mss, 44, 45, 0xffff);
LIES_AT(tcp, tcp_syn().window_scale, 46, 46, 0xff);
LIES_AT(tcp, tcp_sack().first, 32, 35, ~0u);
LIES_AT(tcp, tcp_sack().first_length, 44, 45, 0xffff);
LIES_AT(tcp, tcp_sack().second, 36, 39, ~0u);
LIES_AT(tcp, tcp_sack().second_length_high, 46, 46, 0xff);
LIES_AT(tcp, tcp_sack().second_length_middle, 47, 47, 0xff);
LIES_AT(tcp, tcp_far_sack().offset, 32, 35, ~0u);
LIES_AT(tcp, tcp_far_sack().length, 36, 39, ~0u);
LIES_AT(udp, udp().sent_high, 20, 23, ~0u);
LIES_AT(udp, udp().sent_low, 24, 27, ~0u);
LIES_AT(icmp, icmp().type, 46, 46, 0xff);
LIES_AT(icmp, icmp().code, 47, 47, 0xff);
LIES_AT(icmp, icmp().rest, 48, 51, ~0u);

}  // namespace

TEST_CASE("a datagram's sending time and the offset of a payload come back as they were set", "[net]")
{
    Packet packet;
    packet.protocol = protocol::udp;
    for (Time time : {Time{0}, Time{1}, Time{0xffffffff}, Time{0x100000000}, Time{0x7fffffffffffffff}}) {
        packet.udp().set_sent_at(time);
        CHECK(std::as_const(packet).udp().sent_at() == time);
    }
    for (std::uint64_t offset : {0ull, 0xffffffffull, 0x100000000ull, 0xffffffffffffull}) {
        packet.set_offset_in_content(offset);
        CHECK(packet.offset_in_content() == offset);
    }
}
