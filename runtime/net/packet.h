// The packet record: what travels through the emulated network.
//
// A packet is 64 bytes of parsed header fields. Payload is not carried: it is named, either by a
// `content` reference (bytes that app/content.h can produce at any offset) or by a `buffer` that
// holds the complete IP packet as a real host sent it. Bytes are made only where a packet leaves
// for a real host or a capture file (wire/packet_codec.h).
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/time.h"

namespace anml::rt {

namespace protocol {
inline constexpr std::uint8_t icmp = 1, tcp = 6, udp = 17;
}

namespace tcp_flag {
inline constexpr std::uint8_t fin = 1, syn = 2, rst = 4, psh = 8, ack = 16;
}

namespace packet_flag {
inline constexpr std::uint8_t dont_fragment = 1;
inline constexpr std::uint8_t fragment = 2;  // part of a fragmented datagram: transport fields are not valid
// TCP options (transport/tcp_options.h).
inline constexpr std::uint8_t timestamps = 4;  // RFC 7323
inline constexpr std::uint8_t sack = 8;        // RFC 2018: permitted on a SYN, else the blocks hold
inline constexpr std::uint8_t corrupted = 16;  // a link flipped a bit of its IP payload (wire/packet_codec.h)
inline constexpr std::uint8_t far_sack = 32;   // with sack: one block, which lies far ahead (transport/tcp_options.h)
}  // namespace packet_flag

struct alignas(64) Packet {
    std::uint32_t source = 0;  // IPv4, host byte order
    std::uint32_t destination = 0;
    std::uint16_t length = 0;  // IP total length, bytes
    std::uint8_t ttl = 64;
    std::uint8_t protocol = 0;
    std::uint16_t identification = 0;
    std::uint8_t flags = 0;  // packet_flag
    std::uint8_t tcp_flags = 0;
    std::uint16_t source_port = 0;
    std::uint16_t destination_port = 0;
    std::uint32_t sequence = 0;        // TCP
    std::uint32_t acknowledgment = 0;  // TCP
    std::uint16_t window = 0;          // TCP, bytes
    std::uint16_t payload = 0;         // transport payload, bytes
    std::uint32_t content = 0;         // app/content.h; 0: zeros
    std::uint32_t content_offset = 0;  // offset in the content of the payload's first byte; a datagram's number
    BufferId buffer = kNone;           // complete IP packet; its TTL and header checksum are stale
    std::uint16_t mss = 0;             // TCP option on SYN; 0: absent. On data, what content_offset has no room for
    std::uint8_t icmp_type = 0;
    std::uint8_t icmp_code = 0;
    std::uint32_t icmp_rest = 0;  // ICMP bytes 4..7, host byte order: id and sequence, or next-hop MTU
    std::uint32_t rest = 0;       // see transport/tcp_options.h
    std::uint64_t trail = 0;      // hash of the path and times so far, for the digest

    std::uint64_t offset_in_content() const { return std::uint64_t{mss} << 32 | content_offset; }
    void set_offset_in_content(std::uint64_t offset)
    {
        content_offset = static_cast<std::uint32_t>(offset);
        mss = static_cast<std::uint16_t>(offset >> 32);
    }

    // UDP has no use for TCP's numbers: a workload's datagram carries in them when it was sent.
    Time sent_at() const { return static_cast<Time>(std::uint64_t{sequence} << 32 | acknowledgment); }
    void set_sent_at(Time time)
    {
        sequence = static_cast<std::uint32_t>(static_cast<std::uint64_t>(time) >> 32);
        acknowledgment = static_cast<std::uint32_t>(time);
    }
};
static_assert(sizeof(Packet) == 64);

}  // namespace anml::rt
