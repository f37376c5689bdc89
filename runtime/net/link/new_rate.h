// What a change of a link's rate does to transmissions that have not ended.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/time.h"

namespace anml::rt {

struct RateChange {
    Time now;
    double before, after;  // bit/s

    // When a transmission ends, or begins, that would have done so at `time`.
    Time operator()(Time time) const
    {
        if (time <= now || before == after) return time;
        // A link of 1 bit/s may take centuries for what waited a second: no time of the run is so late.
        constexpr double kCenturies = static_cast<double>(kNever / 4);
        return now + std::llround(std::min(kCenturies, static_cast<double>(time - now) * before / after));
    }
};

}  // namespace anml::rt
