// Parsing complete packets into records, and emitting records as bytes.
#include "wire/packet_codec.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "app/content.h"
#include "common/mix.h"
#include "net/external_hosts.h"
#include "net/link/buffers.h"
#include "net/packet/real_bytes.h"
#include "wire/checksum.h"
#include "wire/frames.h"
#include "wire/icmp.h"
#include "wire/ipv4.h"
#include "wire/ipv6.h"
#include "wire/ipv6_nodes.h"
#include "wire/tcp.h"
#include "wire/udp.h"

namespace anml::rt::wire {

namespace {

template <class Ip>
bool transport_good(const Ip& ip, std::span<const std::uint8_t> covered)
{
    return fold(sum_bytes(covered, ip.pseudo(covered.size()))) == 0xffff;
}

// RFC 9768, 3.2.3: whole fields of three octets, as many as there are; of the other order from behind.
tcp_options::Counters counters_of(std::span<const std::uint8_t> value, bool backwards)
{
    tcp_options::Counters counters;
    std::uint32_t* const fields[] = {&counters.ect0, &counters.ce, &counters.ect1};
    for (unsigned i = 0; i < 3 && value.size() >= 3; ++i, value = value.subspan(3)) {
        const unsigned field = backwards ? 2 - i : i;
        *fields[field] = std::uint32_t{value[0]} << 16 | load16(value.data() + 1);
        counters.present |= static_cast<std::uint8_t>(1u << field);
    }
    return counters;
}

template <class Ip>
ParseError parse_tcp(const Ip& ip, bool verify, Packet& packet)
{
    TcpView tcp;
    if (ParseError error = TcpView::check(ip.payload(), tcp); error != ParseError::none) return error;
    if (verify && !transport_good(ip, ip.payload())) return ParseError::bad_checksum;
    packet.source_port = tcp.source_port();
    packet.destination_port = tcp.destination_port();
    packet.tcp().sequence = tcp.sequence();
    packet.tcp().acknowledgment = tcp.acknowledgment();
    packet.tcp().flags = tcp.flags();
    packet.tcp().window = tcp.window();
    packet.payload = static_cast<std::uint16_t>(tcp.payload().size());
    const bool syn = packet.tcp().flags & tcp_flag::syn;
    std::optional<std::uint64_t> cookie;
    tcp_options::Counters counters;
    tcp.each_option([&](std::uint8_t kind, std::span<const std::uint8_t> value) {
        switch (kind) {
            case TcpView::kMss:
                if (syn && value.size() == 2) packet.tcp_syn().mss = load16(value.data());
                break;
            case TcpView::kWindowScale:
                if (syn && value.size() == 1) tcp_options::set_window_scale(packet, value[0]);
                break;
            case TcpView::kSackPermitted:
                if (syn && value.empty()) packet.flags |= packet_flag::sack;
                break;
            case TcpView::kTimestamps:
                if (value.size() == 8)
                    tcp_options::set_timestamps(packet, load32(value.data()), load32(value.data() + 4));
                break;
            case TcpView::kFastOpen:  // of another length a cookie is none of ours, and none that we keep
                if (!syn) break;
                if (value.empty()) cookie = 0;
                if (value.size() == tcp_options::kCookie)
                    cookie = std::uint64_t{load32(value.data())} << 32 | load32(value.data() + 4);
                break;
            case TcpView::kSack:  // what fits of them, and does not lie before the acknowledgment (RFC 2883)
                if (syn) break;
                for (; value.size() >= 8; value = value.subspan(8))
                    tcp_options::add_block(packet, {load32(value.data()), load32(value.data() + 4)});
                break;
            case TcpView::kAccurateEcn0:
            case TcpView::kAccurateEcn1:
                counters = counters_of(value, kind == TcpView::kAccurateEcn1);
                break;
            default:
                break;
        }
    });
    if (cookie) tcp_options::set_cookie(packet, *cookie);
    if (counters.any()) [[unlikely]]
        tcp_options::set_counters(packet, counters);  // where the record has room for them beside the blocks
    return ParseError::none;
}

template <class Ip>
ParseError parse_udp(const Ip& ip, bool verify, Packet& packet)
{
    UdpView udp;
    if (ParseError error = UdpView::check(ip.payload(), udp); error != ParseError::none) return error;
    const bool optional = std::is_same_v<Ip, Ipv4View>;
    if (verify && (udp.has_checksum() || !optional) && !transport_good(ip, udp.bytes()))
        return ParseError::bad_checksum;
    packet.source_port = udp.source_port();
    packet.destination_port = udp.destination_port();
    packet.payload = static_cast<std::uint16_t>(udp.payload().size());
    return ParseError::none;
}

ParseError parse_icmp(const Ipv4View& ip, bool verify, Packet& packet)
{
    IcmpView icmp;
    if (ParseError error = IcmpView::check(ip.payload(), icmp); error != ParseError::none) return error;
    if (verify && fold(sum_bytes(ip.payload())) != 0xffff) return ParseError::bad_checksum;
    packet.icmp().type = icmp.type();
    packet.icmp().code = icmp.code();
    packet.icmp().rest = icmp.rest();
    packet.payload = static_cast<std::uint16_t>(icmp.payload().size());
    return ParseError::none;
}

std::size_t emit_buffer(const Packet& packet, const BufferPool& buffers, std::span<std::uint8_t> out)
{
    const std::span<const std::uint8_t> bytes = buffers.bytes(packet.buffer);
    std::copy(bytes.begin(), bytes.end(), out.begin());
    if (bytes[0] >> 4 == 6) {
        out[0] = static_cast<std::uint8_t>(0x60 | packet.traffic_class >> 4);
        out[1] = static_cast<std::uint8_t>(packet.traffic_class << 4 | (out[1] & 15));
        out[7] = packet.ttl;
    } else {
        out[1] = packet.traffic_class;
        out[8] = packet.ttl;
        finish_ipv4(out.data());
    }
    return bytes.size();
}

}  // namespace

ParseError parse(std::span<const std::uint8_t> bytes, bool verify_transport, Packet& packet, bool opaque)
{
    Ipv4View ip;
    if (ParseError error = Ipv4View::check(bytes, true, ip); error != ParseError::none) return error;
    if (!ip.checksum_good()) return ParseError::bad_checksum;
    packet = Packet{};
    packet.source = ip.source();
    packet.destination = ip.destination();
    packet.length = ip.total_length();
    packet.ttl = ip.ttl();
    packet.protocol = ip.protocol();
    packet.traffic_class = ip.traffic_class();
    if (ip.dont_fragment()) packet.flags |= packet_flag::dont_fragment;
    if (ip.is_fragment() || opaque) {
        packet.flags |= packet_flag::fragment;
        packet.payload = static_cast<std::uint16_t>(ip.payload().size());
        return ParseError::none;
    }
    switch (ip.protocol()) {
        case protocol::tcp:
            return parse_tcp(ip, verify_transport, packet);
        case protocol::udp:
            return parse_udp(ip, verify_transport, packet);
        case protocol::icmp:
            return parse_icmp(ip, verify_transport, packet);
        default:
            packet.payload = static_cast<std::uint16_t>(ip.payload().size());
            return ParseError::none;
    }
}

ParseError parse_ipv6_fields(const Ipv6View& ip, bool verify_transport, bool for_node, Packet& packet, bool opaque)
{
    packet = Packet{};
    packet.length = ip.total_length();
    packet.ttl = ip.hop_limit();
    packet.traffic_class = ip.traffic_class();
    packet.protocol = ip.protocol();
    packet.flags = packet_flag::dont_fragment;  // no router may (RFC 8200, 5)
    packet.payload = static_cast<std::uint16_t>(ip.payload().size());
    ParseError error = ParseError::none;
    if (ip.is_fragment() || opaque)
        packet.flags |= packet_flag::fragment;
    else if (ip.protocol() == protocol::tcp)
        error = parse_tcp(ip, verify_transport, packet);
    else if (ip.protocol() == protocol::udp)
        error = parse_udp(ip, verify_transport, packet);
    else if (ip.protocol() == protocol::icmp)
        error = ParseError::bad_header;  // that of IPv4: its overlay would be empty
    else if (ip.protocol() == protocol::icmpv6 && verify_transport && !transport_good(ip, ip.payload()))
        error = ParseError::bad_checksum;
    else if (ip.protocol() == protocol::icmpv6 && for_node && ip.payload().size() >= IcmpView::kHeader)
        if (const auto kind = icmp_kind({ip.payload()[0], ip.payload()[1]})) {
            packet.protocol = protocol::icmp;
            packet.icmp().type = kind->type;
            packet.icmp().code = kind->code;
            packet.icmp().rest = load32(ip.payload().data() + 4);
            packet.payload = static_cast<std::uint16_t>(ip.payload().size() - IcmpView::kHeader);
        }
    return error;
}

ParseError parse_ipv6(std::span<const std::uint8_t> bytes, bool verify_transport, ExternalHosts& hosts, Packet& packet,
                      bool opaque)
{
    Ipv6View ip;
    if (ParseError error = Ipv6View::check(bytes, ip); error != ParseError::none) return error;
    if (ParseError error = parse_ipv6_fields(ip, verify_transport, false, packet, opaque); error != ParseError::none)
        return error;

    packet.source = hosts.handle(ip.source());
    if (packet.source == Address::none) return ParseError::no_room;
    hosts.table().hold(packet.source);  // the destination must not take its place
    packet.destination = hosts.handle(ip.destination());
    hosts.table().let_go(packet.source);
    return ParseError::none;
}

Transport judge_transport(std::span<const std::uint8_t> bytes, bool verify)
{
    Packet packet;
    Ipv6View six;
    const bool ipv6 = Ipv6View::check(bytes, six) == ParseError::none;
    const auto good = [&](bool checksum) {
        const ParseError error =
            ipv6 ? parse_ipv6_fields(six, checksum, false, packet) : parse(bytes, checksum, packet);
        return error == ParseError::none;
    };
    if (good(verify)) return Transport::good;
    return verify && good(false) ? Transport::wrong : Transport::broken;
}

bool came_wrong(const Packet& packet, const BufferPool& buffers)
{
    return packet.buffer != kNone && !is_frame(packet) && judge_transport(buffers.bytes(packet.buffer), true) == Transport::wrong;
}

namespace {

std::size_t emit_whole(const Packet& packet, const Model& model, const BufferPool& buffers, std::span<std::uint8_t> out)
{
    if (packet.buffer != kNone) return emit_buffer(packet, buffers, out);
    if (is_ipv6(packet.destination)) return emit_ipv6(packet, model, buffers, out);

    write_ipv4(out.data(), packet);
    const std::span<std::uint8_t> transport = out.subspan(Ipv4View::kHeader, packet.length - Ipv4View::kHeader);
    // The record says how long the packet and its payload are: the transport header has the rest.
    const std::size_t header = transport.size() - packet.payload;
    if (packet.payload) {
        content::produce(model, packet.content, tcp_options::offset_in_content(packet), transport.subspan(header));
    }
    const auto length = static_cast<std::uint16_t>(transport.size());
    const std::uint32_t pseudo = pseudo_header(packet.source, packet.destination, packet.protocol, length);
    switch (packet.protocol) {
        case protocol::tcp:
            write_tcp(transport.data(), packet, header);
            store16(transport.data() + 16, checksum(transport, pseudo));
            break;
        case protocol::udp: {
            write_udp(transport.data(), packet, length);
            const std::uint16_t sum = checksum(transport, pseudo);
            store16(transport.data() + 6, sum ? sum : 0xffff);  // 0 would say "no checksum" (RFC 768)
            break;
        }
        case protocol::icmp:
            write_icmp(transport.data(), packet);
            store16(transport.data() + 2, checksum(transport));
            break;
        default:
            break;
    }
    return packet.length;
}

}  // namespace

void carry(Packet& packet, std::span<const std::uint8_t> payload, const Model& model, BufferPool& buffers)
{
    std::uint8_t bytes[PacketBuffer::kCapacity];
    const std::size_t length = emit_whole(packet, model, buffers, bytes);
    const std::size_t header = ip_header(packet.destination);
    const std::span<std::uint8_t> transport = std::span(bytes).subspan(header, length - header);
    std::copy(payload.begin(), payload.end(), transport.end() - static_cast<std::ptrdiff_t>(payload.size()));
    store16(transport.data() + 16, 0);
    const auto covered = static_cast<std::uint16_t>(transport.size());
    const std::uint32_t pseudo =
        is_ipv6(packet.destination)
            ? sum_bytes(std::span(bytes).subspan(8, 32), std::uint32_t{covered} + packet.protocol)
            : pseudo_header(packet.source, packet.destination, packet.protocol, covered);
    store16(transport.data() + 16, checksum(transport, pseudo));
    packet.buffer = buffers.store({bytes, length});
}

std::size_t sack_numbers(std::span<const std::uint8_t> packet, SackNumbers& numbers)
{
    std::size_t count = 0;
    const auto read = [&](std::span<const std::uint8_t> segment) {
        TcpView tcp;
        if (TcpView::check(segment, tcp) != ParseError::none) return;
        tcp.each_option([&](std::uint8_t kind, std::span<const std::uint8_t> value) {
            if (kind != TcpView::kSack) return;
            for (; value.size() >= 4 && count < numbers.size(); value = value.subspan(4))
                numbers[count++] = load32(value.data());
        });
    };
    Ipv4View ipv4;
    Ipv6View ipv6;
    if (packet[0] >> 4 == 6) {
        if (Ipv6View::check(packet, ipv6) == ParseError::none) read(ipv6.payload());
    } else if (Ipv4View::check(packet, true, ipv4) == ParseError::none) {
        read(ipv4.payload());
    }
    return count & ~std::size_t{1};
}

std::size_t emit(const Packet& packet, const Model& model, const BufferPool& buffers, std::span<std::uint8_t> out)
{
    if (is_frame(packet)) [[unlikely]]
        return packet.frame().link == kNone ? emit_bridged(packet, buffers, out) : emit_frame(packet, buffers, out);
    const std::size_t length = emit_whole(packet, model, buffers, out);
    const std::size_t header = out[0] >> 4 == 6 ? Ipv6View::kHeader : std::size_t{4} * (out[0] & 15);
    if ((packet.flags & packet_flag::corrupted) && length > header && !came_wrong(packet, buffers)) [[unlikely]] {
        const std::uint64_t what =
            mix((std::uint64_t{number(packet.source)} << 32 | number(packet.destination)) ^ packet.length);
        const std::size_t bit = what % (8 * (length - header));
        out[header + bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
    }
    return length;
}

}  // namespace anml::rt::wire
