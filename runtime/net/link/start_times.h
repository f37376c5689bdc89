// When the packets that wait for a link will begin transmission, for queues that are bounded in packets.
//
// At one event per hop nothing happens when a packet leaves the queue. But a packet waits exactly until its start, and
// starts are in the order of admission: N packets wait if and only if the one admitted N before has not begun. So a
// ring of the last N starts tells whether another may wait. A link gets its ring when a packet first waits there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/time.h"

namespace anml::rt {

class StartTimes {
  public:
    using Ring = std::uint32_t;
    static constexpr Ring kNoRing = 0;

    // For `limit` packets, at most 65535: nobody waits yet.
    Ring make(std::uint32_t limit)
    {
        const auto large = std::lower_bound(free_.begin(), free_.end(), std::pair(limit, kNoRing));
        if (large == free_.end()) return fresh(limit);
        const Ring ring = large->second;
        free_.erase(large);
        std::fill_n(words_of(ring), limit + 1, 0);
        return ring;
    }

    // The ring may become another link's.
    void release(Ring ring)
    {
        if (ring == kNoRing) return;
        const std::pair free(static_cast<std::uint32_t>(words_of(ring)[-1]), ring);
        free_.insert(std::lower_bound(free_.begin(), free_.end(), free), free);
    }

    // Admits a packet that arrives now and begins transmission at `start`, later, unless `limit` packets wait.
    bool wait(Ring ring, std::uint32_t limit, Time now, Time start)
    {
        // Word 0 is the place of the last start, 1 to `limit`. If that has passed nobody waits, and the ring begins
        // anew, so that a short queue touches little memory.
        Time* words = words_of(ring);
        const Time last = words[0];
        const Time next = words[last] <= now || last == limit ? 1 : last + 1;
        if (words[next] > now) return false;
        words[next] = start;
        words[0] = next;
        return true;
    }

    // From now on these wait, by start; of more than `limit` those behind tell when the next one may.
    void fill(Ring ring, std::uint32_t limit, std::span<const Time> starts)
    {
        if (starts.size() > limit) starts = starts.last(limit);
        Time* words = words_of(ring);
        std::fill_n(std::copy(starts.begin(), starts.end(), words + 1), limit - starts.size(), 0);
        words[0] = static_cast<Time>(starts.size());
    }

    // What wait() will touch first, and when that is there, what next.
    void prefetch(Ring ring) const { __builtin_prefetch(words_of(ring), 1); }
    void prefetch_last(Ring ring) const
    {
        const Time* words = words_of(ring);
        __builtin_prefetch(words + words[0], 1);
    }

  private:
    // Before a ring's words is one that says how many packets they are for.
    Ring fresh(std::uint32_t limit)
    {
        const std::size_t words = limit + std::size_t{2};
        if (room_ < words) {
            room_ = words > kChunk ? words : kChunk;
            next_ = 0;
            chunks_.push_back(std::make_unique<Time[]>(room_));
        }
        const Ring ring = static_cast<Ring>(((chunks_.size() - 1) << kBits) + next_ + 1);
        next_ += words;
        room_ -= words;
        words_of(ring)[-1] = limit;
        return ring;
    }
    Time* words_of(Ring ring) const { return chunks_[(ring - 1) >> kBits].get() + ((ring - 1) & (kChunk - 1)) + 1; }

    static constexpr unsigned kBits = 12;
    static constexpr std::size_t kChunk = std::size_t{1} << kBits;  // words; a longer ring has a chunk of its own
    std::vector<std::unique_ptr<Time[]>> chunks_;
    std::size_t next_ = 0, room_ = 0;                   // in the last chunk
    std::vector<std::pair<std::uint32_t, Ring>> free_;  // by how many packets they are for
};

}  // namespace anml::rt
