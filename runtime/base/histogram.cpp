// HDR layout: values below 2^(kSubBits+1) have a bucket each; every further power of two is split into 2^kSubBits
// equal buckets. See G. Tene's HdrHistogram for the idea; a percentile is the highest value of its bucket, as there.
#include "base/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace anml::rt {

namespace {

template <int Bits>
std::size_t bucket_of(std::uint64_t value)
{
    constexpr std::uint64_t kSub = 1u << Bits;
    if (value < 2 * kSub) return value;
    int shift = std::bit_width(value) - (Bits + 1);
    return static_cast<std::size_t>(shift) * kSub + (value >> shift);
}

constexpr double kRounding = 1e-12;

std::uint64_t rank_of(double percent, std::uint64_t count)
{
    const double share = std::clamp(percent, 0.0, 100.0) / 100.0;
    // 0.07 * 100 is 7.000000000000001 in binary: the margin keeps its rank at 7.
    const auto rank = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count) * (1 - kRounding)));
    return std::clamp<std::uint64_t>(rank, 1, count);
}

}  // namespace

template <int Bits>
std::int64_t BasicHistogram<Bits>::highest_in(std::size_t bucket)
{
    constexpr std::uint64_t kSub = 1u << Bits;
    if (bucket < 2 * kSub) return static_cast<std::int64_t>(bucket);
    auto shift = static_cast<int>(bucket / kSub) - 1;
    std::uint64_t sub = bucket - static_cast<std::size_t>(shift) * kSub;
    return static_cast<std::int64_t>(((sub + 1) << shift) - 1);
}

// A power of two at a time: what is measured spans few of them.
template <int Bits>
void BasicHistogram<Bits>::make_room(std::size_t bucket)
{
    constexpr std::size_t kStep = 1u << Bits;
    const std::size_t begin = bucket / kStep * kStep, end = begin + kStep;
    if (buckets_.empty()) first_ = begin;
    if (begin < first_) {
        buckets_.insert(buckets_.begin(), first_ - begin, 0);
        first_ = begin;
    }
    if (end > first_ + buckets_.size()) buckets_.resize(end - first_);
}

template <int Bits>
void BasicHistogram<Bits>::record(std::int64_t value, std::uint64_t count)
{
    if (count == 0) return;
    value = std::max<std::int64_t>(value, 0);
    const std::size_t bucket = bucket_of<Bits>(static_cast<std::uint64_t>(value));
    if (bucket - first_ >= buckets_.size()) make_room(bucket);
    buckets_[bucket - first_] += count;
    minimum_ = count_ ? std::min(minimum_, value) : value;
    maximum_ = count_ ? std::max(maximum_, value) : value;
    count_ += count;
    sum_ += static_cast<unsigned __int128>(value) * count;
}

template <int Bits>
void BasicHistogram<Bits>::add(const BasicHistogram& other)
{
    if (other.count_ == 0) return;
    make_room(other.first_);
    make_room(other.first_ + other.buckets_.size() - 1);
    other.for_each([&](std::size_t bucket, std::uint64_t count) { buckets_[bucket - first_] += count; });
    minimum_ = count_ ? std::min(minimum_, other.minimum_) : other.minimum_;
    maximum_ = count_ ? std::max(maximum_, other.maximum_) : other.maximum_;
    count_ += other.count_;
    sum_ += other.sum_;
}

template <int Bits>
void BasicHistogram<Bits>::remove(const BasicHistogram& earlier)
{
    if (earlier.count_ == 0) return;
    count_ -= earlier.count_;
    sum_ -= earlier.sum_;
    earlier.for_each([&](std::size_t bucket, std::uint64_t count) { buckets_[bucket - first_] -= count; });
    const std::int64_t most = maximum_;
    minimum_ = maximum_ = 0;
    bool some = false;
    for_each([&](std::size_t bucket, std::uint64_t) {
        maximum_ = std::min(highest_in(bucket), most);
        if (!std::exchange(some, true)) minimum_ = maximum_;
    });
}

template <int Bits>
double BasicHistogram<Bits>::sum_from(std::int64_t least) const
{
    const std::size_t from = bucket_of<Bits>(static_cast<std::uint64_t>(std::max<std::int64_t>(least, 0)));
    double sum = 0;
    for_each([&](std::size_t bucket, std::uint64_t count) {
        if (bucket >= from) sum += static_cast<double>(count) * static_cast<double>(highest_in(bucket));
    });
    return sum;
}

template <int Bits>
void BasicHistogram<Bits>::clear()
{
    std::fill(buckets_.begin(), buckets_.end(), 0);
    count_ = 0;
    minimum_ = maximum_ = 0;
    sum_ = 0;
}

template <int Bits>
std::int64_t BasicHistogram<Bits>::percentile(double percent) const
{
    if (count_ == 0) return 0;
    const std::uint64_t rank = rank_of(percent, count_);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
        seen += buckets_[i];
        if (seen >= rank) return std::clamp(highest_in(first_ + i), minimum_, maximum_);
    }
    return maximum_;
}

template <int Bits>
std::optional<std::int64_t> BasicHistogram<Bits>::percentile(double percent, std::span<const std::int64_t> open,
                                                             double enough) const
{
    return percentile(percent, open, enough, {}, std::numeric_limits<std::int64_t>::max());
}

template <int Bits>
std::optional<std::int64_t> BasicHistogram<Bits>::percentile(double percent, std::span<const std::int64_t> open,
                                                             double enough, const BasicHistogram& entered,
                                                             std::int64_t window) const
{
    constexpr double kFew = 20;
    const double beyond = 1 - std::clamp(percent, 0.0, 100.0) / 100;
    auto late = static_cast<std::size_t>(std::ranges::upper_bound(open, window) - open.begin());  // the first of them
    auto unseen = static_cast<double>(entered.count_ + (open.size() - late));
    double at_risk = static_cast<double>(count_ + open.size()) - unseen, left = 1;
    std::size_t gone = 0, next = 0;
    const auto see = [&](std::uint64_t count) {
        at_risk += static_cast<double>(count);
        unseen -= static_cast<double>(count);
    };
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
        if (buckets_[i] == 0) continue;
        const std::int64_t value = std::clamp(highest_in(first_ + i), minimum_, maximum_);
        for (; next < entered.buckets_.size() && entered.first_ + next <= first_ + i; ++next)
            see(entered.buckets_[next]);
        for (; late < open.size() && open[late] - window <= value; ++late) see(1);
        for (; gone < open.size() && open[gone] < value; ++gone) --at_risk;
        if (unseen > 0 && at_risk < std::max(enough, kFew)) return percentile(percent, open, enough);
        if (at_risk < enough) return std::nullopt;
        left *= 1 - static_cast<double>(buckets_[i]) / at_risk;
        at_risk -= static_cast<double>(buckets_[i]);
        if (left <= beyond * (1 + kRounding) + kRounding) return value;
    }
    return std::nullopt;
}

template <int Bits>
std::int64_t BasicHistogram<Bits>::least_percentile(double percent, std::span<const std::int64_t> open) const
{
    const std::uint64_t rank = rank_of(percent, count_ + open.size());
    std::uint64_t seen = 0;
    std::size_t i = 0;
    std::int64_t last = 0;
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
        if (buckets_[bucket] == 0) continue;
        const std::int64_t value = std::clamp(highest_in(first_ + bucket), minimum_, maximum_);
        for (; i < open.size() && open[i] < value; ++i)
            if (++seen >= rank) return open[i];
        seen += buckets_[bucket];
        last = value;
        if (seen >= rank) return value;
    }
    return i + (rank - seen) <= open.size() ? open[i + (rank - seen) - 1] : last;
}

template class BasicHistogram<9>;
template class BasicHistogram<6>;

}  // namespace anml::rt
