// Explicit congestion notification (RFC 3168): the two lower bits of a packet's traffic class.
#pragma once

#include <cstdint>

#include "net/packet/packet.h"

namespace anml::rt::ecn {

inline constexpr std::uint8_t kMask = 3;
inline constexpr std::uint8_t kNotCapable = 0, kEct1 = 1, kEct0 = 2, kCongestion = 3;  // the codepoints

inline std::uint8_t codepoint(const Packet& packet) { return packet.traffic_class & kMask; }
inline bool congestion(const Packet& packet) { return codepoint(packet) == kCongestion; }
inline bool capable(const Packet& packet) { return codepoint(packet) != kNotCapable; }

// The code point (DSCP) alone.
inline std::uint8_t without(std::uint8_t traffic_class) { return traffic_class & static_cast<std::uint8_t>(~kMask); }

// Says in the packet that there is congestion. False: its sender does not know of ECN, and has to be told by a drop.
inline bool mark(Packet& packet)
{
    if (!capable(packet)) return false;
    packet.traffic_class |= kCongestion;
    return true;
}

}  // namespace anml::rt::ecn
