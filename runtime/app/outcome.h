// How a transaction or a transfer over TCP ends, and counting it.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace anml::rt {

struct Cluster;

namespace app {

enum class Outcome { completed, connect, reset, timeout, status };

// Of one that began at `started` and ends now; what it moved is the workload's own to count.
void count(Cluster& k, std::uint32_t workload, Time started, Outcome outcome);

}  // namespace app
}  // namespace anml::rt
