// Sequence numbers are compared modulo 2^32 (RFC 9293, 3.4).
#pragma once

#include <cstdint>

namespace anml::rt::tcp {

inline bool before(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) < 0; }
inline bool after(std::uint32_t a, std::uint32_t b) { return before(b, a); }
inline std::uint32_t later(std::uint32_t a, std::uint32_t b) { return before(a, b) ? b : a; }

}  // namespace anml::rt::tcp
