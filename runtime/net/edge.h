// Where packets leave the emulated network: the simulator calls it, the real-time path implements it.
#pragma once

#include "base/time.h"
#include "net/link/new_rate.h"
#include "net/packet/packet.h"

namespace anml::rt {

class Edge {
  public:
    virtual ~Edge() = default;
    // The packet reached the attached endpoint at simulated time `at` (its wall-clock due time). The
    // packet and its buffer stay valid only during the call.
    virtual void release(std::uint32_t endpoint, const Packet& packet, Time at) = 0;
};

// Sees each packet that a directed link takes. Calls come in order of time, for all links.
class LinkTap {
  public:
    virtual ~LinkTap() = default;
    // The queue admits the packet now; its transmission begins at `start`, unless the link changes before.
    virtual void packet(LinkId link, const Packet& packet, Time now, Time start) = 0;
    virtual void rate_changed(LinkId link, const RateChange& change) = 0;
    // What has not begun is lost.
    virtual void failed(LinkId link, Time now) = 0;
};

}  // namespace anml::rt
