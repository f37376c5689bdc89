// Addresses as text.
#include "base/address.h"

#include <fmt/format.h>

namespace anml {

std::string format_address(std::uint32_t bits)
{
    return fmt::format("{}.{}.{}.{}", bits >> 24, bits >> 16 & 255, bits >> 8 & 255, bits & 255);
}

}  // namespace anml
