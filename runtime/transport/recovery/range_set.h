// A set of sequence numbers as sorted, disjoint ranges: what a receiver holds out of order, or what a sender knows to
// have arrived. Only connections with losses have one, from a pool.
//
// A window of a fast path has tens of thousands of holes. What an acknowledgment changes lies at the ends, mostly, or
// in one place: ranges move to whichever end is nearer, and how many bytes lie before the places that recovery asks
// about again and again is kept, and goes on from where it was asked about last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "transport/sequence.h"

namespace anml::rt::tcp {

struct Range {  // [begin, end)
    std::uint32_t begin, end;
};

class RangeSet {
  public:
    // More come of a peer that means harm: every other byte of its window.
    static constexpr std::uint32_t kMost = 1u << 15;

    std::uint32_t count = 0;
    std::uint32_t bytes = 0;       // in all ranges
    static constexpr std::size_t kRecent = 4;  // blocks in an acknowledgment, at most
    std::uint32_t recent[kRecent] = {};        // receiver: numbers in the ranges that changed last, latest first

    Range& operator[](std::uint32_t i) { return room_[first_ + i]; }
    const Range& operator[](std::uint32_t i) const { return room_[first_ + i]; }

    // Adds [begin, end) and returns how many bytes are new. Beyond kMost a range is left out.
    [[gnu::always_inline]] std::uint32_t add(std::uint32_t begin, std::uint32_t end)
    {
        if (count == 0) return add_anywhere(begin, end);
        Range& last = (*this)[count - 1];
        if (before(begin, last.begin) || after(begin, last.end) || !after(end, last.end))
            return add_anywhere(begin, end);
        const std::uint32_t fresh = end - last.end;  // mostly the last one grows
        note(last.end, end);
        last.end = end;
        return fresh;
    }

    // Of [begin, end) the parts that it does not have, in order: part(begin, end).
    template <class Part>
    void missing(std::uint32_t begin, std::uint32_t end, Part part) const
    {
        for (std::uint32_t i = find(begin); before(begin, end); ++i) {
            const std::uint32_t limit = i < count && before((*this)[i].begin, end) ? (*this)[i].begin : end;
            if (before(begin, limit)) part(begin, limit);
            begin = i < count ? (*this)[i].end : end;
        }
    }

    // Forgets what lies before `sequence`.
    void trim(std::uint32_t sequence)
    {
        const std::uint32_t had = bytes;
        for (; count > 0 && !after((*this)[0].end, sequence); ++first_, --count)
            bytes -= (*this)[0].end - (*this)[0].begin;
        if (count > 0 && before((*this)[0].begin, sequence)) {
            bytes -= sequence - (*this)[0].begin;
            (*this)[0].begin = sequence;
        }
        for (Tally& tally : tallies_)
            tally = after(tally.at, sequence) ? Tally{tally.at, tally.bytes - (had - bytes)} : Tally{sequence, 0};
    }

    void clear() { count = bytes = first_ = 0; }

    // The first range that ends behind `sequence`, `count` if there is none.
    std::uint32_t find(std::uint32_t sequence) const
    {
        return index([&](const Range& range) { return !after(range.end, sequence); });
    }
    bool holds(std::uint32_t sequence) const
    {
        std::uint32_t i = find(sequence);
        return i < count && !after((*this)[i].begin, sequence);
    }
    // Behind the last range, which there is.
    std::uint32_t end() const { return (*this)[count - 1].end; }

    // Bytes that lie before `sequence`. The answers are the same for each; it takes as long as there are ranges between
    // this place and the one that was asked about before under the same name.
    enum Place : std::uint8_t { lost, sent_again, next, kPlaces };
    std::uint32_t bytes_before(std::uint32_t sequence, Place place) const
    {
        if (count == 0 || !after(sequence, (*this)[0].begin)) return 0;
        Tally& tally = tallies_[place];
        if (before(tally.at, sequence))
            tally.bytes += between(tally.at, sequence);
        else if (tally.at != sequence)
            tally.bytes -= between(sequence, tally.at);
        tally.at = sequence;
        return tally.bytes;
    }

  private:
    struct Tally {
        std::uint32_t at, bytes;  // so many lie before this
    };

    [[gnu::noinline]] std::uint32_t add_anywhere(std::uint32_t begin, std::uint32_t end)
    {
        // [first, last) touch or overlap the new one.
        const std::uint32_t first = index([&](const Range& range) { return before(range.end, begin); });
        const std::uint32_t last = std::max(first, index([&](const Range& range) { return !after(range.begin, end); }));
        if (first == last) {
            if (count == kMost) return 0;
            if (count == 0) tallies_[lost] = tallies_[sent_again] = tallies_[next] = {begin, 0};
            insert(first, {begin, end});
            note(begin, end);
            return end - begin;
        }
        const std::uint32_t had = bytes;
        std::uint32_t from = begin;
        for (std::uint32_t i = first; i < last; ++i) {
            if (before(from, (*this)[i].begin)) note(from, (*this)[i].begin);
            from = later(from, (*this)[i].end);
        }
        if (before(from, end)) note(from, end);
        Range& merged = (*this)[first];
        merged = {before(begin, merged.begin) ? begin : merged.begin, later((*this)[last - 1].end, end)};
        erase(first + 1, last - first - 1);
        return bytes - had;
    }

    template <class Behind>
    std::uint32_t index(Behind behind) const  // the first of which that is not true
    {
        const auto begin = room_.begin() + first_, end = begin + count;
        if (count == 0 || behind(*(end - 1))) return count;
        return static_cast<std::uint32_t>(std::partition_point(begin, end, behind) - begin);
    }
    std::uint32_t between(std::uint32_t begin, std::uint32_t end) const
    {
        std::uint32_t sum = 0;
        for (std::uint32_t i = find(begin); i < count && before((*this)[i].begin, end); ++i)
            sum += (before(end, (*this)[i].end) ? end : (*this)[i].end) - later(begin, (*this)[i].begin);
        return sum;
    }
    // [begin, end) is new.
    void note(std::uint32_t begin, std::uint32_t end)
    {
        bytes += end - begin;
        for (Tally& tally : tallies_)
            if (after(tally.at, begin)) tally.bytes += (before(tally.at, end) ? tally.at : end) - begin;
    }
    // At the end, for many: of a window that moves on, each new range is there.
    void make_room()
    {
        if (first_ > count / 2) {
            std::copy(room_.begin() + first_, room_.end(), room_.begin());
            first_ = 0;
        } else {
            room_.resize(std::max(16u, first_ + 2 * count));
        }
    }
    void insert(std::uint32_t at, const Range& range)
    {
        const bool behind = first_ == 0 || at >= count / 2;
        if (behind && first_ + count == room_.size()) make_room();
        if (!behind) {
            const auto place = room_.begin() + first_;
            std::copy(place, place + at, place - 1);
            --first_;
        } else {
            const auto begin = room_.begin() + first_;
            std::copy_backward(begin + at, begin + count, begin + count + 1);
        }
        ++count;
        (*this)[at] = range;
    }
    void erase(std::uint32_t at, std::uint32_t some)
    {
        if (some == 0) return;
        const auto begin = room_.begin() + first_;
        if (at < count - at - some) {
            std::copy_backward(begin, begin + at, begin + at + some);
            first_ += some;
        } else {
            std::copy(begin + at + some, begin + count, begin + at);
        }
        count -= some;
    }

    mutable Tally tallies_[kPlaces] = {};
    std::uint32_t first_ = 0;  // in room_
    std::vector<Range> room_;  // stays when the set goes back to its pool
};

}  // namespace anml::rt::tcp
