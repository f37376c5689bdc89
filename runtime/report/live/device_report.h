// How a live run reached an endpoint.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace anml::rt {

// Of AF_XDP.
struct XdpReport {
    bool generic = false;  // the program is in front of the kernel's stack, not in the driver
    bool zero_copy = false;
    std::uint32_t queues = 1;
    // Frames to the model that were lost: no room for them in memory, or in the ring.
    std::uint64_t dropped = 0, ring_full = 0;
    std::uint64_t too_long = 0;  // frames for a socket, which came through the packet socket
};

struct DeviceReport {
    using Xdp = XdpReport;
    std::string_view kind;  // as --attach has it
    std::optional<Xdp> xdp;
};

}  // namespace anml::rt
