// The header before each frame of a packet socket with PACKET_VNET_HDR and of a TAP device with IFF_VNET_HDR: what its
// sender left to the device (virtio 1.2, 5.1.6; <linux/virtio_net.h> is no C++).
#pragma once

#include <cstdint>

#include "io/device/device.h"

namespace anml::rt::io {

struct VirtioHeader {
    static constexpr std::uint8_t kNeedsChecksum = 1, kTcp4 = 1, kTcp6 = 4, kUdp = 5, kEcn = 0x80;

    std::uint8_t flags;
    std::uint8_t segments;
    std::uint16_t header_length;
    std::uint16_t segment_size;
    std::uint16_t checksum_start;
    std::uint16_t checksum_offset;
};
static_assert(sizeof(VirtioHeader) == 10);

inline void describe(const VirtioHeader& header, Frame& frame)
{
    frame.checksum_partial = header.flags & VirtioHeader::kNeedsChecksum;
    frame.checksum_start = header.checksum_start;
    frame.checksum_offset = header.checksum_offset;
    frame.segment_size = header.segment_size;
    // Linux says so of a CWR by RFC 3168 (SKB_GSO_TCP_ECN), which its own segmentation takes from all but the first;
    // one without is accurate ECN's (SKB_GSO_TCP_ACCECN) and stays with all.
    frame.cwr = header.segments & VirtioHeader::kEcn ? wire::Cwr::once : wire::Cwr::counter;
    switch (header.segments & ~VirtioHeader::kEcn) {
        case VirtioHeader::kTcp4:
        case VirtioHeader::kTcp6:
            frame.segments = Frame::Segments::tcp;
            break;
        case VirtioHeader::kUdp:
            frame.segments = Frame::Segments::udp;
            break;
        default:
            frame.segments = Frame::Segments::none;
            break;
    }
}

}  // namespace anml::rt::io
