// The TCP options of a packet record, in TCP's overlays (net/packet/overlays.h): what they mean, and how long they are.
//
// SACK blocks (RFC 2018) are relative to the acknowledgment: two at most, or one that is further away or longer than
// 24 bits say (far_sack). A record with blocks has no content: no payload, or its bytes in a buffer. Where there are
// more of them the packet has a buffer, whose bytes have all (net/packet/real_bytes.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "net/packet/packet.h"

namespace anml::rt::tcp_options {

inline constexpr std::uint16_t kMss = 4, kTimestamps = 12, kSackPermitted = 4, kWindowScale = 4;  // padded, bytes
inline constexpr std::uint16_t kSackHead = 4, kSackBlock = 8;
inline constexpr std::uint16_t kFastOpen = 4, kCookie = 8;  // the option without a cookie, padded; bytes of a cookie
inline constexpr std::uint8_t kLargestShift = 14;           // RFC 7323, 2.3
inline constexpr std::uint32_t kLargest = 0xffffff;

struct Block {  // sequence numbers [begin, end)
    std::uint32_t begin, end;
};

inline bool has_timestamps(const Packet& p) { return p.flags & packet_flag::timestamps; }
inline std::uint32_t timestamp(const Packet& p) { return p.tcp().timestamp; }
inline std::uint32_t timestamp_echo(const Packet& p) { return p.tcp().timestamp_echo; }
inline void set_timestamps(Packet& p, std::uint32_t value, std::uint32_t echo)
{
    p.flags |= packet_flag::timestamps;
    p.tcp().timestamp = value;
    p.tcp().timestamp_echo = echo;
}

// On a SYN.
inline bool has_window_scale(const Packet& p) { return p.tcp_syn().window_scale != 0; }
inline std::uint8_t window_scale(const Packet& p)
{
    return std::min(static_cast<std::uint8_t>(p.tcp_syn().window_scale - 1), kLargestShift);
}
inline void set_window_scale(Packet& p, std::uint8_t shift)
{
    p.tcp_syn().window_scale = static_cast<std::uint8_t>(std::min(shift, kLargestShift) + 1);
}
inline bool sack_permitted(const Packet& p) { return p.flags & packet_flag::sack; }

// Fast Open (RFC 7413). Cookies have 8 bytes, as Linux's.
inline bool has_fast_open(const Packet& p)  // of a SYN
{
    return p.flags & packet_flag::fast_open;
}
inline std::uint64_t cookie(const Packet& p)  // 0: it has none
{
    const auto fields = p.tcp().flags & tcp_flag::ack ? p.tcp_syn_ack_cookie() : p.tcp_syn_cookie();
    return std::uint64_t{fields.high} << 32 | fields.low;
}
inline void set_cookie(Packet& p, std::uint64_t cookie)
{
    p.flags |= packet_flag::fast_open;
    const auto fields = p.tcp().flags & tcp_flag::ack ? p.tcp_syn_ack_cookie() : p.tcp_syn_cookie();
    fields.high = static_cast<std::uint32_t>(cookie >> 32);
    fields.low = static_cast<std::uint32_t>(cookie);
}
// Of what its payload is, whether it is a SYN or not.
inline std::uint64_t offset_in_content(const Packet& p)
{
    if (p.protocol != protocol::tcp || !(p.tcp().flags & tcp_flag::syn)) return p.offset_in_content();
    return std::uint64_t{p.tcp_syn_offset().high} << 32 | p.content_offset;
}
inline void set_syn_offset(Packet& p, std::uint64_t offset)
{
    p.content_offset = static_cast<std::uint32_t>(offset);
    p.tcp_syn_offset().high = static_cast<std::uint8_t>(offset >> 32);
}

// The option of accurate ECN, see below.
inline bool has_counters(const Packet& p)
{
    return p.flags & (p.tcp().flags & tcp_flag::syn ? 2 << packet_flag::counters_shift : packet_flag::counters);
}

// On other segments: the number of blocks.
inline int block_count(const Packet& p)
{
    if (!(p.flags & packet_flag::sack)) return 0;
    if ((p.flags & packet_flag::far_sack) || has_counters(p)) return 1;
    const auto sack = p.tcp_sack();
    return (sack.second >> 24) | sack.second_length_high | sack.second_length_middle ? 2 : 1;
}
inline Block block(const Packet& p, int index)
{
    const std::uint32_t acknowledgment = p.tcp().acknowledgment;
    if (p.flags & packet_flag::far_sack) [[unlikely]] {
        const std::uint32_t begin = acknowledgment + p.tcp_far_sack().offset;
        return {begin, begin + p.tcp_far_sack().length};
    }
    const auto sack = p.tcp_sack();
    const std::uint32_t packed = index == 0 ? sack.first : sack.second;
    const auto high = index == 0 ? std::uint32_t{sack.first_length}
                                 : static_cast<std::uint32_t>(sack.second_length_high << 8 | sack.second_length_middle);
    const std::uint32_t begin = acknowledgment + (packed & kLargest);
    return {begin, begin + (high << 8 | packed >> 24)};
}
// Adds a block that lies behind the acknowledgment. False: there is no room for it.
inline bool add_block(Packet& p, Block block)
{
    int index = block_count(p);
    const std::uint32_t offset = block.begin - p.tcp().acknowledgment, length = block.end - block.begin;
    if (index == 2 || p.flags & packet_flag::far_sack || has_counters(p) || static_cast<std::int32_t>(offset) <= 0 ||
        static_cast<std::int32_t>(length) <= 0 || static_cast<std::int32_t>(offset + length) <= 0)
        return false;
    if (offset > kLargest || length > kLargest) [[unlikely]] {
        if (index > 0) return false;
        p.flags |= packet_flag::sack | packet_flag::far_sack;
        p.tcp_far_sack().offset = offset;
        p.tcp_far_sack().length = length;
        return true;
    }
    std::uint32_t packed = offset | length << 24;
    auto high = static_cast<std::uint16_t>(length >> 8);
    p.flags |= packet_flag::sack;
    const auto sack = p.tcp_sack();
    if (index == 0) {
        sack.first = packed;
        sack.first_length = high;
        sack.second = 0;
        sack.second_length_high = sack.second_length_middle = 0;
    } else {
        sack.second = packed;
        sack.second_length_high = static_cast<std::uint8_t>(high >> 8);
        sack.second_length_middle = static_cast<std::uint8_t>(high);
    }
    return true;
}

// The option of accurate ECN (RFC 9768, 3.2.3), in its order 0: bytes that came as ECT(0), CE and ECT(1), modulo 2^24.
struct Counters {
    std::uint32_t ect0 = 0, ce = 0, ect1 = 0;
    std::uint8_t present = 0;
    bool any() const { return present != 0; }
    bool has_ect0() const { return present & 1; }
    bool has_ce() const { return present & 2; }
    bool has_ect1() const { return present & 4; }
};
// Which there are, as Counters::present has it.
inline std::uint8_t counters_present(const Packet& p)
{
    if (p.tcp().flags & tcp_flag::syn) return p.flags & 2 << packet_flag::counters_shift ? 1 : 0;
    switch ((p.flags & packet_flag::counters) >> packet_flag::counters_shift) {
        case 0:
            return 0;
        case 1:
            return 1;
        case 2:
            return 3;
        default:
            return static_cast<std::uint8_t>(p.tcp_counters().ect1 >> 24);
    }
}
inline Counters counters(const Packet& p)
{
    const std::uint8_t present = counters_present(p);
    if (present == 0) return {};
    if (p.tcp().flags & tcp_flag::syn) return {1, 0, 1, present};  // what they begin with
    const auto fields = p.tcp_counters();
    const std::uint32_t ce =
        fields.ect0 >> 24 | std::uint32_t{fields.ce_middle} << 8 | std::uint32_t{fields.ce_high} << 16;
    return {fields.ect0 & kLargest, ce, p.flags & packet_flag::sack ? 0 : fields.ect1 & kLargest, present};
}
// As many of them as `present` says. False: there is no room in the record. Of a segment without payload, or with its
// bytes in a buffer, behind its blocks.
inline bool set_counters(Packet& p, const Counters& counters)
{
    if (p.tcp().flags & tcp_flag::syn) {
        p.flags |= 2 << packet_flag::counters_shift;
    } else {
        const auto fields = p.tcp_counters();
        if (block_count(p) > 1 || (p.flags & packet_flag::far_sack)) return false;
        if (counters.has_ect1() && (p.flags & packet_flag::sack)) return false;
        fields.ect0 = (counters.ect0 & kLargest) | counters.ce << 24;
        fields.ce_middle = static_cast<std::uint8_t>(counters.ce >> 8);
        fields.ce_high = static_cast<std::uint8_t>(counters.ce >> 16);
        if (!(p.flags & packet_flag::sack))
            fields.ect1 = (counters.ect1 & kLargest) | std::uint32_t{counters.present} << 24;
        const int kind = counters.present == 1 ? 1 : counters.present == 3 ? 2 : 3;
        p.flags |= static_cast<std::uint8_t>(kind << packet_flag::counters_shift);
    }
    return true;
}
// Bytes of the option, unpadded.
inline std::uint8_t counters_length(const Packet& p)
{
    const std::uint8_t present = counters_present(p);
    return static_cast<std::uint8_t>(2 + (present & 4 ? 9 : present & 2 ? 6 : 3));
}

// Of those that few segments have, bytes.
[[gnu::noinline]] inline std::uint16_t further_length(const Packet& p)
{
    int length = has_counters(p) ? (counters_length(p) + 3) / 4 * 4 : 0;
    if (p.tcp().flags & tcp_flag::syn) {
        if (has_fast_open(p)) length += kFastOpen + (cookie(p) ? kCookie : 0);
    } else if (int blocks = block_count(p)) {
        length += kSackHead + blocks * kSackBlock;
    }
    return static_cast<std::uint16_t>(length);
}
// Bytes of options that the record asks for, padded.
inline std::uint16_t length(const Packet& p)
{
    constexpr std::uint8_t kFurther = packet_flag::fast_open | packet_flag::counters;
    std::uint16_t length = has_timestamps(p) ? kTimestamps : 0;
    const bool syn = p.tcp().flags & tcp_flag::syn;
    if (syn) {
        if (p.tcp_syn().mss) length += kMss;
        if (sack_permitted(p) && !has_timestamps(p)) length += kSackPermitted;
        if (has_window_scale(p)) length += kWindowScale;
    }
    if (p.flags & (syn ? kFurther : kFurther | packet_flag::sack)) [[unlikely]]
        length = static_cast<std::uint16_t>(length + further_length(p));
    return length;
}

}  // namespace anml::rt::tcp_options
