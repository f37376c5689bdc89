// IPv4 headers (RFC 791): a checked view, and writing one without options.
#pragma once

#include <cstdint>
#include <span>

#include "wire/bytes.h"
#include "wire/checksum.h"
#include "wire/ipv4_address.h"
#include "wire/packet_codec.h"

namespace anml::rt::wire {

// Makes the checksum of the header at `out` right.
inline void finish_ipv4(std::uint8_t* out)
{
    store16(out + 10, 0);
    store16(out + 10, checksum({out, (out[0] & 15u) * 4u}));
}

class Ipv4View {
  public:
    static constexpr std::size_t kHeader = 20;

    // `whole`: the bytes must hold the total length, as a received packet does; an ICMP error quotes less.
    static ParseError check(std::span<const std::uint8_t> bytes, bool whole, Ipv4View& view)
    {
        if (bytes.size() < kHeader) return ParseError::truncated;
        if (bytes[0] >> 4 != 4) return ParseError::not_ipv4;
        return view.check_length(bytes, load16(bytes.data() + 2), whole);
    }
    // The same of a super-segment, where a total length of 0 stands for all of the bytes, however many.
    static ParseError check_super(std::span<const std::uint8_t> bytes, Ipv4View& view)
    {
        if (bytes.size() < kHeader || load16(bytes.data() + 2) != 0) return check(bytes, true, view);
        if (bytes[0] >> 4 != 4) return ParseError::not_ipv4;
        return view.check_length(bytes, bytes.size(), true);
    }

    std::size_t header_length() const { return header_; }
    std::uint8_t traffic_class() const { return bytes_[1]; }
    std::uint16_t total_length() const { return load16(bytes_.data() + 2); }
    bool dont_fragment() const { return bytes_[6] & 0x40; }
    bool is_fragment() const { return (load16(bytes_.data() + 6) & 0x3fff) != 0; }
    std::uint32_t fragment_offset() const { return (load16(bytes_.data() + 6) & 0x1fffu) * 8; }
    std::uint8_t ttl() const { return bytes_[8]; }
    std::uint8_t protocol() const { return bytes_[9]; }
    Address source() const { return load_ipv4(bytes_.data() + 12); }
    Address destination() const { return load_ipv4(bytes_.data() + 16); }
    bool checksum_good() const { return fold(sum_bytes(bytes_.first(header_))) == 0xffff; }
    std::span<const std::uint8_t> payload() const { return bytes_.subspan(header_); }
    // Of the transport's checksum: a partial sum.
    std::uint32_t pseudo(std::size_t length) const
    {
        return sum_bytes(bytes_.subspan(12, 8), static_cast<std::uint32_t>(length) + protocol());
    }
    // Of a copy of the packet at `out`, which is now `total` bytes long, the `i`th of those that it was cut into.
    static void set_length(std::uint8_t* out, std::size_t total, std::uint16_t i)
    {
        store16(out + 2, static_cast<std::uint16_t>(total));
        store16(out + 4, static_cast<std::uint16_t>(load16(out + 4) + i));
        finish_ipv4(out);
    }

  private:
    ParseError check_length(std::span<const std::uint8_t> bytes, std::size_t total, bool whole)
    {
        const std::size_t header = (bytes[0] & 15u) * 4u;
        if (header < kHeader || total < header) return ParseError::bad_header;
        if (bytes.size() < header || (whole && bytes.size() < total)) return ParseError::truncated;
        bytes_ = bytes.first(bytes.size() < total ? bytes.size() : total);
        header_ = header;
        return ParseError::none;
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t header_ = 0;
};

// What a packet that is not cut into fragments has says nothing (RFC 6864).
inline std::uint16_t identification_of(const Packet& packet)
{
    if (packet.flags & packet_flag::dont_fragment) return 0;
    if (packet.protocol == protocol::udp) return packet.udp().identification;
    return packet.protocol == protocol::icmp ? packet.icmp().identification : std::uint16_t{0};
}

// A header of 20 bytes for the record, checksum included.
inline void write_ipv4(std::uint8_t* out, const Packet& packet)
{
    out[0] = 0x45;
    out[1] = packet.traffic_class;
    store16(out + 2, packet.length);
    store16(out + 4, identification_of(packet));
    store16(out + 6, packet.flags & packet_flag::dont_fragment ? 0x4000 : 0);
    out[8] = packet.ttl;
    out[9] = packet.protocol;
    store_ipv4(out + 12, packet.source);
    store_ipv4(out + 16, packet.destination);
    finish_ipv4(out);
}

}  // namespace anml::rt::wire
