// The address of a packet or a connection: a handle of 32 bits, whatever family the address is of.
//
// The handle of an IPv4 address is that address in host byte order, so that routes are ranges of handles. Bytes become
// handles, and handles bytes, in wire/ alone; text is made of them where people read it.
#pragma once

#include <cstdint>

namespace anml::rt {

enum class Address : std::uint32_t { none = 0 };

// What tables and hashes take.
constexpr std::uint32_t number(Address address) { return static_cast<std::uint32_t>(address); }

}  // namespace anml::rt
