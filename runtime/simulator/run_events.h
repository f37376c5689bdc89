// The event loop of a cluster.
#pragma once

#include "base/time.h"

namespace anml::rt {

struct Cluster;

// Runs the cluster's events with time <= limit in order, changes of the timeline before the events of their time, until
// there are none or one of its outboxes holds back.
void run_events(Cluster& k, Time limit);

}  // namespace anml::rt
