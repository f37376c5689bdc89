// Addresses of IPv6 that the model's nodes have: by node, by address, and as texts.
#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>

#include "net/model.h"

namespace anml::rt {

static_assert(abi::kIpv6Handles == kIpv6Nodes);

namespace {

// The first `places` of the four words, as a number.
std::uint64_t half(const std::uint32_t* words) { return std::uint64_t{words[0]} << 32 | words[1]; }

Ipv6 ipv6_behind(const std::uint32_t* words, std::uint32_t element)
{
    const std::uint64_t low = half(words + 2) + element, high = half(words) + (low < element);
    Ipv6 address;
    for (std::size_t i = 0; i < 8; ++i) {
        address[i] = static_cast<std::uint8_t>(high >> (56 - 8 * i));
        address[8 + i] = static_cast<std::uint8_t>(low >> (56 - 8 * i));
    }
    return address;
}

Ipv6 element_of(const abi::NodeRow& row, std::uint32_t element) { return ipv6_behind(row.ipv6, element); }

}  // namespace

Ipv6 Model::ipv6(NodeId node) const
{
    const abi::NodeRow& row = node_row(node);
    return element_of(row, node - row.first_node);
}

Address Model::find_ipv6(const Ipv6& wanted) const
{
    const auto above = std::partition_point(rows_by_ipv6_.begin(), rows_by_ipv6_.end(), [&](std::uint32_t row) {
        return element_of(image_->node_rows[row], 0) <= wanted;
    });
    if (above == rows_by_ipv6_.begin()) return shared_ipv6(wanted);
    const abi::NodeRow& row = image_->node_rows[*(above - 1)];
    std::uint64_t high = 0, low = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        high = high << 8 | wanted[i];
        low = low << 8 | wanted[8 + i];
    }
    const std::uint64_t first = half(row.ipv6 + 2), element = low - first;
    if (high - half(row.ipv6) != (low < first) || element >= row.count) return shared_ipv6(wanted);
    return ipv6_of(row.first_node + static_cast<std::uint32_t>(element));
}

Address Model::shared_ipv6(const Ipv6& wanted) const
{
    for (const abi::NodeRow& row : std::span(image_->node_rows, image_->node_row_count))
        if (row.anycast_ipv6[0] != 0 && ipv6_behind(row.anycast_ipv6, 0) == wanted) return Address{row.anycast};
    return Address::none;
}

Ipv6 Model::ipv6_bytes(Address address) const
{
    constexpr std::uint32_t kGroup[] = {0xff3e0000, 0, 0, 0x80000000};
    if (is_ipv6_of_node(address)) return ipv6(ipv6_node(address));
    if (is_group_ipv6(address)) return ipv6_behind(kGroup, workload_of_group(address));
    for (const abi::NodeRow& row : std::span(image_->node_rows, image_->node_row_count))
        if (Address{row.anycast} == address) return ipv6_behind(row.anycast_ipv6, 0);
    return {};
}

std::string Model::address_text(Address address) const
{
    if (is_ipv6(address) && number(address) < kIpv6ExternalHosts) {
        char text[INET6_ADDRSTRLEN];
        inet_ntop(AF_INET6, ipv6_bytes(address).data(), text, sizeof text);
        return text;
    }
    const std::uint32_t bits = ipv4_bits(address);
    return fmt::format("{}.{}.{}.{}", bits >> 24, bits >> 16 & 255, bits >> 8 & 255, bits & 255);
}

}  // namespace anml::rt
