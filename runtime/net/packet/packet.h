// The packet record: what travels through the emulated network.
//
// A packet is 64 bytes of parsed header fields: those of IP, ports and what is known of the payload by their names,
// what one protocol alone has through its overlay (overlays.h). Payload is not carried: it is named, either by a
// `content` reference (bytes that app/content.h can produce at any offset) or by a `buffer` that
// holds the complete IP packet as a real host sent it. Bytes are made only where a packet leaves
// for a real host or a capture file (wire/packet_codec.h).
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "net/address/address.h"
#include "net/packet/overlays.h"

namespace anml::rt {

namespace protocol {
inline constexpr std::uint8_t icmp = 1, tcp = 6, udp = 17, icmpv6 = 58;
inline constexpr std::uint8_t ethernet = 143;  // RFC 8986
}

namespace tcp_flag {
inline constexpr std::uint8_t fin = 1, syn = 2, rst = 4, psh = 8, ack = 16, ece = 64, cwr = 128;
inline constexpr std::uint8_t ae = 32;  // RFC 9768: in the header it lies before CWR, and URG, which is left out, here
}  // namespace tcp_flag

namespace packet_flag {
inline constexpr std::uint8_t dont_fragment = 1;
inline constexpr std::uint8_t fragment = 2;  // part of a fragmented datagram: transport fields are not valid
// TCP options (transport/options/tcp_options.h).
inline constexpr std::uint8_t timestamps = 4;  // RFC 7323
inline constexpr std::uint8_t sack = 8;        // RFC 2018: permitted on a SYN, else the blocks hold
// The transport's checksum is wrong: a link flipped a bit (wire/packet_codec.h), or the packet came so.
inline constexpr std::uint8_t corrupted = 16;
inline constexpr std::uint8_t far_sack = 32;   // with sack: one block, which lies far ahead (tcp_options.h)
inline constexpr std::uint8_t fast_open = 64;  // of a SYN: it has the option of RFC 7413 (tcp_options.h)
inline constexpr std::uint8_t copied = 64;     // of UDP: the second of two that a link made of one
// RFC 9768's counters: of a SYN the upper bit, else 0: none, 1: ECT(0)'s, 2: and CE's, 3: as it stands behind ECT(1)'s.
inline constexpr std::uint8_t counters = 192;
inline constexpr int counters_shift = 6;
// Of protocol::ethernet: its buffer is a whole Ethernet frame on its way over a transparent link, or between endpoints
// of a bridged subnet (wire/frames.h). What real hosts send as IP of that protocol has no such flag.
inline constexpr std::uint8_t frame = 128;
}  // namespace packet_flag

// The slots are named for where they lie, and reached through the overlays alone.
struct alignas(64) Packet {
    Address source = Address::none;
    Address destination = Address::none;
    std::uint16_t length = 0;  // IP total length, bytes
    std::uint8_t ttl = 64;
    std::uint8_t protocol = 0;
    std::uint8_t traffic_class = 0;  // DSCP (RFC 2474), and in the two lower bits ECN (ecn.h), as in the header
    std::uint8_t segment = 0;        // what is before it of a list of segments: row of Image::segments; 0: nothing
    std::uint8_t flags = 0;          // packet_flag
    Slot<std::uint8_t> at15;
    std::uint16_t source_port = 0;  // TCP and UDP
    std::uint16_t destination_port = 0;
    Slot<std::uint32_t> at20, at24;
    Slot<std::uint16_t> at28;
    std::uint16_t payload = 0;  // transport payload, bytes
    // Of a payload: its content (app/content.h; 0: zeros), and the offset there of its first byte, 48 bits. TCP's
    // segments without one have other uses for them.
    std::uint32_t content = 0;
    std::uint32_t content_offset = 0;
    BufferId buffer = kNone;  // complete IP packet; its TTL and header checksum are stale
    std::uint16_t content_offset_high = 0;
    Slot<std::uint8_t> at46, at47;
    Slot<std::uint32_t> at48, at52;
    std::uint64_t trail = 0;  // hash of the path and times so far, for the digest

    constexpr std::uint64_t offset_in_content() const
    {
        return std::uint64_t{content_offset_high} << 32 | content_offset;
    }
    constexpr void set_offset_in_content(std::uint64_t offset)
    {
        content_offset = static_cast<std::uint32_t>(offset);
        content_offset_high = static_cast<std::uint16_t>(offset >> 32);
    }

    // The overlays; only those of the packet's protocol may be used.
#define OVERLAY(name, Fields, number, ...)                             \
    [[gnu::always_inline]] constexpr Fields<Packet> name()             \
    {                                                                  \
        assert(protocol == number);                                    \
        return {__VA_ARGS__};                                          \
    }                                                                  \
    [[gnu::always_inline]] constexpr Fields<const Packet> name() const \
    {                                                                  \
        assert(protocol == number);                                    \
        return {__VA_ARGS__};                                          \
    }
    OVERLAY(tcp, TcpFields, protocol::tcp, at15.word_, at20.word_, at24.word_, at28.word_, at48.word_, at52.word_)
    OVERLAY(tcp_syn, TcpSynFields, protocol::tcp, content_offset_high, at46.word_)
    OVERLAY(tcp_syn_cookie, TcpCookieFields, protocol::tcp, at24.word_, at52.word_)
    OVERLAY(tcp_syn_ack_cookie, TcpCookieFields, protocol::tcp, content, content_offset)
    OVERLAY(tcp_syn_offset, TcpSynOffsetFields, protocol::tcp, at47.word_)
    OVERLAY(tcp_sack, TcpSackFields, protocol::tcp, content, content_offset_high, content_offset, at46.word_,
            at47.word_)
    OVERLAY(tcp_far_sack, TcpFarSackFields, protocol::tcp, content, content_offset)
    OVERLAY(tcp_counters, TcpCountersFields, protocol::tcp, content_offset, at46.word_, at47.word_, content)
    OVERLAY(udp, UdpFields, protocol::udp, at20.word_, at24.word_, at28.word_)
    OVERLAY(multicast, MulticastFields, protocol::udp, at48.word_)
    OVERLAY(frame, FrameFields, protocol::ethernet, at20.word_)
    OVERLAY(icmp, IcmpFields, protocol::icmp, at46.word_, at47.word_, at48.word_, at28.word_)
#undef OVERLAY
};

inline bool is_frame(const Packet& packet)
{
    return packet.protocol == protocol::ethernet && (packet.flags & packet_flag::frame) != 0;
}

// The digest is over the record as it lies in memory (net/digest.h): no field may move.
static_assert(sizeof(Packet) == 64 && std::is_standard_layout_v<Packet> && std::is_trivially_copyable_v<Packet>);
static_assert(offsetof(Packet, source) == 0 && offsetof(Packet, destination) == 4 && sizeof(Address) == 4);
static_assert(offsetof(Packet, flags) == 14 && offsetof(Packet, source_port) == 16 && offsetof(Packet, payload) == 30);
static_assert(offsetof(Packet, content) == 32 && offsetof(Packet, content_offset) == 36 &&
              offsetof(Packet, buffer) == 40 && offsetof(Packet, content_offset_high) == 44 &&
              offsetof(Packet, trail) == 56);
static_assert(offsetof(Packet, traffic_class) == 12 && offsetof(Packet, segment) == 13 &&
              offsetof(Packet, at15) == 15 && offsetof(Packet, at20) == 20 && offsetof(Packet, at24) == 24 &&
              offsetof(Packet, at28) == 28 && offsetof(Packet, at46) == 46 && offsetof(Packet, at47) == 47 &&
              offsetof(Packet, at48) == 48 && offsetof(Packet, at52) == 52);

}  // namespace anml::rt
