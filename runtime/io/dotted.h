// IPv4 addresses as text.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace anml::rt::io {

inline std::string dotted(std::uint32_t address)
{
    return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
}

}  // namespace anml::rt::io
