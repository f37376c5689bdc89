#include "io/device/interface.h"

#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "io/device/descriptor.h"

namespace anml::rt::io {

namespace {

bool named(const std::string& name, ifreq& request)
{
    if (name.empty() || name.size() >= IFNAMSIZ) {
        errno = ENODEV;
        return false;
    }
    std::memset(&request, 0, sizeof request);
    std::memcpy(request.ifr_name, name.c_str(), name.size());
    return true;
}

}  // namespace

std::optional<InterfaceFacts> interface_facts(const std::string& name)
{
    ifreq request;
    Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    InterfaceFacts facts;
    if (!socket.valid() || !named(name, request)) return std::nullopt;
    if (ioctl(socket.get(), SIOCGIFINDEX, &request) != 0) return std::nullopt;
    facts.index = request.ifr_ifindex;
    if (ioctl(socket.get(), SIOCGIFFLAGS, &request) != 0) return std::nullopt;
    facts.up = request.ifr_flags & IFF_UP;
    if (ioctl(socket.get(), SIOCGIFHWADDR, &request) != 0) return std::nullopt;
    facts.ethernet = request.ifr_hwaddr.sa_family == ARPHRD_ETHER;
    if (ioctl(socket.get(), SIOCGIFMTU, &request) != 0) return std::nullopt;
    facts.mtu = request.ifr_mtu;
    return facts;
}

bool is_free_tap(const std::string& name)
{
    Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    return name.find('/') == std::string::npos && !has_carrier(socket.get(), name) &&
           access(("/sys/class/net/" + name + "/tun_flags").c_str(), F_OK) == 0;
}

int interface_index(int socket, const std::string& name)
{
    ifreq request;
    return named(name, request) && ioctl(socket, SIOCGIFINDEX, &request) == 0 ? request.ifr_ifindex : 0;
}

bool has_carrier(int socket, const std::string& name)
{
    ifreq request;
    return named(name, request) && ioctl(socket, SIOCGIFFLAGS, &request) == 0 && (request.ifr_flags & IFF_RUNNING);
}

std::uint32_t receive_queues(const std::string& name)
{
    ifreq request;
    Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ethtool_channels channels{};
    channels.cmd = ETHTOOL_GCHANNELS;
    if (!named(name, request)) return 1;
    request.ifr_data = reinterpret_cast<char*>(&channels);
    if (ioctl(socket.get(), SIOCETHTOOL, &request) != 0) return 1;
    return std::max<std::uint32_t>(channels.combined_count + channels.rx_count, 1);
}

void switch_ipv6_off(const std::string& name)
{
    const Descriptor file(open(("/proc/sys/net/ipv6/conf/" + name + "/disable_ipv6").c_str(), O_WRONLY | O_CLOEXEC));
    if (file.valid() && write(file.get(), "1", 1) < 0) return;
}

int switch_offloads_off(const std::string& name)
{
    ifreq request;
    Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!named(name, request)) return ENODEV;
    for (std::uint32_t command : {ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO, ETHTOOL_STXCSUM}) {
        ethtool_value value{command, 0};
        request.ifr_data = reinterpret_cast<char*>(&value);
        if (ioctl(socket.get(), SIOCETHTOOL, &request) != 0) return errno;
    }
    return 0;
}

}  // namespace anml::rt::io
