// What links carry, as another thread may see it while the model runs. Who runs the model shows a few links at a time,
// so that it takes microseconds however many there are; each is as it was when it had its turn.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/time.h"
#include "base/zero_pages.h"
#include "net/packet/packet.h"

namespace anml::rt {

struct Net;

// Of a directed link.
struct LinkView {
    Time at = 0;                // when it was so; 0: nothing has used the link
    std::uint64_t packets = 0;  // as LinkState counts them, in the measured window
    std::uint64_t bytes = 0;
    std::uint64_t dropped = 0;  // the same, by the queue
    std::uint64_t lost = 0;     // the same, on the way
    std::uint64_t waiting = 0;  // bytes in the queue, overhead included
    double rate = 0;            // bit/s; 0: it is down, or follows a trace
    std::uint64_t down = 0;     // 1: it is
};

class LinkViews {
  public:
    explicit LinkViews(std::size_t directed_links) : words_(directed_links * kWords), links_(directed_links) {}

    std::size_t size() const { return links_; }
    // By any thread.
    LinkView read(LinkId link) const;

    // Somebody looks: until nobody has for a second or two, links are shown.
    void ask() { asked_.store(kAsked, std::memory_order_relaxed); }

    // By the thread that runs the model: has the next few links their turn, each ten times a second if there are few.
    void show(const Net& k);

  private:
    static constexpr std::size_t kWords = sizeof(LinkView) / 8 + 1;  // a sequence number before it (base/published.h)
    static constexpr std::uint32_t kAsked = 20;                      // passes

    void write(LinkId link, const LinkView& view);

    mutable ZeroPages<std::uint64_t> words_;
    std::size_t links_;
    std::atomic<std::uint32_t> asked_{0};
    std::size_t next_ = 0;  // of NetworkState::used
    Time began_ = -kSecond;
};

}  // namespace anml::rt
