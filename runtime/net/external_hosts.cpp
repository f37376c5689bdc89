#include "net/external_hosts.h"

#include <algorithm>

namespace anml::rt {

namespace {

bool begin_alike(const Ipv6& a, const Ipv6& b, std::uint32_t bits)
{
    const std::uint32_t bytes = bits / 8;
    if (!std::equal(a.begin(), a.begin() + bytes, b.begin())) return false;
    return bits % 8 == 0 || (a[bytes] ^ b[bytes]) >> (8 - bits % 8) == 0;
}

}  // namespace

bool Subnet::has(const Ipv6& address) const { return begin_alike(bits, address, length); }

std::uint32_t Subnet::first() const
{
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < 4; ++i) first = first << 8 | bits[i];
    return first;
}

bool overlap(const Subnet& a, const Subnet& b)
{
    return a.ipv6 == b.ipv6 && begin_alike(a.bits, b.bits, std::min(a.length, b.length));
}

void ExternalHosts::add(const Subnet& subnet, std::uint32_t endpoint)
{
    if (subnet.ipv6) {
        ipv6_.push_back({subnet, endpoint});
        return;
    }
    ipv4_.push_back({Address{subnet.first()}, Address{subnet.last()}, endpoint});
}

std::uint32_t ExternalHosts::endpoint_of(const Ipv6& address) const
{
    for (const Behind& behind : ipv6_)
        if (behind.subnet.has(address)) return behind.endpoint;
    return kNone;
}

Address ExternalHosts::handle(const Ipv6& address)
{
    const std::uint32_t endpoint = endpoint_of(address);
    return endpoint == kNone ? Address::none : table_.handle(address, endpoint);
}

}  // namespace anml::rt
