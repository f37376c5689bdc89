// IPv6 headers (RFC 8200): a checked view that sees through extension headers, and writing a header without any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "net/address/address_table.h"
#include "wire/bytes.h"
#include "wire/checksum.h"
#include "wire/packet_codec.h"

namespace anml::rt::wire {

class Ipv6View {
  public:
    static constexpr std::size_t kHeader = 40;

    static ParseError check(std::span<const std::uint8_t> bytes, Ipv6View& view)
    {
        if (bytes.size() < kHeader) return ParseError::truncated;
        if (bytes[0] >> 4 != 6) return ParseError::not_ipv6;
        const std::size_t total = kHeader + load16(bytes.data() + 4);
        if (total > 0xffff) return ParseError::bad_header;
        if (bytes.size() < total) return ParseError::truncated;
        view.bytes_ = bytes.first(total);
        return view.skip_extensions();
    }

    // The same of a super-segment, where a length of 0 stands for all of the bytes, however many.
    static ParseError check_super(std::span<const std::uint8_t> bytes, Ipv6View& view)
    {
        if (bytes.size() < kHeader || load16(bytes.data() + 4) != 0) return check(bytes, view);
        if (bytes[0] >> 4 != 6) return ParseError::not_ipv6;
        view.bytes_ = bytes;
        return view.skip_extensions();
    }

    std::uint16_t total_length() const { return static_cast<std::uint16_t>(bytes_.size()); }
    std::size_t header_length() const { return header_; }  // extension headers included
    std::uint8_t hop_limit() const { return bytes_[7]; }
    std::uint8_t traffic_class() const { return static_cast<std::uint8_t>(bytes_[0] << 4 | bytes_[1] >> 4); }
    Ipv6 source() const { return load(8); }
    Ipv6 destination() const { return load(24); }
    std::uint8_t protocol() const { return protocol_; }      // of the payload
    std::size_t next_header_at() const { return next_at_; }  // where the protocol stands
    bool is_fragment() const { return fragment_; }
    bool is_head() const { return head_; }  // the payload begins with the header of its protocol
    std::span<const std::uint8_t> payload() const { return bytes_.subspan(header_); }
    // Of the transport's checksum (RFC 8200, 8.1): a partial sum.
    std::uint32_t pseudo(std::size_t length) const
    {
        return sum_bytes(bytes_.subspan(8, 32), static_cast<std::uint32_t>(length) + protocol_);
    }
    // Of a copy of the packet at `out`, which is now `total` bytes long.
    static void set_length(std::uint8_t* out, std::size_t total, std::uint16_t)
    {
        store16(out + 4, static_cast<std::uint16_t>(total - kHeader));
    }

    static constexpr std::uint8_t kRouting = 43;  // the protocol where such a header names nodes that are still to come

  private:
    static constexpr std::uint8_t kHopByHop = 0, kFragment = 44, kDestination = 60;

    Ipv6 load(std::size_t at) const
    {
        Ipv6 address;
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at), address.size(), address.begin());
        return address;
    }
    // Each has the next one's kind first, then its length; the bytes say in how few steps this ends.
    ParseError skip_extensions()
    {
        next_at_ = 6;
        protocol_ = bytes_[next_at_];
        header_ = kHeader;
        fragment_ = false;
        head_ = true;
        while (protocol_ == kHopByHop || protocol_ == kRouting || protocol_ == kDestination || protocol_ == kFragment) {
            if (bytes_.size() < header_ + 8) return ParseError::truncated;
            const std::uint8_t* at = bytes_.data() + header_;
            const std::size_t length = protocol_ == kFragment ? 8 : 8 * (at[1] + std::size_t{1});
            if (bytes_.size() < header_ + length) return ParseError::truncated;
            if (protocol_ == kRouting && at[3] != 0) break;  // the checksum behind it is by another destination
            fragment_ |= protocol_ == kFragment && (load16(at + 2) & 0xfff9) != 0;  // a lone one is whole (RFC 6946)
            head_ &= protocol_ != kFragment || (load16(at + 2) & 0xfff8) == 0;
            protocol_ = at[0];
            next_at_ = header_;
            header_ += length;
            if (fragment_) break;  // what follows in it need not be a header
        }
        return ParseError::none;
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t header_ = kHeader, next_at_ = 6;
    std::uint8_t protocol_ = 0;
    bool fragment_ = false, head_ = true;
};

inline void write_ipv6(std::uint8_t* out, const Ipv6& source, const Ipv6& destination, std::uint8_t protocol,
                       std::size_t payload, std::uint8_t hop_limit)
{
    store32(out, 6u << 28);
    store16(out + 4, static_cast<std::uint16_t>(payload));
    out[6] = protocol;
    out[7] = hop_limit;
    std::copy(source.begin(), source.end(), out + 8);
    std::copy(destination.begin(), destination.end(), out + 24);
}

}  // namespace anml::rt::wire
