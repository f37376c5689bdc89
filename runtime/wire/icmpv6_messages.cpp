#include "wire/icmpv6_messages.h"

#include <algorithm>
#include <array>

#include "wire/icmp.h"
#include "wire/icmpv6.h"

namespace anml::rt::wire {

namespace {

constexpr std::size_t kHeaders = Ipv6View::kHeader + 8;
constexpr std::size_t kLongest = 1280;  // as much of the offender as fits into it (RFC 4443, 2.4 c)

// No error about an error, about what nobody sent, or about what was for many (RFC 4443, 2.4 e).
bool may_cause_icmpv6_error(const Ipv6View& ip)
{
    if (ip.source()[0] == 0xff || ip.source() == Ipv6{} || ip.destination()[0] == 0xff) return false;
    if (ip.protocol() != protocol::icmpv6) return true;
    return !ip.is_fragment() && !ip.payload().empty() && !is_icmpv6_error(ip.payload()[0]);
}

}  // namespace

bool make_icmpv6_error(const Packet& offender, Address source, std::uint8_t type, std::uint8_t code, std::uint32_t rest,
                       BufferPool& buffers, Packet& error)
{
    Ipv6View ip;
    const std::span<const std::uint8_t> quoted = buffers.bytes(offender.buffer);
    if (Ipv6View::check(quoted, ip) != ParseError::none || !may_cause_icmpv6_error(ip)) return false;

    std::array<std::uint8_t, kLongest> bytes;
    const std::size_t quote = std::min(quoted.size(), kLongest - kHeaders), payload = 8 + quote;
    std::copy_n(quoted.begin(), quote, bytes.begin() + kHeaders);
    bytes[kHeaders + 7] = offender.ttl;

    constexpr std::uint8_t kNeedsFragments = 4, kHopLimit = 64;
    const bool too_big = type == icmp_type::unreachable && code == kNeedsFragments;
    const AddressTable& addresses = *buffers.addresses();
    write_ipv6(bytes.data(), embedded(source), addresses.address(offender.source), protocol::icmpv6, payload,
               kHopLimit);
    std::uint8_t* message = bytes.data() + Ipv6View::kHeader;
    message[0] = too_big                            ? icmpv6_type::too_big
                 : type == icmp_type::time_exceeded ? icmpv6_type::time_exceeded
                                                    : icmpv6_type::unreachable;
    message[1] = 0;  // of unreachable: no route
    store16(message + 2, 0);
    store32(message + 4, too_big ? rest : 0);
    const std::span<std::uint8_t> whole = std::span(bytes).first(kHeaders + quote);
    Ipv6View made;
    if (Ipv6View::check(whole, made) != ParseError::none) return false;
    store16(message + 2, checksum(made.payload(), made.pseudo(payload)));

    error = Packet{};
    error.source = source;
    error.destination = offender.source;
    error.length = made.total_length();
    error.ttl = kHopLimit;
    error.protocol = protocol::icmpv6;
    error.flags = packet_flag::dont_fragment;
    error.payload = static_cast<std::uint16_t>(payload);
    error.buffer = buffers.store(whole);
    buffers.hold_addresses(error);
    return true;
}

}  // namespace anml::rt::wire
