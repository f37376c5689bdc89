#include "wire/icmpv6_messages.h"

#include <algorithm>
#include <array>

#include "wire/icmp.h"
#include "wire/icmpv6.h"
#include "wire/ipv6_nodes.h"

namespace anml::rt::wire {

namespace {

constexpr std::size_t kHeaders = Ipv6View::kHeader + 8;
constexpr std::size_t kLongest = 1280;  // as much of the offender as fits into it (RFC 4443, 2.4 c)
constexpr std::size_t kLongestQuote6 = kLongest - kHeaders;

// No error about an error, about what nobody sent, or about what was for many (RFC 4443, 2.4 e).
bool may_cause_icmpv6_error(std::span<const std::uint8_t> ip, const Packet& offender)
{
    if (offender.protocol == protocol::icmp && !(offender.flags & packet_flag::fragment))
        return !is_icmp_error(offender.icmp().type);
    Ipv6View view;
    if (Ipv6View::check(ip, view) != ParseError::none) return offender.protocol != protocol::icmpv6;
    if (view.source()[0] == 0xff || view.source() == Ipv6{} || view.destination()[0] == 0xff) return false;
    if (view.protocol() != protocol::icmpv6) return true;
    if (offender.protocol == protocol::icmp) return true;  // a fragment of a node's: no error is that long
    // No error is so long that there is a later part of it.
    return !view.is_head() || (!view.payload().empty() && !is_icmpv6_error(view.payload()[0]));
}

// Where the header stands that nobody knows, or the kind of routing that nobody does (RFC 8200, 4.4; RFC 5095).
std::uint32_t problem(const Packet& offender, const BufferPool& buffers, IcmpKind& kind)
{
    constexpr std::size_t kRoutingType = 2;
    Ipv6View view;
    if (offender.buffer == kNone || Ipv6View::check(buffers.bytes(offender.buffer), view) != ParseError::none) return 6;
    if (view.protocol() != Ipv6View::kRouting) return static_cast<std::uint32_t>(view.next_header_at());
    kind.code = 0;
    return static_cast<std::uint32_t>(view.header_length() + kRoutingType);
}

// Not inlined: the room is on the stack.
[[gnu::noinline]] std::size_t quote_made_ipv6(const Packet& offender, const Model& model, const BufferPool& buffers,
                                              std::span<std::uint8_t> out)
{
    std::uint8_t whole[0x10000];  // left as it is: only what is written is read
    const std::size_t length = std::min(emit(offender, model, buffers, {whole, offender.length}), out.size());
    std::copy_n(whole, length, out.begin());
    return length;
}

}  // namespace

bool make_icmpv6_error(const Packet& offender, Address source, std::uint8_t type, std::uint8_t code, std::uint32_t rest,
                       const Model& model, BufferPool& buffers, Packet& error)
{
    std::array<std::uint8_t, kLongest> bytes;
    std::size_t quote = 0;
    const std::span<std::uint8_t> room = std::span(bytes).subspan(kHeaders);
    if (offender.buffer != kNone) {
        const std::span<const std::uint8_t> quoted = buffers.bytes(offender.buffer);
        if (quoted.size() < Ipv6View::kHeader || !may_cause_icmpv6_error(quoted, offender)) return false;
        quote = std::min(quoted.size(), kLongestQuote6);
        std::copy_n(quoted.begin(), quote, room.begin());
        room[7] = offender.ttl;
    } else {
        if (!may_cause_icmpv6_error({}, offender)) return false;
        quote = quote_made_ipv6(offender, model, buffers, room);
    }

    constexpr std::uint8_t kHopLimit = 64;
    const std::size_t payload = 8 + quote;
    write_ipv6(bytes.data(), ipv6_bytes(source, model, buffers), ipv6_bytes(offender.source, model, buffers),
               protocol::icmpv6, payload, kHopLimit);
    std::uint8_t* message = bytes.data() + Ipv6View::kHeader;
    IcmpKind kind = icmpv6_kind({type, code});
    const std::uint32_t field = kind.type == icmpv6_type::too_big             ? rest
                                : kind.type == icmpv6_type::parameter_problem ? problem(offender, buffers, kind)
                                                                              : 0u;
    message[0] = kind.type;
    message[1] = kind.code;
    store16(message + 2, 0);
    store32(message + 4, field);
    const std::span<std::uint8_t> whole = std::span(bytes).first(kHeaders + quote);
    Ipv6View made;
    if (Ipv6View::check(whole, made) != ParseError::none) return false;
    store16(message + 2, checksum(made.payload(), made.pseudo(payload)));

    error = Packet{};
    error.source = source;
    error.destination = offender.source;
    error.length = made.total_length();
    error.ttl = kHopLimit;
    error.flags = packet_flag::dont_fragment;
    if (AddressTable::has(offender.source)) {
        error.protocol = protocol::icmpv6;
        error.payload = static_cast<std::uint16_t>(payload);
    } else {
        error.protocol = protocol::icmp;
        error.payload = static_cast<std::uint16_t>(quote);
        error.icmp().type = type;
        error.icmp().code = code;
        error.icmp().rest = rest;
    }
    error.buffer = buffers.store(whole);
    buffers.hold_addresses(error);
    return true;
}

}  // namespace anml::rt::wire
