// The addresses that a field of a middlebox's record names.
#pragma once

#include <algorithm>
#include <span>

#include "abi/records.h"
#include "net/address.h"

namespace anml::rt {

class AddressSet {
  public:
    explicit AddressSet(std::span<const abi::AddressRange> ranges) : ranges_(ranges) {}
    AddressSet(const abi::Image& image, abi::Slice list) : AddressSet(abi::ranges_of(image, list)) {}

    bool has(Address address) const
    {
        const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), number(address),
                                             [](std::uint32_t a, const abi::AddressRange& r) { return a < r.first; });
        return behind != ranges_.begin() && number(address) <= std::prev(behind)->last;
    }

  private:
    std::span<const abi::AddressRange> ranges_;  // of the image, by their first
};

}  // namespace anml::rt
