// How long the transactions of each second took, for percentiles by second. What a second had is a few counts per
// bucket; after a million of them, hours, further seconds have none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/fields.h"
#include "base/histogram.h"
#include "base/time.h"

namespace anml::rt {

class SecondTimes {
  public:
    struct Counted {
        std::uint32_t second, count;
        std::uint16_t bucket;  // of a CoarseHistogram
    };
    static constexpr std::size_t kMost = 1 << 20, kUsual = 64;  // in all, in a second

    void reserve(std::size_t seconds) { ended_.reserve(std::min(kMost, kUsual * seconds)); }
    // Seconds don't fall from call to call.
    void record(std::size_t second, Time took)
    {
        if (second != second_) end_second(second);
        now_.record(took);
    }
    void add(const SecondTimes& other);
    // By second, the one under way too. Values are the highest of their buckets, whoever counted them.
    std::vector<CoarseHistogram> histograms(std::size_t seconds) const;

    template <class Archive>
    void exchange(Archive& archive)
    {
        archive(ended_, second_, kept_until_, now_);
    }

  private:
    void end_second(std::size_t next);
    void keep(const CoarseHistogram& times, std::size_t second);

    std::vector<Counted> ended_;
    std::size_t second_ = 0, kept_until_ = SIZE_MAX;
    CoarseHistogram now_;
};

ANML_FIELDS(SecondTimes::Counted, second, count, bucket)

}  // namespace anml::rt
