// IPv4 addresses and blocks as people write them. Addresses are in host byte order.
#pragma once

#include <cstdint>
#include <string>

#include "net/address/address.h"

namespace anml::rt::entry {

std::string format_address(std::uint32_t address);
std::string format_address(Address address);

// "10.0.1.0/26": the first address, and the length of the smallest prefix that covers all `count` of them.
std::string format_block(std::uint32_t first, std::uint32_t count);

// "10.0.1.81 .. 10.0.1.144"
std::string format_range(std::uint32_t first, std::uint32_t count);

}  // namespace anml::rt::entry
