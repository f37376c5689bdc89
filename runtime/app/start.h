// Starts all workloads: every host's first event, in the cluster that it belongs to.
#pragma once

#include <cstdint>
#include <functional>

#include "base/time.h"
#include "net/packet.h"

namespace anml::rt {

class Model;
struct Cluster;

namespace app {

void start(const Model& model, std::uint64_t seed, Time at, const std::function<Cluster&(NodeId)>& owner);

}  // namespace app
}  // namespace anml::rt
