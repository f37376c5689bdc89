#include "io/device/coalesce.h"

#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>

#include "wire/ethernet.h"
#include "wire/ipv4.h"
#include "wire/tcp.h"
#include "wire/udp.h"

namespace anml::rt::io {

namespace {

constexpr std::size_t kEthernet = wire::EthernetView::kHeader, kTransport = kEthernet + wire::Ipv4View::kHeader;
constexpr std::size_t kUdpPayload = kTransport + wire::UdpView::kHeader;
constexpr std::size_t kMost = 65535;

// Offsets in the frame.
constexpr std::size_t kTotalLength = kEthernet + 2, kFragment = kEthernet + 6, kTtl = kEthernet + 8;
constexpr std::size_t kProtocol = kEthernet + 9, kAddresses = kEthernet + 12;
constexpr std::size_t kSequence = kTransport + 4, kAcknowledgment = kTransport + 8, kFlags = kTransport + 13;
constexpr std::size_t kWindow = kTransport + 14, kTcpChecksum = kTransport + 16, kUrgent = kTransport + 18;
constexpr std::size_t kUdpLength = kTransport + 4, kUdpChecksum = kTransport + 6;

bool of_tcp(std::span<const std::uint8_t> frame) { return frame[kProtocol] == protocol::tcp; }

// Bytes before the payload of a segment that others may join; 0: none may. No flag but ACK and PSH.
std::size_t tcp_headers(std::span<const std::uint8_t> frame)
{
    if (frame.size() <= kTransport + wire::TcpView::kHeader) return 0;
    if ((frame[kFlags] & ~tcp_flag::psh) != tcp_flag::ack || wire::load16(frame.data() + kUrgent) != 0) return 0;
    const std::size_t headers = kTransport + (frame[kTransport + 12] >> 4) * 4u;
    return headers >= kTransport + wire::TcpView::kHeader && headers < frame.size() ? headers : 0;
}

// The same of a datagram. One without a checksum stays without.
std::size_t udp_headers(std::span<const std::uint8_t> frame)
{
    const std::uint8_t* at = frame.data();
    const bool whole = wire::load16(at + kUdpLength) == frame.size() - kTransport;
    return whole && wire::load16(at + kUdpChecksum) != 0 ? kUdpPayload : 0;
}

}  // namespace

bool Coalescer::kernel_takes_datagrams()
{
    utsname kernel{};
    int version = 0, revision = 0;
    if (uname(&kernel) != 0 || std::sscanf(kernel.release, "%d.%d", &version, &revision) != 2) return false;
    return version > 6 || (version == 6 && revision >= 2);
}

// No IP options, no fragments.
std::size_t Coalescer::headers_of(std::span<const std::uint8_t> frame) const
{
    if (frame.size() <= kUdpPayload) return 0;
    const std::uint8_t* at = frame.data();
    if (wire::load16(at + 12) != wire::ether_type::ipv4 || at[kEthernet] != 0x45) return 0;
    if ((wire::load16(at + kFragment) & 0x3fff) != 0) return 0;
    if (kEthernet + wire::load16(at + kTotalLength) != frame.size()) return 0;
    if (of_tcp(frame)) return tcp_headers(frame);
    return datagrams_ && at[kProtocol] == protocol::udp ? udp_headers(frame) : 0;
}

bool Coalescer::joins(std::span<const std::uint8_t> frame, Time due) const
{
    if (headers_ == 0 || closed_ || due == kNever || due - due_ > kCoalesced || headers_of(frame) != headers_)
        return false;
    const std::size_t payload = frame.size() - headers_;
    if (payload > segment_ || length_ + payload > kMost) return false;
    const auto same = [&](std::size_t from, std::size_t to) {
        return std::equal(head_.begin() + static_cast<std::ptrdiff_t>(from),
                          head_.begin() + static_cast<std::ptrdiff_t>(to),
                          frame.begin() + static_cast<std::ptrdiff_t>(from));
    };
    // kSequence is where the ports end, of UDP too.
    if (!same(0, kTotalLength) || !same(kFragment, kTtl + 2) || !same(kAddresses, kSequence)) return false;
    return !tcp_ || (wire::load32(frame.data() + kSequence) == next_ && same(kAcknowledgment, kFlags) &&
                     same(kWindow, kTcpChecksum) && same(kUrgent, headers_));
}

void Coalescer::add(std::span<std::uint8_t> frame, Time due, bool alone)
{
    const bool joined = groups_ > 0 && !alone && joins(frame, due);
    std::size_t skipped = 0;
    if (joined) {
        skipped = headers_;
    } else {
        close();
        headers_ = alone || due == kNever ? 0 : headers_of(frame);
        head_ = frame;
        due_ = due;
        segment_ = frame.size() - headers_;
        length_ = headers_ - std::min(headers_, kEthernet);
        Group& made = groups_of_[groups_++] = {VirtioHeader{}, parts_, 1, 0, sizeof(VirtioHeader)};
        parts_of_[parts_++] = {&made.header, sizeof made.header};
    }
    Group& group = groups_of_[groups_ - 1];
    const std::size_t payload = frame.size() - skipped;
    parts_of_[parts_++] = {frame.data() + skipped, payload};
    ++group.part_count;
    ++group.frames;
    group.bytes += payload;
    if (headers_ == 0) return;
    length_ += frame.size() - headers_;
    closed_ = frame.size() - headers_ < segment_;
    tcp_ = of_tcp(frame);
    if (!tcp_) return;
    next_ = wire::load32(frame.data() + kSequence) + static_cast<std::uint32_t>(frame.size() - headers_);
    closed_ |= (frame[kFlags] & tcp_flag::psh) != 0;  // it is to be handed up
    if (joined) head_[kFlags] |= frame[kFlags] & tcp_flag::psh;
}

// The first frame's headers become those of the whole.
void Coalescer::close()
{
    if (groups_ == 0 || groups_of_[groups_ - 1].frames < 2) return;
    Group& group = groups_of_[groups_ - 1];
    std::uint8_t* packet = head_.data() + kEthernet;
    const auto carried = static_cast<std::uint16_t>(length_ - wire::Ipv4View::kHeader);
    const std::size_t checksum = tcp_ ? kTcpChecksum : kUdpChecksum;
    wire::store16(packet + 2, static_cast<std::uint16_t>(length_));
    wire::finish_ipv4(packet);
    if (!tcp_) wire::store16(head_.data() + kUdpLength, carried);
    const std::uint32_t pseudo = wire::sum_bytes({packet + 12, 8}, std::uint32_t{carried} + head_[kProtocol]);
    wire::store16(head_.data() + checksum, wire::fold(pseudo));
    group.header = {VirtioHeader::kNeedsChecksum,           tcp_ ? VirtioHeader::kTcp4 : VirtioHeader::kUdp,
                    static_cast<std::uint16_t>(headers_),   static_cast<std::uint16_t>(segment_),
                    static_cast<std::uint16_t>(kTransport), static_cast<std::uint16_t>(checksum - kTransport)};
}

std::size_t Coalescer::finish()
{
    close();
    headers_ = 0;
    return groups_;
}

Coalescer::Message Coalescer::message(std::size_t i)
{
    Group& group = groups_of_[i];
    return {{parts_of_.data() + group.first_part, group.part_count}, group.frames, group.bytes};
}

}  // namespace anml::rt::io
