#include "io/endpoint_addresses.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/capture/replay.h"
#include "io/device/dotted.h"
#include "io/gateway/gateway.h"
#include "io/gateway/host_range.h"
#include "io/gateway/wire_end.h"
#include "net/model.h"

namespace anml::rt::io {

std::string endpoint_name(const Model& model, std::uint32_t endpoint)
{
    return std::string(model.text(model.image().endpoints[endpoint].name));
}

bool has_prefix(const abi::Image& image, std::uint32_t endpoint, abi::PrefixKind kind)
{
    const auto prefixes = prefixes_of(image, endpoint);
    return std::any_of(prefixes.begin(), prefixes.end(), [&](const auto& prefix) { return prefix.kind == kind; });
}

std::string hosts_shown(const abi::Image& image, std::uint32_t endpoint)
{
    std::string text;
    for (const abi::EndpointPrefixRow& prefix : prefixes_of(image, endpoint)) {
        if (prefix.kind == abi::PrefixKind::routed) continue;
        text += fmt::format("{}{} ({})", text.empty() ? "hosts of " : ", ",
                            shown(AddressPrefix{prefix.first, prefix.length}), abi::prefix_kind_name(prefix.kind));
    }
    return text;
}

namespace {

constexpr std::size_t kMostNames = 10'000;  // of nodes, in a sandbox: each look-up reads them all

// What the model sets, and on the link the address of the other end.
HostAddresses addresses_at_wire(const Model& model, std::uint32_t endpoint, const WireEnd& wire)
{
    const abi::Image& image = model.image();
    const NodeId node = image.endpoints[endpoint].node;
    HostAddresses host;
    host.mtu = first_mtu(model, endpoint);
    const bool other_addressed =
        std::any_of(image.endpoints, image.endpoints + image.endpoint_count,
                    [&](const abi::EndpointRow& row) { return row.node == wire.other && row.addressed != 0; });
    if (!image.endpoints[endpoint].addressed) return host;
    const Address own = model.address(node), other = model.address(wire.other);
    if (!is_ipv6(own)) host.address = number(own);
    if (!is_ipv6(own) && !is_ipv6(other) && other_addressed) host.prefixes.push_back({number(other), 32});
    if (!model.has_ipv6(node)) return host;
    host.ipv6 = model.ipv6(node);
    if (model.has_ipv6(wire.other) && other_addressed) host.prefixes6.push_back({true, model.ipv6(wire.other), 128});
    return host;
}

// Without what lies at other endpoints. There is no IPv4 for one that has no address of it.
HostAddresses own_addresses(const Model& model, std::uint32_t endpoint)
{
    const abi::Image& image = model.image();
    const NodeId node = image.endpoints[endpoint].node;
    const Address own = model.address(node);
    HostAddresses host;
    const Address shared{model.node_row(node).anycast};
    if (!is_ipv6(own))
        host = {number(own), 32, is_ipv6(shared) ? 0 : number(shared), model_prefixes(image, number(own)),
                image.gateway};
    const auto at_link = [](const abi::EndpointPrefixRow& prefix) { return prefix.kind != abi::PrefixKind::routed; };
    const auto prefixes = prefixes_of(image, endpoint);
    if (!model.has_ipv6(node) || (!image.endpoints[endpoint].addressed && std::ranges::any_of(prefixes, at_link)))
        return host;
    host.ipv6 = model.ipv6(node);
    host.prefixes6 = model_prefixes_ipv6(image);
    std::erase(host.prefixes6, Subnet{true, *host.ipv6, 128});
    if (is_ipv6(shared)) {
        host.anycast6 = model.ipv6_bytes(shared);
        std::erase(host.prefixes6, Subnet{true, *host.anycast6, 128});
    }
    host.gateway6 = model_link_local(model);
    return host;
}

// What stands in URLs too, where brackets are patterns or addresses: " web-1" of "web[1]".
std::string alias(std::string_view name)
{
    if (name.find('[') == name.npos) return {};
    std::string plain = " ";
    for (const char c : name)
        if (c == '[')
            plain += '-';
        else if (c != ']' && c != '"')
            plain += c;
    return plain;
}

}  // namespace

HostAddresses addresses_of(const Model& model, const LiveOptions& options, std::uint32_t endpoint)
{
    const abi::Image& image = model.image();
    if (const auto wire = wire_at(image, endpoint)) return addresses_at_wire(model, endpoint, *wire);
    HostAddresses host = own_addresses(model, endpoint);
    if (host.prefixes.empty()) return host;
    for (const SubnetBehind& other : options.subnets) {
        if (other.endpoint != endpoint && !other.subnet.ipv6)
            host.prefixes.push_back({other.subnet.first(), other.subnet.length});
    }
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) {
        for (const abi::EndpointPrefixRow& prefix : prefixes_of(image, i)) {
            const AddressPrefix other{prefix.first, prefix.length};
            if (i != endpoint && std::find(host.prefixes.begin(), host.prefixes.end(), other) == host.prefixes.end())
                host.prefixes.push_back(other);
        }
    }
    for (const abi::EndpointPrefixRow& prefix : prefixes_of(image, endpoint)) {
        if (prefix.kind == abi::PrefixKind::routed) continue;
        if (!image.endpoints[endpoint].addressed) host.address = 0;
        // The segment's own hosts need no route.
        const HostRange hosts = hosts_of(prefix);
        std::erase_if(host.prefixes, [&](const AddressPrefix& other) {
            return other.length >= prefix.length && other.first >= prefix.first && other.first <= last_of(prefix);
        });
        if (host.address && hosts.has(Address{host.address})) host.length = prefix.length;
    }
    for (const MappedAddress& pair : options.maps)
        if (pair.endpoint == endpoint && number(pair.virtual_address) == host.address) {
            host.address = number(pair.real_address);
            host.length = 32;
            break;
        }
    return host;
}

std::string names_of_nodes(const Model& model)
{
    const abi::Image& image = model.image();
    std::string lines;
    std::size_t count = 0;
    const auto add = [&](NodeId node, const std::string& name) {
        const Address own = model.address(node);
        if (own == Address::none) return;
        ++count;
        const std::string known = name + alias(name);
        lines += fmt::format("{} {}\n", model.address_text(own), known);
        if (!is_ipv6(own) && model.has_ipv6(node)) lines += fmt::format("{} {}\n", shown(model.ipv6(node)), known);
    };
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i)
        if (image.endpoints[i].addressed || (prefixes_of(image, i).empty() && !wire_at(image, i)))
            add(image.endpoints[i].node, endpoint_name(model, i));
    const auto is_endpoint = [&](NodeId node) {
        return std::any_of(image.endpoints, image.endpoints + image.endpoint_count,
                           [&](const abi::EndpointRow& row) { return row.node == node; });
    };
    for (std::uint32_t i = 0; i < image.node_row_count; ++i) {
        const abi::NodeRow& row = image.node_rows[i];
        for (NodeId node = row.first_node; node - row.first_node < row.count && count < kMostNames; ++node)
            if (!is_endpoint(node)) add(node, model.node_name(node));
    }
    return lines;
}

}  // namespace anml::rt::io
