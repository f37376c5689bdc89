// TCP headers (RFC 9293): a checked view with its options (RFC 2018, 7323, 7413, 9293), and writing one.
#pragma once

#include <cstdint>
#include <span>

#include "transport/options/tcp_options.h"
#include "wire/bytes.h"
#include "wire/packet_codec.h"

namespace anml::rt::wire {

class TcpView {
  public:
    static constexpr std::size_t kHeader = 20;

    static ParseError check(std::span<const std::uint8_t> bytes, TcpView& view)
    {
        if (bytes.size() < kHeader) return ParseError::truncated;
        const std::size_t header = (bytes[12] >> 4) * 4u;
        if (header < kHeader) return ParseError::bad_header;
        if (bytes.size() < header) return ParseError::truncated;
        view.bytes_ = bytes;
        view.header_ = header;
        return ParseError::none;
    }

    std::uint16_t source_port() const { return load16(bytes_.data()); }
    std::uint16_t destination_port() const { return load16(bytes_.data() + 2); }
    std::uint32_t sequence() const { return load32(bytes_.data() + 4); }
    std::uint32_t acknowledgment() const { return load32(bytes_.data() + 8); }
    // As tcp_flag; URG does not matter here, and AE has its place.
    std::uint8_t flags() const { return static_cast<std::uint8_t>((bytes_[13] & 0xdf) | (bytes_[12] & 1) << 5); }
    std::uint16_t window() const { return load16(bytes_.data() + 14); }
    std::size_t header_length() const { return header_; }
    std::span<const std::uint8_t> payload() const { return bytes_.subspan(header_); }

    // Calls `option(kind, its bytes behind kind and length)` for each option but padding. Options that contradict their
    // lengths end the walk, as in most stacks.
    template <class Option>
    void each_option(Option option) const
    {
        for (std::size_t at = kHeader; at < header_;) {
            const std::uint8_t kind = bytes_[at];
            if (kind == kEnd) return;
            if (kind == kPadding) {
                at += 1;
                continue;
            }
            if (at + 1 >= header_ || bytes_[at + 1] < 2 || at + bytes_[at + 1] > header_) return;
            option(kind, bytes_.subspan(at + 2, bytes_[at + 1] - 2u));
            at += bytes_[at + 1];
        }
    }

    static constexpr std::uint8_t kEnd = 0, kPadding = 1, kMss = 2, kWindowScale = 3, kSackPermitted = 4, kSack = 5,
                                  kTimestamps = 8, kFastOpen = 34, kAccurateEcn0 = 172, kAccurateEcn1 = 174;

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t header_ = 0;
};

// A header of `header` bytes (a multiple of 4, at least 20), its checksum zero. Options are written as far as they fit;
// what is left is end-of-list.
inline void write_tcp(std::uint8_t* out, const Packet& packet, std::size_t header)
{
    store16(out, packet.source_port);
    store16(out + 2, packet.destination_port);
    store32(out + 4, packet.tcp().sequence);
    // In the record its cookie lies there.
    const bool asks = tcp_options::has_fast_open(packet) && !(packet.tcp().flags & tcp_flag::ack);
    store32(out + 8, asks ? 0 : packet.tcp().acknowledgment);
    const std::uint8_t flags = packet.tcp().flags;
    out[12] = static_cast<std::uint8_t>(header / 4 << 4 | ((flags & tcp_flag::ae) != 0));
    out[13] = flags & static_cast<std::uint8_t>(~tcp_flag::ae);
    store16(out + 14, packet.tcp().window);
    store32(out + 16, 0);
    std::uint8_t* at = out + TcpView::kHeader;
    std::memset(at, 0, header - TcpView::kHeader);
    const auto fits = [&](std::size_t size) { return at + size <= out + header; };
    // `size` bytes of option, padded in front to a multiple of 4.
    const auto option = [&](std::uint8_t kind, std::uint8_t size) {
        for (; (at - out + size) % 4 != 0; ++at) *at = TcpView::kPadding;
        at[0] = kind;
        at[1] = size;
        at += 2;
    };
    const auto write_counters = [&] {
        const tcp_options::Counters counters = tcp_options::counters(packet);
        if (!counters.any() || !fits((tcp_options::counters_length(packet) + 3u) / 4 * 4)) return;
        const std::uint8_t length = tcp_options::counters_length(packet);
        option(TcpView::kAccurateEcn0, length);
        const std::uint32_t all[] = {counters.ect0, counters.ce, counters.ect1};
        for (const std::uint32_t counter : std::span(all).first(length / 3u)) {
            at[0] = static_cast<std::uint8_t>(counter >> 16);
            store16(at + 1, static_cast<std::uint16_t>(counter));
            at += 3;
        }
    };
    const bool syn = flags & tcp_flag::syn;
    if (syn && packet.tcp_syn().mss && fits(tcp_options::kMss)) {
        option(TcpView::kMss, 4);
        store16(at, packet.tcp_syn().mss);
        at += 2;
    }
    if (syn && tcp_options::sack_permitted(packet) && fits(tcp_options::kSackPermitted)) {
        // The timestamps' padding holds it, where there are any.
        if (tcp_options::has_timestamps(packet)) {
            *at++ = TcpView::kSackPermitted;
            *at++ = 2;
        } else {
            option(TcpView::kSackPermitted, 2);
        }
    }
    if (tcp_options::has_timestamps(packet) && fits(10)) {
        option(TcpView::kTimestamps, 10);
        store32(at, tcp_options::timestamp(packet));
        store32(at + 4, asks ? 0 : tcp_options::timestamp_echo(packet));
        at += 8;
    }
    if (syn) {
        if (tcp_options::has_window_scale(packet) && fits(tcp_options::kWindowScale)) {
            option(TcpView::kWindowScale, 3);
            *at++ = tcp_options::window_scale(packet);
        }
        if (tcp_options::has_fast_open(packet)) {
            const std::uint64_t cookie = tcp_options::cookie(packet);
            const std::uint16_t size = 2 + (cookie ? tcp_options::kCookie : 0);
            if (!fits(std::size_t{size} + 2)) return;
            option(TcpView::kFastOpen, static_cast<std::uint8_t>(size));
            if (cookie) {
                store32(at, static_cast<std::uint32_t>(cookie >> 32));
                store32(at + 4, static_cast<std::uint32_t>(cookie));
                at += tcp_options::kCookie;
            }
        }
        write_counters();
        return;
    }
    const int blocks = tcp_options::block_count(packet);
    if (blocks > 0 && fits(static_cast<std::size_t>(tcp_options::kSackHead + blocks * tcp_options::kSackBlock))) {
        option(TcpView::kSack, static_cast<std::uint8_t>(2 + blocks * tcp_options::kSackBlock));
        for (int i = 0; i < blocks; ++i, at += tcp_options::kSackBlock) {
            store32(at, tcp_options::block(packet, i).begin);
            store32(at + 4, tcp_options::block(packet, i).end);
        }
    }
    write_counters();
}

}  // namespace anml::rt::wire
