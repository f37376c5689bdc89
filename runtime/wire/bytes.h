// Big-endian loads and stores on unaligned bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace anml::rt::wire {

static_assert(std::endian::native == std::endian::little);

inline std::uint16_t load16(const std::uint8_t* at)
{
    std::uint16_t value;
    std::memcpy(&value, at, sizeof value);
    return __builtin_bswap16(value);
}

inline std::uint32_t load32(const std::uint8_t* at)
{
    std::uint32_t value;
    std::memcpy(&value, at, sizeof value);
    return __builtin_bswap32(value);
}

inline void store16(std::uint8_t* at, std::uint16_t value)
{
    value = __builtin_bswap16(value);
    std::memcpy(at, &value, sizeof value);
}

inline void store32(std::uint8_t* at, std::uint32_t value)
{
    value = __builtin_bswap32(value);
    std::memcpy(at, &value, sizeof value);
}

}  // namespace anml::rt::wire
