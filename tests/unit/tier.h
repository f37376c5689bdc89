// How much of a test runs: `scripts/test --all` sets ANML_ALL, and with the address sanitizer everything takes ten times as long.
#pragma once

#include <cstdlib>

namespace anml::testing {

inline bool everything() { return std::getenv("ANML_ALL") != nullptr; }

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

// Of `count` rounds of a long test.
inline unsigned rounds(unsigned count) { return kSanitized && !everything() ? (count + 3) / 4 : count; }

}  // namespace anml::testing
