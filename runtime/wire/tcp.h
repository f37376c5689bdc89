// TCP headers (RFC 9293): a checked view with the one option the model uses (MSS), and writing one.
#pragma once

#include <cstdint>
#include <span>

#include "wire/bytes.h"
#include "wire/packet_codec.h"

namespace anml::rt::wire {

class TcpView {
  public:
    static constexpr std::size_t kHeader = 20;
    static constexpr std::size_t kMssOption = 4;

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
    std::uint8_t flags() const { return bytes_[13] & 0x1f; }  // as tcp_flag; URG, ECE and CWR do not matter here
    std::uint16_t window() const { return load16(bytes_.data() + 14); }
    std::size_t header_length() const { return header_; }
    std::span<const std::uint8_t> payload() const { return bytes_.subspan(header_); }

    // The MSS option; 0: absent. Options that contradict their lengths end the search, as most stacks do.
    std::uint16_t mss() const
    {
        for (std::size_t at = kHeader; at < header_;) {
            const std::uint8_t kind = bytes_[at];
            if (kind == 0) return 0;
            if (kind == 1) {
                at += 1;
                continue;
            }
            if (at + 1 >= header_ || bytes_[at + 1] < 2 || at + bytes_[at + 1] > header_) return 0;
            if (kind == 2) return bytes_[at + 1] == kMssOption ? load16(bytes_.data() + at + 2) : 0;
            at += bytes_[at + 1];
        }
        return 0;
    }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t header_ = 0;
};

// A header of `header` bytes (a multiple of 4, at least 20), its checksum zero. MSS is written where it is set and
// fits; what is left of the options is end-of-list.
inline void write_tcp(std::uint8_t* out, const Packet& packet, std::size_t header)
{
    store16(out, packet.source_port);
    store16(out + 2, packet.destination_port);
    store32(out + 4, packet.sequence);
    store32(out + 8, packet.acknowledgment);
    out[12] = static_cast<std::uint8_t>(header / 4 << 4);
    out[13] = packet.tcp_flags;
    store16(out + 14, packet.window);
    store32(out + 16, 0);
    std::size_t at = TcpView::kHeader;
    if (packet.mss && header >= at + TcpView::kMssOption) {
        out[at] = 2;
        out[at + 1] = TcpView::kMssOption;
        store16(out + at + 2, packet.mss);
        at += TcpView::kMssOption;
    }
    std::memset(out + at, 0, header - at);
}

}  // namespace anml::rt::wire
