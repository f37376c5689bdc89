// Ethernet frames that cross a transparent link, or the model between bridged endpoints, as they are
// (packet_flag::frame). What queues tell packets apart by is read from what they carry, where that is IP, behind tags
// of VLANs; whatever it is, it passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "net/packet/packet.h"
#include "wire/ethernet.h"
#include "wire/offloads.h"

namespace anml::rt {

class BufferPool;

namespace wire {

// Where a frame's payload begins: behind its header and tags (IEEE 802.1Q, 802.1ad). At most frame.size().
std::size_t behind_tags(std::span<const std::uint8_t> frame);

// Of a frame with a whole header: its length, behind the header, and `payload`, behind its tags, too; its code point
// and ECN, or the class selector of its priority (802.1p) where it has no code point; its flow, in place of ports.
void describe_frame(std::span<const std::uint8_t> frame, Packet& packet);

// The frame's bytes, whole. A mark of a queue is in its IP header; of a corrupted one a bit behind the Ethernet header
// is flipped, always the same.
std::size_t emit_frame(const Packet& packet, const BufferPool& buffers, std::span<std::uint8_t> out);

// What captures of links of IP have of one between bridged endpoints: its packet where that is IP, else all of it in
// EtherIP (RFC 3378), from endpoint to endpoint.
std::size_t emit_bridged(const Packet& packet, const BufferPool& buffers, std::span<std::uint8_t> out);

// Completes a checksum as a device does: over what follows `start`, at `offset` from there.
void complete_checksum_from(std::span<std::uint8_t> frame, std::size_t start, std::size_t offset);

// Cuts a super-frame as split_segments does; each frame has the same header and tags.
template <class Each>
ParseError split_frame(std::span<const std::uint8_t> super, std::size_t size, Cwr cwr, std::span<std::uint8_t> room,
                       Each&& each)
{
    const std::size_t header = behind_tags(super);
    if (header > room.size()) return ParseError::truncated;
    std::copy_n(super.begin(), header, room.begin());
    return split_segments(super.subspan(header), size, cwr, room.subspan(header),
                          [&](std::span<const std::uint8_t> packet) { each(room.first(header + packet.size())); });
}

}  // namespace wire
}  // namespace anml::rt
