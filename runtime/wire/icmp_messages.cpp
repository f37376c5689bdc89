// ICMP messages about other packets: errors, what they quote, and echo replies.
#include "net/node/icmp_messages.h"

#include <algorithm>
#include <array>

#include "net/link/buffers.h"
#include "wire/checksum.h"
#include "wire/icmp.h"
#include "wire/icmpv6_messages.h"
#include "wire/ipv4.h"
#include "wire/ipv6_nodes.h"
#include "wire/packet_codec.h"

namespace anml::rt::wire {

namespace {

constexpr std::size_t kQuotedTransport = 8;  // at least
constexpr std::size_t kErrorHeaders = Ipv4View::kHeader + IcmpView::kHeader;
constexpr std::size_t kLongestError = 576;  // RFC 1812, 4.3.2.3
constexpr std::size_t kLongestQuote = kLongestError - kErrorHeaders;
constexpr std::size_t kLongestPacket = 65535;
constexpr std::uint8_t kInitialTtl = 64;
constexpr std::uint8_t kInternetControl = 0xc0, kService = 0x1c;

// No error is sent to, or about a packet for, an address that is not one host's (RFC 1122, 3.2.2).
bool one_host(Address address)
{
    const std::uint32_t first = number(address) >> 24;
    return first != 0 && first != 127 && first < 224;
}

bool may_cause_error(const Packet& offender, const BufferPool& buffers)
{
    if (!one_host(offender.source) || !one_host(offender.destination)) return false;
    if (offender.flags & packet_flag::fragment) {
        // The first fragment may; it says of ICMP whether it is an error.
        if (offender.buffer == kNone) return false;
        Ipv4View ip;
        if (Ipv4View::check(buffers.bytes(offender.buffer), false, ip) != ParseError::none || ip.fragment_offset() != 0)
            return false;
        return ip.protocol() != protocol::icmp || (!ip.payload().empty() && !is_icmp_error(ip.payload()[0]));
    }
    return offender.protocol != protocol::icmp || !is_icmp_error(offender.icmp().type);
}

// The quoted bytes may hold a checksum over all of the packet (UDP, ICMP), so it is made whole. Not inlined: the room
// is on the stack.
[[gnu::noinline]] std::size_t quote_made(const Packet& offender, const Model& model, const BufferPool& buffers,
                                         std::span<std::uint8_t, kLongestQuote> out)
{
    std::uint8_t whole[kLongestPacket];  // left as it is: only what is written is read
    const std::size_t length = std::min(emit(offender, model, buffers, {whole, offender.length}), kLongestQuote);
    std::copy_n(whole, length, out.begin());
    return length;
}

// The offender's IP header and as much of the rest as there is room for, as it stands now (TTL and checksum of this
// hop).
std::size_t quote(const Packet& offender, const Model& model, const BufferPool& buffers,
                  std::span<std::uint8_t, kLongestQuote> out)
{
    if (offender.buffer != kNone) {
        const std::span<const std::uint8_t> bytes = buffers.bytes(offender.buffer);
        const std::size_t length = std::min(bytes.size(), kLongestQuote);
        std::copy_n(bytes.begin(), length, out.begin());
        out[1] = offender.traffic_class;
        out[8] = offender.ttl;
        finish_ipv4(out.data());
        return length;
    }
    return quote_made(offender, model, buffers, out);
}

}  // namespace

bool make_icmp_error(const Packet& offender, Address source, std::uint8_t type, std::uint8_t code, std::uint32_t rest,
                     const Model& model, BufferPool& buffers, Packet& error)
{
    if (is_frame(offender)) return false;
    if (is_ipv6(offender.source))
        return (offender.buffer != kNone || !AddressTable::has(offender.source)) &&
               make_icmpv6_error(offender, source, type, code, rest, model, buffers, error);
    if (!may_cause_error(offender, buffers)) return false;

    std::array<std::uint8_t, kErrorHeaders + kLongestQuote> bytes;
    const std::size_t quoted_length =
        quote(offender, model, buffers, std::span(bytes).subspan<kErrorHeaders, kLongestQuote>());

    Packet made;
    made.source = source;
    made.destination = offender.source;
    made.length = static_cast<std::uint16_t>(kErrorHeaders + quoted_length);
    made.ttl = kInitialTtl;
    made.protocol = protocol::icmp;
    // Internetwork control, and otherwise the service that the offender had (RFC 1812, 4.3.2.5); not capable of ECN.
    made.traffic_class = static_cast<std::uint8_t>(kInternetControl | (offender.traffic_class & kService));
    made.payload = static_cast<std::uint16_t>(quoted_length);
    made.icmp().type = type;
    made.icmp().code = code;
    made.icmp().rest = rest;

    const std::span<std::uint8_t> whole = std::span(bytes).first(made.length);
    write_ipv4(whole.data(), made);
    std::uint8_t* icmp = whole.data() + Ipv4View::kHeader;
    write_icmp(icmp, made);
    store16(icmp + 2, checksum(whole.subspan(Ipv4View::kHeader)));
    made.buffer = buffers.store(whole);
    error = made;
    return true;
}

void make_echo_reply(Packet& packet, BufferPool& buffers)
{
    std::swap(packet.source, packet.destination);
    packet.icmp().type = icmp_type::echo_reply;
    packet.icmp().code = 0;
    packet.ttl = kInitialTtl;
    if (packet.buffer == kNone) return;

    const std::span<std::uint8_t> bytes = buffers.bytes(packet.buffer);
    if (bytes[0] >> 4 == 6) return turn_echo_ipv6(packet, bytes);
    store_ipv4(bytes.data() + 12, packet.source);
    store_ipv4(bytes.data() + 16, packet.destination);
    bytes[8] = packet.ttl;
    finish_ipv4(bytes.data());
    std::uint8_t* icmp = bytes.data() + (bytes[0] & 15u) * 4u;
    const std::uint16_t before = load16(icmp);
    store16(icmp, icmp_type::echo_reply << 8);
    const std::uint16_t sum = update(load16(icmp + 2), before, icmp_type::echo_reply << 8);
    // Over nothing but zeros an updated checksum comes out as 0, which is wrong; 0xffff is right there and wherever
    // else 0 comes out (ones' complement has two zeros).
    store16(icmp + 2, sum ? sum : 0xffff);
}

bool quoted(const Packet& error, const Model& model, const BufferPool& buffers, Packet& offender)
{
    if (!is_ipv6(error.destination)) return quoted(error, buffers, offender);
    return error.protocol == protocol::icmp && error.buffer != kNone && !(error.flags & packet_flag::fragment) &&
           quoted_ipv6(error, model, buffers, offender);
}

bool quoted(const Packet& error, const BufferPool& buffers, Packet& offender)
{
    if (error.protocol != protocol::icmp || error.buffer == kNone || (error.flags & packet_flag::fragment))
        return false;
    Ipv4View outer, inner;
    IcmpView icmp;
    if (Ipv4View::check(buffers.bytes(error.buffer), true, outer) != ParseError::none ||
        IcmpView::check(outer.payload(), icmp) != ParseError::none || !is_icmp_error(icmp.type()) ||
        Ipv4View::check(icmp.payload(), false, inner) != ParseError::none || inner.payload().size() < kQuotedTransport)
    {
        return false;
    }
    offender = Packet{};
    offender.source = inner.source();
    offender.destination = inner.destination();
    offender.length = inner.total_length();
    offender.ttl = inner.ttl();
    offender.protocol = inner.protocol();
    offender.traffic_class = inner.traffic_class();
    if (inner.dont_fragment()) offender.flags |= packet_flag::dont_fragment;
    if (inner.fragment_offset() != 0) return false;  // no ports to tell whose it is
    const std::uint8_t* at = inner.payload().data();
    if (inner.protocol() == protocol::tcp || inner.protocol() == protocol::udp) {
        offender.source_port = load16(at);
        offender.destination_port = load16(at + 2);
        if (inner.protocol() == protocol::tcp) offender.tcp().sequence = load32(at + 4);
    }
    if (inner.protocol() == protocol::icmp) {
        offender.icmp().type = at[0];
        offender.icmp().code = at[1];
        offender.icmp().rest = load32(at + 4);
    }
    return true;
}

}  // namespace anml::rt::wire
