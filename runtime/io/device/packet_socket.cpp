#include "io/device/packet_socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <sys/mman.h>
#include <sys/un.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "io/device/interface.h"
#include "io/device/virtio_header.h"

namespace anml::rt::io {

namespace {

// 16 MB: 8192 frames, 30 ms at 250 000 packets per second.
constexpr std::size_t kFrameSize = 2048;
constexpr std::size_t kBlockSize = 1 << 18;
constexpr std::size_t kBlocks = 64;
constexpr std::size_t kFrames = kBlocks * kBlockSize / kFrameSize;

// Room for super-frames, which come through the socket's queue instead of the ring.
constexpr int kQueueBytes = 32 << 20;

// What the filter leaves of a frame of IPv6 to others: a question for a neighbour is no longer.
constexpr std::uint32_t kCounted = wire::EthernetView::kHeader + 80;

template <class T>
bool set_option(int socket, int level, int name, const T& value)
{
    return setsockopt(socket, level, name, &value, sizeof value) == 0;
}

std::string failure(const std::string& interface, const char* what)
{
    return fmt::format("cannot use interface `{}`: {}: {}", interface, what, std::strerror(errno));
}

// The kernel takes the outer tag off. Before the frame there was its virtio header, which has been read.
void restore_tag(Frame& frame, std::uint16_t type, std::uint16_t control)
{
    constexpr std::size_t kAddresses = 12, kTag = 4;
    static_assert(sizeof(VirtioHeader) >= kTag);
    std::uint8_t* const begin = const_cast<std::uint8_t*>(frame.bytes.data()) - kTag;
    std::memmove(begin, begin + kTag, kAddresses);
    wire::store16(begin + kAddresses, type);
    wire::store16(begin + kAddresses + 2, control);
    frame.bytes = {begin, frame.bytes.size() + kTag};
    frame.checksum_start += kTag;
}

// ARP, IPv4 and IPv6 to `mac`, and of other IPv6, and IPv4 to groups, as much as a question for a neighbour and
// counting it take: whatever else the interface carries is none of ours.
bool set_filter(int socket, const wire::MacAddress& mac)
{
    const std::uint32_t high = wire::load16(mac.data()), low = wire::load32(mac.data() + 2);
    sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 12),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ETH_P_ARP, 12, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ETH_P_IPV6, 7, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ETH_P_IP, 0, 11),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 2),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, low, 0, 2),
        BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, high, 6, 0),
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0),  // IPv4 to others
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 1, 6, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 2),  // IPv6
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, low, 0, 4),
        BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, high, 0, 2),
        BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, kCounted),
    };
    const sock_fprog program{static_cast<unsigned short>(std::size(code)), code};
    return set_option(socket, SOL_SOCKET, SO_ATTACH_FILTER, program);
}

bool bind_to(int socket, int index, std::uint16_t protocol)
{
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(protocol);
    address.sll_ifindex = index;
    return bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

std::unique_ptr<PacketSocket> PacketSocket::open(const std::string& interface,
                                                 const std::optional<wire::MacAddress>& mac, const Clock& clock,
                                                 LiveReport& report, std::string& error)
{
    std::unique_ptr<PacketSocket> device(new PacketSocket(interface, clock, report));
    if (!device->prepare(mac, error)) return nullptr;
    return device;
}

bool PacketSocket::prepare(const std::optional<wire::MacAddress>& mac, std::string& error)
{
    const std::string& interface = name();
    const auto facts = interface_facts(interface);
    if (!facts) {
        error = errno == ENODEV ? fmt::format("there is no interface `{}` here (`ip link` lists them)", interface)
                                : failure(interface, "looking at it");
        return false;
    }
    if (!facts->ethernet) {
        error = fmt::format("interface `{}` is not Ethernet", interface);
        return false;
    }
    if (!facts->up) {
        error = fmt::format("interface `{0}` is down: `ip link set {0} up` brings it up", interface);
        return false;
    }
    index_ = facts->index;
    return claim(index_, error) && open_receiver(index_, mac, error) && open_sender(index_, error);
}

PacketSocket::~PacketSocket()
{
    if (ring_) munmap(ring_, kBlocks * kBlockSize);
}

// Two emulators would answer the host at the same time. An abstract name (unix(7)) belongs to the network namespace, as
// the interface does, and is free again however its owner ends.
bool PacketSocket::claim(int index, std::string& error)
{
    claim_.reset(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string text = fmt::format("anml-emulator-on-{}", index);
    text.copy(address.sun_path + 1, text.size());
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
    if (claim_.valid() && bind(claim_.get(), reinterpret_cast<sockaddr*>(&address), length) == 0) return true;
    error = errno == EADDRINUSE ? fmt::format("interface `{}` is in use by another emulator", name())
                                : failure(name(), "claiming it");
    return false;
}

bool PacketSocket::open_receiver(int index, const std::optional<wire::MacAddress>& mac, std::string& error)
{
    receiver_.reset(::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int fd = receiver_.get();
    if (fd < 0) {
        error = errno == EPERM || errno == EACCES
                    ? fmt::format(
                          "no permission for a packet socket on `{}`: it takes root (CAP_NET_RAW); `--sandbox` "
                          "needs no privileges",
                          name())
                    : failure(name(), "packet socket");
        return false;
    }
    // A larger receive queue than rmem_max takes CAP_NET_ADMIN; without it super-frames drop sooner, and are counted.
    if (!set_option(fd, SOL_SOCKET, SO_RCVBUFFORCE, kQueueBytes)) {
        set_option(fd, SOL_SOCKET, SO_RCVBUF, kQueueBytes);
    }
    all_frames_ = !mac;
    if (mac && !set_filter(fd, *mac)) {
        error = failure(name(), "filter");
        return false;
    }
    // Has the kernel stamp frames where it gets them, and not only where it puts them into the ring.
    const int stamps = 1;
    set_option(fd, SOL_SOCKET, SO_TIMESTAMPNS, stamps);
    // Its own frames come back otherwise; where the kernel is too old for it, receive() tells them apart.
    set_option(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1);
    const int version = TPACKET_V2;
    tpacket_req request{};
    request.tp_block_size = kBlockSize;
    request.tp_block_nr = kBlocks;
    request.tp_frame_size = kFrameSize;
    request.tp_frame_nr = kFrames;
    if (!set_option(fd, SOL_PACKET, PACKET_VERSION, version) || !set_option(fd, SOL_PACKET, PACKET_VNET_HDR, 1) ||
        !set_option(fd, SOL_PACKET, PACKET_COPY_THRESH, 1) || !set_option(fd, SOL_PACKET, PACKET_RX_RING, request))
    {
        error = failure(name(), "receive ring");
        return false;
    }
    void* memory = mmap(nullptr, kBlocks * kBlockSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (memory == MAP_FAILED) {
        error = failure(name(), "receive ring");
        return false;
    }
    ring_ = static_cast<std::uint8_t*>(memory);
    jumbos_ = std::make_unique_for_overwrite<std::uint8_t[]>(kBatch * kJumboSize);

    packet_mreq promiscuous{};
    promiscuous.mr_ifindex = index;
    promiscuous.mr_type = PACKET_MR_PROMISC;
    if (!bind_to(fd, index, ETH_P_ALL) || !set_option(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, promiscuous)) {
        error = failure(name(), "promiscuous mode");
        return false;
    }
    return true;
}

bool PacketSocket::open_sender(int index, std::string& error)
{
    // A socket of its own: protocol 0 receives nothing.
    sender_.reset(::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!sender_.valid() || !bind_to(sender_.get(), index, 0)) {
        error = failure(name(), "packet socket");
        return false;
    }
    if (!set_option(sender_.get(), SOL_SOCKET, SO_SNDBUFFORCE, kQueueBytes)) {
        set_option(sender_.get(), SOL_SOCKET, SO_SNDBUF, kQueueBytes);
    }
    around_queue_ = set_option(sender_.get(), SOL_PACKET, PACKET_QDISC_BYPASS, 1);  // only faster
    if (set_option(sender_.get(), SOL_PACKET, PACKET_VNET_HDR, 1)) return true;
    error = failure(name(), "packet socket");
    return false;
}

std::size_t PacketSocket::receive(std::span<Frame> frames)
{
    // The frames of the last batch have been dealt with.
    for (; returned_ != next_; returned_ = (returned_ + 1) % kFrames) {
        auto* header = reinterpret_cast<tpacket2_hdr*>(ring_ + returned_ * kFrameSize);
        std::atomic_ref(header->tp_status).store(TP_STATUS_KERNEL, std::memory_order_release);
    }
    std::size_t count = 0, jumbos = 0;
    // Never the whole ring, where a full batch would look like an empty one.
    for (std::size_t looked = 0; count < frames.size() && looked < kFrames - 1; ++looked) {
        auto* header = reinterpret_cast<tpacket2_hdr*>(ring_ + next_ * kFrameSize);
        const std::uint32_t status = std::atomic_ref(header->tp_status).load(std::memory_order_acquire);
        if (!(status & TP_STATUS_USER)) break;
        next_ = (next_ + 1) % kFrames;
        const auto* bytes = reinterpret_cast<std::uint8_t*>(header);
        const auto* link = reinterpret_cast<const sockaddr_ll*>(bytes + TPACKET_ALIGN(sizeof(tpacket2_hdr)));
        Frame& frame = frames[count];
        frame = Frame{};
        frame.stamp = static_cast<Time>(header->tp_sec) * kSecond + header->tp_nsec;
        if (status & TP_STATUS_COPY) {  // longer than a ring frame: the whole of it waits in the queue
            if (read_jumbo(jumbos, frame)) ++jumbos;
        } else if (header->tp_snaplen < header->tp_len && (all_frames_ || header->tp_snaplen != kCounted)) {
            ++drops_;  // the queue was full
        } else {
            VirtioHeader offloads;
            std::memcpy(&offloads, bytes + header->tp_mac - sizeof offloads, sizeof offloads);
            describe(offloads, frame);
            frame.bytes = {bytes + header->tp_mac, header->tp_snaplen};
        }
        if (frame.bytes.empty() || link->sll_pkttype == PACKET_OUTGOING) continue;
        if (!(status & TP_STATUS_VLAN_VALID)) {
            ++count;
        } else if (all_frames_) {
            const bool says = status & TP_STATUS_VLAN_TPID_VALID;
            restore_tag(frame, says ? header->tp_vlan_tpid : wire::ether_type::vlan, header->tp_vlan_tci);
            ++count;
        } else {
            count_tagged();
        }
    }
    return count;
}

bool PacketSocket::read_jumbo(std::size_t i, Frame& frame)
{
    std::uint8_t* room = jumbos_.get() + i * kJumboSize;
    const ssize_t length = recv(receiver_.get(), room, kJumboSize, MSG_DONTWAIT | MSG_TRUNC);
    VirtioHeader offloads;
    if (length < static_cast<ssize_t>(sizeof offloads) || length > static_cast<ssize_t>(kJumboSize)) {
        ++drops_;
        return false;
    }
    std::memcpy(&offloads, room, sizeof offloads);
    describe(offloads, frame);
    frame.bytes = {room + sizeof offloads, static_cast<std::size_t>(length) - sizeof offloads};
    return true;
}

std::size_t PacketSocket::transmit(std::size_t count) { return send(0, gather(count, false)); }

std::size_t PacketSocket::gather(std::size_t count, bool singly)
{
    coalescer_.clear();
    for (std::size_t i = 0; i < count; ++i) coalescer_.add(queued(i), due(i), singly || alone(i));
    const std::size_t messages = coalescer_.finish();
    for (std::size_t i = 0; i < messages; ++i) {
        const std::span<iovec> parts = coalescer_.message(i).parts;
        messages_[i].msg_hdr.msg_iov = parts.data();
        messages_[i].msg_hdr.msg_iovlen = parts.size();
    }
    return messages;
}

std::size_t PacketSocket::send(std::size_t first, std::size_t behind)
{
    std::size_t done = first, refused = 0;
    while (done < behind) {
        const int sent =
            sendmmsg(sender_.get(), messages_.data() + done, static_cast<unsigned>(behind - done), MSG_DONTWAIT);
        if (sent > 0) {
            done += static_cast<std::size_t>(sent);
        } else if (errno == ENOBUFS && around_queue_ && coalescer_.message(done).frames > 1 && has_carrier()) {
            // What an interface does not segment is dropped on the way around its queue; behind it the kernel does.
            set_option(sender_.get(), SOL_PACKET, PACKET_QDISC_BYPASS, 0);
            around_queue_ = false;
        } else if (errno != EINTR) {  // the first of them cannot go: too long, link down, queue full
            const std::size_t frames = coalescer_.message(done++).frames;
            // Without a carrier it is ENOBUFS, as with a full queue.
            if (errno == ENETDOWN || errno == ENXIO || (errno == ENOBUFS && !has_carrier()))
                count_link_down(frames);
            else
                refused += frames;
        }
    }
    return refused;
}

bool PacketSocket::present()
{
    // An interface that was down has left an error behind, with which the socket is always ready to be read.
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(receiver_.get(), SOL_SOCKET, SO_ERROR, &error, &length);
    return interface_index(sender_.get(), name()) == index_;
}

bool PacketSocket::has_carrier() const { return io::has_carrier(sender_.get(), name()); }

DeviceReport PacketSocket::facts() { return {"if", std::nullopt}; }

std::uint64_t PacketSocket::kernel_drops()
{
    tpacket_stats statistics{};
    socklen_t length = sizeof statistics;
    if (getsockopt(receiver_.get(), SOL_PACKET, PACKET_STATISTICS, &statistics, &length) == 0) {
        drops_ += statistics.tp_drops;  // reading resets it
    }
    return drops_;
}

}  // namespace anml::rt::io
