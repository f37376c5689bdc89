// Fragments (RFC 791, 3.2; RFC 8200, 4.5).
#include "net/packet/fragments.h"

#include <algorithm>
#include <utility>

#include "net/link/buffers.h"
#include "wire/ipv4.h"
#include "wire/ipv6.h"
#include "wire/ipv6_nodes.h"
#include "wire/packet_codec.h"

namespace anml::rt::wire {

namespace {

constexpr std::uint16_t kMore = 0x2000, kOffset = 0x1fff;
constexpr std::size_t kUnit = 8, kMostBytes = 65535;

// Of IPv6 a header of its own says which part it is.
constexpr std::size_t kIpv6 = Ipv6View::kHeader, kFragmentHeader = 8, kWithFragment = kIpv6 + kFragmentHeader;
constexpr std::uint8_t kFragmentKind = 44;

bool of_ipv6(std::span<const std::uint8_t> bytes) { return bytes[0] >> 4 == 6; }

// The header of pieces behind the first: of the options those that say that each fragment has them. Returns its length.
std::size_t later_header(std::array<std::uint8_t, 60>& header, std::size_t length)
{
    constexpr std::uint8_t kEnd = 0, kNothing = 1, kCopied = 0x80;
    const std::array<std::uint8_t, 60> before = header;
    std::size_t kept = Ipv4View::kHeader;
    for (std::size_t at = Ipv4View::kHeader; at < length && before[at] != kEnd;) {
        const std::size_t size = before[at] == kNothing ? 1u : at + 1 < length ? before[at + 1] : 0u;
        if (size < (before[at] == kNothing ? 1u : 2u) || at + size > length) break;  // as far as they make sense
        if (before[at] & kCopied) {
            std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(at), size,
                        header.begin() + static_cast<std::ptrdiff_t>(kept));
            kept += size;
        }
        at += size;
    }
    while (kept % 4 != 0) header[kept++] = kEnd;
    header[0] = static_cast<std::uint8_t>(0x40 | kept / 4);
    return kept;
}

}  // namespace

Cutter::Cutter(const Packet& packet, std::uint32_t mtu, const Model& model, BufferPool& buffers)
    : packet_(packet), buffers_(buffers), mtu_(mtu)
{
    std::span<const std::uint8_t> bytes;
    // What a link has corrupted is in one of the pieces, and none is corrupted besides.
    if (packet.buffer == kNone || (packet.flags & packet_flag::corrupted)) {
        made_ = sent_bytes(packet, model, buffers);
        bytes = made_;
    } else {
        bytes = buffers.bytes(packet.buffer);
    }
    ipv6_ = of_ipv6(bytes);
    if (ipv6_) {
        header_length_ = kWithFragment;
        std::copy_n(bytes.begin(), kIpv6, header_.begin());
        header_[kIpv6] = std::exchange(header_[6], kFragmentKind);
        header_[kIpv6 + 1] = 0;
        store32(header_.data() + kIpv6 + 4, identification_of(packet));
        payload_ = bytes.subspan(kIpv6);
        return;
    }
    header_length_ = (bytes[0] & 15u) * std::size_t{4};
    std::copy_n(bytes.begin(), header_length_, header_.begin());
    payload_ = bytes.subspan(header_length_);
    const std::uint16_t field = load16(bytes.data() + 6);
    more_ = field & kMore;
    offset_ = (field & kOffset) * kUnit;
    // No datagram is so long; where its end is could not be said.
    if (header_length_ + offset_ + payload_.size() > kMostBytes) payload_ = {};
}

bool Cutter::next(Packet& piece)
{
    if (payload_.empty() || mtu_ < header_length_ + kUnit) return false;
    std::size_t length = payload_.size();
    if (header_length_ + length > mtu_) length = (mtu_ - header_length_) / kUnit * kUnit;
    const bool more = more_ || length < payload_.size();

    std::uint8_t bytes[kMostBytes];  // left as it is: only what is written is read
    std::copy_n(header_.begin(), header_length_, bytes);
    std::copy_n(payload_.begin(), length, bytes + header_length_);
    const std::size_t total = header_length_ + length;
    if (ipv6_) {
        store16(bytes + 4, static_cast<std::uint16_t>(total - kIpv6));
        store16(bytes + kIpv6 + 2, static_cast<std::uint16_t>(offset_ | more));
    } else {
        store16(bytes + 2, static_cast<std::uint16_t>(total));
        store16(bytes + 6, static_cast<std::uint16_t>((more ? kMore : 0) | offset_ / kUnit));
        finish_ipv4(bytes);
    }

    piece = packet_;
    piece.length = static_cast<std::uint16_t>(total);
    piece.payload = static_cast<std::uint16_t>(length);
    piece.flags = static_cast<std::uint8_t>((packet_.flags & ~packet_flag::corrupted) | packet_flag::fragment);
    piece.buffer = buffers_.store({bytes, total});
    if (packet_.buffer != kNone) buffers_.set_entered(piece.buffer, buffers_.entered(packet_.buffer));

    if (offset_ == 0 && !ipv6_) header_length_ = later_header(header_, header_length_);
    offset_ += static_cast<std::uint32_t>(length);
    payload_ = payload_.subspan(length);
    return true;
}

namespace {

// Behind the header; what else may stand between (RFC 8200, 4.1) nobody sends here.
bool view_fragment_ipv6(std::span<const std::uint8_t> bytes, FragmentView& view)
{
    if (bytes.size() <= kWithFragment || bytes[6] != kFragmentKind) return false;
    const std::uint16_t field = load16(bytes.data() + kIpv6 + 2);
    view.identification = load32(bytes.data() + kIpv6 + 4);
    view.begin = field & 0xfff8;
    view.payload = bytes.subspan(kWithFragment);
    view.end = view.begin + static_cast<std::uint32_t>(view.payload.size());
    view.last = !(field & 1);
    return (view.last || view.payload.size() % kUnit == 0) && kIpv6 + view.end <= kMostBytes;
}

bool join_ipv6(std::span<const std::uint8_t> head, std::span<const std::uint8_t> payload, std::uint8_t traffic_class,
               BufferPool& buffers, Packet& packet)
{
    const std::size_t total = kIpv6 + payload.size();
    if (head.size() < kWithFragment || total > kMostBytes) return false;
    std::vector<std::uint8_t> bytes(total);
    std::copy_n(head.begin(), kIpv6, bytes.begin());
    std::copy(payload.begin(), payload.end(), bytes.begin() + static_cast<std::ptrdiff_t>(kIpv6));
    bytes[0] = static_cast<std::uint8_t>(0x60 | traffic_class >> 4);
    bytes[1] = static_cast<std::uint8_t>(traffic_class << 4 | (bytes[1] & 15));
    store16(bytes.data() + 4, static_cast<std::uint16_t>(payload.size()));
    bytes[6] = head[kIpv6];
    Ipv6View ip;
    if (Ipv6View::check(bytes, ip) != ParseError::none || ip.is_fragment()) return false;
    if (parse_ipv6_fields(ip, true, true, packet) != ParseError::none) return false;
    packet.buffer = buffers.store(bytes);
    return true;
}

}  // namespace

bool view_fragment(std::span<const std::uint8_t> bytes, FragmentView& view)
{
    if (!bytes.empty() && of_ipv6(bytes)) return view_fragment_ipv6(bytes, view);
    Ipv4View ip;
    if (Ipv4View::check(bytes, true, ip) != ParseError::none || !ip.is_fragment()) return false;
    view.identification = load16(bytes.data() + 4);
    view.begin = ip.fragment_offset();
    view.payload = ip.payload();
    view.end = view.begin + static_cast<std::uint32_t>(view.payload.size());
    view.last = !(load16(bytes.data() + 6) & kMore);
    if (view.payload.empty() || (!view.last && view.payload.size() % kUnit != 0)) return false;
    return ip.header_length() + view.end <= kMostBytes;
}

bool join(std::span<const std::uint8_t> head, std::span<const std::uint8_t> payload, std::uint8_t traffic_class,
          BufferPool& buffers, Packet& packet)
{
    if (of_ipv6(head)) return join_ipv6(head, payload, traffic_class, buffers, packet);
    const std::size_t header = (head[0] & 15u) * std::size_t{4}, total = header + payload.size();
    if (total > kMostBytes) return false;
    std::vector<std::uint8_t> bytes(total);
    std::copy_n(head.begin(), header, bytes.begin());
    std::copy(payload.begin(), payload.end(), bytes.begin() + static_cast<std::ptrdiff_t>(header));
    bytes[1] = traffic_class;
    store16(bytes.data() + 2, static_cast<std::uint16_t>(total));
    store16(bytes.data() + 6, 0);
    finish_ipv4(bytes.data());
    if (parse(bytes, true, packet) != ParseError::none) return false;
    packet.buffer = buffers.store(bytes);
    return true;
}

std::vector<std::uint8_t> sent_bytes(const Packet& packet, const Model& model, const BufferPool& buffers)
{
    std::vector<std::uint8_t> bytes(packet.length);
    emit(packet, model, buffers, bytes);
    return bytes;
}

void identify(Packet& packet, std::uint16_t identification, BufferPool& buffers)
{
    packet.flags &= static_cast<std::uint8_t>(~packet_flag::dont_fragment);
    if (packet.buffer != kNone && !of_ipv6(buffers.bytes(packet.buffer))) {
        const std::span<std::uint8_t> bytes = buffers.bytes(packet.buffer);
        store16(bytes.data() + 4, identification);
        bytes[6] &= 0xbf;
        finish_ipv4(bytes.data());
    }
    if (packet.protocol == protocol::udp) packet.udp().identification = identification;
    if (packet.protocol == protocol::icmp) packet.icmp().identification = identification;
}

}  // namespace anml::rt::wire
