// What a real host has to send to the model: the prefixes that hold all of its addresses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abi/image.h"
#include "net/external_hosts.h"

namespace anml::rt::io {

struct AddressPrefix {
    std::uint32_t first = 0, length = 0;
    friend bool operator==(const AddressPrefix&, const AddressPrefix&) = default;
};
std::string shown(const AddressPrefix& prefix);  // "10.0.0.0/8"

// The pool, and prefixes of exactly the addresses outside of it, ascending; but for the host's own.
std::vector<AddressPrefix> model_prefixes(const abi::Image& image, std::uint32_t own);

// Those of exactly the nodes' addresses of IPv6, ascending, and of the addresses by which others speak over IPv6:
// 64:ff9b:1::/96.
std::vector<Subnet> model_prefixes_ipv6(const abi::Image& image);

}  // namespace anml::rt::io
