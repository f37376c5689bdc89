#include "io/xdp/xdp_queue.h"

#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace anml::rt::io {

namespace {

constexpr std::uint32_t kSendFrames = 2048;
constexpr int kSendBytes = 32 << 20;
// Calls of one kick behind which no frame has left. The first may be one of an older kernel, which says so late.
constexpr int kVainCalls = 2;

template <class T>
bool set_xdp(int socket, int option, const T& value)
{
    return setsockopt(socket, SOL_XDP, option, &value, sizeof value) == 0;
}

}  // namespace

Mapping::~Mapping()
{
    if (bytes_) munmap(bytes_, size_);
}

bool Mapping::map(std::size_t size, int file, std::uint64_t offset)
{
    const int flags = (file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED) | MAP_POPULATE;
    void* made = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, file, static_cast<off_t>(offset));
    if (made == MAP_FAILED) return false;
    bytes_ = static_cast<std::uint8_t*>(made);
    size_ = size;
    return true;
}

template <class Entry>
bool XdpRing<Entry>::open(int socket, int option, std::uint32_t entries, std::uint64_t page,
                          const xdp_ring_offset& offsets)
{
    if (!set_xdp(socket, option, entries)) return false;
    if (!memory_.map(offsets.desc + entries * sizeof(Entry), socket, page)) return false;
    producer_ = reinterpret_cast<std::uint32_t*>(memory_.at(offsets.producer));
    consumer_ = reinterpret_cast<std::uint32_t*>(memory_.at(offsets.consumer));
    flags_ = reinterpret_cast<std::uint32_t*>(memory_.at(offsets.flags));
    entries_ = reinterpret_cast<Entry*>(memory_.at(offsets.desc));
    mask_ = entries - 1;
    return true;
}

int XdpQueue::open(const Wanted& wanted, std::string& step)
{
    chunk_ = wanted.chunk;
    sends_ = wanted.sends;
    step = "AF_XDP socket";
    socket_.reset(::socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0));
    if (!socket_.valid()) return errno;
    const std::uint32_t chunks = wanted.frames + (sends_ ? kSendFrames : 0);
    step = "memory for frames";
    if (!memory_.map(std::size_t{chunks} * chunk_, -1, 0)) return errno;
    const xdp_umem_reg memory{reinterpret_cast<std::uintptr_t>(memory_.at()), memory_.size(), chunk_, 0, 0};
    if (!set_xdp(socket_.get(), XDP_UMEM_REG, memory)) return errno;
    if (const int failure = set_up_rings(wanted, step)) return failure;
    if (setsockopt(socket_.get(), SOL_SOCKET, SO_SNDBUFFORCE, &kSendBytes, sizeof kSendBytes) != 0)
        setsockopt(socket_.get(), SOL_SOCKET, SO_SNDBUF, &kSendBytes, sizeof kSendBytes);
    for (std::uint32_t i = 0; i < wanted.frames; ++i) fill_.at(i) = std::uint64_t{i} * chunk_;
    fill_.produce(filled_ = wanted.frames);
    for (std::uint32_t i = wanted.frames; i < chunks; ++i) free_.push_back(std::uint64_t{i} * chunk_);

    step = "queue " + std::to_string(wanted.queue);
    sockaddr_xdp address{};
    address.sxdp_family = AF_XDP;
    address.sxdp_flags = static_cast<std::uint16_t>(XDP_USE_NEED_WAKEUP | (wanted.copy ? XDP_COPY : 0));
    address.sxdp_ifindex = static_cast<std::uint32_t>(wanted.interface_index);
    address.sxdp_queue_id = wanted.queue;
    if (bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return errno;
    xdp_options options{};
    socklen_t length = sizeof options;
    zero_copy_ = getsockopt(socket_.get(), SOL_XDP, XDP_OPTIONS, &options, &length) == 0 &&
                 (options.flags & XDP_OPTIONS_ZEROCOPY);
    return 0;
}

int XdpQueue::set_up_rings(const Wanted& wanted, std::string& step)
{
    step = "rings";
    const int fd = socket_.get();
    // The offsets are there before the rings.
    xdp_mmap_offsets offsets{};
    socklen_t length = sizeof offsets;
    if (getsockopt(fd, SOL_XDP, XDP_MMAP_OFFSETS, &offsets, &length) != 0) return errno;
    if (!fill_.open(fd, XDP_UMEM_FILL_RING, wanted.frames, XDP_UMEM_PGOFF_FILL_RING, offsets.fr) ||
        !completion_.open(fd, XDP_UMEM_COMPLETION_RING, kSendFrames, XDP_UMEM_PGOFF_COMPLETION_RING, offsets.cr) ||
        !receive_.open(fd, XDP_RX_RING, wanted.frames, XDP_PGOFF_RX_RING, offsets.rx))
        return errno;
    if (sends_ && !transmit_.open(fd, XDP_TX_RING, kSendFrames, XDP_PGOFF_TX_RING, offsets.tx)) return errno;
    return 0;
}

std::uint32_t XdpQueue::look()
{
    if (fill_.wants_wakeup()) recvfrom(socket_.get(), nullptr, 0, MSG_DONTWAIT, nullptr, nullptr);
    return seen_ = receive_.produced();
}

XdpQueue::Received XdpQueue::peek() const
{
    const xdp_desc& entry = receive_.at(next_);
    Received received{{memory_.at(entry.addr), entry.len}, std::nullopt};
    XdpNote note;
    std::memcpy(&note, memory_.at(entry.addr) - sizeof note, sizeof note);
    if (note.mark == XdpNote::kMark) received.note = note;
    return received;
}

void XdpQueue::give_back()
{
    if (returned_ == next_) return;
    for (; returned_ != next_; ++returned_) {
        const std::uint64_t address = receive_.at(returned_).addr;
        std::memset(memory_.at(address) - sizeof(XdpNote), 0, sizeof(XdpNote));  // the next frame's may be missing
        fill_.at(filled_++) = address & ~std::uint64_t{chunk_ - 1};
    }
    fill_.produce(filled_);
    receive_.consume(returned_);
}

bool XdpQueue::push(std::span<const std::uint8_t> frame)
{
    if (free_.empty()) reap();
    if (free_.empty() || frame.size() > chunk_) return false;
    const std::uint64_t address = free_.back();
    free_.pop_back();
    std::memcpy(memory_.at(address), frame.data(), frame.size());
    transmit_.at(pushed_++) = {address, static_cast<std::uint32_t>(frame.size()), 0};
    return true;
}

void XdpQueue::reap()
{
    for (const std::uint32_t made = completion_.produced(); reaped_ != made; ++reaped_)
        free_.push_back(completion_.at(reaped_));
    completion_.consume(reaped_);
}

std::size_t XdpQueue::kick()
{
    transmit_.produce(pushed_);
    std::size_t lost = 0;
    down_ = false;
    if (zero_copy_) {
        if (transmit_.wants_wakeup() && sendto(socket_.get(), nullptr, 0, MSG_DONTWAIT, nullptr, 0) < 0)
            down_ = errno == ENETDOWN || errno == ENXIO;
        return lost;
    }
    // Copying, the kernel sends some at a time, within the call.
    for (int vain = 0; transmit_.consumed() != pushed_ && vain < kVainCalls && lost < kSendFrames;) {
        const std::uint32_t before = transmit_.consumed();
        const bool failed = sendto(socket_.get(), nullptr, 0, MSG_DONTWAIT, nullptr, 0) < 0;
        const int reason = failed ? errno : 0;
        if (reason == ENETDOWN || reason == ENXIO) {
            down_ = true;
            break;
        }
        if (reason == EBUSY)  // one is gone: no carrier, or the other end has no room
            ++lost;
        else if (transmit_.consumed() == before && reason != EINTR)
            ++vain;
    }
    return lost;
}

xdp_statistics XdpQueue::statistics()
{
    xdp_statistics now{};
    socklen_t length = sizeof now;
    if (getsockopt(socket_.get(), SOL_XDP, XDP_STATISTICS, &now, &length) == 0) statistics_ = now;
    return statistics_;
}

}  // namespace anml::rt::io
