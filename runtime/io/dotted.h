// IPv4 addresses as text.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "net/address.h"

namespace anml::rt::io {

inline std::string dotted(std::uint32_t address)
{
    return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
}

inline std::string dotted(Address address) { return dotted(number(address)); }

}  // namespace anml::rt::io
