// Names of what stands in arrays.
#pragma once

#include <string>
#include <string_view>

namespace anml {

// What an element's number or key is made of in a name: no dot, bracket, backquote or control character.
constexpr bool stands_in_brackets(char c)
{
    return static_cast<unsigned char>(c) >= ' ' && c != '\x7F' && c != '.' && c != '[' && c != ']' && c != '`';
}

// "site[2].desk[17]<": "site[*].desk[*]<"; of keys too: "core[Oslo]": "core[*]". The name itself where there is no index in it.
std::string without_indices(std::string_view name);

}  // namespace anml
