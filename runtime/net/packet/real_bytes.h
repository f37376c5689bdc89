// Packets that carry real bytes have a buffer with all of the packet: wire/packet_codec.cpp, the layer that knows how
// packets look, makes it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "net/packet/packet.h"

namespace anml::rt {

class Model;
class BufferPool;

namespace wire {

// Whether a packet whose checksum is wrong (packet_flag::corrupted) had that one when it came, and no link did it.
bool came_wrong(const Packet& packet, const BufferPool& buffers);

// Gives a segment of TCP, whose record is complete but for its payload's bytes, or the last of its options, a buffer
// with them.
void carry(Packet& packet, std::span<const std::uint8_t> payload, const Model& model, BufferPool& buffers);

// The numbers of a packet's SACK option (RFC 2018), two for each block; returns how many there are.
using SackNumbers = std::array<std::uint32_t, 8>;
std::size_t sack_numbers(std::span<const std::uint8_t> packet, SackNumbers& numbers);

}  // namespace wire
}  // namespace anml::rt
