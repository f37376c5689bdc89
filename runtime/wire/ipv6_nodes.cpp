#include "wire/ipv6_nodes.h"

#include <algorithm>

#include "app/content.h"
#include "wire/checksum.h"
#include "wire/icmp.h"
#include "wire/icmpv6.h"
#include "wire/tcp.h"
#include "wire/udp.h"

namespace anml::rt::wire {

namespace {

constexpr std::uint8_t kEchoRequest6 = 128, kEchoReply6 = 129, kParameterProblem6 = 4;
constexpr std::uint8_t kHost = 1, kProtocol = 2, kPort = 3, kTooBig = 4,
                       kProhibited = 13;  // codes of ICMP's unreachable
constexpr std::uint8_t kNoRoute6 = 0, kProhibited6 = 1, kAddress6 = 3, kPort6 = 4, kNextHeader6 = 1;  // of ICMPv6

std::uint32_t pseudo_ipv6(const std::uint8_t* header, std::size_t length, std::uint8_t next)
{
    return sum_bytes({header + 8, 32}, static_cast<std::uint32_t>(length) + next);
}

}  // namespace

Ipv6 ipv6_bytes(Address address, const Model& model, const BufferPool& buffers)
{
    if (AddressTable::has(address)) return buffers.addresses()->address(address);
    return is_ipv6(address) ? model.ipv6_bytes(address) : embedded(address);
}

IcmpKind icmpv6_kind(IcmpKind icmp)
{
    switch (icmp.type) {
        case icmp_type::echo_request:
            return {kEchoRequest6, 0};
        case icmp_type::echo_reply:
            return {kEchoReply6, 0};
        case icmp_type::time_exceeded:
            return {icmpv6_type::time_exceeded, icmp.code};
        default:
            break;
    }
    switch (icmp.code) {
        case kTooBig:
            return {icmpv6_type::too_big, 0};
        case kProtocol:
            return {kParameterProblem6, kNextHeader6};
        case kPort:
            return {icmpv6_type::unreachable, kPort6};
        case kHost:
            return {icmpv6_type::unreachable, kAddress6};
        case kProhibited:
            return {icmpv6_type::unreachable, kProhibited6};
        default:
            return {icmpv6_type::unreachable, kNoRoute6};
    }
}

std::optional<IcmpKind> icmp_kind(IcmpKind icmpv6)
{
    switch (icmpv6.type) {
        case kEchoRequest6:
            return IcmpKind{icmp_type::echo_request, icmpv6.code};
        case kEchoReply6:
            return IcmpKind{icmp_type::echo_reply, icmpv6.code};
        case icmpv6_type::time_exceeded:
            return IcmpKind{icmp_type::time_exceeded, icmpv6.code};
        case icmpv6_type::too_big:
            return IcmpKind{icmp_type::unreachable, kTooBig};
        case kParameterProblem6:
            if (icmpv6.code == kNextHeader6) return IcmpKind{icmp_type::unreachable, kProtocol};
            return IcmpKind{icmp_type::parameter_problem, icmpv6.code};
        case icmpv6_type::unreachable:
            return IcmpKind{icmp_type::unreachable, icmpv6.code == kPort6         ? kPort
                                                    : icmpv6.code == kAddress6    ? kHost
                                                    : icmpv6.code == kProhibited6 ? kProhibited
                                                                                  : std::uint8_t{0}};
        default:
            return std::nullopt;
    }
}

std::uint8_t next_header(std::uint8_t protocol) { return protocol == protocol::icmp ? protocol::icmpv6 : protocol; }

std::size_t emit_ipv6(const Packet& packet, const Model& model, const BufferPool& buffers, std::span<std::uint8_t> out)
{
    constexpr std::size_t kHeader = Ipv6View::kHeader;
    const std::size_t length = packet.length - kHeader;
    const std::uint8_t next = next_header(packet.protocol);
    write_ipv6(out.data(), ipv6_bytes(packet.source, model, buffers), ipv6_bytes(packet.destination, model, buffers),
               next, length, packet.ttl);
    out[0] = static_cast<std::uint8_t>(0x60 | packet.traffic_class >> 4);
    out[1] = static_cast<std::uint8_t>(packet.traffic_class << 4);
    const std::span<std::uint8_t> transport = out.subspan(kHeader, length);
    const std::size_t header = length - packet.payload;
    if (packet.payload)
        content::produce(model, packet.content, tcp_options::offset_in_content(packet), transport.subspan(header));
    const std::uint32_t pseudo = pseudo_ipv6(out.data(), length, next);
    switch (packet.protocol) {
        case protocol::tcp:
            write_tcp(transport.data(), packet, header);
            store16(transport.data() + 16, checksum(transport, pseudo));
            break;
        case protocol::udp: {
            write_udp(transport.data(), packet, static_cast<std::uint16_t>(length));
            const std::uint16_t sum = checksum(transport, pseudo);
            store16(transport.data() + 6, sum ? sum : 0xffff);
            break;
        }
        case protocol::icmp: {
            write_icmp(transport.data(), packet);
            const IcmpKind kind = icmpv6_kind({packet.icmp().type, packet.icmp().code});
            transport[0] = kind.type;
            transport[1] = kind.code;
            store16(transport.data() + 2, checksum(transport, pseudo));
            break;
        }
        default:
            break;
    }
    return packet.length;
}

bool quoted_ipv6(const Packet& error, const Model& model, const BufferPool& buffers, Packet& offender)
{
    constexpr std::size_t kFragment = 44;
    Ipv6View outer;
    if (Ipv6View::check(buffers.bytes(error.buffer), outer) != ParseError::none) return false;
    if (outer.payload().size() < IcmpView::kHeader + Ipv6View::kHeader + 8) return false;
    const std::span<const std::uint8_t> inner = outer.payload().subspan(IcmpView::kHeader);
    if (inner[0] >> 4 != 6) return false;
    Ipv6 to;
    std::copy_n(inner.begin() + 24, to.size(), to.begin());
    offender = Packet{};
    offender.source = error.destination;  // to whom it was sent
    offender.destination = model.find_ipv6(to);
    offender.length = static_cast<std::uint16_t>(Ipv6View::kHeader + load16(inner.data() + 4));
    offender.ttl = inner[7];
    offender.traffic_class = static_cast<std::uint8_t>(inner[0] << 4 | inner[1] >> 4);
    std::uint8_t next = inner[6];
    std::size_t at = Ipv6View::kHeader;
    if (next == kFragment) {
        next = inner[at];
        // Of a later one nothing says whose it is, but where it was to go.
        if ((load16(inner.data() + at + 2) & 0xfff8) != 0) {
            offender.flags |= packet_flag::fragment;
            return true;
        }
        at += 8;
        if (inner.size() < at + 8) return false;
    }
    offender.protocol = next == protocol::icmpv6 ? protocol::icmp : next;
    const std::uint8_t* transport = inner.data() + at;
    if (next == protocol::tcp || next == protocol::udp) {
        offender.source_port = load16(transport);
        offender.destination_port = load16(transport + 2);
        if (next == protocol::tcp) offender.tcp().sequence = load32(transport + 4);
    } else if (next == protocol::icmpv6) {
        const auto kind = icmp_kind({transport[0], transport[1]});
        if (!kind) return false;
        offender.icmp().type = kind->type;
        offender.icmp().code = kind->code;
        offender.icmp().rest = load32(transport + 4);
    }
    return true;
}

void turn_echo_ipv6(const Packet& packet, std::span<std::uint8_t> bytes)
{
    std::swap_ranges(bytes.begin() + 8, bytes.begin() + 24, bytes.begin() + 24);
    bytes[7] = packet.ttl;
    Ipv6View ip;
    if (Ipv6View::check(bytes, ip) != ParseError::none) return;
    std::uint8_t* icmp = bytes.data() + ip.header_length();
    const std::uint16_t before = load16(icmp);
    store16(icmp, kEchoReply6 << 8);
    store16(icmp + 2, update(load16(icmp + 2), before, kEchoReply6 << 8));
}

}  // namespace anml::rt::wire
