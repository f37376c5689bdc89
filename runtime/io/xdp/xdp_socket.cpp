#include "io/xdp/xdp_socket.h"

#include <fmt/format.h>
#include <linux/if_ether.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "io/device/interface.h"
#include "wire/offloads.h"

namespace anml::rt::io {

namespace {

constexpr std::uint32_t kSmallChunk = 2048, kLargeChunk = 4096;
// That may wait in a queue: 30 ms at 250 000 packets per second, or in one of several.
constexpr std::uint32_t kWaitingFrames = 8192, kWaitingFramesOfSeveral = 2048;
constexpr std::size_t kTag = 4;
// Longer than a machine takes a processor away.
constexpr Time kPatience = 20 * kMillisecond;

std::string xdp_failure(const std::string& interface, const std::string& step, int reason)
{
    std::string mend;
    switch (reason) {
        case EPERM:
        case EACCES:
            return fmt::format(
                "no permission for AF_XDP on `{0}`: {1}: {2}; it takes root (CAP_NET_ADMIN, CAP_NET_RAW and CAP_BPF), "
                "`if:{0}` takes CAP_NET_RAW alone",
                interface, step, std::strerror(reason));
        case EBUSY:
        case EEXIST:
            return fmt::format(
                "cannot use AF_XDP on `{0}`: {1}: another program has it already (`ip link show {0}` says which, "
                "`ip link set {0} xdp off` removes one that is nobody's)",
                interface, step);
        case EAFNOSUPPORT:
        case ENOSYS:
            return fmt::format(
                "this kernel has no AF_XDP (CONFIG_XDP_SOCKETS, CONFIG_BPF_SYSCALL): `if:{}` does it without",
                interface);
        case ENOBUFS:
        case ENOMEM:
            mend = "`ulimit -l unlimited` lets it lock more memory; ";
            break;
        default:
            break;
    }
    return fmt::format("cannot use AF_XDP on `{0}`: {1}: {2}; {3}`if:{0}` does it without", interface, step,
                       std::strerror(reason), mend);
}

}  // namespace

std::unique_ptr<XdpSocket> XdpSocket::open(const std::string& interface, const wire::MacAddress& mac,
                                           const std::optional<wire::MacAddress>& heard, const Clock& clock,
                                           LiveReport& report, std::string& error)
{
    std::unique_ptr<XdpSocket> device(new XdpSocket(interface, clock, report));
    if (!device->prepare(heard, error) || !device->attach(mac, error)) return nullptr;
    return device;
}

bool XdpSocket::attach(const wire::MacAddress& mac, std::string& error)
{
    mac_ = mac;
    const auto facts = interface_facts(name());
    const std::uint32_t queues = receive_queues(name());
    if (!facts || queues > XdpProgram::kQueues) {
        error = fmt::format(
            "interface `{0}` has {1} receive queues, of which AF_XDP serves {2} at most: "
            "`ethtool -L {0} combined 1` leaves one",
            name(), queues, XdpProgram::kQueues);
        return false;
    }
    const auto whole = static_cast<std::uint32_t>(facts->mtu) + ETH_HLEN + kTag;
    chunk_ = whole <= kSmallChunk - XdpQueue::kHeadroom ? kSmallChunk : kLargeChunk;
    longest_ = chunk_ - XdpQueue::kHeadroom;
    // Kernels before 5.11 count maps, too.
    rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_MEMLOCK, &limit);
    if (const int failure = program_.load(mac, longest_)) {
        error = xdp_failure(name(), "loading the program", failure);
        return false;
    }
    if (const int failure = program_.attach(index())) {
        error = xdp_failure(name(), "attaching the program", failure);
        return false;
    }
    return open_queues(queues, error) && join_waits(error);
}

bool XdpSocket::open_queues(std::uint32_t count, std::string& error)
{
    const std::uint32_t frames = count == 1 ? kWaitingFrames : kWaitingFramesOfSeveral;
    for (std::uint32_t i = 0; i < count; ++i) {
        auto& queue = queues_.emplace_back(std::make_unique<XdpQueue>());
        std::string step;
        int failure = queue->open({index(), i, chunk_, frames, program_.generic(), i == 0}, step);
        if (failure == 0) failure = program_.direct(i, queue->descriptor());
        if (failure == 0) continue;
        error = xdp_failure(name(), step, failure);
        return false;
    }
    return true;
}

// So that the loop has one descriptor to wait for.
bool XdpSocket::join_waits(std::string& error)
{
    waits_.reset(epoll_create1(EPOLL_CLOEXEC));
    epoll_event event{};
    event.events = EPOLLIN;
    bool joined = waits_.valid() && epoll_ctl(waits_.get(), EPOLL_CTL_ADD, receiver(), &event) == 0;
    for (const auto& queue : queues_)
        joined = joined && epoll_ctl(waits_.get(), EPOLL_CTL_ADD, queue->descriptor(), &event) == 0;
    if (!joined) error = xdp_failure(name(), "epoll", errno);
    return joined;
}

// Frames of both ways in the order in which they came, where a single queue has one: a note says how many too long
// frames were before its own. Where the packet socket has not shown all of these, although it was read after the frame
// had come, they are lost, or still on another processor, between the program and the socket.
std::size_t XdpSocket::receive(std::span<Frame> frames)
{
    for (const auto& queue : queues_) queue->give_back();
    if (queues_.front()->unsent()) lost_ += send_ring();
    const std::uint32_t known = queues_.front()->look();
    const bool fresh = other_ == other_count_;
    if (fresh) {
        other_count_ = PacketSocket::receive(std::span(others_).first(std::min(frames.size(), kBatch)));
        other_ = 0;
    }
    for (const auto& queue : queues_) queue->look();
    const Time now = clock().now();
    std::size_t count = 0;
    for (const auto& queue : queues_) {
        while (count < frames.size() && queue->waiting()) {
            const XdpQueue::Received received = queue->peek();
            while (count < frames.size() && other_ != other_count_ && is_behind_others(received))
                frames[count++] = next_other();
            if (count == frames.size()) break;
            if (is_behind_others(received)) {
                if (!fresh || !queue->before(known) || !is_lost(now)) break;
                passed_ = received.note->passed;
            }
            queue->take();
            frames[count++] = frame_of(received, now);
        }
    }
    while (count < frames.size() && other_ != other_count_) frames[count++] = next_other();
    return count;
}

bool XdpSocket::is_behind_others(const XdpQueue::Received& received) const
{
    return queues_.size() == 1 && received.note && static_cast<std::int32_t>(received.note->passed - passed_) > 0;
}

// What the packet socket has not shown.
bool XdpSocket::is_lost(Time now)
{
    if (awaited_since_ == kNever) awaited_since_ = now;
    const std::uint64_t drops = PacketSocket::kernel_drops();
    if (now - awaited_since_ < kPatience && drops == dropped_) return false;
    awaited_since_ = kNever;
    dropped_ = drops;
    return true;
}

Frame XdpSocket::next_other()
{
    awaited_since_ = kNever;
    const Frame& frame = others_[other_++];
    const std::span<const std::uint8_t> bytes = frame.bytes;
    if (bytes.size() > longest_ && std::equal(mac_.begin(), mac_.end(), bytes.begin())) {
        const std::uint16_t type = wire::load16(bytes.data() + 12);
        if (type == wire::ether_type::ipv4 || type == wire::ether_type::ipv6) {
            ++passed_;
            ++too_long_;
        }
    }
    return frame;
}

// Nothing says what the sender has left to its device.
Frame XdpSocket::frame_of(const XdpQueue::Received& received, Time now)
{
    Frame frame;
    frame.bytes = received.bytes;
    frame.checksum_partial = wire::leaves_checksum(received.bytes.subspan(ETH_HLEN));
    const Time arrived = received.note ? clock().at(static_cast<Time>(received.note->arrived)) : kNever;
    // Later than now it is by another clock: that of the host, where a container has its own.
    if (arrived <= now) frame.arrived = arrived;
    (frame.arrived == kNever ? unstamped_ : stamped_) = true;
    return frame;
}

// One by one through the ring, as AF_XDP has them; what is sent together, or is too long, through the packet socket.
// The kernel copies within the call, so that they leave in order.
std::size_t XdpSocket::transmit(std::size_t count)
{
    XdpQueue& queue = *queues_.front();
    if (queue.down() && queue.unsent()) {  // still: what went before lies in the ring
        count_link_down(count);
        return 0;
    }
    const std::size_t messages = gather(count, queue.zero_copy());
    const auto single = [&](std::size_t i) {
        return message(i).frames == 1 && message(i).parts.back().iov_len <= chunk_;
    };
    std::size_t refused = std::exchange(lost_, 0);
    for (std::size_t i = 0; i < messages;) {
        const std::size_t first = i;
        for (; i < messages && single(i); ++i) {
            const iovec& frame = message(i).parts.back();
            refused += !queue.push({static_cast<const std::uint8_t*>(frame.iov_base), frame.iov_len});
        }
        if (i != first) refused += send_ring();
        const std::size_t behind = i;
        while (i < messages && !single(i)) ++i;
        if (i != behind) refused += send(behind, i);
    }
    return refused;
}

// Returns what was lost for other reasons than a link that is down.
std::size_t XdpSocket::send_ring()
{
    const std::size_t lost = queues_.front()->kick();
    if (lost == 0 || has_carrier()) return lost;
    count_link_down(lost);
    return 0;
}

std::uint64_t XdpSocket::kernel_drops()
{
    std::uint64_t drops = PacketSocket::kernel_drops();
    for (const auto& queue : queues_) {
        const xdp_statistics statistics = queue->statistics();
        drops += statistics.rx_dropped + statistics.rx_ring_full;
    }
    return drops;
}

DeviceReport XdpSocket::facts()
{
    DeviceReport::Xdp xdp{program_.generic(), queues_.front()->zero_copy(), static_cast<std::uint32_t>(queues_.size())};
    for (const auto& queue : queues_) {
        const xdp_statistics statistics = queue->statistics();
        xdp.dropped += statistics.rx_dropped;
        xdp.ring_full += statistics.rx_ring_full;
    }
    xdp.too_long = too_long_;
    return {"xdp", xdp};
}

std::string XdpSocket::mode() const
{
    return fmt::format("{} mode, {}", program_.generic() ? "generic" : "native",
                       queues_.front()->zero_copy() ? "zero-copy" : "copying");
}

std::string XdpSocket::refusal() const { return program_.generic() ? std::strerror(program_.refusal()) : ""; }

}  // namespace anml::rt::io
