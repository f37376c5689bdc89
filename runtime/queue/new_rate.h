// What a change of a link's rate does to transmissions that have not ended.
#pragma once

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
        return now + std::llround(static_cast<double>(time - now) * before / after);
    }
};

}  // namespace anml::rt
