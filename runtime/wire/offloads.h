// What a sending kernel leaves to its device (checksum offload, segmentation offload), done here instead.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "wire/ipv4.h"
#include "wire/ipv6.h"
#include "wire/tcp.h"
#include "wire/udp.h"

namespace anml::rt::wire {

// Makes the checksum of TCP, UDP or ICMP in a packet that `parse` accepted right; others have none.
void complete_checksum(std::span<std::uint8_t> packet);

// Whether a packet has, where its checksum belongs, what a kernel leaves to a device that completes it: of TCP or UDP
// the sum over its pseudo-header alone, or of TCP nothing.
bool leaves_checksum(std::span<const std::uint8_t> packet);

// Of one super-segment. Linux has no segments of TCP below 48 bytes (TCP_MIN_SND_MSS), and 128 of UDP.
inline constexpr std::size_t kMostSegments = 65535 / 48;

// What CWR says of a super-segment: once, that the window is reduced (RFC 3168, 6.1.2), or with AE and ECE in each
// segment how many marks have come (RFC 9768, 3.2.2).
enum class Cwr : std::uint8_t { once, counter };

// The work of split_segments, whose header `ip` views.
template <class Ip, class Each>
ParseError split_segments_of(const Ip& ip, std::span<const std::uint8_t> super, std::size_t size, Cwr cwr,
                             std::span<std::uint8_t> room, Each&& each)
{
    std::size_t header = ip.header_length();
    std::size_t left = 0;
    std::uint32_t sequence = 0;
    std::uint8_t flags = 0;
    constexpr std::uint8_t kCwr = 0x80, kAe = 1;
    if (ip.is_fragment() || size == 0) return ParseError::bad_header;
    const bool is_tcp = ip.protocol() == protocol::tcp;
    if (is_tcp) {
        TcpView tcp;
        if (ParseError error = TcpView::check(ip.payload(), tcp); error != ParseError::none) return error;
        header += tcp.header_length();
        left = tcp.payload().size();
        sequence = tcp.sequence();
        flags = super[ip.header_length() + 13];
        if (super[ip.header_length() + 12] & kAe) cwr = Cwr::counter;  // RFC 3168 has no such flag
    } else if (ip.protocol() == protocol::udp) {
        // The length field is the super-segment's, or the device is to fill it in: the IP length decides.
        if (ip.payload().size() < UdpView::kHeader) return ParseError::truncated;
        header += UdpView::kHeader;
        left = ip.payload().size() - UdpView::kHeader;
    } else {
        return ParseError::bad_header;
    }
    // No host's segments are so small, and each of them would be a packet.
    if (left / kMostSegments > size) return ParseError::bad_header;
    if (room.size() < header + std::min(left, size)) return ParseError::bad_header;

    const std::uint8_t* payload = super.data() + header;
    for (std::uint16_t i = 0;; ++i) {
        const std::size_t part = std::min(left, size);
        left -= part;
        std::uint8_t* out = room.data();
        std::uint8_t* transport = out + ip.header_length();
        std::memcpy(out, super.data(), header);
        std::memcpy(out + header, payload, part);
        payload += part;
        Ip::set_length(out, header + part, i);
        if (is_tcp) {
            store32(transport + 4, sequence);
            sequence += static_cast<std::uint32_t>(part);
            std::uint8_t now = flags;
            if (left) now &= static_cast<std::uint8_t>(~(tcp_flag::fin | tcp_flag::psh));
            if (i && cwr == Cwr::once) now &= static_cast<std::uint8_t>(~kCwr);
            transport[13] = now;
        } else {
            store16(transport + 4, static_cast<std::uint16_t>(UdpView::kHeader + part));
        }
        const std::span<std::uint8_t> made = room.first(header + part);
        complete_checksum(made);
        each(std::span<const std::uint8_t>(made));
        if (!left) return ParseError::none;
    }
}

// Cuts a super-segment into packets of at most `size` bytes of payload, as segmentation offload does: the sequence
// number and the identification count up, FIN and PSH stay with the last, and CWR with the first where it is said once;
// AE shows that it is a counter's. Each packet is built in `room` (which holds one) with right checksums and given to
// `each`. Anything but none: nothing was given.
template <class Each>
ParseError split_segments(std::span<const std::uint8_t> super, std::size_t size, Cwr cwr, std::span<std::uint8_t> room,
                          Each&& each)
{
    if (!super.empty() && super[0] >> 4 == 6) {
        Ipv6View ip;
        if (ParseError error = Ipv6View::check_super(super, ip); error != ParseError::none) return error;
        return split_segments_of(ip, super, size, cwr, room, each);
    }
    Ipv4View ip;
    if (ParseError error = Ipv4View::check_super(super, ip); error != ParseError::none) return error;
    return split_segments_of(ip, super, size, cwr, room, each);
}

}  // namespace anml::rt::wire
