// The numbers of things: indices into the arrays that hold them.
#pragma once

#include <cstdint>

namespace anml::rt {

using NodeId = std::uint32_t;
using LinkId = std::uint32_t;    // directed
using StreamId = std::uint32_t;  // directed link, or directed_links + node for a node's timers
using PacketId = std::uint32_t;
using BufferId = std::uint32_t;

inline constexpr std::uint32_t kNone = 0xffffffffu;

}  // namespace anml::rt
