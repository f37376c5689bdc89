// Changes that no statement of the model makes: who runs it enters them, while it runs (`emu ctl`) or beforehand
// (`--changes`). They act as `at TIME { ... }` would behind all statements of the model's timeline, but for one thing:
// routes stay as they are.
#pragma once

#include <vector>

#include "abi/image.h"
#include "base/time.h"

namespace anml::rt {

struct EnteredChange {
    Time time;  // since the workloads' start
    abi::TimelineAttribute attribute;
    double value;  // as TimelineRow::value says; of an impairment its constant
    std::vector<abi::TimelineTarget> targets;
};

}  // namespace anml::rt
