#include "io/device/tap.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "io/device/dotted.h"
#include "io/device/interface.h"
#include "io/device/virtio_header.h"

namespace anml::rt::io {

namespace {

std::string open_failure(const std::string& interface, int reason)
{
    constexpr const char* kInstead = "`--sandbox` needs no privileges";
    switch (reason) {
        case EPERM:
        case EACCES:
            return fmt::format(
                "no permission to make TAP interface `{}`: it takes root (CAP_NET_ADMIN and /dev/net/tun); {}",
                interface, kInstead);
        case ENOENT:
        case ENODEV:
            return fmt::format("cannot make TAP interface `{}`: /dev/net/tun is missing (`modprobe tun`)", interface);
        case EBUSY:
            return fmt::format("TAP interface `{}` is in use by another process", interface);
        case EINVAL:
            return fmt::format("interface `{}` exists and is no TAP interface", interface);
        default:
            return fmt::format("cannot make TAP interface `{}`: {}", interface, std::strerror(reason));
    }
}

}  // namespace

std::string HostAddresses::shown() const
{
    std::string text = address == 0 ? "" : dotted(address);
    if (ipv6) text += (text.empty() ? "" : " and ") + io::shown(*ipv6);
    return text;
}

std::unique_ptr<TapDevice> TapDevice::open(const std::string& interface, const HostAddresses& host, const Clock& clock,
                                           LiveReport& report, std::string& error)
{
    if (interface.empty() || interface.size() >= IFNAMSIZ) {
        error = fmt::format("`{}` is no interface name: it has 1 to {} characters", interface, IFNAMSIZ - 1);
        return nullptr;
    }
    std::unique_ptr<TapDevice> device(new TapDevice(interface, clock, report));
    device->tap_.reset(::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC));
    if (!device->tap_.valid()) {
        error = open_failure(interface, errno);
        return nullptr;
    }
    ifreq request{};
    std::memcpy(request.ifr_name, interface.c_str(), interface.size());
    request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
    if (ioctl(device->tap_.get(), TUNSETIFF, &request) != 0) {
        error = open_failure(interface, errno);
        return nullptr;
    }
    device->accept_offloads();
    if (!device->configure(host, error)) return nullptr;
    device->drops_ = device->drops_before_ = device->netlink_.transmit_drops(device->index_);
    device->frames_ = std::make_unique_for_overwrite<std::uint8_t[]>(kBatch * kSuperCapacity);
    return device;
}

// What this machine's TCP and UDP would do for each segment is done here, once it is known which of them the model
// takes: a system call for 64 KB in place of one for each 1500 bytes. A kernel that is too old for UDP's goes without.
void TapDevice::accept_offloads()
{
    const int length = sizeof(VirtioHeader);
    ioctl(tap_.get(), TUNSETVNETHDRSZ, &length);
    constexpr unsigned kTcp = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN,
                       kUdp = 0x20 | 0x40;  // TUN_F_USO4, 6
    if (ioctl(tap_.get(), TUNSETOFFLOAD, kTcp | kUdp) != 0) ioctl(tap_.get(), TUNSETOFFLOAD, kTcp);
}

bool TapDevice::configure(const HostAddresses& host, std::string& error)
{
    host_ = host;
    const auto facts = interface_facts(name());
    if (!facts) {
        error = fmt::format("TAP interface `{}` vanished", name());
        return false;
    }
    index_ = facts->index;
    const int address = host.address == 0 ? EEXIST : netlink_.add_address(index_, host.address, host.length);
    address_added_ = address == 0;
    if (address != 0 && address != EEXIST) {
        error =
            fmt::format("cannot give `{}` the address {}: {}", name(), dotted(host.address), std::strerror(address));
        return false;
    }
    anycast_added_ = host.anycast != 0 && netlink_.add_address(index_, host.anycast, 32) == 0;
    // What the interface had before it keeps, if somebody else made it.
    constexpr std::uint32_t kMost = 65535 - wire::EthernetView::kHeader;
    if (host.mtu != 0 && !persistent()) netlink_.set_mtu(index_, std::min(host.mtu, kMost));
    if (int failure = netlink_.set_up(index_)) {
        error = fmt::format("cannot bring `{}` up: {}", name(), std::strerror(failure));
        return false;
    }
    for (const AddressPrefix& prefix : host.prefixes) {
        const int route = netlink_.add_route(index_, prefix.first, prefix.length, host.gateway);
        if (route == 0) routes_added_.push_back(prefix);
        if (route == EEXIST && netlink_.route_interface(host.gateway) != index_) {
            error = fmt::format("this machine has a route for {0} already (`ip route show {0}`)", shown(prefix));
            return false;
        }
        if (route != 0 && route != EEXIST) {
            error = fmt::format("cannot route {} through `{}`: {}", shown(prefix), name(), std::strerror(route));
            return false;
        }
    }
    return !host.ipv6 || configure_ipv6(error);
}

bool TapDevice::configure_ipv6(std::string& error)
{
    const auto because = [](int failure) {
        return failure == EACCES ? "IPv6 is switched off here (`sysctl net.ipv6.conf.all.disable_ipv6=0`)"
                                 : std::strerror(failure);
    };
    const int address = netlink_.add_address(index_, *host_.ipv6, 128);
    ipv6_added_ = address == 0;
    if (address != 0 && address != EEXIST) {
        error = fmt::format("cannot give `{}` the address {}: {}", name(), shown(*host_.ipv6), because(address));
        return false;
    }
    anycast6_added_ = host_.anycast6 && netlink_.add_address(index_, *host_.anycast6, 128) == 0;
    for (const Subnet& prefix : host_.prefixes6) {
        const int route = netlink_.add_route(index_, prefix.bits, prefix.length, host_.gateway6);
        if (route == 0) routes6_added_.push_back(prefix);
        if (route == 0 || (route == EEXIST && netlink_.route_interface(prefix.bits) == index_)) continue;
        if (route == EEXIST) {
            error = fmt::format("this machine has a route for {0} already (`ip -6 route show {0}`)", shown(prefix));
            return false;
        }
        error = fmt::format("cannot route {} through `{}`: {}", shown(prefix), name(), because(route));
        return false;
    }
    return true;
}

TapDevice::~TapDevice()
{
    // An interface that was there before keeps nothing of ours; any other goes with the descriptor.
    for (const AddressPrefix& prefix : routes_added_)
        netlink_.delete_route(index_, prefix.first, prefix.length, host_.gateway);
    if (address_added_) netlink_.delete_address(index_, host_.address, host_.length);
    if (anycast_added_) netlink_.delete_address(index_, host_.anycast, 32);
    for (const Subnet& prefix : routes6_added_)
        netlink_.delete_route(index_, prefix.bits, prefix.length, host_.gateway6);
    if (anycast6_added_) netlink_.delete_address(index_, *host_.anycast6, 128);
    if (ipv6_added_) netlink_.delete_address(index_, *host_.ipv6, 128);
    if (tap_.valid()) ioctl(tap_.get(), TUNSETOFFLOAD, 0u);
}

std::size_t TapDevice::receive(std::span<Frame> frames)
{
    std::size_t count = 0;
    while (count < frames.size() && count < kBatch) {
        std::uint8_t* room = frames_.get() + count * kSuperCapacity;
        VirtioHeader offloads;
        const ssize_t length = read(tap_.get(), room, kSuperCapacity);
        if (length < static_cast<ssize_t>(sizeof offloads)) break;
        std::memcpy(&offloads, room, sizeof offloads);
        frames[count] = Frame{};
        describe(offloads, frames[count]);
        frames[count++].bytes = {room + sizeof offloads, static_cast<std::size_t>(length) - sizeof offloads};
    }
    return count;
}

std::size_t TapDevice::transmit(std::size_t count)
{
    std::size_t refused = 0;
    coalescer_.clear();
    for (std::size_t i = 0; i < count; ++i) coalescer_.add(queued(i), due(i), alone(i));
    const std::size_t messages = coalescer_.finish();
    for (std::size_t i = 0; i < messages; ++i) {
        const Coalescer::Message message = coalescer_.message(i);
        const ssize_t wrote = writev(tap_.get(), message.parts.data(), static_cast<int>(message.parts.size()));
        if (wrote == static_cast<ssize_t>(message.bytes)) continue;
        if (errno == EIO)  // someone has set it down
            count_link_down(message.frames);
        else
            refused += message.frames;
    }
    return refused;
}

bool TapDevice::present()
{
    // A descriptor whose interface was deleted is good for nothing, even if there is one of that name again.
    ifreq request{};
    return ioctl(tap_.get(), TUNGETIFF, &request) == 0;
}

bool TapDevice::persistent() const
{
    ifreq request{};
    return ioctl(tap_.get(), TUNGETIFF, &request) == 0 && (request.ifr_flags & IFF_PERSIST);
}

bool TapDevice::restores() const
{
    return (address_added_ || !routes_added_.empty() || ipv6_added_ || !routes6_added_.empty()) && persistent();
}

std::uint64_t TapDevice::kernel_drops()
{
    drops_ = std::max(drops_, netlink_.transmit_drops(index_));  // 0 of an interface that has gone
    return drops_ - drops_before_;
}

}  // namespace anml::rt::io
