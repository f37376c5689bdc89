// Fragments (RFC 791; of IPv6 RFC 8200, 4.5): cutting a packet, and what a fragment says. They are bytes, so the layer
// that knows those makes them: wire/fragments.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "net/packet/packet.h"

namespace anml::rt {

class Model;
class BufferPool;

// Whether a packet that has these bytes is the head of a datagram, with the header of its transport.
inline bool is_head(std::span<const std::uint8_t> bytes)
{
    constexpr std::uint8_t kFragment = 44;  // header of IPv6
    if (bytes[0] >> 4 == 6) return bytes[6] != kFragment || (bytes[42] | (bytes[43] & 0xf8)) == 0;
    return ((bytes[6] & 0x1f) | bytes[7]) == 0;
}

namespace wire {

// Cuts a packet that is longer than `mtu` into pieces that are not, a fragment into smaller ones too. A piece is the
// packet's record but for length and flags, with a buffer that has its bytes. What was sent by a virtual host is still
// known to be its: by its content, which bytes don't say. The packet has to stay until the last piece is made.
class Cutter {
  public:
    Cutter(const Packet& packet, std::uint32_t mtu, const Model& model, BufferPool& buffers);

    // False: there are no more. None: they have no room for data, or it is a fragment beyond the end of any datagram.
    bool next(Packet& piece);

  private:
    const Packet& packet_;
    BufferPool& buffers_;
    std::uint32_t mtu_;
    std::vector<std::uint8_t> made_;  // of a packet that had no bytes yet
    std::span<const std::uint8_t> payload_;
    bool ipv6_;
    std::uint32_t offset_ = 0;  // of its first byte in the datagram
    bool more_ = false;         // the packet is not the last of its datagram
    std::array<std::uint8_t, 60> header_;
    std::size_t header_length_ = 0;
};

struct FragmentView {
    std::uint32_t identification = 0;  // 16 bits of IPv4
    std::uint32_t begin = 0, end = 0;  // of the datagram's payload
    bool last = false;
    std::span<const std::uint8_t> payload;
};

// False: it is no fragment that fits into a datagram.
bool view_fragment(std::span<const std::uint8_t> bytes, FragmentView& view);

// The record of the datagram with the header of its first fragment, which `head` begins with, and this payload; with a
// buffer, and without addresses where these are of IPv6. False: it doesn't parse, or a checksum is wrong.
bool join(std::span<const std::uint8_t> head, std::span<const std::uint8_t> payload, std::uint8_t traffic_class,
          BufferPool& buffers, Packet& packet);

// All of a packet as it is on the wire.
std::vector<std::uint8_t> sent_bytes(const Packet& packet, const Model& model, const BufferPool& buffers);

// Gives a packet with a buffer, or of a protocol whose overlay has room for it, the identification by which its
// fragments are told from others'. Routers may cut it from now on.
void identify(Packet& packet, std::uint16_t identification, BufferPool& buffers);

}  // namespace wire
}  // namespace anml::rt
