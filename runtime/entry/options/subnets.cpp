#include "entry/options/subnets.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "entry/tools/addresses.h"
#include "io/device/dotted.h"
#include "io/gateway/host_range.h"

namespace anml::rt::entry {

namespace {

Subnet ipv4_subnet(std::uint32_t first, std::uint32_t length)
{
    Subnet subnet;
    for (std::size_t i = 0; i < 4; ++i) subnet.bits[i] = static_cast<std::uint8_t>(first >> (24 - 8 * i));
    subnet.length = length;
    return subnet;
}

// What no single host elsewhere has as its address.
std::string_view reserved(const Subnet& subnet)
{
    const auto in = [&](const Subnet& other) { return overlap(subnet, other); };
    if (!subnet.ipv6) {
        if (in(ipv4_subnet(0, 8))) return "0.0.0.0/8 stands for hosts without an address";
        if (in(ipv4_subnet(127u << 24, 8))) return "127.0.0.0/8 is each host's own (loopback)";
        if (in(ipv4_subnet(224u << 24, 3))) return "addresses from 224.0.0.0 on are no single hosts'";
        return "";
    }
    if (in({true, {}, 8})) return "::/8 is no hosts' elsewhere";
    if (in({true, {0xfe, 0x80}, 10})) return "fe80::/10 is each link's own";
    if (in({true, {0xff}, 8})) return "ff00::/8 is for groups of hosts (multicast)";
    if (in({true, {0x00, 0x64, 0xff, 0x9b, 0x00, 0x01}, 48})) return "64:ff9b:1::/48 is for the model's own nodes";
    return "";
}

bool rest_is_zero(const Subnet& subnet)
{
    for (std::uint32_t bit = subnet.length; bit < 128; ++bit)
        if (subnet.bits[bit / 8] & 0x80 >> bit % 8) return false;
    return true;
}

}  // namespace

std::optional<Subnet> parse_subnet(std::string_view text, std::string& error)
{
    const std::size_t slash = text.find('/');
    const std::string address(text.substr(0, slash));
    Subnet subnet;
    subnet.ipv6 = address.find(':') != std::string::npos;
    if (inet_pton(subnet.ipv6 ? AF_INET6 : AF_INET, address.c_str(), subnet.bits.data()) != 1 ||
        slash == std::string_view::npos)
    {
        error = "is no prefix; write it like 192.168.7.0/24 or fd00:7::/64";
        return std::nullopt;
    }
    const char* const end = text.data() + text.size();
    const auto [stop, status] = std::from_chars(text.data() + slash + 1, end, subnet.length);
    const std::uint32_t most = subnet.ipv6 ? 128 : 32;
    if (status != std::errc() || stop != end || subnet.length == 0 || subnet.length > most) {
        error = fmt::format("has a length that is not from 1 to {}", most);
        return std::nullopt;
    }
    if (!rest_is_zero(subnet)) {
        error = fmt::format("has bits behind its first {}", subnet.length);
        return std::nullopt;
    }
    if (const std::string_view why = reserved(subnet); !why.empty()) {
        error = fmt::format("cannot be behind an endpoint: {}", why);
        return std::nullopt;
    }
    return subnet;
}

// A node with an address of IPv6 in the subnet; "": there is none.
static std::string node_in(const abi::Image& image, const Subnet& subnet)
{
    for (std::uint32_t row = 0; row < image.node_row_count; ++row) {
        const abi::NodeRow& node = image.node_rows[row];
        Ipv6 first, last;
        std::uint64_t more = node.count - 1;
        for (std::size_t i = first.size(); i-- > 0;) {
            first[i] = static_cast<std::uint8_t>(node.ipv6[i / 4] >> (24 - 8 * (i % 4)));
            more += first[i];
            last[i] = static_cast<std::uint8_t>(more);
            more >>= 8;
        }
        const bool around = first <= subnet.bits && subnet.bits <= last;
        if (node.ipv6[0] != 0 && (around || subnet.has(first) || subnet.has(last))) return image.strings + node.name;
    }
    return "";
}

std::string check_subnets(const abi::Image& image, const std::vector<io::SubnetBehind>& subnets)
{
    for (std::size_t i = 0; i < subnets.size(); ++i) {
        const Subnet& subnet = subnets[i].subnet;
        for (std::size_t j = 0; j < i; ++j) {
            if (overlap(subnet, subnets[j].subnet))
                return fmt::format("--behind: {} and {} overlap", io::shown(subnets[j].subnet), io::shown(subnet));
        }
        if (subnet.ipv6) {
            if (const std::string node = node_in(image, subnet); !node.empty())
                return fmt::format("--behind: {} has an address of the model's `{}` in it", io::shown(subnet), node);
            continue;
        }
        for (std::uint32_t row = 0; row < image.endpoint_count; ++row) {
            const bool same = row == subnets[i].endpoint;
            for (const abi::EndpointPrefixRow& prefix : io::prefixes_of(image, row)) {
                if (prefix.first <= subnet.last() && io::last_of(prefix) >= subnet.first())
                    return fmt::format("--behind: {} overlaps {}/{} of the model's endpoint `{}`", io::shown(subnet),
                                       format_address(prefix.first), prefix.length,
                                       image.strings + image.endpoints[row].name);
                if (same && prefix.kind != abi::PrefixKind::routed && !image.endpoints[row].addressed)
                    return fmt::format("--behind: endpoint `{}` has no `address`, which its router would need",
                                       image.strings + image.endpoints[row].name);
            }
        }
        const auto holds = [&](std::uint32_t address, std::uint64_t count) {
            return address != 0 && address <= subnet.last() && address + count > subnet.first();
        };
        if (holds(image.gateway, 1)) {
            return fmt::format("--behind: {} has {} in it, the model's gateway", io::shown(subnet),
                               format_address(image.gateway));
        }
        for (std::uint32_t row = 0; row < image.node_row_count; ++row) {
            const abi::NodeRow& node = image.node_rows[row];
            if (!holds(node.address, node.count)) continue;
            return fmt::format("--behind: {} has {} in it, of the model's `{}`", io::shown(subnet),
                               format_address(std::max(node.address, subnet.first())), image.strings + node.name);
        }
    }
    return "";
}

}  // namespace anml::rt::entry
