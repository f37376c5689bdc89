// The links on which the packets of the next few events will leave. When those are in the cache, the start times of
// what waits there come next (net/link/start_times.h). Only prefetches depend on it.
#pragma once

#include <array>
#include <cstdint>

#include "net/link/start_times.h"
#include "net/net.h"

namespace anml::rt {

class LinkPrefetcher {
  public:
    // Of the event behind those added before; kNone: it needs no link.
    void add(LinkId link)
    {
        if (last_ - first_ < kRoom) links_[last_++ % kRoom] = link;
    }
    // One event passes: the next one's ring, and where that begins of the one behind it.
    void prefetch(const Net& k)
    {
        if (first_ == last_) return;
        if (const StartTimes::Ring ring = ring_at(k, first_); ring != StartTimes::kNoRing) k.starts.prefetch_last(ring);
        if (last_ - first_ > 1)
            if (const StartTimes::Ring ring = ring_at(k, first_ + 1); ring != StartTimes::kNoRing)
                k.starts.prefetch(ring);
        ++first_;
    }

  private:
    static constexpr std::uint32_t kRoom = 32;

    StartTimes::Ring ring_at(const Net& k, std::uint32_t at) const
    {
        const LinkId link = links_[at % kRoom];
        return link == kNone ? StartTimes::kNoRing : k.links[link].starts;
    }

    std::array<LinkId, kRoom> links_;
    std::uint32_t first_ = 0, last_ = 0;
};

}  // namespace anml::rt
