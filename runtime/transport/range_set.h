// A set of sequence numbers as sorted, disjoint ranges: what a receiver holds out of order, or what a sender knows to
// have arrived. Only connections with losses have one, from a pool.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "transport/sequence.h"

namespace anml::rt::tcp {

struct Range {  // [begin, end)
    std::uint32_t begin, end;
};

struct RangeSet {
    // More come of a peer that means harm: every other byte of its window.
    static constexpr std::uint32_t kMost = 1u << 15;

    std::uint32_t count = 0;
    std::uint32_t bytes = 0;       // in all ranges
    std::uint32_t recent[2] = {};  // receiver: sequence numbers in the ranges that changed last, latest first
    std::vector<Range> ranges;     // the first `count` of them; the room stays when the set goes back to its pool

    // Adds [begin, end) and returns how many bytes are new. Beyond kMost a range is left out.
    std::uint32_t add(std::uint32_t begin, std::uint32_t end)
    {
        std::uint32_t last = count;  // [first, last) touch or overlap the new one; mostly it is the newest
        while (last > 0 && after(ranges[last - 1].begin, end)) --last;
        std::uint32_t first = last;
        while (first > 0 && !before(ranges[first - 1].end, begin)) --first;
        if (first == last) {
            if (count == ranges.size()) {
                if (count == kMost) return 0;
                ranges.resize(std::max(16u, 2 * count));
            }
            std::copy_backward(ranges.begin() + first, ranges.begin() + count, ranges.begin() + count + 1);
            ranges[first] = {begin, end};
            ++count;
            bytes += end - begin;
            return end - begin;
        }
        std::uint32_t covered = 0;
        for (std::uint32_t i = first; i < last; ++i) covered += ranges[i].end - ranges[i].begin;
        if (before(begin, ranges[first].begin)) ranges[first].begin = begin;
        ranges[first].end = later(ranges[last - 1].end, end);
        std::uint32_t added = ranges[first].end - ranges[first].begin - covered;
        std::copy(ranges.begin() + last, ranges.begin() + count, ranges.begin() + first + 1);
        count -= last - first - 1;
        bytes += added;
        return added;
    }

    // Of [begin, end) the parts that it does not have, in order: part(begin, end).
    template <class Part>
    void missing(std::uint32_t begin, std::uint32_t end, Part part) const
    {
        for (std::uint32_t i = find(begin); before(begin, end); ++i) {
            const std::uint32_t limit = i < count && before(ranges[i].begin, end) ? ranges[i].begin : end;
            if (before(begin, limit)) part(begin, limit);
            begin = i < count ? ranges[i].end : end;
        }
    }

    // Forgets what lies before `sequence`.
    void trim(std::uint32_t sequence)
    {
        std::uint32_t gone = 0;
        for (; gone < count && !after(ranges[gone].end, sequence); ++gone)
            bytes -= ranges[gone].end - ranges[gone].begin;
        if (gone > 0) {
            std::copy(ranges.begin() + gone, ranges.begin() + count, ranges.begin());
            count -= gone;
        }
        if (count > 0 && before(ranges[0].begin, sequence)) {
            bytes -= sequence - ranges[0].begin;
            ranges[0].begin = sequence;
        }
    }

    void clear() { count = bytes = 0; }

    // The first range that ends behind `sequence`, `count` if there is none.
    std::uint32_t find(std::uint32_t sequence) const
    {
        const auto behind = std::partition_point(ranges.begin(), ranges.begin() + count,
                                                 [&](const Range& range) { return !after(range.end, sequence); });
        return static_cast<std::uint32_t>(behind - ranges.begin());
    }
    bool holds(std::uint32_t sequence) const
    {
        std::uint32_t i = find(sequence);
        return i < count && !after(ranges[i].begin, sequence);
    }
    // Behind the last range, which there is.
    std::uint32_t end() const { return ranges[count - 1].end; }

    std::uint32_t bytes_before(std::uint32_t sequence) const
    {
        std::uint32_t sum = 0;
        for (std::uint32_t i = 0; i < count && before(ranges[i].begin, sequence); ++i)
            sum += (before(sequence, ranges[i].end) ? sequence : ranges[i].end) - ranges[i].begin;
        return sum;
    }
};

}  // namespace anml::rt::tcp
