#include "app/second_times.h"

#include <algorithm>

namespace anml::rt {

void SecondTimes::keep(const CoarseHistogram& times, std::size_t second)
{
    if (times.count() == 0) return;
    if (ended_.size() >= kMost) kept_until_ = std::min(kept_until_, second);
    if (second >= kept_until_) return;
    times.for_each([&](std::size_t bucket, std::uint64_t count) {
        ended_.push_back({static_cast<std::uint32_t>(second), static_cast<std::uint32_t>(count),
                          static_cast<std::uint16_t>(bucket)});
    });
}

void SecondTimes::end_second(std::size_t next)
{
    keep(now_, second_);
    now_.clear();
    second_ = next;
}

void SecondTimes::add(const SecondTimes& other)
{
    ended_.insert(ended_.end(), other.ended_.begin(), other.ended_.end());
    kept_until_ = std::min(kept_until_, other.kept_until_);
    keep(other.now_, other.second_);
}

std::vector<CoarseHistogram> SecondTimes::histograms(std::size_t seconds) const
{
    std::vector<CoarseHistogram> all(seconds);
    const auto record = [&](std::size_t second, std::size_t bucket, std::uint64_t count) {
        if (second < std::min(seconds, kept_until_)) all[second].record(CoarseHistogram::highest_in(bucket), count);
    };
    for (const Counted& counted : ended_) record(counted.second, counted.bucket, counted.count);
    now_.for_each([&](std::size_t bucket, std::uint64_t count) { record(second_, bucket, count); });
    return all;
}

}  // namespace anml::rt
