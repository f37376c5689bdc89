// Names of what stands in arrays.
#pragma once

#include <string>
#include <string_view>

namespace anml {

// "site[2].desk[17]<": "site[*].desk[*]<". The name itself where there is no index in it.
std::string without_indices(std::string_view name);

}  // namespace anml
