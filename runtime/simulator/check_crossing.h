// Packets of other processes are what these have in memory: what a packet refers to by number has to be here, too.
#pragma once

#include "app/cluster.h"
#include "net/crossing.h"

namespace anml::rt {

// Whether its contents, segments, addresses and version of the link are those of the model, and its buffer has the
// bytes that it says. Its link is known.
bool is_of_model(const Cluster& k, const Crossing& crossing);

}  // namespace anml::rt
