// The addresses that a field of a middlebox's record names.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "abi/records.h"
#include "net/address/address.h"
#include "net/external_hosts.h"
#include "net/link/buffers.h"
#include "net/model.h"

namespace anml::rt {

class AddressSet {
  public:
    explicit AddressSet(std::span<const abi::AddressRange> ranges)
    {
        const auto prefix = std::find_if(ranges.begin(), ranges.end(),
                                         [](const abi::AddressRange& range) { return range.first > range.last; });
        const auto count = static_cast<std::size_t>(prefix - ranges.begin());
        ranges_ = ranges.first(count);
        for (std::size_t i = count; i < ranges.size(); i += 3) add_prefix(ranges.subspan(i, 3));
    }
    AddressSet(const abi::Image& image, abi::Slice list) : AddressSet(abi::ranges_of(image, list)) {}

    bool has(Address address) const
    {
        const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), number(address),
                                             [](std::uint32_t a, const abi::AddressRange& r) { return a < r.first; });
        return behind != ranges_.begin() && number(address) <= std::prev(behind)->last;
    }
    // With the prefixes: of nodes, and of external hosts' that `buffers` knows.
    bool has(Address address, const Model& model, const BufferPool& buffers) const
    {
        if (has(address)) return true;
        if (prefixes_.empty() || !is_ipv6(address)) return false;
        const Ipv6 bytes =
            AddressTable::has(address) ? buffers.addresses()->address(address) : model.ipv6_bytes(address);
        return std::any_of(prefixes_.begin(), prefixes_.end(), [&](const Subnet& one) { return one.has(bytes); });
    }

  private:
    void add_prefix(std::span<const abi::AddressRange> words)
    {
        Subnet& prefix = prefixes_.emplace_back();
        prefix.ipv6 = true;
        prefix.length = words[0].first - 1;
        const std::uint32_t bits[] = {words[1].first, words[1].last, words[2].first, words[2].last};
        for (std::size_t i = 0; i < prefix.bits.size(); ++i)
            prefix.bits[i] = static_cast<std::uint8_t>(bits[i / 4] >> (24 - 8 * (i % 4)));
    }

    std::span<const abi::AddressRange> ranges_;  // of the image, by their first
    std::vector<Subnet> prefixes_;               // of IPv6
};

}  // namespace anml::rt
