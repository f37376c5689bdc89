#include "wire/neighbour_discovery.h"

#include <algorithm>

#include "wire/checksum.h"
#include "wire/icmpv6.h"

namespace anml::rt::wire {

namespace {

constexpr std::uint8_t kFromThisLink = 255;                       // hop limit: no router has passed it on
constexpr std::uint8_t kSourceMac = 1, kTargetMac = 2, kMtu = 5;  // options
constexpr std::uint8_t kRouter = 0x80, kSolicited = 0x40, kOverride = 0x20;
constexpr std::size_t kOptionUnit = 8;  // of options

bool is_group(const Ipv6& address) { return address[0] == 0xff; }

Ipv6 address_at(std::span<const std::uint8_t> bytes, std::size_t at)
{
    Ipv6 address;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), address.size(), address.begin());
    return address;
}

// False: one of them has no length, or reaches beyond the message. Of several that say a MAC address the first counts.
bool read_options(std::span<const std::uint8_t> options, std::uint8_t kind, Discovery& message)
{
    while (!options.empty()) {
        if (options.size() < kOptionUnit) return false;
        const std::size_t length = kOptionUnit * options[1];
        if (length == 0 || length > options.size()) return false;
        if (options[0] == kind && length == kOptionUnit && !message.mac) {
            message.mac.emplace();
            std::copy_n(options.begin() + 2, message.mac->size(), message.mac->begin());
        }
        options = options.subspan(length);
    }
    return true;
}

// The header and the checksum of a message of `length` bytes behind it. Returns the length of the packet.
std::size_t finish(std::uint8_t* out, const Ipv6& source, const Ipv6& destination, std::size_t length)
{
    write_ipv6(out, source, destination, protocol::icmpv6, length, kFromThisLink);
    std::uint8_t* message = out + Ipv6View::kHeader;
    store16(message + 2, 0);
    const std::uint32_t pseudo = sum_bytes({out + 8, 32}, static_cast<std::uint32_t>(length) + protocol::icmpv6);
    store16(message + 2, checksum({message, length}, pseudo));
    return Ipv6View::kHeader + length;
}

void write_mac(std::uint8_t* option, std::uint8_t kind, const MacAddress& mac)
{
    option[0] = kind;
    option[1] = 1;
    std::copy(mac.begin(), mac.end(), option + 2);
}

std::uint8_t* begin(std::uint8_t* out, std::uint8_t type)
{
    std::fill_n(out, kMostDiscovery, std::uint8_t{0});
    std::uint8_t* message = out + Ipv6View::kHeader;
    message[0] = type;
    return message;
}

}  // namespace

Ipv6 solicited_node(const Ipv6& address)
{
    Ipv6 group{0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff};
    std::copy_n(address.begin() + 13, 3, group.begin() + 13);
    return group;
}

MacAddress group_mac(const Ipv6& group) { return {0x33, 0x33, group[12], group[13], group[14], group[15]}; }

bool is_discovery(const Ipv6View& ip)
{
    return ip.protocol() == protocol::icmpv6 && !ip.is_fragment() && !ip.payload().empty() &&
           ip.payload()[0] >= discovery_type::router_solicitation && ip.payload()[0] <= discovery_type::redirect;
}

bool parse_discovery(const Ipv6View& ip, Discovery& message)
{
    const std::span<const std::uint8_t> bytes = ip.payload();
    if (!is_discovery(ip) || ip.hop_limit() != kFromThisLink || bytes.size() < 8 || bytes[1] != 0) return false;
    if (fold(sum_bytes(bytes, ip.pseudo(bytes.size()))) != 0xffff) return false;
    message = {.type = bytes[0], .source = ip.source()};
    if (is_group(message.source)) return false;
    if (message.type == discovery_type::router_solicitation) {
        if (!read_options(bytes.subspan(8), kSourceMac, message)) return false;
        return message.source != Ipv6{} || !message.mac;
    }
    constexpr std::size_t kFixed = 24;
    if (bytes.size() < kFixed) return false;
    message.target = address_at(bytes, 8);
    if (is_group(message.target)) return false;
    if (message.type == discovery_type::solicitation) {
        if (!read_options(bytes.subspan(kFixed), kSourceMac, message)) return false;
        if (message.source != Ipv6{}) return true;
        return ip.destination() == solicited_node(message.target) && !message.mac;
    }
    if (message.type != discovery_type::advertisement || !read_options(bytes.subspan(kFixed), kTargetMac, message))
        return false;
    message.solicited = bytes[4] & kSolicited;
    message.overrides = bytes[4] & kOverride;
    return !(message.solicited && is_group(ip.destination()));
}

std::size_t write_solicitation(std::uint8_t* out, const Ipv6& source, const MacAddress& mac, const Ipv6& target,
                               bool to_group)
{
    std::uint8_t* message = begin(out, discovery_type::solicitation);
    std::copy(target.begin(), target.end(), message + 8);
    write_mac(message + 24, kSourceMac, mac);
    return finish(out, source, to_group ? solicited_node(target) : target, 32);
}

std::size_t write_advertisement(std::uint8_t* out, const Advertised& what, const Ipv6& asker)
{
    std::uint8_t* message = begin(out, discovery_type::advertisement);
    const bool solicited = asker != Ipv6{};
    message[4] = static_cast<std::uint8_t>((what.router ? kRouter : 0) | (solicited ? kSolicited : 0) |
                                           (what.overrides ? kOverride : 0));
    std::copy(what.target.begin(), what.target.end(), message + 8);
    write_mac(message + 24, kTargetMac, what.mac);
    return finish(out, what.source, solicited ? asker : kAllNodes, 32);
}

std::size_t write_router_advertisement(std::uint8_t* out, const Ipv6& source, const MacAddress& mac, const Ipv6& asker,
                                       std::uint16_t lifetime, std::uint32_t mtu)
{
    constexpr std::uint8_t kHopLimit = 64;
    std::uint8_t* message = begin(out, discovery_type::router_advertisement);
    message[4] = kHopLimit;
    store16(message + 6, lifetime);
    write_mac(message + 16, kSourceMac, mac);
    std::size_t length = 24;
    if (mtu != 0) {
        message[length] = kMtu;
        message[length + 1] = 1;
        store32(message + length + 4, mtu);
        length += kOptionUnit;
    }
    return finish(out, source, asker == Ipv6{} ? kAllNodes : asker, length);
}

bool is_listener_query(const Ipv6View& ip)
{
    constexpr std::uint8_t kQuery = 130;
    constexpr std::size_t kLeast = 24;  // of its first version
    const std::span<const std::uint8_t> message = ip.payload();
    return ip.protocol() == protocol::icmpv6 && !ip.is_fragment() && ip.hop_limit() == 1 && message.size() >= kLeast &&
           message[0] == kQuery && fold(sum_bytes(message, ip.pseudo(message.size()))) == 0xffff;
}

std::size_t write_listener_report(std::uint8_t* out, const Ipv6& source, std::span<const Ipv6> groups, bool asked)
{
    constexpr std::uint8_t kHopByHop = 0, kReport = 143, kIsExclude = 2, kToExclude = 4;
    constexpr std::uint8_t kAlert[] = {protocol::icmpv6, 0, 5, 2, 0, 0, 1, 0};  // routers are to look at it (RFC 2711)
    constexpr std::size_t kHead = 8, kRecord = 20;
    const std::size_t length = kHead + kRecord * groups.size();
    write_ipv6(out, source, kMldRouters, kHopByHop, sizeof kAlert + length, 1);
    std::copy(std::begin(kAlert), std::end(kAlert), out + Ipv6View::kHeader);
    std::uint8_t* const message = out + Ipv6View::kHeader + sizeof kAlert;
    std::fill_n(message, length, std::uint8_t{0});
    message[0] = kReport;
    store16(message + 6, static_cast<std::uint16_t>(groups.size()));
    std::uint8_t* record = message + kHead;
    for (const Ipv6& group : groups) {
        record[0] = asked ? kIsExclude : kToExclude;  // no source: from all
        std::copy(group.begin(), group.end(), record + 4);
        record += kRecord;
    }
    const std::uint32_t pseudo = sum_bytes({out + 8, 32}, static_cast<std::uint32_t>(length) + protocol::icmpv6);
    store16(message + 2, checksum({message, length}, pseudo));
    return Ipv6View::kHeader + sizeof kAlert + length;
}

}  // namespace anml::rt::wire
