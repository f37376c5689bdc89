// Where packets leave the emulated network: the simulator calls it, the real-time path implements it.
#pragma once

#include "base/time.h"
#include "kernel/packet.h"

namespace anml::rt {

class Edge {
  public:
    virtual ~Edge() = default;
    // The packet reached the attached endpoint at simulated time `at` (its wall-clock due time). The
    // packet and its buffer stay valid only during the call.
    virtual void release(std::uint32_t endpoint, const Packet& packet, Time at) = 0;
};

// Sees each packet that starts transmission on a directed link (after the queue admitted it).
class LinkTap {
  public:
    virtual ~LinkTap() = default;
    virtual void packet(LinkId link, const Packet& packet, Time transmitted) = 0;
};

}  // namespace anml::rt
