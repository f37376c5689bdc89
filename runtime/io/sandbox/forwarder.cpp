#include "io/sandbox/forwarder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "io/device/dotted.h"
#include "io/device/interface.h"

namespace anml::rt::io {

bool Forwarder::begin(std::string& error)
{
    socket_.reset(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const Descriptor setting(::open("/proc/sys/net/ipv4/ip_forward", O_RDWR | O_CLOEXEC));
    char value = 0;
    if (setting.valid() && pread(setting.get(), &value, 1, 0) == 1 && value == '1') return true;
    if (setting.valid() && pwrite(setting.get(), "1", 1, 0) == 1) return true;
    error = fmt::format("cannot have this namespace forward (net.ipv4.ip_forward): {}; it takes root there",
                        std::strerror(errno));
    return false;
}

bool Forwarder::join(const std::string& name, const std::string& interface, const HostAddresses& host,
                     std::string& error)
{
    const auto failed = [&](int failure) {
        error = fmt::format("cannot make interface `{}`: {}", name, std::strerror(failure));
        return false;
    };
    if (name.size() >= IFNAMSIZ) return failed(ENAMETOOLONG);
    if (const int failure = there_.add_veth(name, interface, getpid())) return failed(failure);
    switch_ipv6_off(interface);
    const int index = interface_index(socket_.get(), name);
    const auto here = interface_facts(interface);
    if (index == 0 || !here) return failed(errno);
    int failure = Netlink().set_up(here->index);
    if (!failure) failure = there_.set_up(index);
    if (!failure) failure = there_.set_proxy_arp(index);
    if (failure) return failed(failure);
    for (const AddressPrefix& prefix : host.prefixes) {
        failure = there_.add_route(index, prefix.first, prefix.length, host.gateway);
        // Another emulator's pool is as good: the gateway is asked for at NAME.
        const bool of_gateway = (std::uint64_t{host.gateway ^ prefix.first} >> (32 - prefix.length)) == 0;
        if (failure == 0 || (failure == EEXIST && of_gateway)) continue;
        error = failure == EEXIST ? fmt::format("there is a route for {0} already (`ip route show {0}`)", shown(prefix))
                                  : fmt::format("cannot route {} through `{}`: {}", shown(prefix), name,
                                                std::strerror(failure));
        return false;
    }
    return true;
}

}  // namespace anml::rt::io
