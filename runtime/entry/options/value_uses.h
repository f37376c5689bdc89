// From when on values of the image count in a run: those that only the timeline has, from its moments on.
#pragma once

#include <vector>

#include "abi/image.h"

namespace anml::rt::entry {

// Something that the timeline does, or a change of routes: nothing before `time` depends on the other values.
struct TimelineUse {
    abi::ValueId time;
    std::vector<abi::ValueId> values;  // that one among them
};

struct ValueUses {
    explicit ValueUses(const abi::Image& image);

    std::vector<bool> from_start;  // by ValueId: links, nodes, workloads, servers or the window have it
    std::vector<TimelineUse> timeline;
};

}  // namespace anml::rt::entry
