// Blocks of pcapng (draft-ietf-opsawg-pcapng): little-endian, one section, an interface for each directed link, link
// type IPv4 or Ethernet, times in nanoseconds since 1970.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/time.h"

namespace anml::rt::io::pcapng {

inline constexpr std::uint32_t kInterfaceStatistics = 5, kEnhancedPacket = 6;  // types of blocks

std::string section(std::string_view application);
std::string interface(std::string_view name, bool ethernet = false);
std::string packet(std::uint32_t interface, Time at, std::span<const std::uint8_t> bytes);
// `received`: what the interface took; `dropped`: so many of them are not in the file.
std::string statistics(std::uint32_t interface, Time at, std::uint64_t received, std::uint64_t dropped);

// What stands in a block of statistics as `dropped`; 0: it is none, or says nothing of it.
std::uint64_t dropped_in(std::string_view block);

}  // namespace anml::rt::io::pcapng
