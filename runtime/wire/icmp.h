// ICMP messages (RFC 792): a checked view, and writing the header.
#pragma once

#include <cstdint>
#include <span>

#include "wire/bytes.h"
#include "wire/packet_codec.h"

namespace anml::rt::wire {

namespace icmp_type {
inline constexpr std::uint8_t echo_reply = 0, unreachable = 3, source_quench = 4, redirect = 5, echo_request = 8,
                              time_exceeded = 11, parameter_problem = 12;
}

// Messages about another packet; none of them may cause a further one (RFC 1122, 3.2.2).
inline bool is_icmp_error(std::uint8_t type)
{
    return type == icmp_type::unreachable || type == icmp_type::source_quench || type == icmp_type::redirect ||
           type == icmp_type::time_exceeded || type == icmp_type::parameter_problem;
}

class IcmpView {
  public:
    static constexpr std::size_t kHeader = 8;

    static ParseError check(std::span<const std::uint8_t> bytes, IcmpView& view)
    {
        if (bytes.size() < kHeader) return ParseError::truncated;
        view.bytes_ = bytes;
        return ParseError::none;
    }

    std::uint8_t type() const { return bytes_[0]; }
    std::uint8_t code() const { return bytes_[1]; }
    std::uint32_t rest() const { return load32(bytes_.data() + 4); }
    std::span<const std::uint8_t> payload() const { return bytes_.subspan(kHeader); }

  private:
    std::span<const std::uint8_t> bytes_;
};

// A header, its checksum zero.
inline void write_icmp(std::uint8_t* out, const Packet& packet)
{
    out[0] = packet.icmp().type;
    out[1] = packet.icmp().code;
    store16(out + 2, 0);
    store32(out + 4, packet.icmp().rest);
}

}  // namespace anml::rt::wire
