// Packets that carry real bytes have a buffer with all of the packet: wire/packet_codec.cpp, the layer that knows how
// packets look, makes it.
#pragma once

#include <cstdint>
#include <span>

#include "net/packet.h"

namespace anml::rt {

class Model;
class BufferPool;

namespace wire {

// Gives a segment of TCP, whose record is complete but for its payload's bytes, a buffer with them.
void carry(Packet& packet, std::span<const std::uint8_t> payload, const Model& model, BufferPool& buffers);

}  // namespace wire
}  // namespace anml::rt
