// Parsing complete packets into records, and emitting records as bytes.
#include "wire/packet_codec.h"

#include <algorithm>

#include "app/content.h"
#include "common/mix.h"
#include "net/buffers.h"
#include "net/real_bytes.h"
#include "wire/checksum.h"
#include "wire/icmp.h"
#include "wire/ipv4.h"
#include "wire/tcp.h"
#include "wire/udp.h"

namespace anml::rt::wire {

namespace {

bool transport_good(const Ipv4View& ip, std::span<const std::uint8_t> covered)
{
    const std::uint32_t pseudo =
        pseudo_header(ip.source(), ip.destination(), ip.protocol(), static_cast<std::uint32_t>(covered.size()));
    return fold(sum_bytes(covered, pseudo)) == 0xffff;
}

ParseError parse_tcp(const Ipv4View& ip, bool verify, Packet& packet)
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
            case TcpView::kSack:  // what fits of them, and does not lie before the acknowledgment (RFC 2883)
                if (syn) break;
                for (; value.size() >= 8; value = value.subspan(8))
                    tcp_options::add_block(packet, {load32(value.data()), load32(value.data() + 4)});
                break;
            default:
                break;
        }
    });
    return ParseError::none;
}

ParseError parse_udp(const Ipv4View& ip, bool verify, Packet& packet)
{
    UdpView udp;
    if (ParseError error = UdpView::check(ip.payload(), udp); error != ParseError::none) return error;
    if (verify && udp.has_checksum() && !transport_good(ip, udp.bytes())) return ParseError::bad_checksum;
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
    out[8] = packet.ttl;
    finish_ipv4(out.data());
    return bytes.size();
}

}  // namespace

ParseError parse(std::span<const std::uint8_t> bytes, bool verify_transport, Packet& packet)
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
    packet.identification = ip.identification();
    if (ip.dont_fragment()) packet.flags |= packet_flag::dont_fragment;
    if (ip.is_fragment()) {
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

namespace {

std::size_t emit_whole(const Packet& packet, const Model& model, const BufferPool& buffers, std::span<std::uint8_t> out)
{
    if (packet.buffer != kNone) return emit_buffer(packet, buffers, out);

    write_ipv4(out.data(), packet);
    const std::span<std::uint8_t> transport = out.subspan(Ipv4View::kHeader, packet.length - Ipv4View::kHeader);
    // The record says how long the packet and its payload are: the transport header has the rest.
    const std::size_t header = transport.size() - packet.payload;
    if (packet.payload) {
        content::produce(model, packet.content, packet.offset_in_content(), transport.subspan(header));
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
    const std::span<std::uint8_t> transport = std::span(bytes).subspan(Ipv4View::kHeader, length - Ipv4View::kHeader);
    std::copy(payload.begin(), payload.end(), transport.end() - static_cast<std::ptrdiff_t>(payload.size()));
    store16(transport.data() + 16, 0);
    const auto covered = static_cast<std::uint16_t>(transport.size());
    store16(transport.data() + 16,
            checksum(transport, pseudo_header(packet.source, packet.destination, packet.protocol, covered)));
    packet.buffer = buffers.store({bytes, length});
}

std::size_t emit(const Packet& packet, const Model& model, const BufferPool& buffers, std::span<std::uint8_t> out)
{
    const std::size_t length = emit_whole(packet, model, buffers, out);
    const std::size_t header = std::size_t{4} * (out[0] & 15);
    if ((packet.flags & packet_flag::corrupted) && length > header) [[unlikely]] {
        const std::uint64_t what = mix((std::uint64_t{number(packet.source)} << 32 | number(packet.destination)) ^
                                       (std::uint64_t{packet.identification} << 16 | packet.length));
        const std::size_t bit = what % (8 * (length - header));
        out[header + bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
    }
    return length;
}

}  // namespace anml::rt::wire
