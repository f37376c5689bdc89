// How far a name is from another one, for "did you mean".
#pragma once

#include <cstddef>
#include <string_view>

namespace anml {

// Letters that are inserted, left out, replaced or swapped with their neighbours (optimal string alignment), in half
// steps: another case of a letter is one half. Takes as long as the product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace anml
