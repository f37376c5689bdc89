#include "io/device/netlink.h"

#include <arpa/inet.h>
#include <linux/if_link.h>
#include <linux/ip.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace anml::rt::io {

// A message under construction; large enough for every request below.
class Netlink::Request {
  public:
    Request(std::uint16_t type, std::uint16_t flags)
    {
        std::memset(bytes_, 0, sizeof bytes_);
        header().nlmsg_len = NLMSG_HDRLEN;
        header().nlmsg_type = type;
        header().nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags);
    }
    nlmsghdr& header() { return *reinterpret_cast<nlmsghdr*>(bytes_); }

    void append(const void* data, std::size_t size)
    {
        if (!size) return;
        std::memcpy(bytes_ + header().nlmsg_len, data, size);
        header().nlmsg_len = NLMSG_ALIGN(header().nlmsg_len + static_cast<std::uint32_t>(size));
    }
    template <class T>
    void append(const T& value)
    {
        append(&value, sizeof value);
    }
    void attribute(std::uint16_t type, const void* data, std::size_t size)
    {
        append(rtattr{static_cast<unsigned short>(RTA_LENGTH(size)), type});
        append(data, size);
    }
    template <class T>
    void attribute(std::uint16_t type, const T& value)
    {
        attribute(type, &value, sizeof value);
    }
    void attribute(std::uint16_t type, const std::string& text) { attribute(type, text.c_str(), text.size() + 1); }

    // Attributes appended between begin and end nest in one.
    std::uint32_t begin(std::uint16_t type)
    {
        const std::uint32_t at = header().nlmsg_len;
        attribute(type, nullptr, 0);
        return at;
    }
    void end(std::uint32_t at)
    {
        reinterpret_cast<rtattr*>(bytes_ + at)->rta_len = static_cast<unsigned short>(header().nlmsg_len - at);
    }

  private:
    alignas(nlmsghdr) char bytes_[512];
};

Netlink::Netlink() : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)), failure_(errno) {}

namespace {

// The attribute of this type among those that follow a message's `fixed` bytes; null: absent.
const rtattr* find_attribute(const std::vector<char>& message, std::size_t fixed, std::uint16_t type)
{
    if (message.size() < NLMSG_HDRLEN + NLMSG_ALIGN(fixed)) return nullptr;
    const auto* at = reinterpret_cast<const rtattr*>(message.data() + NLMSG_HDRLEN + NLMSG_ALIGN(fixed));
    auto left = static_cast<long>(message.size() - NLMSG_HDRLEN - NLMSG_ALIGN(fixed));
    for (; RTA_OK(at, left); at = RTA_NEXT(at, left)) {
        if (at->rta_type == type) return at;
    }
    return nullptr;
}

}  // namespace

int Netlink::send(Request& request, std::uint16_t type, std::vector<char>* answer)
{
    if (!socket_.valid()) return failure_;
    request.header().nlmsg_seq = ++sequence_;
    if (::send(socket_.get(), &request.header(), request.header().nlmsg_len, 0) < 0) return errno;
    for (;;) {
        alignas(nlmsghdr) char buffer[16384];
        ssize_t length = recv(socket_.get(), buffer, sizeof buffer, 0);
        if (length < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        for (auto* header = reinterpret_cast<nlmsghdr*>(buffer); NLMSG_OK(header, length);
             header = NLMSG_NEXT(header, length))
        {
            if (header->nlmsg_seq != sequence_) continue;
            if (header->nlmsg_type == NLMSG_ERROR) return -static_cast<const nlmsgerr*>(NLMSG_DATA(header))->error;
            if (answer && header->nlmsg_type == type) {
                const auto* bytes = reinterpret_cast<const char*>(header);
                answer->assign(bytes, bytes + header->nlmsg_len);
            }
        }
    }
}

std::uint64_t Netlink::transmit_drops(int index)
{
    Request request(RTM_GETLINK, 0);
    ifinfomsg message{};
    message.ifi_index = index;
    request.append(message);
    std::vector<char> answer;
    if (send(request, RTM_NEWLINK, &answer) != 0) return 0;
    const rtattr* attribute = find_attribute(answer, sizeof(ifinfomsg), IFLA_STATS64);
    rtnl_link_stats64 statistics{};
    if (attribute)
        std::memcpy(&statistics, RTA_DATA(attribute), std::min<std::size_t>(sizeof statistics, RTA_PAYLOAD(attribute)));
    return statistics.tx_dropped;
}

int Netlink::add_veth(const std::string& name, const std::string& peer, pid_t owner)
{
    Request request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL);
    request.append(ifinfomsg{});
    request.attribute(IFLA_IFNAME, name);
    const std::uint32_t info = request.begin(IFLA_LINKINFO);
    request.attribute(IFLA_INFO_KIND, std::string("veth"));
    const std::uint32_t data = request.begin(IFLA_INFO_DATA);
    const std::uint32_t other = request.begin(VETH_INFO_PEER);
    request.append(ifinfomsg{});
    request.attribute(IFLA_IFNAME, peer);
    request.attribute(IFLA_NET_NS_PID, static_cast<std::uint32_t>(owner));
    request.end(other);
    request.end(data);
    request.end(info);
    return send(request);
}

int Netlink::set_up(int index)
{
    Request request(RTM_NEWLINK, 0);
    ifinfomsg link{};
    link.ifi_index = index;
    link.ifi_flags = link.ifi_change = IFF_UP;
    request.append(link);
    return send(request);
}

int Netlink::set_mtu(int index, std::uint32_t mtu)
{
    Request request(RTM_NEWLINK, 0);
    ifinfomsg link{};
    link.ifi_index = index;
    request.append(link);
    request.attribute(IFLA_MTU, mtu);
    return send(request);
}

int Netlink::set_proxy_arp(int index)
{
    Request request(RTM_SETLINK, 0);
    ifinfomsg link{};
    link.ifi_index = index;
    request.append(link);
    const std::uint32_t families = request.begin(IFLA_AF_SPEC);
    const std::uint32_t family = request.begin(AF_INET);
    const std::uint32_t settings = request.begin(IFLA_INET_CONF);
    request.attribute(IPV4_DEVCONF_PROXY_ARP, std::uint32_t{1});
    request.end(settings);
    request.end(family);
    request.end(families);
    if (const int failure = send(request)) return failure;
    // By default the answer comes at a random time within 0.8 s.
    Request table(RTM_SETNEIGHTBL, 0);
    ndtmsg message{};
    message.ndtm_family = AF_INET;
    table.append(message);
    table.attribute(NDTA_NAME, std::string("arp_cache"));
    const std::uint32_t parameters = table.begin(NDTA_PARMS);
    table.attribute(NDTPA_IFINDEX, static_cast<std::uint32_t>(index));
    table.attribute(NDTPA_PROXY_DELAY, std::uint64_t{0});
    table.end(parameters);
    return send(table);
}

namespace {

std::array<std::uint8_t, 4> bytes_of(std::uint32_t address)
{
    return {static_cast<std::uint8_t>(address >> 24), static_cast<std::uint8_t>(address >> 16),
            static_cast<std::uint8_t>(address >> 8), static_cast<std::uint8_t>(address)};
}

constexpr std::uint8_t family_of(std::size_t bytes) { return bytes == 4 ? AF_INET : AF_INET6; }

}  // namespace

int Netlink::address(std::uint16_t type, std::uint16_t flags, int index, Bytes address, std::uint32_t length)
{
    Request request(type, flags);
    ifaddrmsg message{};
    message.ifa_family = family_of(address.size());
    message.ifa_prefixlen = static_cast<std::uint8_t>(length);
    message.ifa_index = static_cast<std::uint32_t>(index);
    if (message.ifa_family == AF_INET6) message.ifa_flags = IFA_F_NODAD;
    request.append(message);
    request.attribute(IFA_LOCAL, address.data(), address.size());
    request.attribute(IFA_ADDRESS, address.data(), address.size());
    return send(request);
}

int Netlink::add_address(int index, std::uint32_t address, std::uint32_t length)
{
    return this->address(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, index, bytes_of(address), length);
}

int Netlink::add_address(int index, const Ipv6& address, std::uint32_t length)
{
    return this->address(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, index, address, length);
}

int Netlink::delete_address(int index, std::uint32_t address, std::uint32_t length)
{
    return this->address(RTM_DELADDR, 0, index, bytes_of(address), length);
}

int Netlink::delete_address(int index, const Ipv6& address, std::uint32_t length)
{
    return this->address(RTM_DELADDR, 0, index, address, length);
}

int Netlink::route(std::uint16_t type, std::uint16_t flags, int index, Bytes prefix, std::uint32_t length,
                   Bytes gateway)
{
    Request request(type, flags);
    rtmsg message{};
    message.rtm_family = family_of(prefix.size());
    message.rtm_dst_len = static_cast<unsigned char>(length);
    message.rtm_table = RT_TABLE_MAIN;
    message.rtm_protocol = RTPROT_STATIC;
    const bool on_link = std::ranges::all_of(gateway, [](std::uint8_t byte) { return byte == 0; });
    message.rtm_scope = on_link ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE;
    message.rtm_type = RTN_UNICAST;
    message.rtm_flags = on_link ? 0 : RTNH_F_ONLINK;
    request.append(message);
    if (length != 0 || message.rtm_family == AF_INET) request.attribute(RTA_DST, prefix.data(), prefix.size());
    if (!on_link) request.attribute(RTA_GATEWAY, gateway.data(), gateway.size());
    request.attribute(RTA_OIF, static_cast<std::uint32_t>(index));
    return send(request);
}

int Netlink::add_route(int index, std::uint32_t prefix, std::uint32_t length, std::uint32_t gateway)
{
    return route(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, index, bytes_of(prefix), length, bytes_of(gateway));
}

int Netlink::add_route(int index, const Ipv6& prefix, std::uint32_t length, const Ipv6& gateway)
{
    return route(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, index, prefix, length, gateway);
}

int Netlink::delete_route(int index, std::uint32_t prefix, std::uint32_t length, std::uint32_t gateway)
{
    return route(RTM_DELROUTE, 0, index, bytes_of(prefix), length, bytes_of(gateway));
}

int Netlink::delete_route(int index, const Ipv6& prefix, std::uint32_t length, const Ipv6& gateway)
{
    return route(RTM_DELROUTE, 0, index, prefix, length, gateway);
}

int Netlink::route_interface(std::uint32_t address) { return leaves_by(bytes_of(address)); }
int Netlink::route_interface(const Ipv6& address) { return leaves_by(address); }

int Netlink::leaves_by(Bytes address)
{
    Request request(RTM_GETROUTE, 0);
    rtmsg message{};
    message.rtm_family = family_of(address.size());
    message.rtm_dst_len = static_cast<unsigned char>(8 * address.size());
    request.append(message);
    request.attribute(RTA_DST, address.data(), address.size());
    std::vector<char> answer;
    if (send(request, RTM_NEWROUTE, &answer) != 0) return 0;
    const rtattr* interface = find_attribute(answer, sizeof(rtmsg), RTA_OIF);
    int index = 0;
    if (interface) std::memcpy(&index, RTA_DATA(interface), sizeof index);
    return index;
}

}  // namespace anml::rt::io
