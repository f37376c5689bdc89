// The payload bytes of a packet that a real host sent.
#pragma once

#include <cstdint>
#include <span>

#include "net/buffers.h"
#include "net/packet.h"

namespace anml::rt::app {

// `count` bytes from the payload's byte `skip` on; empty if the packet has no buffer (its payload is content).
inline std::span<const std::uint8_t> payload(const BufferPool& buffers, const Packet& packet, std::uint32_t skip,
                                             std::uint32_t count)
{
    if (packet.buffer == kNone) return {};
    return buffers.bytes(packet.buffer).subspan(packet.length - packet.payload + skip, count);
}

}  // namespace anml::rt::app
