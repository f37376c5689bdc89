#include "io/capture/pcap_device.h"

#include <algorithm>

#include "io/gateway/gateway.h"
#include "io/live.h"
#include "wire/ipv4.h"
#include "wire/ipv6.h"
#include "wire/offloads.h"

namespace anml::rt::io {

namespace {

constexpr std::size_t kHeader = wire::EthernetView::kHeader;

// Bytes of the headers of a TCP packet; 0: it is none, or a fragment.
template <class Ip>
std::size_t headers_of_segments(const Ip& ip)
{
    wire::TcpView tcp;
    if (ip.is_fragment() || ip.protocol() != protocol::tcp ||
        wire::TcpView::check(ip.payload(), tcp) != wire::ParseError::none)
        return 0;
    return ip.header_length() + tcp.header_length();
}

std::size_t headers_of_segments(std::span<const std::uint8_t> packet)
{
    wire::Ipv4View four;
    wire::Ipv6View six;
    if (wire::Ipv4View::check_super(packet, four) == wire::ParseError::none) return headers_of_segments(four);
    if (wire::Ipv6View::check_super(packet, six) == wire::ParseError::none) return headers_of_segments(six);
    return 0;
}

}  // namespace

std::unique_ptr<PcapDevice> PcapDevice::open(const PcapFiles& files, const wire::MacAddress& model, std::size_t mtu,
                                             const Clock& clock, const Clock* times, LiveReport& report,
                                             std::string& error)
{
    std::unique_ptr<PcapDevice> device(new PcapDevice(files, mtu, clock, times, report));
    if (!files.in.empty()) {
        device->reader_ = PcapReader::open(files.in, kHost, model, error);
        if (!device->reader_ || !device->read_ahead()) {
            if (error.empty()) error = device->error_;
            return nullptr;
        }
    }
    if (!files.out.empty() && !(device->writer_ = PcapWriter::open(files.out, error))) return nullptr;
    return device;
}

PcapDevice::PcapDevice(const PcapFiles& files, std::size_t mtu, const Clock& clock, const Clock* times,
                       LiveReport& report)
    : Device(files.in.empty() ? files.out : files.in, clock, report),
      files_(files),
      mtu_(mtu),
      clock_(clock),
      times_(times),
      gateways_(report),
      handed_(kBatch)
{
}

std::optional<Time> PcapDevice::first() const { return holds_ ? std::optional(ahead_.at) : std::nullopt; }

void PcapDevice::start(Time origin, Time begin)
{
    origin_ = origin;
    begin_ = begin;
    if (holds_) next_ = begin_ + ahead_.at - origin_;
}

// False: it cannot be read on.
bool PcapDevice::read_ahead()
{
    holds_ = reader_->next(ahead_, error_);
    return error_.empty();
}

std::size_t PcapDevice::receive(std::span<io::Frame> frames)
{
    return next_ == kNever ? 0 : take(clock_.now(), frames);
}

std::size_t PcapDevice::take(Time until, std::span<io::Frame> frames)
{
    std::size_t count = 0;
    while (count < std::min(frames.size(), kBatch) && next_ <= until) {
        ++counted_.read;
        counted_.back_in_time += latest_ && ahead_.at < captured_;
        const Time at = next_;
        latest_ = at;
        captured_ = ahead_.at;
        if (ahead_.ignored) {
            ignore(*ahead_.ignored);
        } else {
            std::swap(handed_[count], ahead_);
            describe(handed_[count], frames[count]);
            frames[count++].arrived = at;
        }
        read_ahead();
        // Files that were merged may go back in time; the run does not.
        next_ = holds_ ? std::max(begin_ + ahead_.at - origin_, at) : kNever;
    }
    return count;
}

void PcapDevice::describe(const PcapReader::Frame& held, io::Frame& frame) const
{
    frame = {};
    frame.bytes = held.bytes;
    const std::span<const std::uint8_t> packet = frame.bytes.subspan(kHeader);
    const std::size_t headers = packet.size() > mtu_ ? headers_of_segments(packet) : 0;
    if (headers != 0 && headers < mtu_) {
        frame.segments = io::Frame::Segments::tcp;
        frame.segment_size = static_cast<std::uint16_t>(mtu_ - headers);
        return;
    }
    // Zeros instead of what was sent have another checksum; and what was captured at its sender has not got its own.
    frame.checksum_partial = held.cut_short || wire::leaves_checksum(packet);
    frame.transport = wire::judge_transport(packet, !frame.checksum_partial);
}

void PcapDevice::hand_over(Gateway& gateway, std::size_t i, const io::Frame& frame, Time at, Time late)
{
    using Ignored = ReplayReport::Ignored;
    const std::uint64_t packets = counters().all().received, foreign = gateways_.foreign, ipv6 = gateways_.ipv6;
    gateway.receive(frame, at, late);
    const std::uint64_t more = counters().all().received - packets;
    if (more == 0)
        return ignore(gateways_.foreign != foreign ? Ignored::foreign
                      : gateways_.ipv6 != ipv6     ? Ignored::ipv6
                                                   : Ignored::malformed);
    ++counted_.entered;
    counted_.packets += more;
    counted_.cut_short += handed_[i].cut_short;
    counted_.repaired += handed_[i].repaired;
    counted_.wrong_checksum += frame.transport == wire::Transport::wrong;
}

std::size_t PcapDevice::transmit(std::size_t count)
{
    if (!writer_) return 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (due(i) == kNever) continue;  // what neighbours ask each other
        ++counted_.written;
        writer_->write(origin_ + (times_ ? times_->now() : due(i)) - begin_, queued(i).subspan(kHeader));
    }
    return 0;
}

ReplayReport::Endpoint PcapDevice::report(std::uint32_t row)
{
    counted_.goes_on = holds_;
    return {row, files_.in, files_.out, counted_};
}

bool PcapDevice::finish(std::string& error)
{
    if (!error_.empty()) {
        error = error_;
        return false;
    }
    return !writer_ || writer_->finish(error);
}

void start_together(std::span<PcapDevice* const> devices, Time begin, Time epoch)
{
    std::optional<Time> origin;
    for (const PcapDevice* device : devices) {
        if (const std::optional<Time> first = device->first()) origin = std::min(origin.value_or(*first), *first);
    }
    for (PcapDevice* device : devices) device->start(origin.value_or(epoch + begin), begin);
}

}  // namespace anml::rt::io
