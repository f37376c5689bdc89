// A high-dynamic-range histogram of non-negative int64 values (HDR layout: powers of two, each split
// into equal sub-buckets), with a relative error of at most 2^-kSubBits = 0.2 %.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace anml::rt {

class Histogram {
  public:
    static constexpr int kSubBits = 9;

    void record(std::int64_t value, std::uint64_t count = 1);
    void add(const Histogram& other);
    // Of all recorded values that are at least `least`, each to the precision of its bucket.
    double sum_from(std::int64_t least) const;
    // What was recorded since it was like that: least and largest value to the precision of their buckets.
    void remove(const Histogram& earlier);
    void clear();  // and keeps its room

    std::uint64_t count() const { return count_; }
    std::int64_t minimum() const { return count_ ? minimum_ : 0; }
    std::int64_t maximum() const { return count_ ? maximum_ : 0; }
    double mean() const { return count_ ? static_cast<double>(sum_) / static_cast<double>(count_) : 0; }
    // Smallest recorded value (to the bucket's precision) such that at least `percent` of all are not larger.
    std::int64_t percentile(double percent) const;
    // The same where `open`, in ascending order, have not ended yet, and are at least that large: the product-limit
    // estimate (Kaplan and Meier 1958). Nothing: it lies among those, beyond all that was recorded.
    std::optional<std::int64_t> percentile(double percent, std::span<const std::int64_t> open) const;
    // What that percentile is at least: as if all that are open ended now.
    std::int64_t least_percentile(double percent, std::span<const std::int64_t> open) const;

  private:
    std::vector<std::uint64_t> buckets_;  // grows to the largest value seen
    std::uint64_t count_ = 0;
    std::int64_t minimum_ = 0, maximum_ = 0;
    unsigned __int128 sum_ = 0;  // exact: it does not depend on the order
};

}  // namespace anml::rt
