// The address by which the emulator speaks to real hosts itself.
#pragma once

#include "abi/image.h"
#include "net/address/address.h"

namespace anml::rt {

// What stands for an IPv4 address where there is none (RFC 7600): of the gateway in a model of IPv6 alone.
inline constexpr Address kDummyIpv4{0xc0000008};

inline Address gateway_of(const abi::Image& image) { return image.gateway == 0 ? kDummyIpv4 : Address{image.gateway}; }

}  // namespace anml::rt
