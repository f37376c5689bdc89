// IPv4 addresses between bytes and handles (net/address.h).
#pragma once

#include <cstdint>

#include "net/address.h"
#include "wire/bytes.h"

namespace anml::rt::wire {

inline Address load_ipv4(const std::uint8_t* at) { return Address{load32(at)}; }
inline void store_ipv4(std::uint8_t* at, Address address) { store32(at, number(address)); }

}  // namespace anml::rt::wire
