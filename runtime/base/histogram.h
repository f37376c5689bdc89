// A high-dynamic-range histogram of non-negative int64 values (HDR layout: powers of two, each split
// into equal sub-buckets), with a relative error of at most 2^-kSubBits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace anml::rt {

template <int Bits>
class BasicHistogram {
  public:
    static constexpr int kSubBits = Bits;

    void record(std::int64_t value, std::uint64_t count = 1);
    void add(const BasicHistogram& other);
    // Of all recorded values that are at least `least`, each to the precision of its bucket.
    double sum_from(std::int64_t least) const;
    // What was recorded since it was like that: least and largest value to the precision of their buckets.
    void remove(const BasicHistogram& earlier);
    void clear();  // and keeps its room

    std::uint64_t count() const { return count_; }
    std::int64_t minimum() const { return count_ ? minimum_ : 0; }
    std::int64_t maximum() const { return count_ ? maximum_ : 0; }
    double mean() const { return count_ ? static_cast<double>(sum_) / static_cast<double>(count_) : 0; }
    // Smallest recorded value (to the bucket's precision) such that at least `percent` of all are not larger.
    std::int64_t percentile(double percent) const;
    // The same where `open`, in ascending order, have not ended yet, and are at least that large: the product-limit
    // estimate (Kaplan and Meier 1958). Nothing: it lies among those, beyond all that was recorded, or rests on fewer
    // than `enough` values that are known to be as large: the last ones weigh for all that are open before them.
    std::optional<std::int64_t> percentile(double percent, std::span<const std::int64_t> open, double enough = 0) const;
    // The same where some began before the `window`, as long as that is: `entered` has the ages at which those of them
    // that were recorded were first seen. Nobody knows of any that ended younger than that (left truncation: Kaplan and
    // Meier 1958, 2.2). Where few are seen at an age that matters, all count from the beginning.
    std::optional<std::int64_t> percentile(double percent, std::span<const std::int64_t> open, double enough,
                                           const BasicHistogram& entered, std::int64_t window) const;
    // What that percentile is at least: as if all that are open ended now.
    std::int64_t least_percentile(double percent, std::span<const std::int64_t> open) const;

    // What was recorded, without its exact values: use(bucket, count), by rising buckets.
    template <class Use>
    void for_each(Use&& use) const
    {
        for (std::size_t i = 0; i < buckets_.size(); ++i)
            if (buckets_[i] != 0) use(first_ + i, buckets_[i]);
    }
    static std::int64_t highest_in(std::size_t bucket);

    template <class Archive>
    void exchange(Archive& archive)
    {
        archive(first_, buckets_, count_, minimum_, maximum_, sum_);
    }

  private:
    [[gnu::noinline]] void make_room(std::size_t bucket);  // rare, and record() is small without it

    std::size_t first_ = 0;               // the bucket that buckets_ begins with
    std::vector<std::uint64_t> buckets_;  // from the smallest to the largest value seen, and some around
    std::uint64_t count_ = 0;
    std::int64_t minimum_ = 0, maximum_ = 0;
    unsigned __int128 sum_ = 0;  // exact: it does not depend on the order
};

using Histogram = BasicHistogram<9>;        // to 0.2 %
using CoarseHistogram = BasicHistogram<6>;  // to 1.6 %: where there may be many
extern template class BasicHistogram<9>;
extern template class BasicHistogram<6>;

}  // namespace anml::rt
