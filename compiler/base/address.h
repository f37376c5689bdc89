// Addresses as text.
#pragma once

#include <cstdint>
#include <string>

namespace anml {

std::string format_address(std::uint32_t bits);  // host byte order: "10.0.0.1"

}  // namespace anml
