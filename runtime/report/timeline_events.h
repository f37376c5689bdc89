// The timeline as people read it: what happens when.
#pragma once

#include <string>
#include <vector>

#include "base/time.h"

namespace anml::rt {

class Model;

struct TimelineEvent {
    Time time;         // since the workloads' start
    std::string text;  // "hop[2] down"
};

// By time: an entry per statement that acts; of a ramp its beginning and its end.
std::vector<TimelineEvent> timeline_events(const Model& model);

}  // namespace anml::rt
