// Simulated time: int64 nanoseconds since the start of the run.
#pragma once

#include <cstdint>
#include <limits>

namespace anml::rt {

using Time = std::int64_t;

inline constexpr Time kNanosecond = 1;
inline constexpr Time kMicrosecond = 1'000;
inline constexpr Time kMillisecond = 1'000'000;
inline constexpr Time kSecond = 1'000'000'000;
inline constexpr Time kNever = std::numeric_limits<Time>::max();

constexpr double in_seconds(Time time) { return static_cast<double>(time) / kSecond; }

}  // namespace anml::rt
