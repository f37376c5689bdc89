// A queue of vertices by path length for any lengths: a radix heap (Ahuja, Mehlhorn, Orlin, Tarjan, JACM 37, 1990).
// Entry lengths lie in bucket i if they differ from the last minimum in bit i - 1 and none above.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace anml {

template <class Length>
class RadixHeap {
  public:
    void start(Length length) { last_ = length; }
    void push(Length length, std::uint32_t vertex)
    {
        buckets_[bucket_of(length)].emplace_back(length, vertex);
        ++size_;
    }
    // A vertex of the least length. It may have been pushed again, closer, before.
    bool pop(std::uint32_t& vertex)
    {
        if (size_ == 0) return false;
        if (buckets_[0].empty()) redistribute();
        vertex = buckets_[0].back().second;
        buckets_[0].pop_back();
        --size_;
        return true;
    }

  private:
    std::size_t bucket_of(Length length) const
    {
        const Length difference = length ^ last_;
        const auto low = static_cast<std::uint64_t>(difference);
        if constexpr (sizeof(Length) > sizeof(low)) {
            if (const auto high = static_cast<std::uint64_t>(difference >> 64); high != 0)
                return 64 + static_cast<std::size_t>(std::bit_width(high));
        }
        return static_cast<std::size_t>(std::bit_width(low));
    }

    void redistribute()
    {
        std::size_t bucket = 1;
        while (buckets_[bucket].empty()) ++bucket;
        last_ = std::min_element(buckets_[bucket].begin(), buckets_[bucket].end())->first;
        for (const auto& entry : buckets_[bucket]) buckets_[bucket_of(entry.first)].push_back(entry);
        buckets_[bucket].clear();
    }

    std::array<std::vector<std::pair<Length, std::uint32_t>>, 8 * sizeof(Length) + 1> buckets_;
    std::size_t size_ = 0;
    Length last_ = 0;
};

}  // namespace anml
