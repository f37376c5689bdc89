// The TCP options of a packet record: they lie in fields that TCP segments have no other use for.
//
//   timestamps (RFC 7323)    icmp_rest: TSval, rest: TSecr
//   window scale (RFC 7323)  on a SYN, icmp_type: the shift + 1, 0: absent
//   SACK blocks (RFC 2018)   on others, two at most, relative to the acknowledgment, 24 bits of offset and of length
//   each:
//                            content, mss: the first; content_offset, icmp_type, icmp_code: the second, empty: absent
//                            or one that is further away or longer (far_sack): content its offset, content_offset its
//                            length
//
// A record with blocks has no content: no payload, or its bytes in a buffer.
#pragma once

#include <algorithm>
#include <cstdint>

#include "net/packet.h"

namespace anml::rt::tcp_options {

inline constexpr std::uint16_t kMss = 4, kTimestamps = 12, kSackPermitted = 4, kWindowScale = 4;  // padded, bytes
inline constexpr std::uint16_t kSackHead = 4, kSackBlock = 8;
inline constexpr std::uint8_t kLargestShift = 14;  // RFC 7323, 2.3
inline constexpr std::uint32_t kLargest = 0xffffff;

struct Block {  // sequence numbers [begin, end)
    std::uint32_t begin, end;
};

inline bool has_timestamps(const Packet& p) { return p.flags & packet_flag::timestamps; }
inline std::uint32_t timestamp(const Packet& p) { return p.icmp_rest; }
inline std::uint32_t timestamp_echo(const Packet& p) { return p.rest; }
inline void set_timestamps(Packet& p, std::uint32_t value, std::uint32_t echo)
{
    p.flags |= packet_flag::timestamps;
    p.icmp_rest = value;
    p.rest = echo;
}

// On a SYN.
inline bool has_window_scale(const Packet& p) { return p.icmp_type != 0; }
inline std::uint8_t window_scale(const Packet& p)
{
    return std::min(static_cast<std::uint8_t>(p.icmp_type - 1), kLargestShift);
}
inline void set_window_scale(Packet& p, std::uint8_t shift)
{
    p.icmp_type = static_cast<std::uint8_t>(std::min(shift, kLargestShift) + 1);
}
inline bool sack_permitted(const Packet& p) { return p.flags & packet_flag::sack; }

// On other segments: the number of blocks.
inline int block_count(const Packet& p)
{
    if (!(p.flags & packet_flag::sack)) return 0;
    if (p.flags & packet_flag::far_sack) return 1;
    return (p.content_offset >> 24) | p.icmp_type | p.icmp_code ? 2 : 1;
}
inline Block block(const Packet& p, int index)
{
    if (p.flags & packet_flag::far_sack) [[unlikely]] {
        const std::uint32_t begin = p.acknowledgment + p.content;
        return {begin, begin + p.content_offset};
    }
    std::uint32_t packed = index == 0 ? p.content : p.content_offset;
    std::uint32_t high = index == 0 ? p.mss : static_cast<std::uint32_t>(p.icmp_type << 8 | p.icmp_code);
    std::uint32_t begin = p.acknowledgment + (packed & kLargest);
    return {begin, begin + (high << 8 | packed >> 24)};
}
// Adds a block that lies behind the acknowledgment. False: there is no room for it.
inline bool add_block(Packet& p, Block block)
{
    int index = block_count(p);
    const std::uint32_t offset = block.begin - p.acknowledgment, length = block.end - block.begin;
    if (index == 2 || p.flags & packet_flag::far_sack || static_cast<std::int32_t>(offset) <= 0 ||
        static_cast<std::int32_t>(length) <= 0)
        return false;
    if (offset > kLargest || length > kLargest) [[unlikely]] {
        if (index > 0) return false;
        p.flags |= packet_flag::sack | packet_flag::far_sack;
        p.content = offset;
        p.content_offset = length;
        return true;
    }
    std::uint32_t packed = offset | length << 24;
    auto high = static_cast<std::uint16_t>(length >> 8);
    p.flags |= packet_flag::sack;
    if (index == 0) {
        p.content = packed;
        p.mss = high;
        p.content_offset = 0;
        p.icmp_type = p.icmp_code = 0;
    } else {
        p.content_offset = packed;
        p.icmp_type = static_cast<std::uint8_t>(high >> 8);
        p.icmp_code = static_cast<std::uint8_t>(high);
    }
    return true;
}

// Bytes of options that the record asks for, padded.
inline std::uint16_t length(const Packet& p)
{
    std::uint16_t length = has_timestamps(p) ? kTimestamps : 0;
    if (p.tcp_flags & tcp_flag::syn) {
        if (p.mss) length += kMss;
        if (sack_permitted(p) && !has_timestamps(p)) length += kSackPermitted;
        if (has_window_scale(p)) length += kWindowScale;
    } else if (int blocks = block_count(p)) {
        length = static_cast<std::uint16_t>(length + kSackHead + blocks * kSackBlock);
    }
    return length;
}

}  // namespace anml::rt::tcp_options
