#include "io/coalesce.h"

#include <algorithm>
#include <cstring>

#include "wire/ethernet.h"
#include "wire/ipv4.h"
#include "wire/tcp.h"

namespace anml::rt::io {

namespace {

constexpr std::size_t kEthernet = wire::EthernetView::kHeader, kIp = wire::Ipv4View::kHeader, kTcp = kEthernet + kIp;
constexpr std::size_t kMost = 65535;

// Offsets in the frame.
constexpr std::size_t kTotalLength = kEthernet + 2, kFragment = kEthernet + 6, kTtl = kEthernet + 8;
constexpr std::size_t kAddresses = kEthernet + 12, kSequence = kTcp + 4, kAcknowledgment = kTcp + 8, kFlags = kTcp + 13;
constexpr std::size_t kWindow = kTcp + 14, kChecksum = kTcp + 16, kUrgent = kTcp + 18;

// Bytes before the payload of a segment that others may join; 0: none may. No IP options, no flag but ACK and PSH.
std::size_t headers_of(std::span<const std::uint8_t> frame)
{
    if (frame.size() <= kTcp + wire::TcpView::kHeader) return 0;
    const std::uint8_t* at = frame.data();
    if (wire::load16(at + 12) != wire::ether_type::ipv4 || at[kEthernet] != 0x45) return 0;
    if (at[kEthernet + 9] != protocol::tcp || (wire::load16(at + kFragment) & 0x3fff) != 0) return 0;
    if ((at[kFlags] & ~tcp_flag::psh) != tcp_flag::ack || wire::load16(at + kUrgent) != 0) return 0;
    const std::size_t headers = kTcp + (at[kTcp + 12] >> 4) * 4u;
    const std::size_t length = kEthernet + wire::load16(at + kTotalLength);
    return headers >= kTcp + wire::TcpView::kHeader && headers < length && length == frame.size() ? headers : 0;
}

}  // namespace

bool Coalescer::joins(std::span<const std::uint8_t> frame, Time due) const
{
    if (headers_ == 0 || pushed_ || due == kNever || due - due_ > kTogether || headers_of(frame) != headers_)
        return false;
    const std::size_t payload = frame.size() - headers_;
    if (payload > segment_ || length_ + payload > kMost || wire::load32(frame.data() + kSequence) != next_)
        return false;
    const auto same = [&](std::size_t from, std::size_t to) {
        return std::equal(head_.begin() + static_cast<std::ptrdiff_t>(from),
                          head_.begin() + static_cast<std::ptrdiff_t>(to),
                          frame.begin() + static_cast<std::ptrdiff_t>(from));
    };
    return same(0, kTotalLength) && same(kFragment, kTtl + 2) && same(kAddresses, kSequence) &&
           same(kAcknowledgment, kFlags) && same(kWindow, kChecksum) && same(kUrgent, headers_);
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
    next_ = wire::load32(frame.data() + kSequence) + static_cast<std::uint32_t>(frame.size() - headers_);
    // Nothing follows a segment that is shorter, or one that is to be handed up.
    pushed_ = (frame[kFlags] & tcp_flag::psh) || frame.size() - headers_ < segment_;
    if (joined) head_[kFlags] |= frame[kFlags] & tcp_flag::psh;
}

// The first frame's headers become those of the whole.
void Coalescer::close()
{
    if (groups_ == 0 || groups_of_[groups_ - 1].frames < 2) return;
    Group& group = groups_of_[groups_ - 1];
    std::uint8_t* packet = head_.data() + kEthernet;
    wire::store16(packet + 2, static_cast<std::uint16_t>(length_));
    wire::finish_ipv4(packet);
    const std::uint32_t pseudo =
        wire::sum_bytes({packet + 12, 8}, static_cast<std::uint32_t>(length_ - kIp) + protocol::tcp);
    wire::store16(head_.data() + kChecksum, wire::fold(pseudo));
    group.header = {VirtioHeader::kNeedsChecksum,         VirtioHeader::kTcp4,
                    static_cast<std::uint16_t>(headers_), static_cast<std::uint16_t>(segment_),
                    static_cast<std::uint16_t>(kTcp),     static_cast<std::uint16_t>(kChecksum - kTcp)};
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
