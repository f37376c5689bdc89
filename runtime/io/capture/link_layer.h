// Where the IP packet is in a frame of a capture file, by the file's link type (tcpdump.org/linktypes.html).
//
// Seen through are tags of VLANs (IEEE 802.1Q, 802.1ad), labels of MPLS (RFC 3032), PPPoE sessions (RFC 2516), LLC with
// SNAP (RFC 1042), and what tcpdump and macOS put before a frame (cooked captures, radiotap, nflog, pktap).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace anml::rt::io {

struct LinkPayload {
    enum class Kind : std::uint8_t {
        ip,
        other,   // it carries none: ARP, STP, LLDP, encrypted or management frames of 802.11
        broken,  // its headers are not all there
    };
    Kind kind = Kind::broken;
    std::size_t at = 0;  // bytes before the IP packet
    bool group = false;  // the frame was to a group or to all
};

// Whether frames of the link type, a DLT_ number of libpcap, are read.
bool reads_link_type(int type);

// `frame`: as much of it as was captured.
LinkPayload find_ip(int type, std::span<const std::uint8_t> frame);

}  // namespace anml::rt::io
