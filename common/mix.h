// A fast 64-bit mixer: every bit of the input affects every bit of the result (the finaliser of splitmix64,
// Stafford's variant 13).
#pragma once

#include <cstdint>

namespace anml::rt {

inline constexpr std::uint64_t mix(std::uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

}  // namespace anml::rt
