// Requirements as routes leave them.
#pragma once

#include <optional>
#include <vector>

#include "elaborate/network.h"

namespace anml {

// What a measure is compared with, where the other side has none.
struct MeasureBounds {
    struct Bound {
        std::optional<ValueExprId> value;
        bool inclusive = false;
    };
    Bound above, below;
};

// A requirement on what is measured: for the end of the run. In `holds` measure i is the tunable behind those of the
// network and behind i measures of the thresholds before and of its own.
struct Threshold {
    RequirementInfo requirement;
    std::vector<MeasureInfo> measures;
    std::vector<MeasureBounds> bounds;  // of each
};

// Requirements with their path queries answered. One that is false at the tunables' defaults, or over their whole
// range, is an error (diagnostic); one that is always true is dropped; the rest is checked when the emulator starts.
struct Requirements {
    ValuePool values;                       // network.values plus what the answers needed
    std::vector<RequirementInfo> residual;  // `holds` indexes `values`
    std::vector<Threshold> thresholds;      // the same
};

}  // namespace anml
