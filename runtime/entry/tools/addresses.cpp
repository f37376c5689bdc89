#include "entry/tools/addresses.h"

#include <fmt/format.h>

#include <bit>

namespace anml::rt::entry {

std::string format_address(std::uint32_t address)
{
    return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
}

std::string format_address(Address address) { return format_address(number(address)); }

std::string format_block(std::uint32_t first, std::uint32_t count)
{
    std::uint32_t last = first + (count == 0 ? 0 : count - 1);
    return fmt::format("{}/{}", format_address(first), std::countl_zero(first ^ last));
}

std::string format_range(std::uint32_t first, std::uint32_t count)
{
    std::string text = format_address(first);
    return count <= 1 ? text : fmt::format("{} .. {}", text, format_address(first + count - 1));
}

}  // namespace anml::rt::entry
