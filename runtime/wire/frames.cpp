#include "wire/frames.h"

#include <algorithm>

#include "common/mix.h"
#include "net/link/buffers.h"
#include "net/packet/ecn.h"

namespace anml::rt::wire {

namespace {

constexpr std::size_t kTag = 4;

bool is_tag(std::uint16_t type)
{
    constexpr std::uint16_t kService = 0x88a8, kBeforeStandard = 0x9100;  // the outer one of two
    return type == ether_type::vlan || type == kService || type == kBeforeStandard;
}

std::uint64_t hash(std::span<const std::uint8_t> bytes, std::uint64_t before)
{
    for (const std::uint8_t byte : bytes) before = (before ^ byte) * 1099511628211u;  // FNV-1a
    return before;
}

template <class Ip>
std::uint64_t hash_ip(const Ip& ip, std::span<const std::uint8_t> addresses, std::uint64_t before)
{
    const std::uint8_t protocol = ip.protocol();
    const bool ports = (protocol == protocol::tcp || protocol == protocol::udp) && !ip.is_fragment();
    before = hash({&protocol, 1}, hash(addresses, before));
    return ports && ip.payload().size() >= 4 ? hash(ip.payload().first(4), before) : before;
}

}  // namespace

std::size_t behind_tags(std::span<const std::uint8_t> frame)
{
    std::size_t at = EthernetView::kHeader;
    while (at + kTag <= frame.size() && is_tag(load16(frame.data() + at - 2))) at += kTag;
    return at;
}

void describe_frame(std::span<const std::uint8_t> frame, Packet& packet)
{
    const std::size_t at = behind_tags(frame);
    const std::span<const std::uint8_t> payload = frame.subspan(at);
    packet.protocol = protocol::ethernet;
    packet.flags = packet_flag::frame | packet_flag::dont_fragment;
    packet.length = static_cast<std::uint16_t>(frame.size() - EthernetView::kHeader);
    packet.payload = static_cast<std::uint16_t>(payload.size());

    std::uint64_t flow = hash(frame.first(12), hash(frame.subspan(at - 2, 2), 14695981039346656037u));
    Ipv4View four;
    Ipv6View six;
    const std::uint16_t type = load16(frame.data() + at - 2);
    if (type == ether_type::ipv4 && Ipv4View::check(payload, true, four) == ParseError::none) {
        packet.traffic_class = four.traffic_class();
        flow = hash_ip(four, payload.subspan(12, 8), flow);
    } else if (type == ether_type::ipv6 && Ipv6View::check(payload, six) == ParseError::none) {
        packet.traffic_class = six.traffic_class();
        flow = hash_ip(six, payload.subspan(8, 32), flow);
    }
    if (at > EthernetView::kHeader && ecn::without(packet.traffic_class) == 0)
        packet.traffic_class |= static_cast<std::uint8_t>(frame[EthernetView::kHeader] & 0xe0);
    flow = mix(flow);
    packet.source_port = static_cast<std::uint16_t>(flow);
    packet.destination_port = static_cast<std::uint16_t>(flow >> 16);
}

std::size_t emit_frame(const Packet& packet, const BufferPool& buffers, std::span<std::uint8_t> out)
{
    const std::span<const std::uint8_t> bytes = buffers.bytes(packet.buffer);
    std::copy(bytes.begin(), bytes.end(), out.begin());
    if (bytes.size() <= EthernetView::kHeader) return bytes.size();
    const std::size_t at = behind_tags(bytes);
    if (ecn::congestion(packet)) [[unlikely]] {
        std::uint8_t* const ip = out.data() + at;
        const std::uint16_t type = load16(ip - 2);
        if (type == ether_type::ipv6) {
            ip[1] |= ecn::kCongestion << 4;
        } else if (type == ether_type::ipv4 && (ip[1] & ecn::kMask) != ecn::kCongestion) {
            const std::uint16_t before = load16(ip);
            ip[1] |= ecn::kCongestion;
            store16(ip + 10, update(load16(ip + 10), before, load16(ip)));
        }
    }
    if (packet.flags & packet_flag::corrupted) [[unlikely]] {
        const std::size_t length = bytes.size() - EthernetView::kHeader;
        const std::uint64_t what = mix((std::uint64_t{packet.source_port} << 32 | packet.destination_port) ^ length);
        const std::size_t bit = what % (8 * length);
        out[EthernetView::kHeader + bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
    }
    return bytes.size();
}

std::size_t emit_bridged(const Packet& packet, const BufferPool& buffers, std::span<std::uint8_t> out)
{
    constexpr std::uint8_t kEtherIp = 97;
    constexpr std::size_t kHeaders = Ipv4View::kHeader + 2, kMost = 0xffff - kHeaders;
    const std::size_t length = std::min(emit_frame(packet, buffers, out), kMost);
    const std::uint16_t type = load16(out.data() + EthernetView::kHeader - 2);
    if ((type == ether_type::ipv4 || type == ether_type::ipv6) && length > EthernetView::kHeader) {
        std::copy(out.begin() + EthernetView::kHeader, out.begin() + static_cast<std::ptrdiff_t>(length), out.begin());
        return length - EthernetView::kHeader;
    }
    std::copy_backward(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(length),
                       out.begin() + static_cast<std::ptrdiff_t>(kHeaders + length));
    Packet outer = packet;
    outer.protocol = kEtherIp;
    outer.length = static_cast<std::uint16_t>(kHeaders + length);
    write_ipv4(out.data(), outer);
    store16(out.data() + Ipv4View::kHeader, 0x3000);  // version 3
    return outer.length;
}

void complete_checksum_from(std::span<std::uint8_t> frame, std::size_t start, std::size_t offset)
{
    if (start + offset + 2 > frame.size()) return;
    const std::uint16_t sum = checksum(frame.subspan(start));
    store16(frame.data() + start + offset, sum ? sum : 0xffff);  // 0 would say "no checksum" (RFC 768)
}

}  // namespace anml::rt::wire
