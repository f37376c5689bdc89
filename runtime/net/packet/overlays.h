// What a packet's record holds for one protocol alone.
//
// Protocols share words of the record. An overlay is one protocol's names for those that it uses, as references to
// them: `packet.tcp().sequence`. A word has one type, whoever uses it, and lies between words that all protocols have:
// that is why an overlay is not a member of a union. The references are gone once inlined. Which is where:
// net/packet/packet.h.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/time.h"

namespace anml::rt {

// A word that has no name but those of the overlays.
template <typename Word>
class Slot {
    friend struct Packet;
    Word word_ = 0;
};

// A field of an overlay on P: Packet or const Packet.
template <typename P, typename Word>
using Field = std::conditional_t<std::is_const_v<P>, const Word, Word>&;

template <typename P>
struct TcpFields {
    Field<P, std::uint8_t> flags;  // tcp_flag
    Field<P, std::uint32_t> sequence, acknowledgment;
    Field<P, std::uint16_t> window;                     // as in the header: its scale is not applied
    Field<P, std::uint32_t> timestamp, timestamp_echo;  // RFC 7323, with packet_flag::timestamps
};

// Of a SYN, besides.
template <typename P>
struct TcpSynFields {
    Field<P, std::uint16_t> mss;          // 0: absent
    Field<P, std::uint8_t> window_scale;  // RFC 7323: the shift + 1, 0: absent
};

// Of another segment with packet_flag::sack, besides: two blocks (RFC 2018) of 24 bits of offset behind the
// acknowledgment and 24 bits of length each. A word has the offset and, above it, bits 0..7 of the length.
template <typename P>
struct TcpSackFields {
    Field<P, std::uint32_t> first;
    Field<P, std::uint16_t> first_length;                             // bits 8..23
    Field<P, std::uint32_t> second;                                   // a length of 0: absent
    Field<P, std::uint8_t> second_length_high, second_length_middle;  // bits 16..23, 8..15
};

// Instead of them with packet_flag::far_sack: one block.
template <typename P>
struct TcpFarSackFields {
    Field<P, std::uint32_t> offset, length;
};

// Of a SYN with packet_flag::fast_open: the server's cookie (RFC 7413), or 0 where one is asked for. A SYN's lies where
// other segments have their acknowledgment and the echo of a timestamp, a SYN/ACK's where they have a payload's
// content.
template <typename P>
struct TcpCookieFields {
    Field<P, std::uint32_t> high, low;
};

// Of a SYN with a payload: bits 32..39 of the offset in its content, in whose place it has its MSS.
template <typename P>
struct TcpSynOffsetFields {
    Field<P, std::uint8_t> high;
};

// Of a segment without payload, or with its bytes in a buffer: the option of accurate ECN (RFC 9768), beside one block
// at most, and ECT(1)'s counter beside none. Counters of 24 bits; which there are packet_flag::counters says.
template <typename P>
struct TcpCountersFields {
    Field<P, std::uint32_t> ect0;               // and above it bits 0..7 of ce
    Field<P, std::uint8_t> ce_middle, ce_high;  // bits 8..15, 16..23
    Field<P, std::uint32_t> ect1;               // and above it which there are, where three flags cannot say it
};

// Of a workload's datagram: when it was sent. The identification is that of packets without a buffer that may be cut
// (RFC 6864).
template <typename P>
struct UdpFields {
    Field<P, std::uint32_t> sent_high, sent_low;
    Field<P, std::uint16_t> identification;

    constexpr Time sent_at() const { return static_cast<Time>(std::uint64_t{sent_high} << 32 | sent_low); }
    constexpr void set_sent_at(Time time) const
    {
        sent_high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(time) >> 32);
        sent_low = static_cast<std::uint32_t>(time);
    }
};

// Of a datagram to a group, besides: the members to which this copy goes.
template <typename P>
struct MulticastFields {
    Field<P, std::uint32_t> members;
};

// Of a frame: the directed link that it takes, whatever routes there are.
template <typename P>
struct FrameFields {
    Field<P, std::uint32_t> link;
};

template <typename P>
struct IcmpFields {
    Field<P, std::uint8_t> type, code;
    Field<P, std::uint32_t> rest;            // bytes 4..7, host byte order: id and sequence, or next-hop MTU
    Field<P, std::uint16_t> identification;  // as of UDP
};

}  // namespace anml::rt
