// UDP headers (RFC 768): a checked view, and writing one.
#pragma once

#include <cstdint>
#include <span>

#include "wire/bytes.h"
#include "wire/packet_codec.h"

namespace anml::rt::wire {

class UdpView {
  public:
    static constexpr std::size_t kHeader = 8;

    static ParseError check(std::span<const std::uint8_t> bytes, UdpView& view)
    {
        if (bytes.size() < kHeader) return ParseError::truncated;
        const std::size_t length = load16(bytes.data() + 4);
        if (length < kHeader || length > bytes.size()) return ParseError::bad_header;
        view.bytes_ = bytes.first(length);
        return ParseError::none;
    }

    std::uint16_t source_port() const { return load16(bytes_.data()); }
    std::uint16_t destination_port() const { return load16(bytes_.data() + 2); }
    bool has_checksum() const { return load16(bytes_.data() + 6) != 0; }
    std::span<const std::uint8_t> bytes() const { return bytes_; }
    std::span<const std::uint8_t> payload() const { return bytes_.subspan(kHeader); }

  private:
    std::span<const std::uint8_t> bytes_;
};

// A header, its checksum zero.
inline void write_udp(std::uint8_t* out, const Packet& packet, std::uint16_t length)
{
    store16(out, packet.source_port);
    store16(out + 2, packet.destination_port);
    store16(out + 4, length);
    store16(out + 6, 0);
}

}  // namespace anml::rt::wire
