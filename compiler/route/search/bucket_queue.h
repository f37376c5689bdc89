// A queue of vertices by path length for graphs whose links are of similar length: buckets no wider than the shortest
// link, so that the order within one doesn't matter (Denardo and Fox, Operations Research 27, 1979), on a ring that
// spans the longest link, with a bitmap of those that hold something.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace anml {

template <class Length>
class BucketQueue {
  public:
    // Link lengths are in [least, greatest], least above 0. The ring takes `buckets_for` buckets.
    static Length buckets_for(Length least, Length greatest) { return (greatest >> shift_for(least)) + 2; }
    BucketQueue(Length least, Length greatest)
        : shift_(shift_for(least)),
          buckets_(std::bit_ceil(static_cast<std::size_t>(buckets_for(least, greatest)))),
          occupied_((buckets_.size() + 63) / 64)
    {
    }

    void start(Length) { at_ = 0; }
    void push(Length length, std::uint32_t vertex)
    {
        const std::size_t slot = static_cast<std::size_t>(length >> shift_) & (buckets_.size() - 1);
        buckets_[slot].push_back(vertex);
        occupied_[slot / 64] |= std::uint64_t{1} << slot % 64;
        ++size_;
    }
    // A vertex that may have been pushed again, closer, before. Lengths that are pushed later are not below its own.
    bool pop(std::uint32_t& vertex)
    {
        if (size_ == 0) return false;
        if (buckets_[at_].empty()) advance();
        std::vector<std::uint32_t>& bucket = buckets_[at_];
        vertex = bucket.back();
        bucket.pop_back();
        if (bucket.empty()) occupied_[at_ / 64] &= ~(std::uint64_t{1} << at_ % 64);
        --size_;
        return true;
    }

  private:
    static unsigned shift_for(Length least)
    {
        unsigned shift = 0;
        while (least >>= 1) ++shift;
        return shift;
    }

    void advance()
    {
        std::size_t word = at_ / 64;
        std::uint64_t bits = occupied_[word] & (~std::uint64_t{0} << at_ % 64);
        while (bits == 0) {
            word = word + 1 == occupied_.size() ? 0 : word + 1;
            bits = occupied_[word];
        }
        at_ = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
    }

    unsigned shift_;
    std::vector<std::vector<std::uint32_t>> buckets_;  // a power of two
    std::vector<std::uint64_t> occupied_;
    std::size_t at_ = 0, size_ = 0;
};

}  // namespace anml
