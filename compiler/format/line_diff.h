// What differs between two texts, line by line.
#pragma once

#include <string>
#include <string_view>

namespace anml {

// In the unified format, with three lines of context; "" where they are equal.
std::string unified_diff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace anml
