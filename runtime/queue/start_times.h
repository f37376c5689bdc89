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
#include <vector>

#include "base/time.h"

namespace anml::rt {

class StartTimes {
  public:
    using Ring = std::uint32_t;
    static constexpr Ring kNoRing = 0;

    // For `limit` packets, at most 65535.
    Ring make(std::uint32_t limit)
    {
        const std::size_t words = limit + std::size_t{1};
        if (room_ < words) {
            room_ = words > kChunk ? words : kChunk;
            next_ = 0;
            chunks_.push_back(std::make_unique<Time[]>(room_));
        }
        const Ring ring = static_cast<Ring>(((chunks_.size() - 1) << kBits) + next_ + 1);
        next_ += words;
        room_ -= words;
        return ring;
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

    // What wait() will touch first, and when that is there, what next.
    void prefetch(Ring ring) const { __builtin_prefetch(words_of(ring), 1); }
    void prefetch_last(Ring ring) const
    {
        const Time* words = words_of(ring);
        __builtin_prefetch(words + words[0], 1);
    }

    // Starts move in time, each to f(start), in order.
    template <class Move>
    void change(Ring ring, std::uint32_t limit, Move&& f)
    {
        Time* words = words_of(ring);
        for (std::uint32_t i = 1; i <= limit; ++i) words[i] = f(words[i]);
    }

    // A ring for another limit, with those of the present one that wait.
    Ring resize(Ring ring, std::uint32_t limit, std::uint32_t wanted, Time now)
    {
        if (ring == kNoRing || wanted == 0) return kNoRing;
        std::vector<Time> waiting;
        const Time* words = words_of(ring);
        for (std::uint32_t i = 1; i <= limit; ++i)
            if (words[i] > now) waiting.push_back(words[i]);
        std::sort(waiting.begin(), waiting.end());
        if (waiting.size() > wanted) waiting.erase(waiting.begin(), waiting.end() - wanted);
        const Ring result = make(wanted);
        Time* fresh = words_of(result);
        std::copy(waiting.begin(), waiting.end(), fresh + 1);
        fresh[0] = static_cast<Time>(waiting.size());
        return result;
    }

  private:
    Time* words_of(Ring ring) const { return chunks_[(ring - 1) >> kBits].get() + ((ring - 1) & (kChunk - 1)); }

    static constexpr unsigned kBits = 12;
    static constexpr std::size_t kChunk = std::size_t{1} << kBits;  // words; a longer ring has a chunk of its own
    std::vector<std::unique_ptr<Time[]>> chunks_;
    std::size_t next_ = 0, room_ = 0;  // in the last chunk
};

}  // namespace anml::rt
