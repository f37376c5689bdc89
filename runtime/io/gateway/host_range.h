// The addresses of a subnet that hosts have: without the first and the last one, where it has more than two.
#pragma once

#include <cstdint>
#include <span>

#include "abi/image.h"
#include "net/external_hosts.h"

namespace anml::rt::io {

struct HostRange {
    Address first, last;
    bool has(Address address) const { return address >= first && address <= last; }
};

inline std::uint32_t last_of(const abi::EndpointPrefixRow& prefix)
{
    return static_cast<std::uint32_t>(prefix.first + (0xffffffffull >> prefix.length));
}

inline HostRange hosts_of(const abi::EndpointPrefixRow& prefix)
{
    const std::uint32_t border = prefix.length <= 30;
    return {Address{prefix.first + border}, Address{last_of(prefix) - border}};
}

inline std::span<const abi::EndpointPrefixRow> prefixes_of(const abi::Image& image, std::uint32_t endpoint)
{
    const abi::Slice& rows = image.endpoints[endpoint].prefixes;
    if (rows.count == 0) return {};
    return {image.endpoint_prefixes + rows.first, rows.count};
}

// The real hosts of the model's subnets, where they are; of bridged ones that is not known yet.
inline void add_external_hosts(const abi::Image& image, ExternalHosts& external_hosts)
{
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) {
        for (const abi::EndpointPrefixRow& prefix : prefixes_of(image, i)) {
            const bool bridged = prefix.kind == abi::PrefixKind::bridged;
            const HostRange hosts = prefix.kind == abi::PrefixKind::routed
                                        ? HostRange{Address{prefix.first}, Address{last_of(prefix)}}
                                        : hosts_of(prefix);
            external_hosts.add_hosts(hosts.first, hosts.last, bridged ? kNone : i);
        }
    }
}

}  // namespace anml::rt::io
