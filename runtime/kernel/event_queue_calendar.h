// Pending events as a calendar: rings of unsorted buckets, each level's bucket as wide as the whole ring below it.
//
// An event waits in the lowest level whose ring, counted from the current bucket, reaches its time; when the time of a
// bucket above the lowest level comes, its events move down. Buckets are chains of small chunks of one pool, so that
// the memory in use follows the events and is reused while it is in the cache.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernel/event.h"

namespace anml::rt {

class EventCalendar {
  public:
    explicit EventCalendar(unsigned shift) : shift_(shift) {}

    std::size_t size() const { return size_; }
    unsigned shift() const { return shift_; }  // a bucket of the lowest level is 2^shift ns wide

    // How many buckets of the lowest level the event's lies after the current one. 0 or less: it is due, and the queue
    // has another place for it.
    std::int64_t ahead(const Event& event) const { return (event.time >> shift_) - current_; }
    // Most of the others: in a bucket of the lowest level that has a chunk with room. False: it is not kept.
    [[gnu::always_inline]] bool push_near(const Event& event, std::int64_t ahead)
    {
        if (ahead >= static_cast<std::int64_t>(kBuckets)) [[unlikely]]
            return false;
        Chunk& chunk = chunks_[heads_[slot(0, ahead + current_)]];
        if (chunk.count == kCapacity) return false;
        ++size_;
        chunk.events[chunk.count++] = event;
        return true;
    }
    // Of the rest most: the bucket needs a chunk, and one is free.
    [[gnu::always_inline]] bool push_fresh(const Event& event)
    {
        const std::int64_t ahead = this->ahead(event);
        if (ahead >= static_cast<std::int64_t>(kBuckets) || free_ == kNoChunk) [[unlikely]]
            return false;
        add(0, ahead + current_, event);
        return true;
    }
    // Any that is not due. False: it is beyond the highest level.
    bool push(const Event& event) { return keep(event, ahead(event)); }

    // Time of the earliest event, kNever if there is none.
    Time next_time() const
    {
        Time least = upper_next_;
        if (std::size_t ahead = find(0, current_); ahead != kEmpty)
            for (std::uint32_t c = heads_[slot(0, current_ + ahead)]; c != kNoChunk; c = chunks_[c].next)
                for (std::uint32_t i = 0; i < chunks_[c].count; ++i) least = std::min(least, chunks_[c].events[i].time);
        return least;
    }

    // Makes the bucket of the earliest event current and returns its chain, to be handed out, unless all events are
    // later than `bound`: kNoChunk.
    std::uint32_t open(Time bound)
    {
        for (;;) {
            const std::size_t ahead = find(0, current_);
            const std::int64_t next = current_ + static_cast<std::int64_t>(ahead), upper = upper_next_ >> shift_;
            if (ahead == kEmpty || upper <= next) [[unlikely]] {
                if (upper_next_ == kNever || (upper != current_ && upper << shift_ > bound)) return kNoChunk;
                descend();
                continue;
            }
            // A bucket that is current already may have been refilled from above, or by a change of width.
            if (ahead != 0 && next << shift_ > bound) return kNoChunk;
            current_ = next;
            return detach(0, next);
        }
    }

    // Its events are no longer the calendar's: how many they are.
    std::uint32_t hand_out(std::uint32_t chunk)
    {
        size_ -= chunks_[chunk].count;
        return chunks_[chunk].count;
    }
    // The chunks of such a chain. A push may move the events.
    bool is_last(std::uint32_t chunk) const { return chunks_[chunk].next == kNoChunk; }
    std::span<Event> events(std::uint32_t chunk) { return {chunks_[chunk].events, chunks_[chunk].count}; }
    // Returns what came after it.
    std::uint32_t free(std::uint32_t chunk)
    {
        std::uint32_t next = std::exchange(chunks_[chunk].next, free_);
        free_ = chunk;
        return next;
    }
    static constexpr std::uint32_t kCapacity = 10;  // of a chunk
    static constexpr std::uint32_t kNoChunk = 0;    // ends a chain; the chunk of that number is always full

    // Begins at `now`, which is not after any event kept, with buckets 2^shift ns wide. `refused` gets what no longer
    // fits.
    template <class Sink>
    void resize(Time now, unsigned shift, Sink&& refused)
    {
        std::uint32_t all = kNoChunk;
        for (std::size_t word = 0; word < words_.size(); ++word)
            for (std::uint64_t rest = std::exchange(words_[word], 0); rest != 0; rest &= rest - 1) {
                std::uint32_t& head = heads_[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
                while (head != kNoChunk) {
                    std::uint32_t next = chunks_[head].next;
                    chunks_[head].next = all;
                    all = head;
                    head = next;
                }
            }
        summaries_ = {};
        upper_next_ = kNever;
        shift_ = shift;
        current_ = now >> shift;
        place_all(all, refused);
    }

    Time current_time() const { return current_ << shift_; }

    // In no order.
    template <class Visit>
    void each(Visit&& visit) const
    {
        for (const std::uint32_t head : heads_)
            for (std::uint32_t c = head; c != kNoChunk; c = chunks_[c].next)
                for (std::uint32_t i = 0; i < chunks_[c].count; ++i) visit(chunks_[c].events[i]);
    }

    // Removes those of which taken(event) is true from the buckets of these times, which are in order.
    template <class Taken>
    void extract(std::span<const Time> times, Taken&& taken)
    {
        for (unsigned level = 0; level < kLevels; ++level) {
            const std::int64_t from = current_ >> (level * kBits);
            std::int64_t last = from - 1;
            for (const Time time : times) {
                const std::int64_t bucket = time >> (shift_ + level * kBits);
                if (bucket <= last || bucket - from >= static_cast<std::int64_t>(kBuckets)) continue;
                last = bucket;
                remove(level, bucket, taken);
            }
        }
        upper_next_ = kNever;
        find_upper_next();
    }

    // Some events of the second bucket after the current one, for prefetching.
    template <class Visit>
    void peek(Visit&& visit) const
    {
        std::int64_t at = current_;
        for (unsigned next = 1; next <= kPeek + 1; ++next) {
            std::size_t ahead = find(0, ++at);
            at += static_cast<std::int64_t>(ahead);
            if (at >= current_ + static_cast<std::int64_t>(kBuckets)) return;
            const Chunk& chunk = chunks_[heads_[slot(0, at)]];
            if (next == kPeek)
                for (std::uint32_t i = 0; i < chunk.count; ++i) visit(chunk.events[i]);
            else if (next > kPeek)
                prefetch(chunk);
        }
    }

  private:
    static constexpr unsigned kBits = 12, kLevels = 3;
    static constexpr std::size_t kBuckets = std::size_t{1} << kBits,
                                 kWords = kBuckets / 64;  // of a level, at most 64 words
    static constexpr unsigned kPeek = 2;                  // buckets ahead
    static constexpr std::size_t kEmpty = 2 * kBuckets;   // find: there is none

    struct alignas(64) Chunk {
        Event events[kCapacity];
        std::uint32_t count;
        std::uint32_t next;
    };

    static std::size_t slot(unsigned level, std::int64_t bucket)
    {
        return level * kBuckets + (static_cast<std::size_t>(bucket) & (kBuckets - 1));
    }

    [[gnu::always_inline]] bool keep(const Event& event, std::int64_t ahead)
    {
        if (ahead < static_cast<std::int64_t>(kBuckets)) [[likely]] {
            add(0, event.time >> shift_, event);
            return true;
        }
        for (unsigned level = 1; level < kLevels; ++level) {
            unsigned shift = level * kBits;
            std::int64_t bucket = event.time >> (shift_ + shift);
            if (bucket - (current_ >> shift) >= static_cast<std::int64_t>(kBuckets)) continue;
            std::size_t at = slot(level - 1, bucket);
            if (add(level, bucket, event) || event.time < least_[at]) least_[at] = event.time;
            upper_next_ = std::min(upper_next_, event.time);
            return true;
        }
        return false;
    }

    // True if the bucket was empty.
    [[gnu::always_inline]] bool add(unsigned level, std::int64_t bucket, const Event& event)
    {
        ++size_;
        std::size_t at = slot(level, bucket);
        std::uint32_t head = heads_[at];
        bool fresh = head == kNoChunk;
        if (chunks_[head].count == kCapacity) {
            std::uint32_t chunk = allocate();
            chunks_[chunk].next = head;
            heads_[at] = head = chunk;
            words_[at / 64] |= std::uint64_t{1} << (at % 64);
            summaries_[level] |= std::uint64_t{1} << (at / 64 % kWords);
        }
        Chunk& chunk = chunks_[head];
        chunk.events[chunk.count++] = event;
        return fresh;
    }

    // Empties a bucket: its chain of chunks.
    std::uint32_t detach(unsigned level, std::int64_t bucket)
    {
        std::size_t at = slot(level, bucket);
        words_[at / 64] &= ~(std::uint64_t{1} << (at % 64));
        if (words_[at / 64] == 0) summaries_[level] &= ~(std::uint64_t{1} << (at / 64 % kWords));
        return std::exchange(heads_[at], kNoChunk);
    }

    // How far after `from` the level's next bucket with events is, kEmpty if there is none.
    std::size_t find(unsigned level, std::int64_t from) const
    {
        std::size_t begin = static_cast<std::size_t>(from) & (kBuckets - 1), word = begin / 64, bit = begin % 64;
        const std::uint64_t* words = &words_[level * kWords];
        if (std::uint64_t rest = words[word] >> bit; rest != 0) return static_cast<std::size_t>(std::countr_zero(rest));
        std::uint64_t summary = summaries_[level];
        if (summary == 0) return kEmpty;
        std::size_t after = (word + 1) % kWords;
        if (std::uint64_t rest = summary >> after; rest != 0)
            after += static_cast<std::size_t>(std::countr_zero(rest));
        else
            after = static_cast<std::size_t>(std::countr_zero(summary));
        std::size_t to = after * 64 + static_cast<std::size_t>(std::countr_zero(words[after]));
        return to >= begin ? to - begin : to + kBuckets - begin;
    }

    // Moves the earliest bucket above the lowest level down.
    void descend()
    {
        unsigned level = 0;
        std::int64_t bucket = 0;
        for (unsigned l = kLevels; l-- > 1;) {
            std::size_t ahead = find(l, current_ >> (l * kBits));
            if (ahead == kEmpty) continue;
            std::int64_t candidate = (current_ >> (l * kBits)) + static_cast<std::int64_t>(ahead);
            if (least_[slot(l - 1, candidate)] != upper_next_) continue;
            level = l;
            bucket = candidate;
            break;
        }
        current_ = upper_next_ >> shift_;
        upper_next_ = kNever;
        place_all(detach(level, bucket), [](const Event&) {});
        find_upper_next();
    }

    void find_upper_next()
    {
        for (unsigned l = 1; l < kLevels; ++l) {
            std::int64_t from = current_ >> (l * kBits);
            if (std::size_t ahead = find(l, from); ahead != kEmpty)
                upper_next_ = std::min(upper_next_, least_[slot(l - 1, from + static_cast<std::int64_t>(ahead))]);
        }
    }

    // Removes those that are taken from a bucket. The others stay where they are: above the lowest level a bucket may
    // hold most of all events.
    template <class Taken>
    void remove(unsigned level, std::int64_t bucket, Taken&& taken)
    {
        const std::size_t at = slot(level, bucket);
        Time least = kNever;
        for (std::uint32_t* next = &heads_[at]; *next != kNoChunk;) {
            Chunk& chunk = chunks_[*next];
            if (chunk.next != kNoChunk) prefetch(chunks_[chunk.next]);
            for (std::uint32_t i = 0; i < chunk.count;) {
                if (taken(chunk.events[i])) {
                    chunk.events[i] = chunk.events[--chunk.count];
                    --size_;
                } else {
                    least = std::min(least, chunk.events[i++].time);
                }
            }
            if (chunk.count == 0)
                *next = free(*next);
            else
                next = &chunk.next;
        }
        if (level > 0) least_[slot(level - 1, bucket)] = least;
        if (heads_[at] == kNoChunk) detach(level, bucket);
    }

    // Keeps the events of a chain of chunks anew.
    template <class Sink>
    void place_all(std::uint32_t at, Sink&& refused)
    {
        while (at != kNoChunk) {
            const Chunk chunk = chunks_[at];
            at = free(at);
            if (at != kNoChunk) prefetch(chunks_[at]);
            size_ -= chunk.count;
            for (std::uint32_t i = 0; i < chunk.count; ++i)
                if (!keep(chunk.events[i], ahead(chunk.events[i]))) refused(chunk.events[i]);
        }
    }

    static void prefetch(const Chunk& chunk)
    {
        for (std::size_t i = 0; i < sizeof chunk; i += 64)
            __builtin_prefetch(reinterpret_cast<const char*>(&chunk) + i);
    }

    // Memory beyond what was used at once is not touched.
    [[gnu::always_inline]] std::uint32_t allocate()
    {
        if (free_ == kNoChunk) [[unlikely]] {
            chunks_.push_back({.events = {}, .count = 0, .next = kNoChunk});
            return static_cast<std::uint32_t>(chunks_.size() - 1);
        }
        std::uint32_t chunk = free_;
        free_ = chunks_[chunk].next;
        chunks_[chunk].count = 0;
        return chunk;
    }

    unsigned shift_;
    std::int64_t current_ = 0;  // bucket of the lowest level
    Time upper_next_ = kNever;  // the earliest event above the lowest level
    std::size_t size_ = 0;
    std::uint32_t free_ = kNoChunk;
    std::vector<Chunk> chunks_{Chunk{.events = {}, .count = kCapacity, .next = kNoChunk}};
    std::array<std::uint64_t, kLevels> summaries_{};       // words that are not 0
    std::array<std::uint64_t, kLevels * kWords> words_{};  // buckets that are not empty
    std::array<std::uint32_t, kLevels * kBuckets> heads_{};
    std::array<Time, kLevels * kBuckets> least_;  // of the buckets above the lowest level
};

}  // namespace anml::rt
