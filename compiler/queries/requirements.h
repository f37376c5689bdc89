// Requirements as routes leave them.
#pragma once

#include <vector>

#include "elaborate/network.h"

namespace anml {

// Requirements with their path queries answered. One that is false at the tunables' defaults, or over their whole
// range, is an error (diagnostic); one that is always true is dropped; the rest is checked when the emulator starts.
struct Requirements {
    ValuePool values;                       // network.values plus what the answers needed
    std::vector<RequirementInfo> residual;  // `holds` indexes `values`
};

}  // namespace anml
