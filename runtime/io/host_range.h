// The addresses of a subnet that hosts have: without the first and the last one, where it has more than two.
#pragma once

#include <cstdint>
#include <span>

#include "abi/image.h"
#include "net/address.h"

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

}  // namespace anml::rt::io
