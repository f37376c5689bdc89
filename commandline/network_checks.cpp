// What the kernel lets this user do with networks. Nothing is changed: what has to be tried is tried in a process and a
// namespace of its own.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/bpf.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "commandline/machine_checks.h"

namespace anml::commandline {

namespace {

constexpr int kNetAdmin = 12, kNetRaw = 13;  // linux/capability.h

bool has_capability(int capability)
{
    std::ifstream in("/proc/self/status");
    std::string word;
    unsigned long long effective = 0;
    while (in >> word)
        if (word == "CapEff:") in >> std::hex >> effective;
    return (effective >> capability) & 1u;
}

// What `attempt` returns in a child process: 0, or an errno.
template <class Attempt>
int in_child(Attempt&& attempt)
{
    const pid_t child = fork();
    if (child < 0) return errno;
    if (child == 0) _exit(attempt());
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

int enter_namespace()
{
    const int flags = geteuid() == 0 ? CLONE_NEWNET : CLONE_NEWUSER | CLONE_NEWNET;
    return unshare(flags) == 0 ? 0 : errno;
}

MachineCheck sandbox()
{
    const int error = in_child(enter_namespace);
    if (error == 0)
        return {"sandbox", Health::good,
                geteuid() == 0 ? "network namespaces, as root" : "network namespaces without root", ""};
    std::string mend;
    if (read_setting("/proc/sys/kernel/unprivileged_userns_clone") == "0")
        mend = "sudo sysctl kernel.unprivileged_userns_clone=1";
    else if (read_setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1")
        mend = "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0";
    else if (read_setting("/proc/sys/user/max_user_namespaces") == "0")
        mend = "sudo sysctl user.max_user_namespaces=15000";
    else
        mend = "run `live --sandbox` as root; in a container, start it with --privileged";
    return {"sandbox", Health::missing,
            fmt::format("no network namespace for `live --sandbox`: {}", std::strerror(error)), mend};
}

MachineCheck tap()
{
    const int error = in_child([] {
        const int device = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
        if (device < 0) return errno;
        if (enter_namespace() != 0) return 0;  // what `sandbox` reports
        ifreq request{};
        request.ifr_flags = IFF_TAP | IFF_NO_PI;
        return ioctl(device, TUNSETIFF, &request) == 0 ? 0 : errno;
    });
    if (error == 0) {
        if (has_capability(kNetAdmin)) return {"tap", Health::good, "TAP devices can be made", ""};
        return {"tap", Health::advice, "`live --attach NAME=tap:...` needs root",
                "sudo ./emu live --attach NAME=tap:tap0"};
    }
    return {
        "tap", Health::advice, fmt::format("no TAP device for `live --attach NAME=tap:...`: {}", std::strerror(error)),
        error == ENOENT                     ? "sudo modprobe tun"
        : error == EACCES || error == EPERM ? "sudo chmod 666 /dev/net/tun, or run as root"
                                            : "sudo modprobe tun; in a container, start it with --device /dev/net/tun"};
}

MachineCheck raw_packets()
{
    const int descriptor = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    const int error = errno;
    if (descriptor >= 0) {
        close(descriptor);
        return {"packets", Health::good, "existing interfaces can be attached", ""};
    }
    return {"packets", Health::advice,
            fmt::format("`live --attach NAME=if:...` may not open interfaces: {}", std::strerror(error)),
            "sudo setcap cap_net_raw,cap_net_admin+ep ./emu, after each compilation; or run it as root"};
}

// A socket and a map are what AF_XDP asks of kernel and rights; the driver is asked by the run.
MachineCheck af_xdp()
{
    const auto offered = [](const char* how) {
        return MachineCheck{"af_xdp", Health::advice, fmt::format("`live --attach NAME=xdp:...`: {}", how),
                            "`--attach NAME=if:...` does it without"};
    };
    const int descriptor = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
    const int error = errno;
    if (descriptor >= 0) close(descriptor);
    if (descriptor < 0 && error == EAFNOSUPPORT) return offered("this kernel has none (CONFIG_XDP_SOCKETS)");
    bpf_attr attributes{};
    attributes.map_type = BPF_MAP_TYPE_XSKMAP;
    attributes.key_size = attributes.value_size = 4;
    attributes.max_entries = 1;
    const long map = syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes);
    const int refused = errno;
    if (map >= 0) close(static_cast<int>(map));
    if (map < 0 && refused == ENOSYS) return offered("this kernel has no BPF (CONFIG_BPF_SYSCALL)");
    if (descriptor >= 0 && map >= 0 && has_capability(kNetAdmin))
        return {"af_xdp", Health::good, "interfaces can be attached through AF_XDP", ""};
    return {"af_xdp", Health::advice, "`live --attach NAME=xdp:...` needs root",
            "sudo ./emu live --attach NAME=xdp:eth1; `if:` does it with CAP_NET_RAW"};
}

MachineCheck capabilities()
{
    std::string held;
    if (has_capability(kNetAdmin)) held += " CAP_NET_ADMIN";
    if (has_capability(kNetRaw)) held += " CAP_NET_RAW";
    return {"capabilities", Health::good, held.empty() ? "none; simulate and live --sandbox need none" : held.substr(1),
            ""};
}

MachineCheck reverse_path()
{
    const std::string value = read_setting("/proc/sys/net/ipv4/conf/all/rp_filter");
    if (value == "1")
        return {"rp_filter", Health::advice,
                "strict: with `live --attach`, packets of virtual hosts are dropped where the route back to them leads "
                "elsewhere",
                "sudo sysctl net.ipv4.conf.all.rp_filter=2"};
    return {"rp_filter", Health::good, value == "2" ? "loose" : "off", ""};
}

bool offload_is_on(int descriptor, const std::string& interface, unsigned command)
{
    ethtool_value value{command, 0};
    ifreq request{};
    std::memcpy(request.ifr_name, interface.data(), std::min(interface.size(), sizeof request.ifr_name - 1));
    request.ifr_data = reinterpret_cast<char*>(&value);
    return ioctl(descriptor, SIOCETHTOOL, &request) == 0 && value.data != 0;
}

MachineCheck offloads()
{
    std::string on, mend;
    const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct if_nameindex* list = descriptor < 0 ? nullptr : if_nameindex();
    for (struct if_nameindex* at = list; at && at->if_name; ++at) {
        const std::string name = at->if_name;
        if (name == "lo") continue;
        std::string which;
        for (const auto& [command, word] :
             {std::pair{ETHTOOL_GTSO, "tso"}, {ETHTOOL_GGSO, "gso"}, {ETHTOOL_GGRO, "gro"}})
            if (offload_is_on(descriptor, name, command)) which += fmt::format(" {}", word);
        if (which.empty()) continue;
        on += fmt::format("{}{}:{}", on.empty() ? "" : ", ", name, which);
        if (mend.empty())
            mend = fmt::format("if it is to be attached: sudo ethtool -K {} tso off gso off gro off", name);
    }
    if (list) if_freenameindex(list);
    if (descriptor >= 0) close(descriptor);
    if (on.empty()) return {"offloads", Health::good, "off", ""};
    return {"offloads", Health::advice, fmt::format("merge packets before the emulator sees them ({})", on), mend};
}

}  // namespace

std::vector<MachineCheck> check_network()
{
    return {sandbox(), tap(), raw_packets(), af_xdp(), capabilities(), reverse_path(), offloads()};
}

}  // namespace anml::commandline
