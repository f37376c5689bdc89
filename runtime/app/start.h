// Starts all workloads: every host's first event, in the cluster that it belongs to; none where it belongs to none of
// this process. What workloads are besides, such as fluid, is told to `any`, which knows it all.
#pragma once

#include <cstdint>
#include <functional>

#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt {

class Model;
struct Cluster;

namespace app {

void start(const Model& model, std::uint64_t seed, Time at, const std::function<Cluster*(NodeId)>& owner, Cluster& any);

}  // namespace app
}  // namespace anml::rt
